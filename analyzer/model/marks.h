/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every site had live at marks, equal distances of time apart.
 *
 * A mark stands at the begin of every MARKS_MOMENTS-th stretch of moments.h, so there are
 * at most SESSION_MARKS; when pairs of stretches become one, every other mark goes.
 * As a mark passes, all sites are noted one after another: their number of marks grows with
 * the logarithm of the time, and no change of a site ever asks whether it was noted.
 *
 * Units: those of the heap.  Memory: 8 bytes a site, and as many for each mark at which it or one
 * of its neighbours had something else than at the mark before.  Most sites of a program that
 * loads libraries never change again.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#ifndef MODEL_MARKS_H
#define MODEL_MARKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/session_heap.h"

enum { MARKS_MOMENTS = SESSION_MOMENTS / SESSION_MARKS };

struct marks_block;

/* Of one mark. */
struct marks_row {
    struct marks_block **blocks; /* of neighbouring sites; marks share those that are the same */
    uint32_t sites;              /* how many there were then; later ones had nothing */
    bool is_scaled;
    double ratio; /* to multiply by */
};

struct marks {
    struct marks_row rows[SESSION_MARKS]; /* by mark */
    uint32_t count;                       /* marks that have passed; the first is the start */
};

void marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* What sites have live now.  Shape: the first of `count`, each `stride` words behind the one
 * before it. */
struct marks_live {
    const uint64_t *bytes;
    size_t stride;
    uint32_t count;
};

/* Note this for all marks up to `count` that have not passed before. */
void marks_pass(struct marks *marks, uint32_t count, const struct marks_live *live);

/* Pairs of stretches became one. */
void marks_merge(struct marks *marks);

/* Multiply what all sites had at a mark, once. */
void marks_scale(struct marks *marks, uint32_t mark, double ratio);

/* Returns: what a site had at a mark that has passed. */
uint64_t marks_at(const struct marks *marks, uint32_t mark, uint32_t site);

#endif
