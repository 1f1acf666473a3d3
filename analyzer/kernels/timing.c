/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timing: how long each kernel takes, by shape.  Shares are of thread time and
 * exclusive, so with the time outside kernels they sum to 100 %.
 */
#include <limits.h>
#include <math.h>

#include "analysis/name_notes.h"
#include "base/text.h"
#include "kernels/calls.h"
#include "kernels/judge.h"
#include "kernels/kernel_rows.h"
#include "kernels/slowest.h"
#include "kernels/texts.h"
#include "kernels/timing_options.h"
#include "kernels/timing_parts.h"
#include "kernels/timing_row.h"
#include "model/session.h"
#include "options/readers.h"

#define COLUMN(id, key, title, help, unit, priority)                                               \
    [TIMING_##id] = {key, title, help, unit, priority},

static const struct column columns[] = {
    [TIMING_NAME] = {"name", "kernel",
                     "the symbol, or the kernel that the object it was given stands for", UNIT_TEXT,
                     0},
    [TIMING_SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
#include "kernels/timing.def"
};

/* Columns for rows without a shape. */
static const struct column plain_columns[] = {
    [TIMING_NAME] = {"name", "what", "what the row stands for", UNIT_PLACE, 0},
    [TIMING_SHAPE] = {"shape", NULL, "null", UNIT_TEXT, 0},
#include "kernels/timing.def"
};

#undef COLUMN

enum { UNALIASED_COLUMNS = TIMING_HISTOGRAM + 1 };

static bool has_aliases(const struct analysis_options *options)
{
    return fabs(options->confidence - 0.95) < 1e-9;
}

static const struct table_schema *schema_of(const struct analysis_options *options)
{
    static const struct table_schema schemas[2][2] = {
        {{"timing", "Timing", plain_columns, UNALIASED_COLUMNS, "share"},
         {"timing", "Timing", plain_columns, TIMING_COLUMNS, "share"}},
        {{"timing", "Timing", columns, UNALIASED_COLUMNS, "share"},
         {"timing", "Timing", columns, TIMING_COLUMNS, "share"}}};
    bool has_shapes = options->by == ANALYSIS_BY_DEFAULT || options->by == ANALYSIS_BY_SHAPE;

    return &schemas[has_shapes][has_aliases(options)];
}

static void set_percentiles(struct value *row, const struct summary *summary,
                            const struct analysis_options *options)
{
    static const struct {
        enum timing_column value, interval, alias;
    } cells[] = {
#define PERCENTILE(id, name, key, fraction, priority)                                              \
    {TIMING_##id, TIMING_##id##_INTERVAL, TIMING_##id##_ALIAS},
#include "statistics/percentiles.def"
#undef PERCENTILE
    };

    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++) {
        const struct summary_percentile *of = &summary->percentiles[i];

        value_set_count(&row[cells[i].value], roundl(timing_percentile(of, options)));
        timing_set_interval(&row[cells[i].interval], &of->interval);
        if (has_aliases(options))
            timing_set_interval(&row[cells[i].alias], &of->interval);
    }
}

static void set_outliers(struct value *row, const struct summary_outliers *of)
{
    value_set_unsigned(&row[TIMING_OUTLIERS],
                       of->low_severe + of->low_mild + of->high_mild + of->high_severe);
    value_set_unsigned(&row[TIMING_LOW_SEVERE], of->low_severe);
    value_set_unsigned(&row[TIMING_LOW_MILD], of->low_mild);
    value_set_unsigned(&row[TIMING_HIGH_MILD], of->high_mild);
    value_set_unsigned(&row[TIMING_HIGH_SEVERE], of->high_severe);
}

static void set_modes(struct value *row, const struct modes *modes)
{
    if (modes->count > 0)
        value_set_unsigned(&row[TIMING_MODES], modes->count);
    if (modes->count < 2)
        return;
    value_set_real(&row[TIMING_LOW_MODE], modes->mode[0].median);
    value_set_real(&row[TIMING_HIGH_MODE], modes->mode[1].median);
    value_set_real(&row[TIMING_HIGH_SHARE], modes->mode[1].share);
}

static void set_statistics(struct value *row, const struct summary *summary,
                           const struct analysis_options *options)
{
    value_set_real(&row[TIMING_CONFIDENCE], options->confidence);
    if (has_aliases(options))
        timing_set_interval(&row[TIMING_MEAN_ALIAS], &summary->mean_interval);
    value_set_real(&row[TIMING_MEAN], summary->mean);
    value_set_real(&row[TIMING_SD], summary->sd);
    timing_set_interval(&row[TIMING_INTERVAL], &summary->mean_interval);
    value_set_real(&row[TIMING_MAD], summary->mad);
    value_set_real(&row[TIMING_RHO], summary->rho);
    value_set_real(&row[TIMING_EFFECTIVE], summary->effective_count);
    if (summary->count > 1)
        value_set_bool(&row[TIMING_CORRECTED], summary->is_corrected);
    if (summary->count > 0)
        set_outliers(row, &summary->outliers);
    value_set_unsigned(&row[TIMING_SAMPLES], summary->count);
}

static void set_steadiness(struct value *row, const struct steadiness *of)
{
    if (of->from == STEADINESS_BY_EVENNESS || of->from == STEADINESS_BY_CHANGE)
        value_set_unsigned(&row[TIMING_STEADY], of->before);
    value_set_text(&row[TIMING_STEADY_BY], timing_steadiness_name(of->from));
}

static void set_samples(struct value *row, const struct group *group, const struct session *session,
                        const struct analysis_options *options)
{
    struct timing_row of;

    timing_row_init(&of, group, session, options);
    set_statistics(row, &of.summary, options);
    set_percentiles(row, &of.summary, options);
    set_modes(row, &of.modes);
    set_steadiness(row, &of.steadiness);
    if (options->timing->histogram)
        timing_set_histogram(&row[TIMING_HISTOGRAM], &of.samples.sample, &of.summary, session);
    timing_row_fini(&of);
}

static void set_sums(struct value *row, const struct group *group, const struct session *session)
{
    value_set_unsigned(&row[TIMING_CALLS], group->calls);
    value_set_unsigned(&row[TIMING_TOTAL], group->total_ns);
    value_set_real(&row[TIMING_TOTAL_ERROR], round(sqrt(group->total_variance)));
    value_set_unsigned(&row[TIMING_TIMED], group->timed_calls);
    value_set_unsigned(&row[TIMING_SELF], group->self_ns);
    value_set_ratio(&row[TIMING_SHARE], group->self_ns, session->thread_ns);
    if (group->calls > 0) {
        value_set_unsigned(&row[TIMING_MINIMUM], group->min_ns);
        value_set_unsigned(&row[TIMING_MAXIMUM], group->max_ns);
    }
    value_set_unsigned(&row[TIMING_WARMUP], group->warmup_calls);
    value_set_known(&row[TIMING_FIRST], group->first_ns);
    if (group->owning_calls > 0) {
        value_set_count(&row[TIMING_FLOPS], group->flops);
        value_set_count(&row[TIMING_BYTES], group->bytes);
    }
    value_set_real(&row[TIMING_RATE], (double)group_rate(group));
}

static void mark_estimates(struct value *row, const struct group *group)
{
    static const unsigned char sums[] = {TIMING_TOTAL, TIMING_SELF,    TIMING_SHARE,
                                         TIMING_RATE,  TIMING_MINIMUM, TIMING_MAXIMUM};
    static const unsigned char statistics[] = {
#define PERCENTILE(id, name, key, fraction, priority) TIMING_##id,
#include "statistics/percentiles.def"
#undef PERCENTILE
        TIMING_MEAN, TIMING_SD, TIMING_MAD};

    value_mark_estimate(&row[TIMING_CALLS], group->has_estimated_calls);
    if (group_is_estimate(group))
        values_mark_estimates(row, sums, sizeof sums);
    if (group->is_drawn)
        values_mark_estimates(row, statistics, sizeof statistics);
}

static void set_texts(struct value *row, const struct group *group, const struct judge *judge)
{
    struct judgement judgement = judge_group(judge, group);

    value_set_text(&row[TIMING_NAME], group_name(group));
    if (group->shape[0] != '\0')
        value_set_text(&row[TIMING_SHAPE], group->shape);
    value_set_text(&row[TIMING_LIBRARY], group->library);
    value_set_text(&row[TIMING_BOUND], judge_bound_name(judgement.bound));
    kernel_rows_set_origin(&row[TIMING_SYMBOL], &row[TIMING_IMPLEMENTATION], group);
}

static void add_rows(struct table *table, const struct session *session,
                     const struct groups *groups, const struct analysis_options *options)
{
    struct judge judge = judge_init(session, options);

    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);
        struct value *row = table_add_row(table);

        set_sums(row, group, session);
        set_samples(row, group, session, options);
        mark_estimates(row, group);
        set_texts(row, group, &judge);
    }
}

