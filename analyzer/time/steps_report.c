/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps: how they were found, how long they take, and what their time is
 * spent on, in parts that sum to all of it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/units.h"
#include "document/fields.h"
#include "figures/analysis.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "statistics/summary.h"
#include "time/step_memory.h"
#include "time/step_parts.h"
#include "time/texts.h"

struct steps_report {
    const struct session *session;
    const struct analysis_options *options;
    struct steps steps;
    struct step_parts parts;
    struct step_parts steady; /* the same of the steps after the first ones */
    struct step_memory memory;
    struct summary time; /* of the steps after the first ones whose whole time is known */
};

static enum status describe_time(struct steps_report *report)
{
    const struct step *step = report->steps.steps.items;
    size_t count = steps_count_whole(&report->steps), first = report->steady.first;
    uint64_t *times = malloc(count * sizeof *times + 1);
    enum status status;

    if (!times)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = first; i < count; i++)
        times[i - first] = step[i].end_ns - step[i].start_ns;
    count = count > first ? count - first : 0;
    status = summary_of(&report->time, &(struct summary_sample){times, count, NULL, 0},
                        report->options->confidence);
    free(times);
    return status;
}

static void report_fini(struct steps_report *report)
{
    step_memory_fini(&report->memory);
    steps_fini(&report->steps);
}

/* What ran in the steps. */
static enum status describe_steps(struct steps_report *report, const struct roles *roles)
{
    enum status status = step_memory_find(&report->memory, &report->steps, report->session, roles);

    if (status)
        return status;
    status = step_parts_find(&report->parts, &report->steps, report->session, roles);
    if (!status)
        status = step_parts_find(&report->steady, &report->steps, report->session, roles);
    if (!status)
        status = describe_time(report);
    if (status)
        step_memory_fini(&report->memory);
    return status;
}

static enum status report_init(struct steps_report *report, const struct session *session,
                               const struct analysis_options *options)
{
    struct roles roles;
    enum status status;

    *report = (struct steps_report){
        .session = session, .options = options, .steady = {.first = options->warmup}};
    status = steps_init(&report->steps, session);
    if (status)
        return status;
    status = roles_init(&roles, session);
    if (!status) {
        status = describe_steps(report, &roles);
        roles_fini(&roles);
    }
    if (status)
        steps_fini(&report->steps);
    return status;
}

static const char *source_name(enum steps_source source)
{
    switch (source) {
    case STEPS_NONE: break;
    case STEPS_REGION: return "region";
    case STEPS_CALLS: return "calls";
    case STEPS_KERNELS: return "kernels";
    }
    return NULL;
}

static const char *region_path(const struct steps_report *report)
{
    if (report->steps.source != STEPS_REGION)
        return NULL;
    return session_region_at(report->session, report->steps.region)->path;
}

static uint32_t thread_id(const struct steps_report *report)
{
    const struct session_thread *thread = session_thread_at(report->session, report->steps.thread);

    return thread->id;
}

static void append_found(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct steps *steps = &report->steps;
    const struct steps_level *level = steps->levels.items;
    struct said count = said_count(steps->steps.count), thread;
    char number[UNITS_SIZE];

    if (steps->source == STEPS_NONE) {
        say(line, steps_none_text, said_words(steps->reason));
        return;
    }
    snprintf(number, sizeof number, "%u", thread_id(report));
    thread = said_words(number);
    if (steps->source == STEPS_REGION)
        say(line, steps_region_text, count, said_words(region_path(report)), thread);
    else
        say(line, steps_inferred_text, count, said_count(level->calls), thread);
    if (steps->source == STEPS_KERNELS)
        say(line, steps_shapes_text);
}

static void append_inside(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct steps_level *level = report->steps.levels.items;

    for (size_t i = 1; i < report->steps.levels.count; i++)
        say(line, i > 1 ? steps_inside_again_text : steps_inside_text, said_count(level[i].repeats),
            said_count(level[i].calls));
}

static void append_interval(struct text *line, const struct steps_report *report,
                            const struct statistics_interval *interval)
{
    if (isfinite(interval->low) && isfinite(interval->high))
        say_part(line, steps_interval_text, said_share(report->options->confidence),
                 said_time(interval->low), said_time(interval->high));
}

