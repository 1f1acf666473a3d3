/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens around a kernel's call.
 *
 * Budget: beyond the two clock reads, one hash of the shape, one record of
 * 16 bytes and six additions in the slot; no allocation, lock or system call.
 * The probe stands in the wrapper's frame with a cleanup, so a C++ throw or
 * a thread's exit closes it; a frame that a longjmp left behind is dropped,
 * and counted, by the next kernel to return around it.
 */
#ifndef HOT_PROBE_H
#define HOT_PROBE_H

#include "hot/binding.h"
#include "hot/lane.h"
#include "hot/tally.h"

struct probe {
    struct lane *lane; /* NULL: this call is not recorded */
    uint32_t depth;
};

/* Drop frames that were jumped over; refuse one too many.
 * Returns: whether there is room for one more. */
COLD bool probe_check_frames(struct lane *lane);

/* Close the call and write its record. */
void probe_leave(struct probe *probe);

static ALWAYS_INLINE void probe_enter(struct probe *probe, const struct binding *binding,
                                      const int64_t *shape, unsigned dims, const void *site)
{
    struct lane *lane = lane_enter();
    struct tally_key key = {binding->id, 0, 0, (uint16_t)dims, (uintptr_t)site, shape};
    struct lane_frame *frame;

    probe->lane = NULL;
    if (UNLIKELY(!lane))
        return;
    if (UNLIKELY(lane->frame_depth > 0) && !probe_check_frames(lane)) {
        lane_leave(lane);
        return;
    }
    frame = &lane->frames[lane->frame_depth];
    key.nested = lane->frame_depth > 0 && frame[-1].owns;
    key.node = lane->node_index;
    frame->slot = tally_slot(lane, &key, &frame->slot_index);
    frame->owns = key.nested || binding->owns;
    frame->inner_ticks = 0;
    frame->owner = probe;
    probe->lane = lane;
    probe->depth = lane->frame_depth++;
    lane_leave(lane);
    frame->start = clock_read();
}

#endif
