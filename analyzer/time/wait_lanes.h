/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compute, memory, files and network over time.
 */
#ifndef TIME_WAIT_LANES_H
#define TIME_WAIT_LANES_H

#include "base/attributes.h"
#include "base/status.h"
#include "document/document.h"

struct session;

/* Add a plot of each for people, and their rows for programs.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status wait_lanes_add(struct document *document, const struct session *session) MUST_CHECK;

#endif
