/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may keep the blocks that a line makes.
 */
#ifndef FINDINGS_KEEPERS_H
#define FINDINGS_KEEPERS_H

#include "base/text.h"

struct findings_context;
struct leak_judgement;
struct place;

/* Append advice about what may keep the blocks that `owner` made: a cache without a limit or kept
 * exceptions in its Python file, slices of arrays, a library's objects that have a function of
 * their own to free them, pointers in a circle, a table that grows with them, a message of Protocol
 * Buffers or a std::vector that clear() emptied. */
void keepers_append(struct text *action, const struct findings_context *context,
                    const struct leak_judgement *judgement, const struct place *owner);

#endif
