/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chunks of a lane, which hold its records and cells.
 *
 * Budget of lane_reserve and lane_commit: one comparison each for place and time, three stores.
 */
#ifndef RECORD_LANE_CHUNKS_H
#define RECORD_LANE_CHUNKS_H

#include "record/lane.h"

/* Make room for `words` words at `now`: open the next chunk, or write a TIME record.
 * Returns: false when the record is lost. */
REALIGNED bool lane_make_room(struct lane *lane, uint64_t now, unsigned words, unsigned delta_bits,
                         unsigned shift);

/* Reserve `words` words whose delta field has `delta_bits` bits of steps of 2^shift ticks.
 * Moves lane->time on. *has_room is false when the record is lost.
 * Returns: the delta. */
static ALWAYS_INLINE uint64_t lane_reserve(struct lane *lane, uint64_t now, unsigned words,
                                           unsigned delta_bits, unsigned shift, bool *has_room)
{
    uint64_t delta = (now - lane->time) >> shift;

    *has_room = true;
    if (UNLIKELY((delta >> delta_bits) != 0 || lane->cursor + words > lane->limit)) {
        *has_room = lane_make_room(lane, now, words, delta_bits, shift);
        delta = *has_room ? (now - lane->time) >> shift : 0;
    }
    lane->time += delta << shift;
    return delta;
}

/* Make the next `words` words part of the trace.  The release pairs with the reader that maps
 * the file, so a killed process leaves whole records. */
static ALWAYS_INLINE void lane_commit(struct lane *lane, unsigned words)
{
    lane->cursor += words;
    atomic_store_explicit((_Atomic uint64_t *)&lane->chunk->used,
                          (uint64_t)((char *)lane->cursor - (char *)lane->chunk),
                          memory_order_release);
}

/* Can `words` words be written at any time without another chunk? */
bool lane_has_room(const struct lane *lane, unsigned words);

/* Add a cell, and enter it in the index under `hash`; its kind is still NONE.
 * Returns: NULL when the lane has no room for more. */
REALIGNED union trace_cell *lane_add_cell(struct lane *lane, uint64_t hash, uint32_t *number);

/* Claim the first chunks of a new lane.  The caller holds the process lock.
 * Returns: false when one is refused. */
bool lane_claim_first(struct lane *lane);

/* May a chunk be claimed?  A refused chunk is claimed again only later: a program that allocates
 * millions of times must not try a full disk as often.  In a sandbox that another thread entered
 * for all threads, nothing may be claimed. */
bool lane_may_claim(const struct lane *lane, uint64_t now);

/* Note whether a chunk was claimed or refused. */
void lane_note_claim(struct lane *lane, bool is_claimed, uint64_t now);

#endif
