/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of steps: their times, and the parts of a step, which sum to its whole time.
 */
#include "steps/steps_report.h"

#include <math.h>

#include "analysis/stage_words.h"
#include "base/pool.h"
#include "cpu/cpu_row.h"
#include "document/fields.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "steps/phases.h"
#include "steps/texts.h"

static void describe_time(struct steps_report *report)
{
    const struct step *step = report->steps.steps.items;
    size_t count = steps_count_whole(&report->steps), first = report->steady.first;
    uint64_t *times = pool_get(count * sizeof *times + 1);

    for (size_t i = first; i < count; i++)
        times[i - first] = step[i].end_ns - step[i].start_ns;
    count = count > first ? count - first : 0;
    summary_of(&report->time, &(struct summary_sample){times, count, NULL, 0},
               report->options->confidence);
}

static void describe_functions(struct steps_report *report)
{
    step_functions_find(&report->functions, &report->steps, report->steady.first, report->session,
                        report->options);
}

/* The parts that ran in the steps. */
static void describe_steps(struct steps_report *report, const struct roles *roles)
{
    step_memory_find(&report->memory, &report->steps, report->session, roles);
    step_devices_find(&report->devices, &report->steps, report->session);
    step_parts_find(&report->parts, &report->steps, report->session, roles);
    step_parts_find(&report->steady, &report->steps, report->session, roles);
    describe_time(report);
    describe_functions(report);
}

/* The steps that the first screen leaves out of its median, too. */
static void find_first(struct steps_report *report)
{
    struct phases phases;
    bool are;

    phases_find(&phases, report->session, report->options->find_frames, &are);
    report->steady.first = phases.steps > 0 ? phases.step_first : STEPS_FIRST;
}

static void report_init(struct steps_report *report, const struct session *session,
                        const struct analysis_options *options)
{
    struct roles roles;

    *report = (struct steps_report){.session = session, .options = options};
    find_first(report);
    steps_init(&report->steps, session);
    roles_init(&roles, session);
    describe_steps(report, &roles);
}

static const char *source_name(enum steps_source source)
{
    switch (source) {
    case STEPS_NONE: break;
    case STEPS_REGION: return "region";
    case STEPS_OPTIMIZER: return "optimizer";
    case STEPS_BACKWARD: return "backward";
    case STEPS_MODULE: return "module";
    case STEPS_CALLS: return "calls";
    case STEPS_KERNELS: return "kernels";
    }
    return NULL;
}

static void add_calls(struct record *fields, const struct steps *steps)
{
    const struct steps_level *level = steps->levels.items;
    bool has_calls = steps->levels.count > 0;

    fields_put_count(fields, "calls_per_step", UNIT_COUNT,
                     has_calls ? level->calls : SESSION_UNKNOWN);
    fields_put_count(fields, "calls_before", UNIT_COUNT,
                     has_calls ? steps->before : SESSION_UNKNOWN);
    fields_put_count(fields, "calls_after", UNIT_COUNT, has_calls ? steps->after : SESSION_UNKNOWN);
    fields_put_count(fields, "calls_between", UNIT_COUNT,
                     has_calls ? steps->strays : SESSION_UNKNOWN);
    fields_put_count(fields, "places_between", UNIT_COUNT,
                     has_calls ? steps->stray_places : SESSION_UNKNOWN);
    fields_put_count(fields, "steps_of_other_size", UNIT_COUNT,
                     has_calls ? steps->resized : SESSION_UNKNOWN);
    fields_put_count(fields, "calls_of_other_size", UNIT_COUNT,
                     has_calls ? steps->resized_calls : SESSION_UNKNOWN);
}