static void append_time(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct summary *time = &report->time;
    const struct summary_percentile *median = &time->percentiles[SUMMARY_P50];

    if (time->count == 0)
        return;
    say(line, steps_median_text, said_time(median->value));
    append_interval(line, report, &median->interval);
    say_part(line, steps_mean_text, said_time(time->mean));
    append_interval(line, report, &time->mean_interval);
    say_part(line, steps_count_text, said_count(time->count));
    if (report->steady.first > 0)
        say(line, steps_first_left_out_text, said_count(report->steady.first));
    if (report->steps.is_last_cut)
        say(line, steps_last_left_out_text);
}

static void append_share(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct step *step = report->steps.steps.items;
    uint64_t wall_ns = report->session->process.wall_ns;

    if (report->steps.steps.count > 0 && wall_ns > 0)
        say(line, steps_share_text, said_share(report->parts.whole_ns / (double)wall_ns),
            said_time((double)step[0].start_ns));
}

static void append_strays(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct steps *steps = &report->steps;

    if (steps->before + steps->after + steps->strays == 0)
        return;
    say(line, steps_strays_text, said_count(steps->before), said_count(steps->after));
    if (steps->strays > 0)
        say_part(line, steps_between_text, said_count(steps->strays),
                 said_count(steps->stray_places));
    text_append(line, ".");
    if (steps->resized > 0)
        say(line, steps_resized_text, said_count(steps->resized_calls), said_count(steps->resized));
}

static void append_watched(struct text *line, const struct waiting *watched)
{
    say(line, steps_readings_text, said_time(watched->watched_ns));
    if (!isnan(watched->called_bytes))
        say(line, steps_read_text, said_bytes(watched->called_bytes),
            said_bytes(watched->disk_bytes));
    if (!isnan(watched->voluntary))
        say(line, steps_switches_text, said_count((uint64_t)watched->voluntary),
            said_count((uint64_t)watched->involuntary));
}

static void append_waiting(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct step_parts *parts = &report->parts;

    if (parts->steps == 0)
        return;
    if (isnan(parts->waiting_ns))
        say(line, steps_waiting_unknown_text, said_words(parts->no_waiting));
    else
        say(line, steps_waiting_text);
    if (parts->waiting_is_most)
        say(line, steps_waiting_most_text);
    if (parts->watched.watched_ns > 0)
        append_watched(line, &parts->watched);
}

static void append_system(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct step_parts *parts = &report->parts;
    double steps = (double)parts->steps * parts->watched.watched_ns / parts->whole_ns;

    if (parts->watched.watched_ns > 0 && !isnan(parts->watched.system_ns))
        say(line, steps_system_text, said_time(parts->watched.system_ns / steps),
            said_count((uint64_t)llround(parts->watched.faults / steps)));
}

/* What ran at the peak of the most steps. */
static enum role usual_place(const struct step_memory *memory)
{
    size_t usual = 0;

    for (size_t i = 1; i <= ROLES; i++)
        if (memory->at_role[i] > memory->at_role[usual])
            usual = i;
    return (enum role)usual;
}

static void append_memory(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct step_memory *memory = &report->memory;
    const struct step_peak *peak = memory->peaks.items;
    enum role usual = usual_place(memory);

    if (report->steps.steps.count == 0)
        return;
    if (memory->known == 0) {
        say(line, steps_peak_unknown_text, said_words(memory->reason));
        return;
    }
    say(line, steps_peak_text, said_bytes((double)memory->median_bytes), said_count(memory->known),
        said_count(memory->most + 1), said_bytes((double)peak[memory->most].bytes));
    say(line, steps_peak_place_text, said_words(step_memory_place(usual)),
        said_count(memory->at_role[usual]));
}

