/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of kernels by thread time, for a run whose processor time was not sampled.
 */
#include "screen/report_time.h"

#include <stdio.h>

#include "kernels/top.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "screen/report_sums.h"
#include "screen/texts.h"

enum time_column { TIME_SHARE, TIME_SELF, TIME_CALLS, TIME_MEAN, TIME_RATE, TIME_WHAT };

static const struct column time_columns[] = {
    [TIME_SHARE] = {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    [TIME_SELF] = {"self_ns", "time", "without the kernels inside", UNIT_NS, 0},
    [TIME_CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [TIME_MEAN] = {"mean_ns", "mean", "of the calls after warm-up, with the kernels inside",
                   UNIT_NS, 3},
    [TIME_RATE] = {"flops_per_second", "rate",
                   "FLOPs of its calls, those inside other kernels too, by their time",
                   UNIT_FLOPS_PER_SECOND, 2},
    [TIME_WHAT] = {"what", "where", "kernel and shape, or the rest", UNIT_TEXT, 0},
};

static const struct table_schema time_schema = {"time", "Where the time went", time_columns,
                                                sizeof time_columns / sizeof *time_columns,
                                                "share"};

static void add_time_row(struct table *table, const struct session *session, uint64_t self_ns,
                         uint64_t calls, const char *what, struct value **row)
{
    *row = table_add_row(table);
    value_set_ratio(&(*row)[TIME_SHARE], self_ns, session->thread_ns);
    value_set_unsigned(&(*row)[TIME_SELF], self_ns);
    if (calls > 0)
        value_set_unsigned(&(*row)[TIME_CALLS], calls);
    value_set_text(&(*row)[TIME_WHAT], what);
}

static void mark_estimates(struct value *row, bool is_estimate, bool is_drawn)
{
    static const unsigned char timed[] = {TIME_SHARE, TIME_SELF, TIME_RATE};

    if (is_estimate)
        values_mark_estimates(row, timed, sizeof timed);
    value_mark_estimate(&row[TIME_MEAN], is_drawn);
}

static void add_group_row(struct table *table, const struct session *session,
                          const struct groups *groups, const struct group *group)
{
    char what[GROUPS_SHAPE_SIZE + 256];
    struct value *row;

    snprintf(what, sizeof what, "%s %s%s%s", group->name ? group->name : "(unnamed)", group->shape,
             groups->names_libraries && group->library ? " in " : "",
             groups->names_libraries && group->library ? group->library : "");
    add_time_row(table, session, group->self_ns, group->calls, what, &row);
    value_set_real(&row[TIME_MEAN], group_mean_ns(group));
    if (group->done_flops > 0)
        value_set_real(&row[TIME_RATE], (double)group_rate(group));
    mark_estimates(row, group_is_estimate(group), group->is_drawn);
    value_mark_estimate(&row[TIME_CALLS], group->has_estimated_calls);
}

static void add_other_kernels(struct table *table, const struct session *session,
                              const struct groups *groups, size_t limit)
{
    struct groups_steady steady = {0};
    bool is_estimate = false, is_drawn = false;
    uint64_t self_ns = 0, calls = 0;
    struct text what;
    struct value *row;

    if (groups->own_rows <= limit)
        return;
    for (size_t i = limit; i < groups->own_rows; i++) {
        const struct group *group = array_at(&groups->rows, i);

        self_ns += group->self_ns;
        calls += group->calls;
        is_estimate |= group_is_estimate(group);
        is_drawn |= group->is_drawn;
        groups_steady_add(&steady, group);
    }
    text_init(&what);
    say(&what, report_time_more_text, said_count(groups->own_rows - limit));
    add_time_row(table, session, self_ns, calls, what.bytes, &row);
    value_set_real(&row[TIME_MEAN], groups_steady_mean_ns(&steady));
    mark_estimates(row, is_estimate, is_drawn);
}

/* The time outside of kernels: our own cost as estimated, and the unexplained rest. */
static void add_rest(struct table *table, const struct session *session, uint64_t kernel_ns)
{
    struct groups_rest rest = groups_split_rest(session, kernel_ns);
    struct value *row;

    add_time_row(table, session, rest.other_ns, 0, "outside known kernels", &row);
    if (rest.loading_ns > 0)
        add_time_row(table, session, rest.loading_ns, 0, "data loading", &row);
    if (rest.bystanders.count > 0)
        add_time_row(table, session, rest.bystanders.ns, 0, rest.bystanders.name, &row);
    if (session->process.imported)
        return;
    add_time_row(table, session, rest.own_ns, 0, "tprof itself, estimated", &row);
}

void report_fill_time(struct table *table, const struct report_sums *sums, size_t limit)
{
    const struct session *session = sums->session;
    const struct groups *groups = &sums->groups;

    table_init(table, &time_schema);
    for (size_t i = 0; i < groups->own_rows && i < limit; i++)
        add_group_row(table, session, groups, array_at(&groups->rows, i));
    add_other_kernels(table, session, groups, limit);
    add_rest(table, session, sums->kernel_ns);
}
