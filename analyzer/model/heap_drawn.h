/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawn blocks (those that a sampling point hit), and rows of the blocks that they represent.
 *
 * A drawn block has a place here while it is live.  In the map of blocks, its site is the marked
 * number of that place.  While each block has a record with its owner, a drawn block counts for its
 * site like all others.  Later it counts for a row.  While each block has a record, a row has the
 * drawn blocks of one site and one size class; later, those of one site.  Classes are powers of
 * two.  While each block has a record, the total of a class is known, and its rows share it.
 *
 * Memory: 32 bytes a drawn block; 1.2 KiB a row.
 */
#ifndef MODEL_HEAP_DRAWN_H
#define MODEL_HEAP_DRAWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "model/marks.h"
#include "model/session_heap.h"

/* Marks the site of a block in the map: the other bits are the block's number here. */
#define HEAP_DRAWN (UINT32_C(1) << 31)

enum {
    HEAP_CLASSES = SESSION_BINS,
    HEAP_OVERALL = HEAP_CLASSES, /* the class of all blocks, once only drawn ones are recorded */
    HEAP_STRATA
};

#define HEAP_NO_ROW UINT32_MAX

struct heap_drawn_block {
    double rest;     /* number of other blocks that it represents */
    uint64_t usable; /* bytes */
    uint32_t site;   /* index in the session */
    uint32_t row;    /* HEAP_NO_ROW: it counts for its site; in a free place: the next free one */
};

/* Drawn blocks, and the other blocks that they represent. */
struct heap_amount {
    uint64_t blocks; /* the drawn blocks */
    uint64_t bytes;
    uint64_t rest_blocks; /* units */
    uint64_t rest_bytes;
    double blocks_variance; /* variance of the estimates */
    double bytes_variance;
};

/* Some of the drawn blocks, and some of the others: without a variance. */
struct heap_part {
    uint64_t drawn;
    uint64_t rest; /* units of blocks, or of bytes */
};

/* Sums over the drawn blocks that were freed. */
struct heap_lives {
    double drawn; /* ticks */
    double rest;  /* rest of the other blocks */
};

struct heap_drawn_row {
    uint32_t site;  /* index in the session */
    uint32_t class; /* or HEAP_OVERALL */
    uint32_t next;  /* row of the site */
    uint64_t epoch; /* epoch of the heap when its peak and marks were noted */
    uint64_t min_size;
    uint64_t max_size;
    struct heap_amount obtained; /* requested bytes, of freed blocks, too */
    struct heap_amount freed;
    struct heap_amount live; /* bytes in the heap's unit of that time */
    struct heap_amount peak;
    struct heap_lives lives;
    struct heap_part temporary;
    struct heap_part short_lived;
    struct heap_part moved;
    struct heap_part strange_frees;
    struct heap_part grown; /* bytes */
    double added_rest;      /* bytes of the other blocks, of all that were ever live */
    double added_variance;  /* variance of added_rest */
};

struct heap_drawn {
    struct array blocks; /* of struct heap_drawn_block */
    uint32_t free;       /* first free place, from 1 on; 0: none */
    struct array rows;   /* of struct heap_drawn_row */
    struct array first;  /* uint32_t, by site: its newest row */
    struct marks marks;  /* by row: bytes of the drawn blocks */
    struct marks rests;  /* by row: bytes of the other blocks, in units */
    struct heap_amount live;
    uint64_t coarsest;                   /* largest distance of points of blocks that count for
                                            rows */
    struct session_histogram sizes;      /* drawn blocks, once only they are recorded */
    struct session_histogram size_rests; /* the other blocks, in units, from then on */
    struct session_histogram lifetimes;
    struct session_histogram lifetime_rests;
};

void heap_drawn_init(struct heap_drawn *drawn);
void heap_drawn_fini(struct heap_drawn *drawn);

/* Give a drawn block a place. */
void heap_drawn_claim(struct heap_drawn *drawn, const struct heap_drawn_block *block,
                      uint32_t *number);

/* Free a place. */
void heap_drawn_leave(struct heap_drawn *drawn, uint32_t number);

/* Find or make the row of a site and a class. */
void heap_drawn_find_row(struct heap_drawn *drawn, uint32_t site, uint32_t class, uint32_t *row);

/* Add a drawn block to an amount as one of `bytes`, or subtract it again. */
void heap_amount_add(struct heap_amount *to, const struct heap_drawn_block *block, uint64_t bytes);
void heap_amount_take(struct heap_amount *from, const struct heap_drawn_block *block,
                      uint64_t bytes);

/* Add an amount for a drawn block: 1 of blocks, or bytes. */
void heap_part_add(struct heap_part *to, const struct heap_drawn_block *block, uint64_t amount,
                   unsigned point);

static inline struct heap_drawn_block *heap_drawn_at(const struct heap_drawn *drawn,
                                                     uint32_t number)
{
    return (struct heap_drawn_block *)drawn->blocks.items + (number & ~HEAP_DRAWN);
}

static inline struct heap_drawn_row *heap_drawn_row_at(const struct heap_drawn *drawn, uint32_t row)
{
    return (struct heap_drawn_row *)drawn->rows.items + row;
}

#endif
