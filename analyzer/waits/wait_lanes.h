/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compute, memory, files and network over time.
 */
#ifndef WAITS_WAIT_LANES_H
#define WAITS_WAIT_LANES_H

#include "document/document.h"

struct session;

/* Add a plot of each for people, and their rows for programs. */
void wait_lanes_add(struct document *document, const struct session *session);

#endif
