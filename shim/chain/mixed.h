/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The frames of Python code on a chain.
 *
 * They are a separate chain in the lane's tree, and a call pairs both chains: spec/trace.h.  The
 * last frames are stored with their outermost calls, so a changed line costs one look-up in the
 * tree.  Found pairs are stored, too, in the order of the chains.
 *
 *     comparison of                        proves
 *     a frame's address and instruction    the code and the place in it, while the code lives
 *     codes_gone                           that no known code has been freed since
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
 * `native`: the number of the native chain; 0: there is none.
 * Returns: the number of the pair; `native` when there are no such frames, or no room. */
uint32_t mixed_take(struct lane *lane, uint32_t native);

/* The same for a signal, which may come between any two instructions, so memory is checked before
 * it is read. */
uint32_t mixed_take_interrupted(struct lane *lane, uint32_t native);

/* The same where Python's frames are read at all. */
static ALWAYS_INLINE uint32_t mixed_pair(struct lane *lane, uint32_t native)
{
    return LIKELY(!python_is_read()) ? native : mixed_take(lane, native);
}

/* A row of fact_writers: how many could not be read. */
bool mixed_write_unread(unsigned *written);

#endif