static void add_shares_note(struct table *table, const struct session *session,
                            const struct groups *groups)
{
    double share =
        session->thread_ns > 0 ? (double)groups->self_ns / (double)session->thread_ns : NAN;

    if (!isfinite(share)) {
        table_say(table, timing_shares_unknown_text,
                  session->losses.lacks_totals ? timing_lost_threads_text : timing_no_time_text);
        return;
    }
    table_say(table, timing_whole_text, said_time((double)session->thread_ns),
              said_count(session->threads.count), said_share(share), said_share(1 - share));
}

static void add_statistics_note(struct table *table, const struct analysis_options *options)
{
    table_say(table, timing_warmup_text, said_count(options->warmup));

    if (options->runs > 0)
        table_say(table, timing_runs_text, said_count(options->runs));
    table_say(table, timing_intervals_text, said_share(options->confidence));
    table_say(table, options->timing->nearest_rank ? timing_ranks_text : timing_interpolated_text);
}

/* Notes the routines whose time is in the rows of others. */
static void add_inner_note(struct table *table, const struct groups *groups)
{
    enum { NAMED = 3 };
    size_t first = groups->own_rows, count = groups->rows.count - first;
    struct text names;

    text_init(&names);
    for (size_t i = 0; i < count && i < NAMED; i++)
        text_appendf(&names, "%s%s", i > 0 ? ", " : "",
                     group_name(array_at(&groups->rows, first + i)));
    if (count > NAMED)
        say_part(&names, timing_inner_more_text, said_count(count - NAMED));
    if (count > 0)
        table_say(table, timing_inner_text, said_words(names.bytes));
}