static const struct record_line head_rows[] = {
    {{"found", "Steps", NULL, UNIT_TEXT, 0}, append_found},
    {{"inside", "Within a step", NULL, UNIT_TEXT, 0}, append_inside},
    {{"time", "Step time", NULL, UNIT_TEXT, 0}, append_time},
    {{"share", "Share", NULL, UNIT_TEXT, 0}, append_share},
    {{"strays", "Beside them", NULL, UNIT_TEXT, 0}, append_strays},
    {{"waiting", "Waiting", NULL, UNIT_TEXT, 0}, append_waiting},
    {{"system", "System", NULL, UNIT_TEXT, 0}, append_system},
    {{"memory", "Memory", NULL, UNIT_TEXT, 0}, append_memory},
};

static enum status add_head(struct document *document, const struct steps_report *report)
{
    struct record *record = document_add_record(document, "head", "Steps", SECTION_IN_TEXT);

    return record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, report);
}

static const struct column summary_columns[] = {
    FIELD("source", UNIT_TEXT),
    FIELD("reason", UNIT_TEXT),
    FIELD("region", UNIT_TEXT),
    FIELD("thread", UNIT_NUMBER),
    FIELD("steps", UNIT_COUNT),
    FIELD("timed_steps", UNIT_COUNT),
    FIELD("complete", UNIT_BOOL),
    FIELD("calls_per_step", UNIT_COUNT),
    FIELD("calls_before", UNIT_COUNT),
    FIELD("calls_after", UNIT_COUNT),
    FIELD("calls_between", UNIT_COUNT),
    FIELD("places_between", UNIT_COUNT),
    FIELD("steps_of_other_size", UNIT_COUNT),
    FIELD("calls_of_other_size", UNIT_COUNT),
    FIELD("median_ns", UNIT_NS),
    FIELD("median_low_ns", UNIT_NS),
    FIELD("median_high_ns", UNIT_NS),
    FIELD("mean_ns", UNIT_NS),
    FIELD("mean_low_ns", UNIT_NS),
    FIELD("mean_high_ns", UNIT_NS),
    FIELD("sd_ns", UNIT_NS),
    FIELD("minimum_ns", UNIT_NS),
    FIELD("whole_ns", UNIT_NS),
    FIELD("waiting_ns", UNIT_NS),
    FIELD("no_waiting", UNIT_TEXT),
};

static void add_calls(struct fields *fields, const struct steps *steps)
{
    const struct steps_level *level = steps->levels.items;
    bool has_calls = steps->levels.count > 0;

    fields_add_count(fields, has_calls ? level->calls : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->before : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->after : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->strays : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->stray_places : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->resized : SESSION_UNKNOWN);
    fields_add_count(fields, has_calls ? steps->resized_calls : SESSION_UNKNOWN);
}

static void add_times(struct fields *fields, const struct steps_report *report)
{
    const struct summary *time = &report->time;
    bool has_waiting = report->parts.steps > 0;

    fields_add_rounded(fields, time->percentiles[SUMMARY_P50].value);
    fields_add_rounded(fields, time->percentiles[SUMMARY_P50].interval.low);
    fields_add_rounded(fields, time->percentiles[SUMMARY_P50].interval.high);
    fields_add_real(fields, time->mean);
    fields_add_real(fields, time->mean_interval.low);
    fields_add_real(fields, time->mean_interval.high);
    fields_add_real(fields, time->sd);
    fields_add_rounded(fields, time->minimum);
    fields_add_rounded(fields, has_waiting ? report->parts.whole_ns : (double)NAN);
    fields_add_rounded(fields, has_waiting ? report->parts.waiting_ns : (double)NAN);
    fields_add_text(fields, report->parts.no_waiting);
}

static enum status add_summary(struct document *document, const struct steps_report *report)
{
    const struct steps *steps = &report->steps;
    struct fields fields = fields_begin(
        document_add_record(document, "summary", NULL, SECTION_IN_JSON), summary_columns);

    fields_add_text(&fields, source_name(steps->source));
    fields_add_text(&fields, steps->reason);
    fields_add_text(&fields, region_path(report));
    if (steps->source == STEPS_NONE)
        fields_add_null(&fields);
    else
        fields_add_count(&fields, thread_id(report));
    fields_add_count(&fields, steps->steps.count);
    fields_add_count(&fields, steps_count_whole(steps));
    fields_add_bool(&fields, steps->source == STEPS_REGION || steps->is_whole);
    add_calls(&fields, steps);
    add_times(&fields, report);
    return fields.status;
}

