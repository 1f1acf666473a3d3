/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adding up the time of walks.
 *
 * Decision: doc/decisions/told-overhead.
 */
#include "chain/walk_clock.h"

#include "record/budget.h"
#include "record/settings.h"

/* The longest chains of new frames take half of WALK_NS_MAX.  A longer walk waited for a processor,
 * or asked for memory, and the time of that is noted there. */
enum { WALKS_TO_ONE_TIMED = 64, WALKS_TO_ONE_NOTE = 16, WALK_NS_MAX = 100000 };

/* Most walks are as short as a reading of the clock. */
static uint64_t find_clock_ticks(void)
{
    enum { TRIES = 8 };
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t start = clock_read(), passed = clock_read() - start;

        least = passed < least ? passed : least;
    }
    return least;
}

void walk_clock_init(struct lane_chain *chain)
{
    chain->untimed_mask = settings.overhead_ppm > 0 ? 0 : WALKS_TO_ONE_TIMED - 1;
    chain->clock_ticks = find_clock_ticks();
}

/* Follow the median: half of the walks raise it by a step, half lower it.  The first walks of a
 * program meet cold caches, and tell too much of the later ones. */
static void note_typical(struct lane_chain *chain, uint64_t ticks)
{
    uint64_t step = chain->typical_ticks / 16 + 1;

    if (ticks > chain->typical_ticks)
        chain->typical_ticks += step;
    else
        chain->typical_ticks -= step < chain->typical_ticks ? step : chain->typical_ticks;
}

/* A timed walk stands for those since the last timed one, which had no more than the time since
 * then. */
static uint64_t ticks_of_all(const struct lane_chain *chain, uint64_t ticks, uint64_t end)
{
    uint64_t all = ticks * (chain->untimed_mask + 1);
    uint64_t room = end - chain->timed_ticks;

    return all < room ? all : room;
}

COLD void walk_clock_add(struct lane_chain *chain, uint64_t start, uint64_t end)
{
    uint64_t ticks = end - start;

    ticks -= ticks < chain->clock_ticks ? ticks : chain->clock_ticks;
    note_typical(chain, ticks);
    if (ticks < clock_ticks_of(WALK_NS_MAX))
        chain->walk_ticks += ticks_of_all(chain, ticks, end);
    chain->timed_ticks = end;
    if (++chain->timed_walks % WALKS_TO_ONE_NOTE != 0)
        return;
    budget_note_walks(chain->walk_ticks, WALKS_TO_ONE_NOTE, chain->typical_ticks);
    chain->walk_ticks = 0;
}
