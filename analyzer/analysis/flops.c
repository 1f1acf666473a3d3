/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs: how much arithmetic each kernel did, by shape.  A call inside a
 * kernel that owns its FLOPs adds none, so nothing counts twice and the
 * shares sum to 100 %.
 */
#include <math.h>

#include "analysis/kernel_rows.h"

enum column_index {
    NAME,
    SHAPE,
    LIBRARY,
    CALLS,
    NESTED,
    FLOPS,
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

static const struct column columns[] = {
    [NAME] = {"name", "kernel", "the symbol, or the kernel that the object it was given stands for",
              UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "the file that holds the function", UNIT_TEXT, 9},
    [CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [NESTED] = {"nested_calls", "nested", "of these, inside a kernel that owns the FLOPs",
                UNIT_COUNT, 7},
    [FLOPS] = {"flops", "FLOPs", "one multiply-add is two", UNIT_FLOPS, 0},
    [SHARE] = {"share", "share", "of all known FLOPs", UNIT_FRACTION, 0},
    [MACS] = {"macs", "MACs", "multiply-adds of matmul-class kernels", UNIT_COUNT, 5},
    [EACH] = {"flops_per_call", "each", "FLOPs of one call", UNIT_FLOPS, 3},
    [RATE] = {"flops_per_second", "rate", "FLOPs by the time in these calls", UNIT_FLOPS_PER_SECOND,
              2},
    [BYTES] = {"bytes", "bytes", "compulsory traffic: every operand once", UNIT_BYTES, 6},
    [INTENSITY] = {"flops_per_byte", "FLOP/B", "arithmetic intensity", UNIT_REAL, 4},
    [ACCURACY] = {"accuracy", "accuracy", "exact, nominal, upper or unknown", UNIT_TEXT, 8},
    [SYMBOL] = {"symbol", NULL, "the function that was called, when it is one", UNIT_TEXT, 9},
    [IMPLEMENTATION] = {"implementation", NULL, "what served it, as the library names it",
                        UNIT_TEXT, 9},
};

static const struct table_schema schema = {"flops", "FLOPs", columns,
                                           sizeof columns / sizeof *columns, "share"};

struct totals {
    long double flops;
    uint64_t unknown_ns; /* self time of kernels whose FLOPs are unknown */
};

static const char *accuracy_name(const struct catalog_kernel *kernel)
{
    static const char *const names[] = {"unknown", "exact", "nominal", "upper"};

    return kernel ? names[kernel->accuracy] : NULL;
}

static struct totals sum(const struct groups *groups)
{
    struct totals totals = {0, 0};

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (isnan(group->flops))
            totals.unknown_ns += group->self_ns;
        else
            totals.flops += group->flops;
    }
    return totals;
}

static enum status set_row(struct value *row, const struct group *group,
                           const struct totals *totals)
{
    value_set_unsigned(&row[CALLS], group->calls);
    value_set_unsigned(&row[NESTED], group->calls - group->owning_calls);
    if (group->owning_calls > 0) {
        kernel_rows_set_count(&row[FLOPS], group->flops);
        kernel_rows_set_ratio(&row[SHARE], group->flops, totals->flops);
        kernel_rows_set_count(&row[MACS], group_macs(group));
        kernel_rows_set_count(&row[EACH], group->flops / group->owning_calls);
        kernel_rows_set_ratio(&row[RATE], group->flops * 1e9L, group->total_ns);
        kernel_rows_set_count(&row[BYTES], group->bytes);
        kernel_rows_set_ratio(&row[INTENSITY], group->flops, group->bytes);
    }
    if (value_set_text(&row[ACCURACY], accuracy_name(group->kernel)))
        return STATUS_OUT_OF_MEMORY;
    if (kernel_rows_set_origin(&row[SYMBOL], &row[IMPLEMENTATION], group))
        return STATUS_OUT_OF_MEMORY;
    return kernel_rows_set_names(&row[NAME], &row[SHAPE], &row[LIBRARY], group);
}

static enum status add_notes(struct table *table, const struct groups *groups,
                             const struct totals *totals)
{
    enum status status =
        table_add_note(table, "%.0Lf FLOPs in all; shares are of these.", totals->flops);

    if (!status && totals->unknown_ns > 0)
        status =
            table_add_note(table, "%.1f %% of kernel time is in kernels whose FLOPs are unknown.",
                           100 * (double)totals->unknown_ns / (double)groups->self_ns);
    return status;
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct groups groups;
    struct totals totals;
    enum status status;

    table_init(table, &schema);
    status = groups_init(&groups, session, options);
    if (status)
        return status;
    totals = sum(&groups);
    for (size_t i = 0; i < groups.rows.count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, array_at(&groups.rows, i), &totals) : STATUS_OUT_OF_MEMORY;
    }
    if (!status)
        status = add_notes(table, &groups, &totals);
    groups_fini(&groups);
    return status;
}

const struct analysis analysis_flops = {
    .name = "flops",
    .help = "How much arithmetic each kernel did: FLOPs, MACs, rates, bytes.",
    .sort_key = "flops",
    .build = build,
    .rows = 1 << ANALYSIS_BY_SHAPE | 1 << ANALYSIS_BY_KERNEL,
};
