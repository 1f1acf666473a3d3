/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Putting the new frames of a walk in the place of the old ones: in the tree of calls, and
 * in the chain that the lane keeps.
 *
 * Runs in the program's calls of malloc.
 * Budget: one look-up in a cache of paths, and six stores for each new frame; for a path
 * that was never met, one look-up in the tree a frame.
 */
#ifndef CHAIN_JOIN_H
#define CHAIN_JOIN_H

#include "chain/walk.h"
#include "record/lane.h"

/* Join the steps of a walk to the frame that it met, and keep the chain.
 * Returns: its number; 0 when there was no room for it.  A chain that may not be compared
 * with the next is forgotten. */
uint32_t join_steps(struct lane *lane, const struct walk *walk);

/* The same for frames of another stack, which are entered in the tree and not kept. */
COLD uint32_t join_elsewhere(struct lane *lane, const struct walk *walk);

#endif
