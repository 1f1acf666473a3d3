/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof processes: the processes of a run, one a row.
 */
#include "runs/processes.h"

#include "cmd/cmd.h"
#include "cmd/run_traces.h"

static void take(void *of, const struct session *session)
{
    processes_add(of, session);
}

static enum status render(struct processes *processes, const struct cmd_options *options,
                          struct diagnostic *diagnostic)
{
    struct document document;

    processes_report(processes, &document);
    return cmd_finish_document(&document, options, diagnostic);
}

static enum status report(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct processes processes;
    enum status status;

    processes_init(&processes);
    status = run_traces_read(options, take, &processes, &processes.unread, diagnostic);
    if (!status)
        status = render(&processes, options, diagnostic);
    processes_fini(&processes);
    return status;
}

enum status cmd_processes(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    enum status status = cmd_parse_many(&options, NULL, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (!options.is_help)
        return report(&options, &outcome->diagnostic);
    cmd_print_help("processes", "[OPTIONS] [TRACE|DIRECTORY...]",
                   "Show the processes of a run, one in each row, and their totals.  Without a "
                   "TRACE, tprof reads the newest trace here and the traces of its parents and "
                   "children.  For a DIRECTORY, tprof reads all traces in it.", NULL);
    return render_finish(stdout, &outcome->diagnostic);
}
