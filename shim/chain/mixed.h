/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of Python code on a chain.
 *
 * They stand in the lane's tree as a chain of their own, and a call that pairs both chains is
 * the number of the two: spec/trace.h.  The frames that were taken last are kept, outermost calls
 * with them, so that a line that changes costs one look-up in the tree.  So are pairs that were
 * found, in the order of the chains.
 *
 *     what is compared                     what it proves
 *     a frame's address and instruction    the code and the place in it, while the code lives
 *     codes_gone                           that no code that was known has been freed since
 *
 * Safety: the lane is BUSY.
 * Budget: three loads a frame when nothing has changed.
 *
 * Decision: doc/decisions/python-frames.
 */
#ifndef CHAIN_MIXED_H
#define CHAIN_MIXED_H

#include "chain/lane_chain.h"
#include "python/frames.h"
#include "record/lane.h"

/* Pair a chain with the frames of Python code that the thread is in.
 * `native`: its number; 0: there is none.
 * Returns: the number of both; `native` where there are no such frames, or no room. */
uint32_t mixed_take(struct lane *lane, uint32_t native);

/* The same where a signal came between any two instructions: memory is asked for. */
uint32_t mixed_take_interrupted(struct lane *lane, uint32_t native);

/* The same where Python's frames are read at all. */
static ALWAYS_INLINE uint32_t mixed_pair(struct lane *lane, uint32_t native)
{
    return LIKELY(!python_is_read()) ? native : mixed_take(lane, native);
}

/* A row of fact_writers: how many could not be read. */
bool mixed_write_unread(unsigned *written);

#endif
