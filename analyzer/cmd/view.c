/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof view: the tables of a trace on a terminal, to move through by keys.
 */
#include "cmd/cmd.h"
#include "cmd/steady.h"
#include "model/session.h"
#include "model/session_open.h"
#include "view/terminal.h"
#include "view/trace.h"
#include "view/view.h"

static const char help[] =
    "The tables of a trace on a terminal. Enter opens a row, Tab the next table, / searches, ? "
    "shows the keys, q ends.";

/* The second table: the uses of time.  The first has no rows. */
enum { FIRST_TABLE = 1 };

static enum status show(const struct session *session, const struct analysis_options *options,
                        struct diagnostic *diagnostic)
{
    struct view_source source;
    struct view_trace trace;
    enum status status;
    struct view view;

    view_trace_init(&trace, session, options);
    source = view_trace_source(&trace);
    view_start(&view, &source, FIRST_TABLE, view_terminal_has_unicode());
    status = view_terminal_run(&view, diagnostic);
    view_end(&view);
    view_trace_fini(&trace);
    return status;
}

static enum status report(const struct session *session, const struct cmd_options *options,
                          const void *of, struct cmd_outcome *outcome)
{
    struct analysis_options analysis = options->analysis;
    struct session steady;
    bool has_steady = steady_open(&steady, session, options);
    enum status status;

    (void)of;
    analysis.steady = has_steady ? &steady : NULL;
    status = show(session, &analysis, &outcome->diagnostic);
    if (has_steady)
        session_close(&steady);
    return status;
}

enum status cmd_view(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    enum status status = cmd_parse(&options, NULL, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        cmd_print_help(argv[0], "[OPTIONS] [TRACE]", help, NULL);
        return STATUS_OK;
    }
    if (!status)
        status = view_terminal_check(&outcome->diagnostic); /* before a trace is opened */
    return status ? status : cmd_report_trace(&options, report, NULL, outcome);
}
