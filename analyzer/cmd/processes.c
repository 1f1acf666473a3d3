/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof processes: the processes of a run, one a row.
 */
#include "runs/processes.h"

#include "cmd/cmd.h"
#include "cmd/newest.h"
#include "model/session.h"

static enum status add_trace(struct processes *processes, const char *path,
                             const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct session session;
    enum status status = cmd_open_session(&session, path, options, diagnostic);

    if (status)
        return status;
    if (processes_add(processes, &session))
        status = diagnostic_set_out_of_memory(diagnostic);
    session_close(&session);
    return status;
}

/* Traces that were found, not named: one that cannot be read does not hide the others. */
static enum status add_found(struct processes *processes, const struct text_list *paths,
                             const struct cmd_options *options, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < text_list_count(paths) && !status; i++) {
        status = add_trace(processes, text_list_at(paths, i), options, diagnostic);
        if (!status || !cmd_leaves_out(status, diagnostic))
            continue;
        processes->unread++;
        status = STATUS_OK;
    }
    return status;
}

static enum status add_folder(struct processes *processes, const char *folder,
                              const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct text_list paths;
    enum status status;

    text_list_init(&paths);
    status =
        folder ? newest_list_all(folder, &paths, diagnostic) : newest_list_run(&paths, diagnostic);
    if (!status)
        status = add_found(processes, &paths, options, diagnostic);
    text_list_fini(&paths);
    return status;
}

/* Without a word the newest trace here and those of the same run; of a folder all. */
static enum status add_all(struct processes *processes, const struct cmd_options *options,
                           struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    if (options->trace_count == 0)
        return add_folder(processes, NULL, options, diagnostic);
    for (size_t i = 0; i < options->trace_count && !status; i++) {
        const char *named = options->traces[i];

        status = newest_is_folder(named) ? add_folder(processes, named, options, diagnostic)
                                         : add_trace(processes, named, options, diagnostic);
    }
    return status;
}

static enum status render(struct processes *processes, const struct cmd_options *options,
                          struct diagnostic *diagnostic)
{
    struct document document;

    return cmd_finish_document(processes_report(processes, &document), &document, options,
                               diagnostic);
}

static enum status report(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct processes processes;
    enum status status;

    processes_init(&processes);
    status = add_all(&processes, options, diagnostic);
    if (!status && processes.rows.count == 0)
        status = diagnostic_set(diagnostic, STATUS_IO, "processes: no trace there can be read");
    if (!status)
        status = render(&processes, options, diagnostic);
    processes_fini(&processes);
    return status;
}

enum status cmd_processes(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    enum status status = cmd_parse_many(&options, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (!options.is_help)
        return report(&options, &outcome->diagnostic);
    cmd_print_help("processes", "[OPTIONS] [TRACE|DIRECTORY...]",
                   "Show the processes of a run, one in each row, and their totals.  Without a "
                   "TRACE, tprof reads the newest trace here and the traces of its parents and "
                   "children.  For a DIRECTORY, tprof reads all traces in it.");
    return render_finish(stdout, &outcome->diagnostic);
}
