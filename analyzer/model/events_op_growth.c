/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The growth of each place of ops.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <stdlib.h>

#include "model/session_growth.h"

enum {
    LEAST_STEPS = 16, /* of one sequence: chance does not make a row this long */
    SLACK_BYTES = 64  /* PyTorch's alignment of tensors */
};

struct growth_place {
    uint64_t live_bytes;
    uint64_t live_blocks;
    uint64_t seen_bytes; /* the same at the last call with a change */
    uint64_t seen_blocks;
    uint64_t call; /* the number of that call, of those of its layer */
    uint32_t layer;
    uint64_t step_bytes; /* growth in each step of the current run */
    uint64_t steps;      /* steps of the current run; 0: there is none */
    uint64_t base_bytes; /* bytes before the run */
    uint64_t from_ticks;
    uint64_t last_ticks;               /* time of the last call */
    struct session_growth long_enough; /* a run whose memory is still live; 0 steps: none */
    uint64_t floor_bytes;              /* below this, its memory counts as freed */
    uint32_t op;
    uint32_t found; /* and one: index in the session's growths */
    bool is_changed;
};

void op_growth_init(struct op_growth *growth, const struct events *events)
{
    array_init(&growth->changed, sizeof(uint32_t));
    if (events->beats.groups.count == 0)
        return;
    growth->places = memory_get_zeros(events->beats.groups.count, sizeof *growth->places);
}

void op_growth_fini(struct op_growth *growth)
{
    free(growth->places);
    array_fini(&growth->changed);
}

/* ---- freed tensors ------------------------------------------------------------ */

static bool is_near(uint64_t one, uint64_t other)
{
    return (one > other ? one - other : other - one) <= SLACK_BYTES;
}

/* A sequence ends: it may be one of several at its place. */
static void add_growth(struct events *events, struct growth_place *place, uint64_t ticks)
{
    struct session_growth *run = &place->long_enough, *found;

    found = place->found > 0 ? array_at(&events->session->growths, place->found - 1) : NULL;
    if (!found || !is_near(found->step_bytes, run->step_bytes)) {
        found = array_add(&events->session->growths);
        place->found = (uint32_t)events->session->growths.count;
        *found = *run;
        found->freed_ns = clock_convert(events->from.clock, ticks);
        found->steps = 0;
    }
    found->sequences++;
    if (run->steps > found->steps) {
        found->steps = run->steps;
        found->from_ns = run->from_ns;
    }
    run->steps = 0;
}

static void note_change(struct op_growth *growth, uint32_t number)
{
    struct growth_place *place = &growth->places[number];
    uint32_t *added;

    if (place->is_changed)
        return;
    added = array_add(&growth->changed);
    *added = number;
    place->is_changed = true;
}

void op_growth_add(struct events *events, uint32_t op, uint64_t bytes)
{
    uint32_t number = events->beats.groups.places[op];
    struct growth_place *place = &events->growth.places[number];

    place->live_bytes += bytes;
    place->live_blocks++;
    place->op = op;
    note_change(&events->growth, number);
}

void op_growth_drop(struct events *events, uint32_t op, uint64_t bytes, uint64_t ticks)
{
    uint32_t number = events->beats.groups.places[op];
    struct growth_place *place = &events->growth.places[number];

    place->live_bytes -= bytes;
    place->live_blocks--;
    if (place->long_enough.steps > 0 && place->live_bytes <= place->floor_bytes)
        add_growth(events, place, ticks);
    note_change(&events->growth, number);
}

/* ---- from call to call -------------------------------------------------------- */

static void begin_run(struct growth_place *place, uint64_t grown)
{
    place->steps = 1;
    place->step_bytes = grown;
    place->base_bytes = place->seen_bytes;
    place->from_ticks = place->last_ticks;
}

/* The run's memory counts as freed when less than an eighth of its growth stays. */
static void keep_run(const struct events *events, struct growth_place *place)
{
    if (place->steps < LEAST_STEPS || place->steps < place->long_enough.steps)
        return;
    place->long_enough = (struct session_growth){
        .op = place->op,
        .step_bytes = place->step_bytes,
        .steps = place->steps,
        .from_ns = clock_convert(events->from.clock, place->from_ticks),
    };
    place->floor_bytes = place->base_bytes + place->steps * place->step_bytes / 8;
}

static void compare(const struct events *events, struct growth_place *place, uint32_t layer,
                    uint64_t ticks)
{
    uint64_t call = events->beats.layers[layer].calls;
    bool is_next = place->layer == layer && place->call + 1 == call;
    bool grows = place->live_bytes > place->seen_bytes && place->live_blocks == place->seen_blocks;
    uint64_t grown = place->live_bytes - place->seen_bytes;

    if (is_next && grows && place->steps > 0 && is_near(grown, place->step_bytes))
        place->steps++;
    else if (is_next && grows)
        begin_run(place, grown);
    else
        place->steps = 0;
    keep_run(events, place);
    place->seen_bytes = place->live_bytes;
    place->seen_blocks = place->live_blocks;
    place->call = call;
    place->layer = layer;
    place->last_ticks = ticks;
    place->is_changed = false;
}

void op_growth_step(struct events *events, uint32_t layer, uint64_t ticks)
{
    struct op_growth *growth = &events->growth;
    const uint32_t *changed = growth->changed.items;

    events->beats.layers[layer].calls++;
    for (size_t i = 0; i < growth->changed.count; i++)
        compare(events, &growth->places[changed[i]], layer, ticks);
    array_truncate(&growth->changed, 0);
}
