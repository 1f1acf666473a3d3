/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a run, by name: their calls, and their own time by their clocks.
 */
#include "runs/run_ops.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_ops.h"
#include "runs/run.h"
#include "runs/run_places.h"

/* Each row is a test, which makes all others less sensitive. */
static const double least_op = 0.01; /* share of the time in all ops */

static int compare_names(const void *left, const void *right)
{
    const struct session_op *const *a = left, *const *b = right;

    return strcmp((*a)->name, (*b)->name);
}

/* The ops of one name. */
struct sum {
    uint64_t calls;
    uint64_t site; /* of the longest */
    double site_ns;
    double ns;
    bool is_estimated;
};

/* Returns: the position after the last op of the same name. */
static size_t sum_name(struct sum *sum, const struct session_op *const *ops, size_t first,
                       size_t count)
{
    size_t i = first;

    *sum = (struct sum){0};
    for (; i < count && strcmp(ops[i]->name, ops[first]->name) == 0; i++) {
        sum->calls += ops[i]->calls;
        sum->ns += (double)ops[i]->exclusive_ns;
        sum->is_estimated = sum->is_estimated || ops[i]->is_estimated;
        if (ops[i]->line != 0 && (double)ops[i]->exclusive_ns >= sum->site_ns) {
            sum->site = ops[i]->line;
            sum->site_ns = (double)ops[i]->exclusive_ns;
        }
    }
    return i;
}

static void add_row(const struct run_places *places, const char *name, const struct sum *sum)
{
    struct run_row *row = run_add_row(places->run, RUN_OP, name, "");

    row->values[RUN_CALLS] = (double)sum->calls;
    row->values[RUN_TOTAL] = sum->ns;
    if (sum->is_estimated)
        row->errors[RUN_CALLS] = row->errors[RUN_TOTAL] = (double)INFINITY;
    if (sum->site != 0)
        run_place_op(places, row, sum->site);
}

static void add_all(const struct run_places *places, const struct session_op *const *ops,
                    size_t count)
{
    double all_ns = 0;

    for (size_t i = 0; i < count; i++)
        all_ns += (double)ops[i]->exclusive_ns;
    for (size_t i = 0; i < count;) {
        size_t first = i;
        struct sum sum;

        i = sum_name(&sum, ops, first, count);
        if (sum.ns >= least_op * all_ns)
            add_row(places, ops[first]->name, &sum);
    }
}

/* If their recording ended early, calls cover only a part of the run. */
static bool are_whole(const struct session *session)
{
    return session->framework.fact.off == TRACE_OPS_OFF_NONE;
}

void run_add_ops(const struct run_places *places)
{
    const struct session *session = places->session;
    size_t count = session->ops.count > 1 ? session->ops.count - 1 : 0;
    const struct session_op **ops = memory_get_zeros(count + 1, sizeof *ops);

    for (size_t i = 0; i < count; i++)
        ops[i] = session_op_at(session, i + 1);
    if (count > 0)
        qsort(ops, count, sizeof *ops, compare_names);
    if (are_whole(session))
        add_all(places, ops, count);
    free(ops);
}
