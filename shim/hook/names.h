/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalog's names in an object's symbol table.
 *
 * Safety: one object at a time, under the lock of hook.c.
 */
#ifndef HOOK_NAMES_H
#define HOOK_NAMES_H

#include "call/binding.h"
#include "platform/elf.h"

/* Visit the symbols of an object once.  Returns: the number of known names. */
unsigned names_gather(const struct elf_object *object);

/* Count the known functions that the object exports. */
unsigned names_offered(void);

/* The first row of the name at an index of the object's symbol table, or NULL.  A glob may match
 * any name, so globs are tried only here. */
const struct symbol *names_find(const struct elf_object *object, size_t index);

/* The row of a waiting call at an index of the symbol table; WAITS_NONE. */
int names_find_wait(size_t index);

/* Count the names without room, of all objects so far. */
unsigned names_left_out(void);

#endif
