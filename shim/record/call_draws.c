/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawing calls.  Runs on the lane's thread, behind a kernel's call or at a region's begin.
 */
#include "record/call_draws.h"

#include "platform/clock.h"
#include "record/stages.h"
#include "spec/drawn_calls.h"

/* Returns: of 2^this calls one is written at least; 0 before the stage. */
static uint8_t doublings_of(enum trace_stage stage)
{
    uint64_t calls = stages_has_begun(stage) ? stages_value(stage) : 1;
    unsigned doublings = calls > 1 ? drawn_calls_log(calls - 1) + 1 : 0;

    return (uint8_t)(doublings < DRAWN_CALLS_MOST ? doublings : DRAWN_CALLS_MOST);
}

static void adopt_kernels(struct lane *lane)
{
    uint64_t whole;

    lane->kernel_doublings = doublings_of(TRACE_STAGE_KERNELS);
    whole = drawn_calls_whole(lane->kernel_doublings);
    lane->events_each = whole < lane->events_most ? whole : lane->events_most;
}

/* While calls may have no record, every begin of a region takes the slow path. */
static void adopt_regions(struct lane *lane)
{
    lane->region_doublings = doublings_of(TRACE_STAGE_REGIONS);
    lane->clock_ask_ticks = lane->region_doublings > 0 ? 0 : lane->clock_due_ticks;
}

void call_draws_adopt(struct lane *lane)
{
    if (lane->call_random == 0)
        lane->call_random = (clock_read() ^ (uintptr_t)lane) | 1;
    adopt_kernels(lane);
    adopt_regions(lane);
}
