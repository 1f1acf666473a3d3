/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof time: all processor time, by code; or the time that passed, by device.
 */
#include "analysis/analysis.h"
#include "cpu/time_options.h"
#include "cpu/time_table.h"
#include "devices/device_time.h"
#include "options/readers.h"

static bool is_wanted(const struct table *table, const struct value *row, const void *least)
{
    double share = value_number(&row[table_find_column(table, "total_share")]);

    return share >= *(const double *)least;
}

/* A tree leaves out small rows itself, with all below them. */
static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    const struct time_options *own = options->time;

    if (options->by == ANALYSIS_BY_DEVICE)
        device_time_build(session, options, table);
    else
        time_table_build(session, options, table);
    if (own->least_fraction > 0 && !time_table_is_tree(options->by))
        table_keep_rows(table, is_wanted, &own->least_fraction);
}

static long asked_rows(const struct analysis_options *options)
{
    return time_table_is_tree(options->by) ? 0 : ANALYSIS_ROWS_UNASKED;
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct time_options, field, __VA_ARGS__),
#include "cpu/time_options.def"
#undef OPTION
};

static const struct time_options defaults = {.depth = 40};

const struct analysis analysis_time = {
    .name = "time",
    .help = "All processor time, by function, Python function, op, library, file, line, thread, "
            "region, module or kind; or the time that passed, by device.",
    .sort_key = NULL,
    .build = build,
    .asked_rows = asked_rows,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
    .long_rows = 1 << ANALYSIS_BY_DEFAULT | 1 << ANALYSIS_BY_FUNCTION | 1 << ANALYSIS_BY_LINE |
                 1 << ANALYSIS_BY_PYTHON | 1 << ANALYSIS_BY_OP | 1 << ANALYSIS_BY_FILE |
                 1 << ANALYSIS_BY_MODULE,
};