static void add_times(struct record *fields, const struct steps_report *report)
{
    const struct summary *time = &report->time;
    bool has_waiting = report->parts.steps > 0;

    fields_put_rounded(fields, "median_ns", UNIT_NS, time->percentiles[SUMMARY_P50].value);
    fields_put_rounded(fields, "median_low_ns", UNIT_NS,
                       time->percentiles[SUMMARY_P50].interval.low);
    fields_put_rounded(fields, "median_high_ns", UNIT_NS,
                       time->percentiles[SUMMARY_P50].interval.high);
    fields_put_real(fields, "mean_ns", UNIT_NS, time->mean);
    fields_put_real(fields, "mean_low_ns", UNIT_NS, time->mean_interval.low);
    fields_put_real(fields, "mean_high_ns", UNIT_NS, time->mean_interval.high);
    fields_put_real(fields, "sd_ns", UNIT_NS, time->sd);
    fields_put_rounded(fields, "minimum_ns", UNIT_NS, time->minimum);
    fields_put_rounded(fields, "whole_ns", UNIT_NS,
                       has_waiting ? report->parts.whole_ns : (double)NAN);
    fields_put_rounded(fields, "waiting_ns", UNIT_NS,
                       has_waiting ? report->parts.waiting_ns : (double)NAN);
    fields_put_text(fields, "no_waiting", report->parts.no_waiting);
    fields_put_rounded(fields, "device_ns", UNIT_NS, step_devices_sum(&report->devices, 0));
}

/* Adds the op or module that defines the steps, and the backward passes in all of them. */
static void add_teller(struct record *fields, const struct steps_report *report)
{
    struct text teller;

    text_init(&teller);
    steps_append_teller(&teller, report);
    fields_put_text(fields, "told_by", teller.size > 0 ? teller.bytes : NULL);
    fields_put_count(fields, "backward_passes", UNIT_COUNT,
                     steps_are_told(&report->steps) && !steps_region_path(report)
                         ? report->steps.backwards
                         : SESSION_UNKNOWN);
}

static void add_summary(struct document *document, const struct steps_report *report)
{
    const struct steps *steps = &report->steps;
    struct record *fields = document_add_record(document, "summary", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "source", source_name(steps->source));
    fields_put_text(fields, "reason", steps->reason);
    fields_put_text(fields, "region", steps_region_path(report));
    if (steps->source == STEPS_NONE)
        fields_put_null(fields, "thread");
    else
        fields_put_count(fields, "thread", UNIT_NUMBER, steps_thread_id(report));
    fields_put_count(fields, "steps", UNIT_COUNT, steps->steps.count);
    fields_put_count(fields, "timed_steps", UNIT_COUNT, steps_count_whole(steps));
    fields_put_bool(fields, "complete", steps->source == STEPS_REGION || steps->is_whole);
    add_calls(fields, steps);
    add_times(fields, report);
    add_teller(fields, report);
}

static const struct column level_columns[] = {
    {"kernel_calls", "kernel calls", "in one repeat", UNIT_COUNT, 0},
    {"repeats", "repeats", "in one of the level above", UNIT_COUNT, 0},
    {"first_call", "first", "kernel calls of the level above before the first", UNIT_COUNT, 0},
};
static const struct table_schema level_schema = {"levels", "Levels", level_columns, 3, NULL};

static void add_levels(struct document *document, const struct steps *steps)
{
    struct table *table = document_start_table(document, "levels", SECTION_IN_JSON, &level_schema);
    const struct steps_level *level = steps->levels.items;

    for (size_t i = 0; i < steps->levels.count; i++) {
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[0], level[i].calls);
        value_set_unsigned(&row[1], level[i].repeats);
        value_set_unsigned(&row[2], level[i].first);
    }
}

static const struct column step_columns[] = {
    {"start_ns", "start", "since the start of recording", UNIT_NS, 0},
    {"duration_ns", "time", "until the next begins, or of the region; null: not known", UNIT_NS, 0},
    {"peak_heap_bytes", "peak heap", "live heap at its highest; null: not known", UNIT_BYTES, 0},
    {"peak_heap_time_ns", "at", "begin of the stretch of time that holds the peak; null: not known",
     UNIT_NS, 0},
    {"peak_part", "in", "part of the step at the peak, or most of that stretch", UNIT_TEXT, 0},
    {"device_ns", "device", "some device ran a command; null: not known", UNIT_NS, 0},
};
static const struct table_schema step_schema = {"steps", "Steps", step_columns,
                                                sizeof step_columns / sizeof *step_columns, NULL};

static void set_peak(struct value *row, const struct step_peak *peak)
{
    value_set_unsigned(&row[2], peak->bytes);
    value_set_known(&row[3], peak->time_ns);
    value_set_text(&row[4], step_memory_place(peak->role));
}

