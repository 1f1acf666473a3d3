/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof timing, memory, flops ...: one analysis, as a table.
 */
#include <stdio.h>

#include "cmd/cmd.h"

static enum status build_and_render(const struct session *session, const struct analysis *analysis,
                                    const struct cmd_options *options,
                                    struct diagnostic *diagnostic)
{
    struct table table;
    enum status status = analysis->build(session, &options->analysis, &table);

    if (status)
        status = diagnostic_set_out_of_memory(diagnostic);
    else
        status = cmd_render_table(&table, analysis, options, diagnostic);
    table_fini(&table);
    return status;
}

enum status cmd_analysis(int argc, char **argv, struct cmd_outcome *outcome)
{
    const struct analysis *analysis = analysis_find(argv[0]);
    struct cmd_options options;
    struct session session;
    enum status status = cmd_parse(&options, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (options.is_help) {
        cmd_print_help(analysis->name, "[OPTIONS] [TRACE]", analysis->help);
        return STATUS_OK;
    }
    status = cmd_open_session(&session, &options, &outcome->diagnostic);
    if (status)
        return status;
    status = build_and_render(&session, analysis, &options, &outcome->diagnostic);
    session_close(&session);
    return status;
}
