/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How much the heap grew from step to step, in one sentence.
 */
#ifndef HEAP_GROWTH_NOTE_H
#define HEAP_GROWTH_NOTE_H

#include "base/array.h"

struct analysis_options;
struct table;

/* Add a note on the change and the trend of bytes, an array of double with one item a step; nothing
 * for a single step. */
void growth_add_note(struct table *table, const char *label, const struct array *bytes,
                     const struct analysis_options *options);

#endif
