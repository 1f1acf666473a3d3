/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of the kernel catalog, to be found by name.
 */
#ifndef HOOK_CATALOG_H
#define HOOK_CATALOG_H

#include <stddef.h>

#include "hook/elf.h"
#include "hot/binding.h"

/* A symbol by its number: those of the built-in catalog, then those of the
 * user's files and those that a user's globs have matched.
 * Returns: NULL in a handler that interrupts the making of one.
 * Safety: any thread. */
const struct symbol *catalog_symbol(unsigned number);

/* Visit the symbols that the hash of an object lists and the catalog knows:
 * their index in the object's table, and their number here. */
typedef void (*catalog_visitor)(void *context, const struct elf_object *object, size_t index,
                                unsigned number);
void catalog_visit(const struct elf_object *object, catalog_visitor visit, void *context);

/* The texts that the trace carries: the built-in catalog, then the files. */
enum { CATALOG_TEXTS_MAX = 16 };
struct catalog_part {
    const char *text;
    size_t size;
    bool is_file;
};
extern struct catalog_part catalog_parts[CATALOG_TEXTS_MAX];
extern unsigned catalog_part_count;

/* Read the files of TPROF_KERNELS and the list of TPROF_WRAP, and build the index of names.  A file with
 * a mistake is told on standard error (when `tells`) and left out.  Called
 * once, before the first search; allocates nothing of the program's. */
void catalog_init(bool tells);

/* Find the row of a name; one that a user's glob matches is added.
 * Returns: NULL when the name is no kernel's.
 * Safety: any thread. */
const struct symbol *catalog_find(const char *name);

#endif
