/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that grow piece by piece: a part of ALLOC-CHURN.
 */
#ifndef FINDINGS_GROWN_BLOCKS_H
#define FINDINGS_GROWN_BLOCKS_H

#include <stdbool.h>

struct findings;
struct findings_context;
struct place;

/* Add the line whose blocks look like copies of the last one with a piece added, if it takes much
 * of the processor time.  Returns: whether there is one; `line` is it then. */
bool grown_blocks_add(struct findings *findings, const struct findings_context *context,
                      struct place *line);

#endif