static const struct column level_columns[] = {
    {"kernel_calls", "kernel calls", "in one repeat", UNIT_COUNT, 0},
    {"repeats", "repeats", "in one of the level above", UNIT_COUNT, 0},
    {"first_call", "first", "kernel calls of the level above before the first", UNIT_COUNT, 0},
};
static const struct table_schema level_schema = {"levels", "Levels", level_columns, 3, NULL};

static enum status add_levels(struct document *document, const struct steps *steps)
{
    struct table *table = document_start_table(document, "levels", SECTION_IN_JSON, &level_schema);
    const struct steps_level *level = steps->levels.items;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < steps->levels.count; i++) {
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        value_set_unsigned(&row[0], level[i].calls);
        value_set_unsigned(&row[1], level[i].repeats);
        value_set_unsigned(&row[2], level[i].first);
    }
    return STATUS_OK;
}

static const struct column step_columns[] = {
    {"start_ns", "start", "since the start of recording", UNIT_NS, 0},
    {"duration_ns", "time", "until the next begins, or of the region; null: not known", UNIT_NS, 0},
    {"peak_heap_bytes", "peak heap", "live heap at its highest; null: not known", UNIT_BYTES, 0},
    {"peak_heap_time_ns", "at", "begin of the stretch of time that holds the peak", UNIT_NS, 0},
    {"peak_part", "in", "part of the step that the thread spent most of that stretch in", UNIT_TEXT,
     0},
};
static const struct table_schema step_schema = {"steps", "Steps", step_columns, 5, NULL};

static enum status set_peak(struct value *row, const struct step_peak *peak)
{
    if (peak->bytes == SESSION_UNKNOWN)
        return STATUS_OK;
    value_set_unsigned(&row[2], peak->bytes);
    value_set_unsigned(&row[3], peak->time_ns);
    return value_set_text(&row[4], step_memory_place(peak->role));
}

static enum status add_steps(struct document *document, const struct steps_report *report)
{
    struct table *table = document_start_table(document, "steps", SECTION_IN_JSON, &step_schema);
    const struct steps *steps = &report->steps;
    const struct step *step = steps->steps.items;
    size_t whole = steps_count_whole(steps);

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < steps->steps.count; i++) {
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        value_set_unsigned(&row[0], step[i].start_ns);
        if (i < whole)
            value_set_unsigned(&row[1], step[i].end_ns - step[i].start_ns);
        if (i < report->memory.peaks.count && set_peak(row, array_at(&report->memory.peaks, i)))
            return STATUS_OUT_OF_MEMORY;
    }
    return STATUS_OK;
}

enum part_column { PART, SHARE, STEP, TOTAL, CALLS, KIND };

static const struct column part_columns[] = {
    [PART] = {"part", "part", "part of a step", UNIT_PLACE, 0},
    [SHARE] = {"share", "share", "share of the time of all steps", UNIT_FRACTION, 0},
    [STEP] = {"step_ns", "a step", "time in a step after warm-up, in the mean", UNIT_NS, 0},
    [TOTAL] = {"total_ns", "in all", "time in all steps", UNIT_NS, 1},
    [CALLS] = {"calls", "calls a step", "kernel calls in a step, in the mean", UNIT_REAL, 2},
    [KIND] = {"kind", NULL, "kernels, tprof, waiting or other", UNIT_TEXT, 0},
};

static const struct table_schema part_schema = {
    "steps", "Parts of a step", part_columns, sizeof part_columns / sizeof *part_columns, "share"};

/* A part of all steps, and of those after the first ones. */
struct part {
    const char *name;
    const char *kind;
    double ns;
    double steady_ns;
};

static enum status add_part(struct table *table, const struct steps_report *report,
                            const struct part *part)
{
    struct value *row = table_add_row(table);

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&row[SHARE], part->ns / report->parts.whole_ns);
    if (report->steady.steps > 0)
        value_set_real(&row[STEP], part->steady_ns / (double)report->steady.steps);
    value_set_rounded(&row[TOTAL], part->ns);
    return value_set_text(&row[PART], part->name) || value_set_text(&row[KIND], part->kind)
               ? STATUS_OUT_OF_MEMORY
               : STATUS_OK;
}

