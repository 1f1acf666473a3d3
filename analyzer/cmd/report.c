/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof report and tprof info: documents of a whole trace.
 */
#include "analysis/report.h"

#include "cmd/cmd.h"

typedef enum status (*builder)(const struct session *session,
                               const struct analysis_options *options, struct document *document);

static enum status build_and_render(const struct session *session, builder build,
                                    const struct cmd_options *options,
                                    struct diagnostic *diagnostic)
{
    struct document document;
    enum status status = build(session, &options->analysis, &document);

    if (status)
        status = diagnostic_set_out_of_memory(diagnostic);
    else
        status = cmd_render_document(&document, options, diagnostic);
    document_fini(&document);
    return status;
}

static enum status run(int argc, char **argv, const char *help, builder build,
                       struct cmd_outcome *outcome)
{
    struct cmd_options options;
    struct session session;
    enum status status = cmd_parse(&options, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (options.is_help) {
        cmd_print_help(argv[0], "[OPTIONS] [TRACE]", help);
        return STATUS_OK;
    }
    status = cmd_open_session(&session, &options, &outcome->diagnostic);
    if (status)
        return status;
    status = build_and_render(&session, build, &options, &outcome->diagnostic);
    session_close(&session);
    return status;
}

enum status cmd_report(int argc, char **argv, struct cmd_outcome *outcome)
{
    return run(argc, argv, "The whole story of a trace on one screen; --json has all of it.",
               report_build, outcome);
}

enum status cmd_info(int argc, char **argv, struct cmd_outcome *outcome)
{
    return run(argc, argv, "What a trace holds: process, machine, libraries, losses.",
               report_build_info, outcome);
}
