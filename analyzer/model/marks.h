/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live bytes of every site at marks that are evenly spaced in time.
 *
 * A mark is at the start of every MARKS_MOMENTS-th stretch of moments.h, so there are at most
 * SESSION_MARKS; when pairs of stretches are merged, every other mark is dropped.  When a mark
 * passes, all sites are noted one after another.  The number of marks grows with the logarithm of
 * the time, so a site that changes need not check whether it was noted.
 *
 * Units: those of the heap.  Memory: 8 bytes for each site, and again for each mark at which the
 * site or one of its neighbours changed.  Most sites of a program that loads libraries never change
 * again.
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

/* One mark. */
struct marks_row {
    struct marks_block **blocks; /* blocks of neighbouring sites; marks share equal ones */
    uint32_t sites;              /* sites at that time; later ones had nothing */
    bool is_scaled;
    double ratio; /* factor */
};

struct marks {
    struct marks_row rows[SESSION_MARKS]; /* by mark */
    uint32_t count;                       /* marks that have passed; the first is the start */
};

void marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* The present live bytes of sites.  Shape: `count` numbers, `stride` words apart. */
struct marks_live {
    const uint64_t *bytes;
    size_t stride;
    uint32_t count;
};

/* Note this for all marks up to `count` that have not passed yet. */
void marks_pass(struct marks *marks, uint32_t count, const struct marks_live *live);

/* Pairs of stretches became one. */
void marks_merge(struct marks *marks);

/* Multiply the amounts of all sites at a mark, once. */
void marks_scale(struct marks *marks, uint32_t mark, double ratio);

/* Returns: the live bytes of a site at a mark that has passed. */
uint64_t marks_at(const struct marks *marks, uint32_t mark, uint32_t site);

#endif
