/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalog of well-known costs: costs.spec, and a file of the user's (TPROF_COSTS).
 */
#ifndef FINDINGS_COST_CATALOG_H
#define FINDINGS_COST_CATALOG_H

#include <stdbool.h>

#include "base/array.h"
#include "base/text.h"
#include "places/places.h"

/* A paragraph of the catalog; texts are of the pool. */
struct cost {
    struct text name;
    struct array frames; /* const char *: patterns of wildcard.h */
    struct text what;
    struct text why;
    struct text repair;
    struct text unless; /* "" if the paragraph has none */
};

struct cost_catalog {
    struct array costs;  /* struct cost */
    struct text mistake; /* "line 12: ..." of the first mistake; what follows it is not read */
};

/* Read the built-in catalog, and the user's behind it: its costs go first. */
void cost_catalog_init(struct cost_catalog *catalog);

/* Read a text into the catalog.  Returns: false at a mistake. */
bool cost_catalog_read(struct cost_catalog *catalog, const char *text);

/* Returns: the first cost with a pattern for a place; NULL. */
const struct cost *cost_catalog_find(const struct cost_catalog *catalog, const struct place *place);

#endif
