/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the tallies: the nodes of ops, and cells of waits.
 */
#ifndef MODEL_TALLIES_PARTS_H
#define MODEL_TALLIES_PARTS_H

#include "model/tallies.h"
#include "spec/trace.h"

/* Add the root, before all others. */
void tallies_ops_begin(struct tallies *tallies);

/* Add a node to its op, and fill its cell but for the thread and the region. */
void tallies_ops_add(struct tallies *tallies, const struct trace_node *node,
                     const struct tallies_cell *parent, struct tallies_cell *cell);

void tallies_ops_fini(struct tallies *tallies);

/* Add a node of spans or moments to its row, and fill its cell but for the thread. */
void tallies_spans_add(struct tallies *tallies, const struct trace_node *node,
                       struct tallies_cell *cell);

void tallies_spans_fini(struct tallies *tallies);

/* Add a cell in the region and thread of `node`. */
void waits_add(struct tallies *tallies, const struct trace_wait *raw,
               const struct tallies_cell *node);

/* The same for a cell of commands.  `slot`: the cell of its kernel, or NULL. */
void commands_add(struct tallies *tallies, const struct trace_command *raw,
                  const struct tallies_cell *node, const struct tallies_cell *slot);

#endif
