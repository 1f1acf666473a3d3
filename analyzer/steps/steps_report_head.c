/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The head of tprof steps: the source of the steps, their times, and events around them.
 */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_threads.h"
#include "steps/steps_report.h"
#include "steps/texts.h"

const char *steps_region_path(const struct steps_report *report)
{
    if (report->steps.source != STEPS_REGION)
        return NULL;
    return session_region_at(report->session, report->steps.region)->path;
}

uint32_t steps_thread_id(const struct steps_report *report)
{
    const struct session_thread *thread = session_thread_at(report->session, report->steps.thread);

    return thread->id;
}

void steps_append_teller(struct text *text, const struct steps_report *report)
{
    const struct steps *steps = &report->steps;

    if (steps->source == STEPS_OPTIMIZER)
        text_append(text, session_op_at(report->session, steps->op)->name);
    if (steps->source == STEPS_MODULE)
        session_append_layer(text, report->session, steps->layer);
}

static void say_told(struct text *line, const struct steps_report *report, struct said thread)
{
    struct said count = said_count(report->steps.steps.count);
    struct text teller;

    text_init(&teller);
    steps_append_teller(&teller, report);
    if (report->steps.source == STEPS_OPTIMIZER)
        say(line, steps_optimizer_text, count, said_words(teller.bytes), thread);
    else if (report->steps.source == STEPS_MODULE)
        say(line, steps_module_text, count, said_words(teller.bytes), thread);
    else
        say(line, steps_backward_text, count, thread);
}

/* Gradients of several batches may be of one step. */
static void say_passes(struct text *line, const struct steps *steps)
{
    double each = (double)steps->backwards / (double)steps->steps.count;

    if (steps->source == STEPS_OPTIMIZER && each > 1)
        say(line, steps_passes_text, said_real(each));
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
    snprintf(number, sizeof number, "%u", steps_thread_id(report));
    thread = said_words(number);
    if (steps->source == STEPS_REGION)
        say(line, steps_region_text, count, said_words(steps_region_path(report)), thread);
    else if (steps_are_told(steps))
        say_told(line, report, thread);
    else
        say(line, steps_inferred_text, count, said_count(level->calls), thread);
    if (steps->source == STEPS_KERNELS)
        say(line, steps_shapes_text);
    say_passes(line, steps);
    if (steps_are_told(steps) && steps->source != STEPS_REGION && !steps->is_whole)
        say(line, steps_ops_missing_text);
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

/* Name the part of a step that holds the peak in most steps. */
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
    if (memory->peaks.count == 0) {
        say(line, steps_peak_unknown_text, said_words(memory->reason));
        return;
    }
    say(line, steps_peak_text, said_bytes((double)memory->median_bytes),
        said_count(memory->peaks.count), said_count(peak[memory->most].step + 1),
        said_bytes((double)peak[memory->most].bytes));
    say(line, steps_peak_place_text, said_words(step_memory_place(usual)),
        said_count(memory->at_role[usual]));
}

static void append_devices(struct text *line, const void *of)
{
    const struct steps_report *report = of;
    const struct step_parts *steady = &report->steady;
    double busy_ns = step_devices_sum(&report->devices, steady->first);

    if (steady->steps == 0 || isnan(busy_ns))
        return;
    say(line, steps_devices_text, said_time(busy_ns / (double)steady->steps),
        said_share(busy_ns / steady->whole_ns));
    if (report->devices.untimed > 0)
        say(line, steps_devices_untimed_text, said_count(report->devices.untimed));
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
    {{"devices", "Devices", NULL, UNIT_TEXT, 0}, append_devices},
};

void steps_add_head(struct document *document, const struct steps_report *report)
{
    struct record *record = document_add_record(document, "head", "Steps", SECTION_IN_TEXT);

    record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, report);
}
