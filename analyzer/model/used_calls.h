/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps only the calls of a session that are referred to.
 */
#ifndef MODEL_USED_CALLS_H
#define MODEL_USED_CALLS_H

struct session;

/* Drop all calls that are on no chain of a block, sample, mapping, wait or wake, such as those of
 * chains that were joined.  The other calls keep their order, and get new numbers. */
void used_calls_keep(struct session *session);

#endif
