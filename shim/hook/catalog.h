/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of the kernel catalog, found by name.
 */
#ifndef HOOK_CATALOG_H
#define HOOK_CATALOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call/binding.h"

/* The texts in the trace: the built-in catalog, then the user's. */
enum { CATALOG_TEXTS_MAX = 16 };
struct catalog_part {
    const char *text;
    size_t size;
    bool is_file;
    bool is_packed; /* a frame of zstd */
};
extern struct catalog_part catalog_parts[CATALOG_TEXTS_MAX];
extern atomic_uint catalog_part_count;

/* Make the table of the user's kernels.  Called once, before the first search.
 * Returns: false when there is no room for any. */
bool catalog_init(void);

/* Ask whether a symbol's name may have this hash of GNU hash sections.  These sections drop the
 * hash's lowest bit, so it is ignored.  For most names the answer is no. */
enum { CATALOG_FILTER_BITS = 1 << 17 };
bool catalog_may_hold(uint32_t hash);

/* A name may have several rows: the user's, the built-in one, and those of the user's globs that
 * match.  Each may require a library.  A glob has one row for all its names, until it is chosen for
 * one of them.
 *
 * Find the first row of a name, and the next one.
 * Returns: NULL when the name belongs to no kernel, there are no more rows, or catalog_init did not
 * run.
 * Safety: any thread. */
const struct symbol *catalog_find(const char *name);
const struct symbol *catalog_next(const struct symbol *row, const char *name);

/* Find the first row of the name itself, and the first glob that matches. */
const struct symbol *catalog_find_named(const char *name);
const struct symbol *catalog_find_glob(const char *name);

/* Ask whether a user's file names functions. */
bool catalog_has_users(void);

/* Ask whether there are globs.  Ask whether a row is a glob's. */
bool catalog_has_globs(void);
bool catalog_is_glob(const struct symbol *row);

/* Choose a row for one name: a glob gets a row for only this name.
 * Returns: NULL when there is no room for the symbol, which is counted. */
const struct symbol *catalog_choose(const struct symbol *row, const char *name);

/* Give the number of names that matched a glob but had no room. */
unsigned catalog_left_out(void);

/* Only for user_files.c, which adds kernels between catalog_init and the first search. */

/* The families of the built-in catalog, as text. */
extern const char catalog_families[];
extern const size_t catalog_families_size;

/* Copy bytes to memory that stays.  Returns: NULL when there is no room. */
void *catalog_keep(const void *from, size_t size);

/* Add a user's symbol, whose name and library are copied.  Returns: false when there is no
 * room. */
bool catalog_add(struct symbol symbol, bool is_glob);

/* Ask whether no wrapper can replace functions of this name. */
bool catalog_refuses(const char *name);

#endif