static enum status add_roles(struct table *table, const struct steps_report *report)
{
    const struct step_parts *parts = &report->parts;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < ROLES && !status; i++) {
        const struct part part = {role_name((enum role)i), "kernels", parts->kernel_ns[i],
                                  report->steady.kernel_ns[i]};

        if (!(parts->kernel_calls[i] > 0) && !(parts->kernel_ns[i] > 0))
            continue;
        status = add_part(table, report, &part);
        if (!status)
            value_set_real(&table_row(table, table_row_count(table) - 1)[CALLS],
                           parts->kernel_calls[i] / (double)parts->steps);
    }
    return status;
}

/* The rest has the waiting in it where that is not known. */
static enum status add_gaps(struct table *table, const struct steps_report *report)
{
    const struct step_parts *parts = &report->parts, *steady = &report->steady;
    bool is_known = !isnan(parts->waiting_ns);
    bool is_like = isnan(steady->waiting_ns) == !is_known;
    const struct part waiting = {parts->waiting_is_most ? steps_part_waiting_most_text.words
                                                        : steps_part_waiting_text.words,
                                 "waiting", parts->waiting_ns, steady->waiting_ns};
    const struct part aside = {steps_part_preempted_text.words, "waiting", parts->aside_ns,
                               steady->aside_ns};
    const struct part rest = {is_known ? "other code" : "other code, and waiting", "other",
                              parts->rest_ns, is_like ? steady->rest_ns : (double)NAN};
    const struct part own = {steps_part_own_text.words, "tprof", parts->own_ns, steady->own_ns};
    enum status status = is_known ? add_part(table, report, &waiting) : STATUS_OK;

    if (is_known && !parts->waiting_is_most && !status)
        status = add_part(table, report, &aside);
    if (!status)
        status = add_part(table, report, &rest);
    return status ? status : add_part(table, report, &own);
}

static enum status add_part_notes(struct table *table, const struct steps_report *report)
{
    enum status status = table_say(table, steps_whole_text, said_time(report->parts.whole_ns),
                                   said_count(report->parts.steps));

    if (!status)
        status = table_say(table, steps_other_code_text);
    if (!status && report->steps.source != STEPS_REGION && !report->steps.is_whole)
        status = table_say(table, steps_missing_calls_text);
    return status;
}

static enum status fill_parts(struct table *table, const struct steps_report *report)
{
    enum status status;

    if (report->parts.steps == 0)
        return STATUS_OK;
    status = add_roles(table, report);
    if (!status)
        status = table_sort(table, SHARE, true);
    if (!status)
        status = add_gaps(table, report);
    return status ? status : add_part_notes(table, report);
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct steps_report report;
    enum status status;

    table_init(table, &part_schema);
    status = report_init(&report, session, options);
    if (status)
        return status;
    status = fill_parts(table, &report);
    if (!status && report.steps.reason)
        status = table_say(table, steps_not_found_text, said_words(report.steps.reason));
    report_fini(&report);
    return status;
}

static enum status add_parts(struct document *document, const struct steps_report *report)
{
    struct table *table = document_start_table(
        document, "parts", report->parts.steps > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON,
        &part_schema);

    return table ? fill_parts(table, report) : STATUS_OUT_OF_MEMORY;
}

static enum status compose(const struct session *session, const struct analysis_options *options,
                           struct document *document)
{
    struct steps_report report;
    enum status status;

    document_init(document);
    document->name = "steps";
    document->main = "parts";
    status = report_init(&report, session, options);
    if (status)
        return status;
    status = add_summary(document, &report);
    status = status ? status : add_head(document, &report);
    status = status ? status : add_parts(document, &report);
    status = status ? status : add_levels(document, &report.steps);
    status = status ? status : add_steps(document, &report);
    if (!status && report.steps.source == STEPS_NONE)
        document->verdict = STATUS_NOT_ENOUGH_DATA;
    report_fini(&report);
    return status;
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