static void add_steps(struct document *document, const struct steps_report *report)
{
    struct table *table = document_start_table(document, "steps", SECTION_IN_JSON, &step_schema);
    const struct steps *steps = &report->steps;
    const struct step *step = steps->steps.items;
    const struct array *peaks = &report->memory.peaks, *busy = &report->devices.busy_ns;
    const struct step_peak *peak = peaks->items;
    size_t whole = steps_count_whole(steps), next = 0;

    for (size_t i = 0; i < steps->steps.count; i++) {
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[0], step[i].start_ns);
        if (i < whole)
            value_set_unsigned(&row[1], step[i].end_ns - step[i].start_ns);
        if (next < peaks->count && peak[next].step == i)
            set_peak(row, &peak[next++]);
        if (i < busy->count)
            value_set_rounded(&row[5], *(const double *)array_at(busy, i));
    }
}

enum part_column { PART, SHARE, INTERVAL, STEP, TOTAL, CALLS, SAMPLES, KIND };

static const struct column part_columns[] = {
    [PART] = {"part", "part", "part of a step", UNIT_PLACE, 0},
    [SHARE] = {"share", "share", "share of the time of all steps", UNIT_FRACTION, 0},
    [INTERVAL] = {"share_ci", "from to", "interval of a function's share, by its samples",
                  UNIT_FRACTION, 3},
    [STEP] = {"step_ns", "a step", "time in a step after warm-up, in the mean", UNIT_NS, 0},
    [TOTAL] = {"total_ns", "in all", "time in all steps", UNIT_NS, 1},
    [CALLS] = {"calls", "calls a step", "kernel calls in a step, in the mean", UNIT_REAL, 2},
    [SAMPLES] = {"samples", "samples", "of a function, in all steps", UNIT_COUNT, 4},
    [KIND] = {"kind", NULL, "kernels, op, function, tprof, waiting or other", UNIT_TEXT, 0},
};

static const struct table_schema part_schema = {
    "steps", "Parts of a step", part_columns, sizeof part_columns / sizeof *part_columns, "share"};

/* The time of a part, over all steps and over those after the warm-up. */
struct part {
    const char *name;
    const char *kind;
    double ns;
    double steady_ns;
};

static void add_part(struct table *table, const struct steps_report *report,
                     const struct part *part)
{
    struct value *row = table_add_row(table);

    value_set_real(&row[SHARE], part->ns / report->parts.whole_ns);
    if (report->steady.steps > 0)
        value_set_real(&row[STEP], part->steady_ns / (double)report->steady.steps);
    value_set_rounded(&row[TOTAL], part->ns);
    value_set_text(&row[PART], part->name);
    value_set_text(&row[KIND], part->kind);
}

static void add_roles(struct table *table, const struct steps_report *report)
{
    const struct step_parts *parts = &report->parts;

    for (size_t i = 0; i < ROLES; i++) {
        const struct part part = {role_name((enum role)i), "kernels", parts->kernel_ns[i],
                                  report->steady.kernel_ns[i]};

        if (!(parts->kernel_calls[i] > 0) && !(parts->kernel_ns[i] > 0))
            continue;
        add_part(table, report, &part);
        value_set_real(&table_row(table, table_row_count(table) - 1)[CALLS],
                       parts->kernel_calls[i] / (double)parts->steps);
    }
}

/* Functions with a smaller share of the steps get no row; the number of rows is limited. */
static const double least_function = 0.01;

enum { FUNCTIONS_MOST = 10 };

/* Samples split the rest of the time.  They cannot split it if it includes waiting, or if other
 * threads' kernels leave no rest. */
static bool may_split(const struct steps_report *report)
{
    return !isnan(report->parts.waiting_ns) && report->parts.rest_ns > 0;
}

