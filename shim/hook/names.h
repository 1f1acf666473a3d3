/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names in an object's symbol table that the catalog knows.
 *
 * Safety: of one object at a time, under the lock of hook.c.
 */
#ifndef HOOK_NAMES_H
#define HOOK_NAMES_H

#include "call/binding.h"
#include "platform/elf.h"

/* Go through the symbols of an object once.
 * Returns: how many were found. */
unsigned names_gather(const struct elf_object *object);

/* How many of these are functions that the object offers to others. */
unsigned names_offered(void);

/* The first row of the name at an index of the object's symbol table, or NULL.  A glob may match
 * any name, so globs are tried only here. */
const struct symbol *names_find(const struct elf_object *object, size_t index);

/* The row of a call in which threads wait, at an index of the symbol table; WAITS_NONE. */
int names_find_wait(size_t index);

/* Names of all objects so far that found no room. */
unsigned names_left_out(void);

#endif