static size_t count_rows(const struct table *table, enum timing_column column)
{
    size_t count = 0;

    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct value *value = &table_row(table, i)[column];

        count += value->kind == VALUE_BOOL && value->boolean;
    }
    return count;
}

static void add_doubt_notes(struct table *table, const struct session *session,
                            const struct groups *groups)
{
    size_t corrected = count_rows(table, TIMING_CORRECTED);

    kernel_rows_add_first_note(table, session, groups);
    kernel_rows_add_estimate_note(table, session, groups);

    if (corrected > 0)
        table_say(table, timing_dependent_text, said_count(corrected),
                  said_count(groups->rows.count));
    if (session->losses.overwritten_records > 0)
        table_say(table, timing_overwritten_text);
}

static void build_rows(const struct session *session, const struct analysis_options *options,
                       struct table *table)
{
    struct groups groups;

    table_init(table, schema_of(options));
    groups_init(&groups, session, options);
    add_rows(table, session, &groups, options);
    add_shares_note(table, session, &groups);
    add_statistics_note(table, options);
    add_inner_note(table, &groups);
    add_doubt_notes(table, session, &groups);
    name_notes_add_for(table, session, options->by);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    if (options->timing->calls)
        calls_build(session, options, table);
    else if (options->timing->slowest)
        slowest_build(session, options, table);
    else
        build_rows(session, options, table);
}

/* Every call, and one line for each row, are requested as a whole. */
static long asked_rows(const struct analysis_options *options)
{
    const struct timing_options *timing = options->timing;

    if (timing->slowest > 0)
        return (long)timing->slowest;
    return timing->calls || timing->oneline ? 0 : ANALYSIS_ROWS_UNASKED;
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct timing_options, field, __VA_ARGS__),
#include "kernels/timing_options.def"
#undef OPTION
};

static const struct timing_options defaults = {0};

const struct analysis analysis_timing = {
    .name = "timing",
    .help = "How long each kernel takes: calls, exclusive share, mean, deviation, percentiles.",
    .sort_key = "self_ns",
    .long_rows = UINT_MAX,
    .asked_rows = asked_rows,
    .build = build,
    .elaborate = timing_elaborate,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
