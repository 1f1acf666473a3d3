/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills the session with the results of the heap's replay.
 */
#ifndef MODEL_SITES_H
#define MODEL_SITES_H

#include "model/events.h"

struct session;

/* Fill the session's heap, its moments and sites, and the bytes freed by its regions, all as if the
 * replay were exact.
 */
void sites_fill(struct session *session, const struct events *events,
                const struct trace_header *header);

/* Set the live amounts of sites to UNKNOWN: records are missing. */
void sites_forget_live(struct session *session);

#endif
