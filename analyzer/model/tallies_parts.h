/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the tallies have of each other: the nodes of ops, and cells of waits.
 */
#ifndef MODEL_TALLIES_PARTS_H
#define MODEL_TALLIES_PARTS_H

#include "base/attributes.h"
#include "base/status.h"
#include "model/tallies.h"
#include "spec/trace.h"

/* Add the root, before all others.  Errors: STATUS_OUT_OF_MEMORY. */
enum status tallies_ops_begin(struct tallies *tallies) MUST_CHECK;

/* Add a node to its op, and fill its cell but for the thread and the region.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status tallies_ops_add(struct tallies *tallies, const struct trace_node *node,
                            const struct tallies_cell *parent,
                            struct tallies_cell *cell) MUST_CHECK;

void tallies_ops_fini(struct tallies *tallies);

/* Add a cell in the region and thread of `node`.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status waits_add(struct tallies *tallies, const struct trace_wait *raw,
                      const struct tallies_cell *node) MUST_CHECK;

#endif
