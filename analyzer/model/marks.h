/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every site had live at marks, equal distances of time apart.
 *
 * A mark stands at the begin of every MARKS_MOMENTS-th stretch of moments.h, so there are
 * at most SESSION_MARKS; when pairs of stretches become one, every other mark goes.
 * As a mark passes, all sites are noted one after another: their number of marks grows with
 * the logarithm of the time, and no change of a site ever asks whether it was noted.
 *
 * Units: those of the heap.  Memory: 256 bytes a site, of which those of marks that have
 * passed are touched.
 *
 * Decision: doc/decisions/replayed-heap.
 */
#ifndef MODEL_MARKS_H
#define MODEL_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "model/session_heap.h"

enum { MARKS_MOMENTS = SESSION_MOMENTS / SESSION_MARKS };

_Static_assert(SESSION_MARKS <= UINT8_MAX, "a byte tells where a mark stands");

struct marks {
    uint64_t *bytes;               /* a row a mark, a column a site */
    uint32_t capacity;             /* of a row */
    uint32_t count;                /* marks that have passed; the first is the start */
    uint8_t rows[SESSION_MARKS];   /* by mark: its row; each row is of one */
    uint32_t sites[SESSION_MARKS]; /* by mark: how many there were then; later ones had nothing */
};

void marks_init(struct marks *marks);
void marks_fini(struct marks *marks);

/* Make room for so many sites.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status marks_reserve(struct marks *marks, uint32_t sites) MUST_CHECK;

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

/* Multiply what all sites had at a mark. */
void marks_scale(struct marks *marks, uint32_t mark, double ratio);

/* Returns: what a site had at a mark that has passed. */
uint64_t marks_at(const struct marks *marks, uint32_t mark, uint32_t site);

#endif
