/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may keep the blocks that a line makes.
 */
#ifndef FINDINGS_KEEPERS_H
#define FINDINGS_KEEPERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct findings_context;
struct leak_judgement;
struct place;
struct places;
struct session;

/* Append advice about what may keep the blocks that `owner` made: a cache without a limit or kept
 * exceptions in its Python file, methods that atexit has, slices of arrays, objects of a library
 * that have a function of their own to free them, pointers in a circle, a table that grows with
 * them, a message of Protocol Buffers or a std::vector that clear() emptied. */
void keepers_append(struct text *action, const struct findings_context *context,
                    const struct leak_judgement *judgement, const struct place *owner);

/* A line, and the call that made the most of its blocks. */
struct keepers_site {
    const struct place *owner;
    uint32_t call;
};

/* The same for documents of lxml alone, which a string of theirs keeps.  Returns: whether the file
 * takes such strings. */
bool keepers_append_documents(struct text *action, const struct session *session,
                              struct places *places, const struct keepers_site *site);

#endif
