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

#include "call/binding.h"

/* The texts that the trace carries: the built-in catalog, then the files. */
enum { CATALOG_TEXTS_MAX = 16 };
struct catalog_part {
    const char *text;
    size_t size;
    bool is_file;
    bool is_packed; /* a frame of zstd */
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

/* A name may have several rows, each of which may ask for a library of its own: the
 * user's, the built-in one, those of the user's globs that match.  A glob's row is
 * one for all its names, until it is chosen for one.
 *
 * Find the first row of a name, and the one that follows.
 * Returns: NULL when the name is no kernel's, there are no more, or catalog_init did not run.
 * Safety: any thread. */
const struct symbol *catalog_find(const char *name);
const struct symbol *catalog_next(const struct symbol *row, const char *name);

/* The first row, if it is not a glob's, and the first that is one's. */
const struct symbol *catalog_find_named(const char *name);
const struct symbol *catalog_find_glob(const char *name);

/* Are there globs?  Is the row one's? */
bool catalog_has_globs(void);
bool catalog_is_glob(const struct symbol *row);

/* The row for this name alone.  Returns: NULL when there is no room for it; counted. */
const struct symbol *catalog_choose(const struct symbol *row, const char *name);

/* How often a name that a glob matched found no room. */
unsigned catalog_left_out(void);

#endif