static void add_function(struct table *table, const struct steps_report *report,
                         const struct step_function *function)
{
    double rest_ns = report->parts.rest_ns, share = rest_ns / report->parts.whole_ns;
    const char *kind = function->row->kind == CPU_OP ? "op" : "function";
    const struct part part = {function->row->name, kind, function->share * rest_ns,
                              function->steady_share * report->steady.rest_ns};
    struct value *row;

    add_part(table, report, &part);
    row = table_row(table, table_row_count(table) - 1);
    value_set_interval(&row[INTERVAL], function->interval.low * share,
                       function->interval.high * share);
    value_set_rounded(&row[SAMPLES], function->samples);
    value_mark_estimate(&row[STEP], true);
    value_mark_estimate(&row[TOTAL], true);
}

/* Takes them out of the rest. */
static void add_functions(struct table *table, const struct steps_report *report, struct part *rest)
{
    const struct step_function *function = report->functions.rows.items;
    double least_ns = least_function * report->parts.whole_ns;

    for (size_t i = 0; i < report->functions.rows.count && i < FUNCTIONS_MOST; i++) {
        if (!may_split(report) || function[i].share * report->parts.rest_ns < least_ns)
            break;
        add_function(table, report, &function[i]);
        rest->ns -= function[i].share * report->parts.rest_ns;
        rest->steady_ns -= function[i].steady_share * report->steady.rest_ns;
    }
    rest->ns = fmax(0, rest->ns);
}

/* If waiting is unknown, the rest includes it. */
static void add_gaps(struct table *table, const struct steps_report *report)
{
    const struct step_parts *parts = &report->parts, *steady = &report->steady;
    bool is_known = !isnan(parts->waiting_ns);
    bool is_like = isnan(steady->waiting_ns) == !is_known;
    const struct part waiting = {parts->waiting_is_most ? steps_part_waiting_most_text.words
                                                        : steps_part_waiting_text.words,
                                 "waiting", parts->waiting_ns, steady->waiting_ns};
    const struct part aside = {steps_part_preempted_text.words, "waiting", parts->aside_ns,
                               steady->aside_ns};
    struct part rest = {is_known ? "other code" : "other code, and waiting", "other",
                        parts->rest_ns, is_like ? steady->rest_ns : (double)NAN};
    const struct part own = {steps_part_own_text.words, "tprof", parts->own_ns, steady->own_ns};

    if (is_known)
        add_part(table, report, &waiting);
    if (is_known && !parts->waiting_is_most)
        add_part(table, report, &aside);
    add_functions(table, report, &rest);
    add_part(table, report, &rest);
    add_part(table, report, &own);
}

static void add_part_notes(struct table *table, const struct steps_report *report)
{
    table_say(table, steps_whole_text, said_time(report->parts.whole_ns),
              said_count(report->parts.steps));

    table_say(table, steps_other_code_text);
    if (may_split(report) && report->functions.samples > 0)
        table_say(table, steps_samples_text, said_count((uint64_t)report->functions.samples));
    if (report->steps.source != STEPS_REGION && !report->steps.is_whole)
        table_say(table, steps_missing_calls_text);
    stage_words_add_note(table, report->session, STAGES_OF_KERNELS | STAGES_OF_REGIONS);
}

static void fill_parts(struct table *table, const struct steps_report *report)
{
    if (report->parts.steps == 0)
        return;
    add_roles(table, report);
    table_sort(table, SHARE, true);
    add_gaps(table, report);
    add_part_notes(table, report);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct steps_report report;

    table_init(table, &part_schema);
    report_init(&report, session, options);
    fill_parts(table, &report);
    if (report.steps.reason)
        steps_say_none(table, &report.steps);
}

static void add_parts(struct document *document, const struct steps_report *report)
{
    struct table *table = document_start_table(
        document, "parts", report->parts.steps > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON,
        &part_schema);

    fill_parts(table, report);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct steps_report report;

    document_init(document);
    document->name = "steps";
    document->main = "parts";
    report_init(&report, session, options);
    add_summary(document, &report);
    steps_add_head(document, &report);
    add_parts(document, &report);
    add_levels(document, &report.steps);
    if (!options->is_for_people)
        add_steps(document, &report);
    if (report.steps.source == STEPS_NONE)
        document->verdict = STATUS_NOT_ENOUGH_DATA;
}

const struct analysis analysis_steps = {
    .name = "steps",
    .help = "The steps of a training or a service, marked or found by the kernels that repeat, and "
            "what their time is spent on.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
};
