/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols of the kernel catalog, to be found by name.
 */
#ifndef HOOK_CATALOG_H
#define HOOK_CATALOG_H

#include "hot/binding.h"

extern const struct symbol catalog_symbols[];
extern const unsigned catalog_symbol_count;

/* The hash of a symbol's name, as GNU hash sections have it. */
extern uint32_t catalog_hashes[];

/* The text of the built-in catalog. */
extern const char catalog_text[];
extern const unsigned catalog_text_size;

/* Compute the hashes.  Called once, before the first search. */
void catalog_init(void);

/* Returns: the symbol's row, or NULL. */
const struct symbol *catalog_find(const char *name);

#endif
