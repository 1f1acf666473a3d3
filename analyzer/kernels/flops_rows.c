/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs by kernel, and by other groups of calls.
 */
#include <math.h>

#include "kernels/flops_parts.h"
#include "kernels/kernel_rows.h"

enum kernel_column {
    NAME,
    SHAPE,
    LIBRARY,
    CALLS,
    NESTED,
    FLOPS,
    EXECUTED,
    SHARE,
    MACS,
    EACH,
    RATE,
    BYTES,
    INTENSITY,
    ACCURACY,
    SYMBOL,
    IMPLEMENTATION
};

static const struct column kernel_columns[] = {
    [NAME] = {"name", "kernel", "the symbol, or the kernel that the object it was given stands for",
              UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "the file that holds the function", UNIT_TEXT, 9},
    [CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [NESTED] = {"nested_calls", "nested", "of these, inside a kernel that owns the FLOPs",
                UNIT_COUNT, 7},
    [FLOPS] = {"flops", "FLOPs", "one multiply-add is two", UNIT_FLOPS, 0},
    [EXECUTED] = {"executed_flops", NULL,
                  "the same without taps of convolutions in their padding; rates are of these",
                  UNIT_FLOPS, 4},
    [SHARE] = {"share", "share", "of all known FLOPs", UNIT_FRACTION, 0},
    [MACS] = {"macs", "MACs", "multiply-adds of matmul-class kernels", UNIT_COUNT, 5},
    [EACH] = {"flops_per_call", "each", "FLOPs of one call", UNIT_FLOPS, 3},
    [RATE] = {"flops_per_second", "rate",
              "FLOPs of its calls, those inside other kernels too, by their time",
              UNIT_FLOPS_PER_SECOND, 2},
    [BYTES] = {"bytes", "bytes", "compulsory traffic: every operand once", UNIT_BYTES, 6},
    [INTENSITY] = {"flops_per_byte", "FLOP/B", "arithmetic intensity", UNIT_REAL, 4},
    [ACCURACY] = {"accuracy", "accuracy", "exact, nominal, upper or unknown", UNIT_TEXT, 8},
    [SYMBOL] = {"symbol", NULL, "the function that was called, when it is one", UNIT_TEXT, 9},
    [IMPLEMENTATION] = {"implementation", NULL, "what served it, as the library names it",
                        UNIT_TEXT, 9},
};

static const struct table_schema kernel_schema = {
    "flops", "FLOPs", kernel_columns, sizeof kernel_columns / sizeof *kernel_columns, "share"};

/* A kernel of unknown FLOPs has known ones only for calls without work: none. */
static const char *accuracy_name(const struct group *group)
{
    static const char *const names[] = {"unknown", "exact", "nominal", "upper"};

    if (!group->kernel)
        return NULL;
    if (group->kernel->accuracy == CATALOG_UNKNOWN && group->owning_calls > 0 &&
        !isnan(group->flops))
        return names[CATALOG_EXACT];
    return names[group->kernel->accuracy];
}

static void set_kernel(struct value *row, const struct group *group, const struct group_work *all)
{
    value_set_unsigned(&row[CALLS], group->calls);
    value_set_unsigned(&row[NESTED], group->calls - group->owning_calls);
    if (group->owning_calls > 0) {
        value_set_count(&row[FLOPS], group->flops);
        value_set_count(&row[EXECUTED], group->executed_flops);
        value_set_ratio(&row[SHARE], group->flops, all->flops);
        value_set_count(&row[MACS], group_macs(group));
        value_set_count(&row[EACH], group->flops / group->owning_calls);
        value_set_count(&row[BYTES], group->bytes);
        value_set_ratio(&row[INTENSITY], group->flops, group->bytes);
    }
    if (group->done_flops > 0)
        value_set_real(&row[RATE], (double)group_rate(group));
    value_mark_estimate(&row[RATE], group_is_estimate(group));
    value_mark_estimate(&row[CALLS], group->has_estimated_calls);
    value_mark_estimate(&row[FLOPS], group->has_estimated_calls);
    value_set_text(&row[ACCURACY], accuracy_name(group));
    kernel_rows_set_origin(&row[SYMBOL], &row[IMPLEMENTATION], group);
    kernel_rows_set_names(&row[NAME], &row[SHAPE], &row[LIBRARY], group);
}

void flops_build_kernels(const struct groups *groups, struct table *table)
{
    table_init(table, &kernel_schema);
    for (size_t i = 0; i < groups->rows.count; i++) {
        struct value *row = table_add_row(table);

        set_kernel(row, array_at(&groups->rows, i), &groups->work);
    }
    table_sort(table, FLOPS, true);
}

enum group_column {
    GROUP_NAME,
    GROUP_FLOPS,
    GROUP_SHARE,
    GROUP_CALLS,
    GROUP_TIME,
    GROUP_TIME_SHARE,
    GROUP_RATE,
    GROUP_UNKNOWN,
    GROUP_MACS,
    GROUP_ELEMENTWISE,
    GROUP_BYTES
};

static const struct column group_columns[] = {
    [GROUP_NAME] = {"name", "what", "what the row stands for", UNIT_PLACE, 0},
    [GROUP_FLOPS] = {"flops", "FLOPs", "one multiply-add is two; of kernels that have a count",
                     UNIT_FLOPS, 0},
    [GROUP_SHARE] = {"share", "share", "of all known FLOPs", UNIT_FRACTION, 0},
    [GROUP_CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 3},
    [GROUP_TIME] = {"self_ns", "time", "in these kernels, without those inside", UNIT_NS, 1},
    [GROUP_TIME_SHARE] = {"time_share", "of time", "of all kernel time", UNIT_FRACTION, 1},
    [GROUP_RATE] = {"flops_per_second", "rate", "FLOPs by the time in kernels of known FLOPs",
                    UNIT_FLOPS_PER_SECOND, 2},
    [GROUP_UNKNOWN] = {"unknown_flops_fraction", "unknown",
                       "of the time of the row, in kernels of unknown FLOPs", UNIT_FRACTION, 4},
    [GROUP_MACS] = {"macs", "MACs", "multiply-adds of matmul-class kernels", UNIT_COUNT, 6},
    [GROUP_ELEMENTWISE] = {"elementwise_flops", "elementwise", "FLOPs of elementwise kernels",
                           UNIT_FLOPS, 7},
    [GROUP_BYTES] = {"bytes", "bytes", "compulsory traffic; unknown when that of a call is",
                     UNIT_BYTES, 5},
};

static const struct table_schema group_schema = {
    "flops", "FLOPs", group_columns, sizeof group_columns / sizeof *group_columns, "share"};

static void set_group(struct value *row, const struct group *group, const struct groups *groups)
{
    static const unsigned char timed[] = {GROUP_TIME, GROUP_TIME_SHARE, GROUP_RATE, GROUP_UNKNOWN};
    const struct group_work *work = &group->work;
    long double flops = group_work_flops(work);

    value_set_count(&row[GROUP_FLOPS], flops);
    value_set_ratio(&row[GROUP_SHARE], flops, groups->work.flops);
    value_set_unsigned(&row[GROUP_CALLS], group->calls);
    value_set_unsigned(&row[GROUP_TIME], group->self_ns);
    value_set_ratio(&row[GROUP_TIME_SHARE], group->self_ns, groups->self_ns);
    if (flops > 0)
        value_set_real(&row[GROUP_RATE], (double)group_rate(group));
    value_set_ratio(&row[GROUP_UNKNOWN], work->unknown_ns, group->self_ns);
    if (group_is_estimate(group))
        values_mark_estimates(row, timed, sizeof timed);
    if (work->known_calls > 0) {
        value_set_count(&row[GROUP_MACS], work->class_flops[CATALOG_MATMUL] / 2);
        value_set_count(&row[GROUP_ELEMENTWISE], work->class_flops[CATALOG_ELEMENTWISE]);
        value_set_count(&row[GROUP_BYTES], group->bytes);
    }
    value_set_text(&row[GROUP_NAME], group_name(group));
}

void flops_build_groups(const struct groups *groups, struct table *table)
{
    table_init(table, &group_schema);
    for (size_t i = 0; i < groups->rows.count; i++) {
        struct value *row = table_add_row(table);

        set_group(row, array_at(&groups->rows, i), groups);
    }
    table_sort(table, GROUP_FLOPS, true);
}
