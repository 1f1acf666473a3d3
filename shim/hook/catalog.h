/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of the kernel catalog, to be found by name.
 */
#ifndef HOOK_CATALOG_H
#define HOOK_CATALOG_H

#include <stddef.h>

#include "hot/binding.h"

/* All symbols: those of the user's files, the built-in ones, and those that a
 * user's globs have matched. */
extern struct symbol *catalog_symbols;
extern unsigned catalog_symbol_count;

/* The hashes of their names, as GNU hash sections have them. */
extern uint32_t *catalog_hashes;

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
 * Safety: any thread, without a lock. */
const struct symbol *catalog_find(const char *name);

#endif
