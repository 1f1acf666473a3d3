/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes instants on both clocks.
 */
#include "device/clock_join.h"

#include <stdatomic.h>

#include "device/state.h"
#include "platform/clock.h"
#include "record/extended.h"
#include "record/lane.h"

/* Clocks drift apart by some millionths: by a microsecond or so in this time. */
enum { WINDOW_NS = 1000000000 };

static void write_instant(uint32_t device, uint64_t start_ticks, uint64_t width_ticks,
                          uint64_t device_ns)
{
    const uint64_t words[4] = {device, device_ns, start_ticks + width_ticks / 2,
                               (width_ticks + 1) / 2};
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    extended_write(lane, clock_read(), TRACE_EXTENDED_DEVICE_CLOCK, words, 4);
    lane_leave(lane);
}

/* In a window an instant is written that is half as wide as the last one, so there are few. */
void clock_join_note(uint32_t device, uint64_t start_ticks, uint64_t end_ticks, uint64_t device_ns)
{
    struct device_clock_state *state = &device_state->clocks[device];
    uint64_t width = end_ticks - start_ticks;
    uint64_t since = atomic_load_explicit(&state->since_ticks, memory_order_relaxed);
    bool is_new = since == 0 || start_ticks - since > clock_ticks_of(WINDOW_NS);

    if (!is_new && width > atomic_load_explicit(&state->width_ticks, memory_order_relaxed) / 2)
        return;
    if (is_new)
        atomic_store_explicit(&state->since_ticks, start_ticks, memory_order_relaxed);
    atomic_store_explicit(&state->width_ticks, width, memory_order_relaxed);
    write_instant(device, start_ticks, width, device_ns);
}
