/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof report and tprof info: documents of a whole trace.
 */
#include "screen/report.h"

#include "cmd/cmd.h"

/* What makes the document. */
struct builder {
    enum status (*build)(const struct session *session, const struct analysis_options *options,
                         struct document *document);
};

static enum status show_document(const struct session *session, const struct cmd_options *options,
                                 const void *of, struct cmd_outcome *outcome)
{
    const struct builder *builder = of;
    struct document document;
    enum status status = builder->build(session, &options->analysis, &document);

    if (status)
        status = diagnostic_set_out_of_memory(&outcome->diagnostic);
    else
        status = cmd_render_document(&document, options, &outcome->diagnostic);
    document_fini(&document);
    return status;
}

enum status cmd_report(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const struct builder first = {report_build}, full = {report_build_full};
    struct cmd_options options;
    enum status status = cmd_parse(&options, argc, argv, &outcome->diagnostic);

    if (!status)
        status = cmd_check_by(&options, argv[0], CMD_RUN_KINDS, &outcome->diagnostic);
    if (status)
        return status;
    return cmd_run_reporter(
        argc, argv, "The whole story of a trace on one screen. --full and --json have all of it.",
        show_document, options.is_full ? &full : &first, outcome);
}

enum status cmd_info(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const struct builder info = {report_build_info};

    return cmd_run_reporter(argc, argv,
                            "Show the contents of a trace: process, machine, libraries, losses.",
                            show_document, &info, outcome);
}
