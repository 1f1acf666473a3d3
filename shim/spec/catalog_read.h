/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the text of a catalog.
 */
#ifndef SPEC_CATALOG_READ_H
#define SPEC_CATALOG_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "catalog.h"

/* Add the kernels of `size` bytes of text to `catalog`; all texts of a catalog use the same arena.
 * A zeroed catalog is empty.
 * Returns: false at the first mistake, described in `error`; the catalog then
 * holds the kernels before it.
 * Safety: pure but for its arguments; usable before main and in any thread. */
bool catalog_read(struct catalog *catalog, struct catalog_arena *arena, const char *text,
                  size_t size, struct catalog_error *error);

#endif
