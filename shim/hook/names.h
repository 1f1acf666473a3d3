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

struct name {
    size_t index;                /* in the object's symbol table */
    const struct symbol *symbol; /* its first row; NULL: it is not in the catalog */
    int wait;
    int entry; /* of a known library: call/library.h */
};

/* Visit the symbols of an object once.  Returns: the number of known names. */
unsigned names_gather(const struct elf_object *object);

/* Count the known functions that the object exports. */
unsigned names_offered(void);

/* The known name at an index of the object's symbol table, or NULL. */
const struct name *names_find(size_t index);

/* Count the names without room, of all objects so far. */
unsigned names_left_out(void);

#endif
