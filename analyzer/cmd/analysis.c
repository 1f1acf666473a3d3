/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof timing, memory, flops ...: one analysis, as a table.
 */
#include "cmd/cmd.h"

static enum status report_table(const struct session *session, const struct cmd_options *options,
                                const void *of, struct diagnostic *diagnostic)
{
    const struct analysis *analysis = of;
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

    return cmd_run_reporter(argc, argv, analysis->help, report_table, analysis, outcome);
}
