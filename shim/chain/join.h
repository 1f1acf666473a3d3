/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replaces the old frames by the new ones of a walk, in the tree of calls and in the chain that the
 * lane stores.
 *
 * Runs in the program's calls of malloc.
 * Budget: one look-up in a cache of paths, and six stores for each new frame; for a path never met
 * before, one look-up in the tree for each frame.
 */
#ifndef CHAIN_JOIN_H
#define CHAIN_JOIN_H

#include "chain/walk.h"
#include "record/lane.h"

/* Join the steps of a walk to the frame that it met, and keep the chain.
 * Returns: its number; 0 when there was no room for it.  A chain that may not be compared with the
 * next is forgotten. */
uint32_t join_steps(struct lane *lane, const struct walk *walk);

/* The same for frames of another stack, which are entered in the tree but not stored. */
COLD uint32_t join_elsewhere(struct lane *lane, const struct walk *walk);

#endif
