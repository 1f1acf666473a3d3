/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holes: the times of a thread's missing records.  Losses count the records.
 */
#ifndef MODEL_HOLES_H
#define MODEL_HOLES_H

#include "model/losses.h"

struct session;

/* Fill the session's holes, by thread and time.  Its threads and losses must be known. */
void holes_find(struct session *session, const struct losses_sources *sources);

#endif
