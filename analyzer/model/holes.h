/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When records of a thread are missing: what losses count, holes place in time.
 */
#ifndef MODEL_HOLES_H
#define MODEL_HOLES_H

#include "model/losses.h"

struct session;

/* Fill the session's holes, by thread and time; its threads and losses must be known.
 */
void holes_find(struct session *session, const struct losses_sources *sources);

#endif
