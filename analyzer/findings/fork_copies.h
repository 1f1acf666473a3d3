/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that a forked child copied by writing to it.
 */
#ifndef FINDINGS_FORK_COPIES_H
#define FINDINGS_FORK_COPIES_H

struct session;

/* Returns: the bytes; 0 when they are few, or the process is no forked child. */
double fork_copies_find(const struct session *session);

#endif
