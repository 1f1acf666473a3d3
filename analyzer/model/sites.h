/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the replay of the heap found, in the terms of the session.
 */
#ifndef MODEL_SITES_H
#define MODEL_SITES_H

#include "model/events.h"

struct session;

/* Fill the session's heap, its moments and sites, and what its regions freed,
 * all as if the replay were exact.
 */
void sites_fill(struct session *session, const struct events *events,
                const struct trace_header *header);

/* Forget what the sites had live: records are missing. */
void sites_forget_live(struct session *session);

#endif
