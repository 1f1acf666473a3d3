/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of rows, the largest first.
 */
#ifndef HEAP_RANKING_H
#define HEAP_RANKING_H

#include "base/array.h"

struct ranked {
    const void *of;
    double amount;
    double second; /* orders equal amounts */
};

/* Start an array of struct ranked. */
void ranking_init(struct array *ranking);

void ranking_add(struct array *ranking, const void *of, double amount, double second);

/* Sort a ranking; among equals, the lower address comes first. */
void ranking_sort(struct array *ranking);

#endif
