/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole that shares of thread time are of.
 */
#ifndef KERNELS_TOP_H
#define KERNELS_TOP_H

struct session;
struct table;

/* Say below a table what its shares are relative to. */
void top_say_whole(struct table *table, const struct session *session);

#endif
