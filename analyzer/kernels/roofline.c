/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roofline: each kernel and shape against the machine's limit, sorted by lost time.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "kernels/kernel_rows.h"
#include "kernels/roofline_parts.h"
#include "kernels/texts.h"

enum { LABELS = 26, INVALID_LABEL = '!' };

enum column_index {
    LABEL,
    NAME,
    SHAPE,
    WASTED,
    BOUND,
    ROOF_SHARE,
    RATE,
    BYTE_RATE,
    INTENSITY,
    LEVEL,
    PRECISION_NAME,
    CALLS,
    SELF,
    CALL,
    PEAK_SHARE,
    BANDWIDTH_SHARE,
    STREAM_SHARE,
    WORKING_SET,
    ATTAINABLE,
    FLOPS,
    EXECUTED,
    BYTES,
    THREADS,
    INVALID,
    NO_ROOF,
    INTENSITY_RANGE,
    RATE_RANGE,
    LIBRARY,
    SYMBOL,
    IMPLEMENTATION
};

static const struct column columns[] = {
    [LABEL] = {"label", "", "the letter of its point in the drawing; ! where figures are invalid",
               UNIT_TEXT, 0},
    [NAME] = {"name", "kernel", "the symbol, or the kernel that the object it was given stands for",
              UNIT_TEXT, 0},
    [SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
    [WASTED] = {"wasted_ns", "wasted", "time beyond the least that the roof allows", UNIT_NS, 0},
    [BOUND] = {"bound", "bound",
               "what limits it: compute, memory, or latency where calls are "
               "short and far from both",
               UNIT_TEXT, 0},
    [ROOF_SHARE] = {"roof_fraction", "of roof", "the least time by the time it took", UNIT_FRACTION,
                    0},
    [RATE] = {"flops_per_second", "rate", "FLOPs by time in these calls", UNIT_FLOPS_PER_SECOND, 1},
    [BYTE_RATE] = {"bytes_per_second", "traffic", "compulsory bytes by time", UNIT_BYTES_PER_SECOND,
                   2},
    [INTENSITY] = {"flops_per_byte", "FLOP/B", "arithmetic intensity", UNIT_REAL, 3},
    [LEVEL] = {"level", "level", "the nearest that holds the bytes of one call", UNIT_TEXT, 4},
    [PRECISION_NAME] = {"precision", "in", "what it computes in", UNIT_TEXT, 5},
    [CALLS] = {"calls", "calls", "that own their FLOPs", UNIT_COUNT, 4},
    [SELF] = {"self_ns", "self", "time in all its calls, without the kernels inside", UNIT_NS, 5},
    [CALL] = {"call_ns", "a call", "mean time of a call after warm-up that owns its FLOPs", UNIT_NS,
              6},
    [PEAK_SHARE] = {"peak_fraction", "of peak", "of the peak of its precision", UNIT_FRACTION, 6},
    [BANDWIDTH_SHARE] = {"bandwidth_fraction", "of level", "of the bandwidth of its level",
                         UNIT_FRACTION, 7},
    [STREAM_SHARE] = {"stream_fraction", "of STREAM", "of the triad's bandwidth from DRAM",
                      UNIT_FRACTION, 8},
    [WORKING_SET] = {"working_set_bytes", "working set", "bytes of one call", UNIT_BYTES, 7},
    [ATTAINABLE] = {"attainable_flops_per_second", "attainable", "what the roof allows",
                    UNIT_FLOPS_PER_SECOND, 8},
    [FLOPS] = {"flops", "FLOPs", "of these calls", UNIT_FLOPS, 9},
    [EXECUTED] = {"executed_flops", NULL,
                  "of these without taps of convolutions in their padding: what is judged",
                  UNIT_FLOPS, 9},
    [BYTES] = {"bytes", "bytes", "compulsory traffic of these calls", UNIT_BYTES, 9},
    [THREADS] = {"threads", NULL, "that a call is taken to use", UNIT_COUNT, 0},
    [INVALID] = {"invalid", NULL, "why its figures are not believed; null: they are", UNIT_TEXT, 0},
    [NO_ROOF] = {"no_roof", NULL, "why it has none; null: it has one, or nothing is judged",
                 UNIT_TEXT, 0},
    [INTENSITY_RANGE] = {"flops_per_byte_range", "FLOP/B range",
                         "from the most bytes that its level can move in that time to the least "
                         "that a call has to move",
                         UNIT_REAL, 9},
    [RATE_RANGE] = {"flops_per_second_range", "rate range",
                    "of a time that is an estimate: an interval of 95 %; null: it is exact, or its "
                    "error is not known",
                    UNIT_FLOPS_PER_SECOND, 9},
    [LIBRARY] = {"library", "library", "the file that holds the function", UNIT_TEXT, 10},
    [SYMBOL] = {"symbol", NULL, "the function that was called, when it is one", UNIT_TEXT, 9},
    [IMPLEMENTATION] = {"implementation", NULL, "what served it, as the library names it",
                        UNIT_TEXT, 9},
};

static const struct table_schema schema = {"roofline", "Kernels against the roof", columns,
                                           sizeof columns / sizeof *columns, NULL};

static int compare_unknown_last(double left, double right)
{
    if (isnan(left) || isnan(right))
        return isnan(left) - isnan(right);
    return (left < right) - (left > right);
}

static int compare_rows(const void *a, const void *b)
{
    const struct roofline_row *left = a, *right = b;
    int order = compare_unknown_last(left->judgement.wasted_ns, right->judgement.wasted_ns);

    if (order == 0)
        order = (left->group->self_ns < right->group->self_ns) -
                (left->group->self_ns > right->group->self_ns);
    return order ? order : (left->group > right->group) - (left->group < right->group);
}

static bool has_point(const struct judgement *judgement)
{
    return !judgement->is_invalid && judgement->intensity > 0 && judgement->flops_per_second > 0 &&
           isfinite(judgement->roof_fraction);
}

/* For an estimated time: 1.96 standard errors on each side. */
static void find_rates(struct plot_region *region, const struct group *group,
                       const struct judgement *judgement)
{
    const double errors = 1.96;
    double rate = judgement->flops_per_second;
    double part = errors * sqrt(group->total_variance) / (double)group->total_ns;

    region->y_low = region->y_high = rate;
    if (!group_is_estimate(group))
        return;
    region->y_low = rate / (1 + part);
    region->y_high = part < 1 ? rate / (1 - part) : (double)NAN;
}

/* The lower end is the bytes that a call must move, the upper end is its level's bandwidth times
 * its time. */
static struct plot_region find_region(const struct group *group,
                                      const struct judgement *judgement)
{
    struct plot_region region = {.x_high = judgement->intensity};

    find_rates(&region, group, judgement);
    region.x_low = fmin(judgement->flops_per_second / judgement->roof.bandwidth, region.x_high);
    return region;
}

static void give_labels(struct roofline *roofline)
{
    int used = 0;

    for (size_t i = 0; i < roofline->rows.count; i++) {
        struct roofline_row *row = array_at(&roofline->rows, i);

        if (has_point(&row->judgement) && used < LABELS)
            row->label = (char)('a' + used++);
    }
}

static void roofline_init(struct roofline *roofline, const struct session *session,
                          const struct analysis_options *options)
{
    *roofline = (struct roofline){.session = session, .options = options};
    roofline->judge = judge_init(session, options);
    array_init(&roofline->rows, sizeof(struct roofline_row));
    groups_init(&roofline->groups, session, options);
    for (size_t i = 0; i < roofline->groups.rows.count; i++) {
        const struct group *group = array_at(&roofline->groups.rows, i);
        struct roofline_row *row = array_add(&roofline->rows);

        *row = (struct roofline_row){.group = group,
                                     .judgement = judge_group(&roofline->judge, group)};
        row->region = find_region(group, &row->judgement);
    }
    if (roofline->rows.count > 0)
        qsort(roofline->rows.items, roofline->rows.count, sizeof(struct roofline_row),
              compare_rows);
    give_labels(roofline);
}

static void set_invalid(struct value *value, const struct judgement *judgement)
{
    struct text text;

    text_init(&text);
    judge_append_invalid(&text, judgement);
    value_set_text(value, text.bytes);
}

static void set_ranges(struct value *row, const struct plot_region *region)
{
    if (region->x_low < region->x_high)
        value_set_interval(&row[INTENSITY_RANGE], region->x_low, region->x_high);
    if (region->y_low < region->y_high)
        value_set_interval(&row[RATE_RANGE], region->y_low, region->y_high);
}

/* Shares and rates of invalid rows would only mislead. */
static void set_figures(struct value *row, const struct judgement *judgement)
{
    value_set_real(&row[ROOF_SHARE], judgement->roof_fraction);
    value_set_real(&row[PEAK_SHARE], judgement->peak_fraction);
    value_set_real(&row[BANDWIDTH_SHARE], judgement->bandwidth_fraction);
    value_set_real(&row[STREAM_SHARE], judgement->stream_fraction);
    value_set_real(&row[RATE], judgement->flops_per_second);
    value_set_real(&row[BYTE_RATE], judgement->bytes_per_second);
    if (isfinite(judgement->wasted_ns))
        value_set_unsigned(&row[WASTED], (uint64_t)llround(judgement->wasted_ns));
}

static void set_texts(struct value *row, const struct roofline_row *of)
{
    const struct judgement *judgement = &of->judgement;
    char label[2] = {judgement->is_invalid ? INVALID_LABEL : of->label, '\0'};

    kernel_rows_set_names(&row[NAME], &row[SHAPE], &row[LIBRARY], of->group);
    kernel_rows_set_origin(&row[SYMBOL], &row[IMPLEMENTATION], of->group);
    if (label[0])
        value_set_text(&row[LABEL], label);
    value_set_text(&row[BOUND], judge_bound_name(judgement->bound));
    value_set_text(&row[LEVEL], machine_level_name(judgement->roof.level));
    value_set_text(&row[PRECISION_NAME], machine_precision_name(judgement->precision));
}

static void set_no_roof(struct value *value, const struct judgement *judgement)
{
    struct text reason;

    text_init(&reason);
    judge_append_lack(&reason, judgement->lack, judgement->precision);
    if (reason.size > 0)
        value_set_text(value, reason.bytes);
}

static void set_row(struct value *row, const struct roofline *roofline,
                    const struct roofline_row *of)
{
    static const unsigned char timed[] = {SELF,      CALL,   ROOF_SHARE,      PEAK_SHARE,  RATE,
                                          BYTE_RATE, WASTED, BANDWIDTH_SHARE, STREAM_SHARE};
    const struct judgement *judgement = &of->judgement;
    const struct group *group = of->group;

    value_set_unsigned(&row[SELF], group->self_ns);
    value_set_unsigned(&row[CALLS], group->owning_calls);
    if (group->owning_calls > 0) {
        value_set_count(&row[FLOPS], group->flops);
        value_set_count(&row[EXECUTED], group->executed_flops);
        value_set_count(&row[BYTES], group->bytes);
        value_set_count(&row[WORKING_SET], judgement->call_bytes);
    }
    value_set_real(&row[CALL], judgement->call_ns);
    value_set_real(&row[INTENSITY], judgement->intensity);
    value_set_real(&row[ATTAINABLE], judgement->attainable_flops_per_second);
    value_set_unsigned(&row[THREADS], roofline->judge.threads);
    if (!judgement->is_invalid) {
        set_figures(row, judgement);
        set_ranges(row, &of->region);
    } else
        set_invalid(&row[INVALID], judgement);
    set_no_roof(&row[NO_ROOF], judgement);
    if (group_is_estimate(group))
        values_mark_estimates(row, timed, sizeof timed);
    set_texts(row, of);
}

static void note_rows(struct table *table, const struct roofline *roofline)
{
    bool has_unknown = false, has_no_peak = false;
    size_t invalid = 0;

    for (size_t i = 0; i < roofline->rows.count; i++) {
        const struct roofline_row *row = array_at(&roofline->rows, i);

        if (row->judgement.is_invalid && invalid++ < JUDGE_INVALID_NOTES)
            judge_note_invalid(table, row->group, &row->judgement);
        has_no_peak |= row->judgement.lack == JUDGE_LACKS_PEAK;
        has_unknown |= row->label && row->judgement.precision == MACHINE_PRECISIONS;
    }
    judge_note_more_invalid(table, invalid);
    if (has_no_peak)
        table_say(table, roofline_no_peak_text);
    if (has_unknown)
        table_say(table, roofline_precision_text);
}

static void add_notes(struct table *table, const struct roofline *roofline)
{
    note_rows(table, roofline);

    table_say(table, roofline_bytes_text);
    if (roofline->judge.machine)
        table_say(table, roofline_levels_text);
    kernel_rows_add_rough_note(table, &roofline->groups);
}

static void fill(struct table *table, const struct roofline *roofline)
{
    for (size_t i = 0; i < roofline->rows.count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, roofline, array_at(&roofline->rows, i));
    }
    add_notes(table, roofline);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct roofline roofline;

    roofline_init(&roofline, session, options);
    table_init(table, &schema);
    fill(table, &roofline);
}

static void add_table(struct document *document, const struct roofline *roofline)
{
    struct table *table = document_start_table(document, "rows", SECTION_IN_BOTH, &schema);

    fill(table, roofline);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct roofline roofline;

    roofline_init(&roofline, session, options);
    document_init(document);
    document->name = "roofline";
    document->main = "rows";
    roofline_add_head(document, &roofline);
    roofline_add_plot(document, &roofline);
    add_table(document, &roofline);
}

const struct analysis analysis_roofline = {
    .name = "roofline",
    .help = "What bounds each kernel, and how much time it loses against the machine's limits.",
    .sort_key = "wasted_ns",
    .long_rows = UINT_MAX,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT | 1 << ANALYSIS_BY_SHAPE,
    .is_arranged = true,
};
