/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof phases: a program's start-up, warm-up, main phase and end.
 */
#include <math.h>
#include <stdio.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "cpu/starting.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "steps/phase_sums.h"
#include "steps/phases.h"
#include "steps/texts.h"
#include "waits/wall.h"

enum { NAME, FROM, WALL, SHARE, CPU, WAITING, ALLOCATIONS, ALLOCATED, READ, PEAK, STEPS };

static const struct column columns[] = {
    [NAME] = {"name", "phase",
              "start-up, warm-up, steady (of steps, requests or tasks) or work, end", UNIT_TEXT, 0},
    [FROM] = {"from_ns", NULL, "when it began", UNIT_NS, 9},
    [WALL] = {"wall_ns", "wall", "wall time", UNIT_NS, 0},
    [SHARE] = {"wall_share", "share", "of the wall time of the process", UNIT_FRACTION, 0},
    [CPU] = {"cpu_ns", "processor", "processor time of the process", UNIT_NS, 0},
    [WAITING] = {"wait_ns", "waiting",
                 "of the thread that runs the steps, in calls of 50 us or more", UNIT_NS, 1},
    [ALLOCATIONS] = {"allocations", "allocations", "blocks that were obtained", UNIT_COUNT, 4},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes of these blocks", UNIT_BYTES, 2},
    [READ] = {"read_bytes", "read", "bytes that read and its like returned", UNIT_BYTES, 2},
    [PEAK] = {"peak_heap_bytes", "heap peak", "highest live heap", UNIT_BYTES, 3},
    [STEPS] = {"steps", "steps", "in it", UNIT_COUNT, 5},
};

static const struct table_schema schema = {"phases", "Phases", columns,
                                           sizeof columns / sizeof *columns, "wall_share"};

static void add_row(struct table *table, const struct phases *phases, enum phase phase,
                    const struct phase_sum *sum)
{
    uint64_t wall_ns = phases->border_ns[PHASES];
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[FROM], phases->border_ns[phase]);
    value_set_unsigned(&row[WALL], phase_length_ns(phases, phase));
    value_set_ratio(&row[SHARE], phase_length_ns(phases, phase), wall_ns);
    value_set_rounded(&row[CPU], sum->cpu_ns);
    value_set_rounded(&row[WAITING], sum->waiting_ns);
    value_set_rounded(&row[ALLOCATIONS], sum->allocations);
    value_set_rounded(&row[ALLOCATED], sum->allocated_bytes);
    value_mark_estimate(&row[ALLOCATIONS], sum->has_estimated_blocks);
    value_mark_estimate(&row[ALLOCATED], sum->has_estimated_blocks);
    value_set_rounded(&row[READ], sum->read_bytes);
    value_set_rounded(&row[PEAK], sum->peak_bytes);
    if (phase == PHASE_WARM_UP && phases->warm_steps > 0)
        value_set_unsigned(&row[STEPS], phases->warm_steps);
    if (phase == PHASE_MAIN && phases->steps > 0)
        value_set_unsigned(&row[STEPS], phases->steps);
    value_set_text(&row[NAME], phase_name(phases, phase));
}

static void fill(struct table *table, const struct session *session, const struct phases *phases)
{
    struct phase_sum sums[PHASES];

    phase_sums_find(sums, session, phases);
    for (enum phase phase = 0; phase < PHASES; phase++)
        if (phase_length_ns(phases, phase) > 0)
            add_row(table, phases, phase, &sums[phase]);
}

static const struct said *border_row(const struct phases *phases, enum phase phase)
{
    bool is_start = phase == PHASE_START, is_warm_up = phase == PHASE_WARM_UP;

    switch (phases->ends_by[phase]) {
    case PHASE_BY_NOTHING: return NULL;
    case PHASE_BY_REGION: return &phases_by_region_text;
    case PHASE_BY_STEPS:
        if (is_warm_up)
            return &phases_by_warm_steps_text;
        return is_start ? &phases_by_first_step_text : &phases_by_last_step_text;
    case PHASE_BY_KERNELS:
        return is_start ? &phases_by_first_kernel_text : &phases_by_last_kernel_text;
    case PHASE_BY_SAMPLES: return &phases_by_samples_text;
    case PHASE_BY_REQUESTS:
        return is_start ? &phases_by_first_request_text : &phases_by_last_request_text;
    case PHASE_BY_TASKS: return is_start ? &phases_by_first_task_text : &phases_by_last_task_text;
    }
    return NULL;
}

static void say_borders(struct table *table, const struct phases *phases)
{
    for (enum phase phase = 0; phase < PHASES; phase++) {
        const struct said *row = border_row(phases, phase);
        const struct said name = said_words(phase_name(phases, phase));

        if (!row || phase_length_ns(phases, phase) == 0)
            continue;
        if (phases->ends_by[phase] == PHASE_BY_REGION)
            table_say(table, *row, name, said_words(phases->region[phase]));
        else
            table_say(table, *row, name);
    }
}

/* How much of the start-up is that of the loader and of imports, by samples. */
static void say_start(struct table *table, const struct session *session,
                      const struct phases *phases, places_finder find)
{
    const struct session_tick *tick = session->ticks.items;
    uint64_t all = 0, starting = 0;
    bool *are;

    if (phase_length_ns(phases, PHASE_START) == 0 || session->ticks.count == 0)
        return;
    starting_find(&are, session, find);
    for (size_t i = 0; i < session->ticks.count; i++) {
        if (tick[i].time_ns >= phases->border_ns[PHASE_WARM_UP])
            continue;
        all += tick[i].periods;
        starting += are[tick[i].sample] ? tick[i].periods : 0;
    }
    if (all > 0 && starting > 0)
        table_say(table, phases_start_text, said_share((double)starting / (double)all));
}

static void say_notes(struct table *table, const struct session *session,
                      const struct phases *phases, places_finder find)
{
    char thread[UNITS_SIZE];

    wall_say_whole(table, session);
    snprintf(thread, sizeof thread, "%u", session_thread_at(session, phases->thread)->id);
    say_borders(table, phases);
    if (phases->served > 0)
        table_say(table, phases_served_text, said_words(thread), said_count(phases->served));
    say_start(table, session, phases, find);
    table_say(table, phases_waiting_text, said_words(thread));
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct phases phases;
    bool are;

    phases_find(&phases, session, options->find_frames, &are);
    table_init(table, &schema);
    if (!are) {
        table_say(table, phases_none_text);
        return;
    }
    fill(table, session, &phases);
    say_notes(table, session, &phases, options->find_frames);
}

const struct analysis analysis_phases = {
    .name = "phases",
    .help = "Start-up, warm-up, steps and end of a run: time, waiting, allocations and reads.",
    .sort_key = NULL,
    .build = build,
};
