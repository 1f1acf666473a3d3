/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of the kernel catalog, to be found by name.
 */
#ifndef HOOK_CATALOG_H
#define HOOK_CATALOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hot/binding.h"

/* The texts that the trace carries: the built-in catalog, then the files. */
enum { CATALOG_TEXTS_MAX = 16 };
struct catalog_part {
    const char *text;
    size_t size;
    bool is_file;
};
extern struct catalog_part catalog_parts[CATALOG_TEXTS_MAX];
extern atomic_uint catalog_part_count;

/* Read the files of TPROF_KERNELS and the list of TPROF_WRAP.  A file with a
 * mistake is told on standard error (when `tells`) and left out.  Called
 * once, before the first search; allocates nothing of the program's. */
void catalog_init(bool tells);

/* May there be a symbol whose name has this hash, as GNU hash sections have
 * it?  Its lowest bit does not count: they leave it out.  Most are refused. */
enum { CATALOG_FILTER_BITS = 1 << 17 };
bool catalog_may_hold(uint32_t hash);

/* Find the first row of a name: the user's, the built-in one, one that a user's
 * glob matches, which is added.
 * Returns: NULL when the name is no kernel's.
 * Safety: any thread. */
const struct symbol *catalog_find(const char *name);

/* Find the next row of the same name: each may ask for a library of its own.
 * Safety: any thread. */
const struct symbol *catalog_next(const struct symbol *symbol);

#endif
