/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels of a catalog, each read when somebody asks for it: most processes call few.
 */
#ifndef SPEC_CATALOG_LATER_H
#define SPEC_CATALOG_LATER_H

#include <stdbool.h>
#include <stddef.h>

#include "catalog.h"

struct catalog_place;
struct catalog_reader;

struct catalog_later {
    struct catalog catalog; /* a kernel without a name was not read */
    struct catalog_reader *reader;
    struct catalog_place *places; /* of the kernels, in their order */
    struct catalog_error error;
};

/* Find the kernels of a text without mistakes, which must live as long as `later`.
 * Returns: false: no memory is left, or there is a mistake at the start of a paragraph. */
bool catalog_later_open(struct catalog_later *later, struct catalog_arena *arena, const char *text,
                        size_t size);

/* Returns: the kernel of an index, which must be below the count; NULL: there is a mistake in it.
 * Safety: for one thread at a time. */
const struct catalog_kernel *catalog_later_get(struct catalog_later *later, unsigned index);

#endif
