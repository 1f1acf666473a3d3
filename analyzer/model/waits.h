/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of waits to the waits of a session.
 */
#ifndef MODEL_WAITS_H
#define MODEL_WAITS_H

#include "base/attributes.h"
#include "base/status.h"
#include "model/tallies.h"
#include "spec/trace.h"

/* Add a cell in the region and thread of `node`.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status waits_add(struct tallies *tallies, const struct trace_wait *raw,
                      const struct tallies_cell *node) MUST_CHECK;

#endif
