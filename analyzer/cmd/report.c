/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof report and tprof info: documents of a whole trace.
 */
#include "screen/report.h"

#include "cmd/cmd.h"
#include "cmd/run_traces.h"
#include "runs/job.h"

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

static enum status take_process(void *of, const struct session *session)
{
    return job_add(of, session);
}

/* Of --job. */
static enum status report_job(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct document document;
    struct job job;
    enum status status;

    job_init(&job);
    status = run_traces_read(options, take_process, &job, &job.processes.unread, diagnostic);
    if (!status)
        status = cmd_finish_document(job_report(&job, &document), &document, options, diagnostic);
    job_fini(&job);
    return status;
}

enum status cmd_report(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const struct builder first = {report_build}, full = {report_build_full};
    struct cmd_options options;
    enum status status = cmd_parse_many(&options, argc, argv, &outcome->diagnostic);

    if (!status)
        status = cmd_check_by(&options, argv[0], CMD_RUN_KINDS, &outcome->diagnostic);
    if (status)
        return status;
    if (options.is_job && !options.is_help)
        return report_job(&options, &outcome->diagnostic);
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
