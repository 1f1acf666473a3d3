/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls of a session that something refers to.
 */
#ifndef MODEL_USED_CALLS_H
#define MODEL_USED_CALLS_H

struct session;

/* Drop all calls that are on the chain of no block, sample, mapping, wait or wake, as those that
 * chains were joined of.  The others keep their order, and get new numbers. */
void used_calls_keep(struct session *session);

#endif
