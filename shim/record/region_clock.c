/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the clock of a region's thread, on that thread.
 *
 * Decision: doc/decisions/region-clocks.
 */
#include "record/region_clock.h"

#include <errno.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/draw.h"
#include "platform/median.h"
#include "record/extended.h"
#include "record/process.h"

/* The share of the time that readings may take of their own accord: two in this. */
enum { CLOCK_OLD_NS = 100000 };

/* Consecutive readings that show the cost of one: the median of the steps between them. */
enum { TRIALS = 9 };

static bool was_read(const struct lane_region *region)
{
    return region->clock_after_ticks == 0 && region->is_read;
}

/* Keep the last reading before a call for this call, in case the call is long and has a reading at
 * its end.  So short calls pay nothing. */
static void keep_last(const struct lane *lane, struct lane_region *region)
{
    if (was_read(region) || region->start <= lane->clock_ticks)
        return;
    region->clock_ns = lane->clock_ns;
    region->clock_ticks = lane->clock_ticks;
}

static void read_clock(struct lane *lane, uint64_t now)
{
    for (uint32_t i = lane->region_depth; i > 0; i--)
        keep_last(lane, &lane->regions[i - 1]);
    lane->clock_ns = calls_clock(CLOCK_THREAD_CPUTIME_ID);
    lane->clock_ticks = now;
    lane->clock_old_ticks = clock_ticks_of(CLOCK_OLD_NS);
    lane->clock_due_ticks = now + lane->clock_old_ticks;
    lane->clock_ask_ticks = lane->region_doublings > 0 ? 0 : lane->clock_due_ticks;
}

/* The first lane to come stores its cost in the trace. */
static void tell_cost(uint64_t ns)
{
    uint64_t none = 0;

    atomic_compare_exchange_strong((_Atomic uint64_t *)&process->file.header->reading_ns, &none,
                                   ns);
}

static void measure_cost(struct lane *lane)
{
    uint64_t steps[TRIALS], last = calls_clock(CLOCK_THREAD_CPUTIME_ID);

    for (int i = 0; i < TRIALS; i++) {
        uint64_t now = calls_clock(CLOCK_THREAD_CPUTIME_ID);

        steps[i] = now - last;
        last = now;
    }
    lane->reading_ns = median_of(steps, TRIALS);
    if (lane->reading_ns == 0)
        lane->reading_ns = 1;
    tell_cost(lane->reading_ns);
}

uint64_t region_clock_now(void)
{
    return calls_clock(CLOCK_THREAD_CPUTIME_ID);
}

void region_clock_owe_since(struct lane *lane, uint64_t ns)
{
    lane->owed_ticks += clock_ticks_of(region_clock_now() - ns);
}

void region_clock_charge(struct lane *lane, struct trace_node *node, uint64_t ticks)
{
    node->own_ticks += ticks + lane->owed_ticks;
    lane->owed_ticks = 0;
    process_add_slow_ticks(ticks);
}

static void draw_next(struct lane *lane, struct trace_node *node, uint64_t mean)
{
    if (lane->clock_random == 0)
        lane->clock_random = (clock_read() ^ (uintptr_t)lane) | 1;
    node->next_read = node->calls + draw_gap(&lane->clock_random, mean);
}

/* A call that is read for another reason than being drawn represents only itself: a call after a
 * pause may differ from the others. */
static uint64_t begin_reading(struct lane *lane, struct lane_region *region, uint64_t now)
{
    struct trace_node *node = region->node;
    bool is_old = now >= lane->clock_due_ticks;

    region->drawn = 0;
    if (lane->reading_ns == 0)
        measure_cost(lane);
    if (node->calls >= node->next_read) {
        uint64_t mean = draw_of(node->calls, node->ticks, clock_ticks_of(lane->reading_ns));

        region->drawn = is_old ? 0 : mean < UINT32_MAX ? (uint32_t)mean : UINT32_MAX;
        draw_next(lane, node, mean);
    }
    read_clock(lane, now);
    region->clock_ns = lane->clock_ns;
    region->clock_ticks = 0;
    region->clock_after_ticks = 0;
    region->is_read = true;
    return clock_read();
}

uint64_t region_clock_begin(struct lane *lane, struct lane_region *region, uint64_t now)
{
    int saved_errno = errno;
    uint64_t start;

    if (lane->reading_ns == UINT64_MAX) {
        region->node->next_read = UINT64_MAX;
        return now;
    }
    start = begin_reading(lane, region, now);
    region_clock_charge(lane, region->node, start - now);
    errno = saved_errno;
    return start;
}

/* A clock that does not exist reads 0. */
void region_clock_end(struct lane *lane, struct lane_region *region, uint64_t now)
{
    int saved_errno = errno;
    bool is_read = was_read(region);

    keep_last(lane, region);
    read_clock(lane, now);
    if (lane->clock_ns > 0) {
        const uint64_t words[] = {
            region->node_index | (is_read ? (uint64_t)region->drawn << 32 : 0),
            lane->clock_ns - region->clock_ns, is_read ? 0 : region->start - region->clock_ticks};

        extended_write(lane, now, TRACE_EXTENDED_CLOCK, words, sizeof words / sizeof *words);
    }
    region_clock_charge(lane, region->node, clock_read() - now);
    errno = saved_errno;
}

void region_clock_stop(struct lane *lane)
{
    lane->reading_ns = UINT64_MAX;
    lane->clock_ask_ticks = lane->clock_due_ticks = UINT64_MAX;
    lane->clock_old_ticks = UINT64_MAX;
}
