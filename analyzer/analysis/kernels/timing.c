/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timing: how long each kernel takes, by shape.  Shares are of thread time
 * and exclusive, so with what is outside kernels they sum to 100 %.
 */
#include <math.h>

#include "analysis/kernels/judge.h"
#include "analysis/kernels/kernel_rows.h"
#include "analysis/statistics.h"
#include "base/units.h"

enum column_index {
    NAME,
    SHAPE,
    LIBRARY,
    CALLS,
    TOTAL,
    SELF,
    SHARE,
    MEAN,
    SD,
    INTERVAL,
    MINIMUM,
    P50,
    P95,
    P99,
    MAXIMUM,
    WARMUP,
    SAMPLES,
    FLOPS,
    BYTES,
    RATE,
    BOUND,
    SYMBOL,
    IMPLEMENTATION
};

static const struct column columns[] = {
    [NAME] = {"name", "kernel", "the symbol, or the kernel that the object it was given stands for",
              UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "the file that holds the function", UNIT_TEXT, 9},
    [CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [TOTAL] = {"total_ns", "total", "time in these calls, nested kernels included", UNIT_NS, 6},
    [SELF] = {"self_ns", "self", "time in these calls, without the kernels inside", UNIT_NS, 0},
    [SHARE] = {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    [MEAN] = {"mean_ns", "mean", "of the samples after warm-up", UNIT_NS, 2},
    [SD] = {"sd_ns", "sd", "standard deviation of the samples, n-1", UNIT_NS, 3},
    [INTERVAL] = {"mean_ci95_ns", "interval of mean", "t interval of the mean", UNIT_NS, 8},
    [MINIMUM] = {"min_ns", "min", "the shortest call", UNIT_NS, 7},
    [P50] = {"p50_ns", "p50", "median of the samples", UNIT_NS, 4},
    [P95] = {"p95_ns", "p95", "95th percentile of the samples", UNIT_NS, 5},
    [P99] = {"p99_ns", "p99", "99th percentile of the samples", UNIT_NS, 5},
    [MAXIMUM] = {"max_ns", "max", "the longest call", UNIT_NS, 7},
    [WARMUP] = {"warmup_calls", "warm-up", "first calls left out of the statistics", UNIT_COUNT, 9},
    [SAMPLES] = {"samples", "samples", "calls in the statistics", UNIT_COUNT, 9},
    [FLOPS] = {"flops", "FLOPs", "of all calls that own theirs", UNIT_FLOPS, 9},
    [BYTES] = {"bytes", "bytes", "compulsory traffic of these calls", UNIT_BYTES, 9},
    [RATE] = {"flops_per_second", "rate", "FLOPs by total time", UNIT_FLOPS_PER_SECOND, 6},
    [BOUND] = {"bound", "bound", "compute, memory or latency; needs tprof calibrate", UNIT_TEXT, 9},
    [SYMBOL] = {"symbol", NULL, "the function that was called, when it is one", UNIT_TEXT, 9},
    [IMPLEMENTATION] = {"implementation", NULL, "what served it, as the library names it",
                        UNIT_TEXT, 9},
};

static const struct table_schema schema = {"timing", "Timing", columns,
                                           sizeof columns / sizeof *columns, "share"};

static void set_statistics(struct value *row, const struct group *group, double confidence)
{
    struct statistics of =
        statistics_of(group->samples_ns.items, group->samples_ns.count, confidence);

    value_set_real(&row[MEAN], of.mean);
    value_set_real(&row[SD], of.sd);
    if (isfinite(of.low))
        value_set_interval(&row[INTERVAL], of.low, of.high);
    kernel_rows_set_count(&row[P50], roundl((long double)of.median));
    kernel_rows_set_count(&row[P95], roundl((long double)of.p95));
    kernel_rows_set_count(&row[P99], roundl((long double)of.p99));
    value_set_unsigned(&row[SAMPLES], of.count);
}

static enum status set_bound(struct value *value, const struct judge *judge,
                             const struct group *group)
{
    struct judgement judgement = judge_group(judge, group);

    return value_set_text(value, judge_bound_name(judgement.bound));
}

static enum status set_row(struct value *row, const struct group *group,
                           const struct session *session, const struct analysis_options *options)
{
    value_set_unsigned(&row[CALLS], group->calls);
    value_set_unsigned(&row[TOTAL], group->total_ns);
    value_set_unsigned(&row[SELF], group->self_ns);
    kernel_rows_set_ratio(&row[SHARE], group->self_ns, session->thread_ns);
    set_statistics(row, group, options->confidence);
    if (group->calls > 0) {
        value_set_unsigned(&row[MINIMUM], group->min_ns);
        value_set_unsigned(&row[MAXIMUM], group->max_ns);
    }
    value_set_unsigned(&row[WARMUP], group->warmup_calls);
    if (group->owning_calls > 0) {
        kernel_rows_set_count(&row[FLOPS], group->flops);
        kernel_rows_set_count(&row[BYTES], group->bytes);
        kernel_rows_set_ratio(&row[RATE], group->flops * 1e9L, group->total_ns);
    }
    if (kernel_rows_set_origin(&row[SYMBOL], &row[IMPLEMENTATION], group))
        return STATUS_OUT_OF_MEMORY;
    return kernel_rows_set_names(&row[NAME], &row[SHAPE], &row[LIBRARY], group);
}

static enum status add_notes(struct table *table, const struct session *session,
                             const struct groups *groups, const struct analysis_options *options)
{
    double share =
        session->thread_ns > 0 ? (double)groups->self_ns / (double)session->thread_ns : NAN;
    char whole[UNITS_SIZE];
    enum status status = table_add_note(
        table,
        "Shares are of %s of thread time in %zu thread%s, exclusive: %.1f %% in known kernels, "
        "%.1f %% outside.",
        units_format_time(whole, (double)session->thread_ns), session->threads.count,
        session->threads.count == 1 ? "" : "s", 100 * share, 100 * (1 - share));

    if (!status)
        status = table_add_note(
            table,
            "Statistics leave out the first %u calls of each kernel, shape, place "
            "and thread; the interval of the mean is of %g %% and describes this run only.",
            options->warmup, 100 * options->confidence);
    if (!status && session->losses.overwritten_records > 0)
        status = table_add_note(
            table, "Events were overwritten: calls and times are exact, the statistics "
                   "are of the samples that are left.");
    return status;
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct judge judge = judge_init(session, options);
    struct groups groups;
    enum status status;

    table_init(table, &schema);
    status = groups_init(&groups, session, options);
    if (status)
        return status;
    for (size_t i = 0; i < groups.rows.count && !status; i++) {
        struct value *row = table_add_row(table);

        status =
            row ? set_row(row, array_at(&groups.rows, i), session, options) : STATUS_OUT_OF_MEMORY;
        if (!status)
            status = set_bound(&row[BOUND], &judge, array_at(&groups.rows, i));
    }
    if (!status)
        status = add_notes(table, session, &groups, options);
    groups_fini(&groups);
    return status;
}

const struct analysis analysis_timing = {
    .name = "timing",
    .help = "How long each kernel takes: calls, exclusive share, mean, deviation, percentiles.",
    .sort_key = "self_ns",
    .build = build,
    .rows = 1 << ANALYSIS_BY_SHAPE | 1 << ANALYSIS_BY_KERNEL,
};
