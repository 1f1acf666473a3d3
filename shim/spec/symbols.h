/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of a kernel's functions: from a family, from symbols, or the kernel's own.
 */
#ifndef SPEC_SYMBOLS_H
#define SPEC_SYMBOLS_H

#include "reader.h"

/* Make room for families, if there is none yet.  Returns: false when the arena is full. */
bool symbols_open(struct catalog *catalog, struct catalog_arena *arena);

/* Read a paragraph that begins with "family". */
bool symbols_read_family(struct catalog_reader *reader);

/* Read a kernel's line: family NAME, or symbol NAME|GLOB ... */
bool symbols_read_family_name(struct catalog_reader *reader, struct catalog_kernel *kernel);
bool symbols_read_names(struct catalog_reader *reader, struct catalog_kernel *kernel);

/* Complete a kernel's symbols at its end.  A kernel without family and symbols has its own name. */
bool symbols_finish(struct catalog_reader *reader, struct catalog_kernel *kernel);

/* Returns: a symbol that this kernel shares with an earlier one of the user's, or NULL. */
const char *symbols_find_twice(const struct catalog *catalog, const struct catalog_kernel *kernel);

#endif
