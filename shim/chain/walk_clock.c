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

void walk_clock_init(struct lane_chain *chain)
{
    chain->untimed_mask = settings.overhead_ppm > 0 ? 0 : WALKS_TO_ONE_TIMED - 1;
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

    if (ticks < clock_ticks_of(WALK_NS_MAX))
        chain->walk_ticks += ticks_of_all(chain, ticks, end);
    chain->timed_ticks = end;
    if (++chain->timed_walks % WALKS_TO_ONE_NOTE != 0)
        return;
    budget_note_walks(chain->walk_ticks);
    chain->walk_ticks = 0;
}
