/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of tprof time: all processor time, by code.
 */
#include "cpu/time_table.h"

#include <math.h>

#include "cpu/cpu_table.h"
#include "cpu/cpu_time.h"
#include "cpu/python_split.h"
#include "cpu/texts.h"
#include "cpu/time_options.h"
#include "cpu/time_tree.h"
#include "document/document.h"
#include "model/session.h"
#include "waits/waker_table.h"

/* A row of a tree is not worth its line below this, of the processor time. */
static const double least_of_trees = 0.01;

static const struct {
    enum analysis_by by;
    enum cpu_by cpu_by;
} groupings[] = {
    {ANALYSIS_BY_DEFAULT, CPU_BY_FUNCTION},
    {ANALYSIS_BY_FUNCTION, CPU_BY_FUNCTION},
    {ANALYSIS_BY_LIBRARY, CPU_BY_LIBRARY},
    {ANALYSIS_BY_LINE, CPU_BY_LINE},
    {ANALYSIS_BY_THREAD, CPU_BY_THREAD},
    {ANALYSIS_BY_REGION, CPU_BY_REGION},
    {ANALYSIS_BY_KIND, CPU_BY_KIND},
    {ANALYSIS_BY_TREE, CPU_BY_FUNCTION},
    {ANALYSIS_BY_CALLERS, CPU_BY_FUNCTION},
    {ANALYSIS_BY_PYTHON, CPU_BY_PYTHON},
    {ANALYSIS_BY_OP, CPU_BY_OP},
    {ANALYSIS_BY_FILE, CPU_BY_FILE},
    {ANALYSIS_BY_MODULE, CPU_BY_MODULE},
};

static enum cpu_by find_by(enum analysis_by by)
{
    enum cpu_by found = CPU_BY_FUNCTION;

    for (size_t i = 0; i < sizeof groupings / sizeof *groupings; i++)
        if (groupings[i].by == by)
            found = groupings[i].cpu_by;
    return found;
}

bool time_table_is_tree(enum analysis_by by)
{
    return by == ANALYSIS_BY_TREE || by == ANALYSIS_BY_CALLERS;
}

static bool has_kinds(enum cpu_by by)
{
    return by == CPU_BY_FUNCTION || by == CPU_BY_LINE || by == CPU_BY_KIND || by == CPU_BY_PYTHON ||
           by == CPU_BY_OP;
}

static void init(struct cpu_time *time, const struct session *session,
                 const struct analysis_options *options)
{
    const struct cpu_time_options own = {find_by(options->by), options->confidence,
                                         options->find_frames};

    cpu_time_init(time, session, &own);
}

static double sum_ops(const struct cpu_time *time)
{
    double ns = 0;

    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        ns += row->kind == CPU_OP ? row->self_ns : 0;
    }
    return ns;
}

static void say_ops(struct table *table, const struct cpu_time *time)
{
    if (time->session->ops.count <= 1) {
        table_say(table, time_no_ops_text);
        return;
    }
    table_say(table, time_ops_text, said_share(cpu_time_share(time, sum_ops(time))));
}

static void say_whole(struct table *table, const struct cpu_time *time, enum analysis_by by)
{
    const struct session *session = time->session;

    table_say(table, time_whole_text, said_time(time->cpu_ns), said_count(session->threads.count));
    if (by == ANALYSIS_BY_OP)
        say_ops(table, time);
    if (!isnan(time->placed))
        table_say(table, time_placed_text, said_share(time->placed), said_share(time->named));
    if (session->sampling.count > 0)
        table_say(table, time_samples_text, said_count(session->sampling.count),
                  said_time((double)session->sampling.period_ns));
    if (time->worker_ns > 0)
        table_say(table, time_workers_text, said_time(time->worker_ns));
    python_split_say(&table->notes, time);
    cpu_table_say(&table->notes, time);
}

static void fill(struct table *table, const struct cpu_time *time,
                 const struct analysis_options *options)
{
    const struct time_options *own = options->time;
    const struct time_tree_options tree = {own->least_fraction > 0 ? own->least_fraction
                                                                   : least_of_trees,
                                           own->depth, options->by == ANALYSIS_BY_CALLERS};

    if (time_table_is_tree(options->by))
        time_tree_fill(table, time, &tree);
    else
        cpu_table_fill(table, time, has_kinds(find_by(options->by)));
}

/* Rows of workers do not show the origin of their work. */
static bool names_places(enum analysis_by by)
{
    return by == ANALYSIS_BY_LINE || by == ANALYSIS_BY_PYTHON || by == ANALYSIS_BY_THREAD;
}

void time_table_build(const struct session *session, const struct analysis_options *options,
                      struct table *table)
{
    struct cpu_time time;

    init(&time, session, options);
    table_init(table, time_table_is_tree(options->by) ? &time_tree_schema : &cpu_table_schema);
    fill(table, &time, options);
    say_whole(table, &time, options->by);
    if (names_places(options->by))
        waker_table_say(table, session, options->find_frames);
}
