/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap of a program, replayed block by block.
 *
 * Amounts of blocks and bytes are in the units of heap_weight.h; heap_blocks and
 * heap_bytes tell them in blocks and bytes.
 *
 * Memory: 128 bytes or less a live block, at the peak; 392 a site.
 */
#ifndef MODEL_HEAP_H
#define MODEL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "model/clock.h"
#include "model/heap_map.h"
#include "model/heap_weight.h"
#include "model/marks.h"
#include "model/moments.h"
#include "model/session_heap.h"
#include "reader/cursor.h"

enum { HEAP_OWED_MAX = 16 };

/* What has become of the blocks of one site. */
struct heap_site {
    uint64_t live_blocks;
    uint64_t live_bytes;
    uint64_t blocks; /* obtained in all */
    uint64_t bytes;
    uint64_t epoch; /* of the heap when what follows was noted: */
    uint64_t peak_blocks;
    uint64_t peak_bytes;
    double lifetime; /* ticks, summed over the freed blocks */
    uint64_t min_size;
    uint64_t max_size;
    uint64_t temporary;
    uint64_t short_lived;
    uint64_t moved;
    uint64_t grown_bytes;
    uint64_t strange_frees;
    uint64_t records; /* obtained: 1 each, sampled or not */
};

/* Variances of a sampled site's amounts. */
struct heap_variance {
    double blocks;
    double bytes;
    double live_bytes;
    double peak_bytes;
};

/* A block that was given back, and how. */
struct heap_freed {
    struct heap_block block; /* of address 0: none */
    uint64_t ticks;
    uint32_t thread;
    uint32_t region;
    bool is_temporary;
    bool goes_on; /* in the block that realloc gave for it: it served on */
};

/* A block that was obtained again before it was given back. */
struct heap_owed {
    struct heap_block block;
    uint64_t ticks; /* when it was obtained again */
};

/* Who obtains blocks and gives them back: the thread that a lane serves. */
struct heap_lane {
    uint64_t records; /* of blocks so far */
    uint64_t last;    /* address of the block it obtained last */
    uint32_t thread;
    uint32_t region;           /* in which it is */
    struct heap_freed release; /* the block it gave to realloc last */
    uint64_t release_address;  /* known or not; 0 when that is done with */
    uint64_t release_record;   /* which of its records that was */
    bool is_held;              /* the block still counts as live */
};

struct heap_peak {
    uint64_t epoch; /* which began with it */
    uint64_t bytes;
    uint64_t blocks;
    uint64_t ticks;
    double variance; /* of bytes */
    uint32_t site;   /* of the record that made it, SESSION_NONE when none did */
    uint32_t region;
    uint32_t thread;
};

struct heap {
    struct heap_map map;
    struct heap_site *sites; /* each on cache lines of its own */
    uint32_t site_count;
    uint32_t site_capacity;
    struct array variances;   /* of struct heap_variance, as sites when sampled */
    uint64_t *freed_bytes;    /* by region */
    uint64_t sample_bytes;    /* 0: every block was recorded */
    uint64_t short_ticks;     /* shorter lives are short */
    unsigned char *life_bins; /* by binary logarithm of ticks: the bin, or the one before */
    uint64_t *life_limits;    /* by bin: its least ticks */
    uint64_t live_bytes;
    uint64_t live_blocks; /* units */
    uint64_t block_count; /* live, 1 each */
    double variance;      /* of live_bytes */
    struct heap_peak peak;
    struct session_histogram sizes;
    struct session_histogram lifetimes;
    struct moments moments;
    struct marks marks;
    uint64_t epoch;         /* another with each peak: sites are then to be noted */
    uint64_t mapped_bytes;  /* for the moments */
    uint64_t unknown_frees; /* of blocks that were never obtained */
    uint64_t missing_frees; /* of blocks that were obtained twice */
    uint64_t bad_addresses; /* blocks at address 0 */
    struct heap_owed owed[HEAP_OWED_MAX];
    unsigned owed_count;
};

struct heap_options {
    const struct clock *clock;
    uint64_t sample_bytes; /* mean distance of sampled bytes, 0 when all are recorded */
    uint64_t short_ns;
    size_t region_count;
};

/* Start with no block and no site.
 *
 * Errors: STATUS_OUT_OF_MEMORY: it must be finished all the same.
 */
enum status heap_init(struct heap *heap, const struct heap_options *options) MUST_CHECK;

void heap_fini(struct heap *heap);

/* Add a site, whose number is one above the last.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_add_site(struct heap *heap) MUST_CHECK;

/* Bring a site near. */
static ALWAYS_INLINE void heap_prefetch_site(const struct heap *heap, uint32_t site)
{
    __builtin_prefetch(&heap->sites[site], 1);
    __builtin_prefetch(&heap->sites[site].min_size, 1);
}

/* A lane obtained a block at a site.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_obtain(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                        uint32_t site) MUST_CHECK;

/* A lane gave a block back by free; or realloc freed the block of heap_release, whether it
 * gave none for it or one that was not sampled. */
void heap_free(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane gave a block to realloc.  It is live until the lane's next call of heap_release,
 * heap_move, heap_settle or heap_free of that address: a realloc is one change of the heap,
 * and no floor or reading sees the block missing. */
void heap_release(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane obtained a block from realloc at a site.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_move(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                      uint32_t site) MUST_CHECK;

/* Tell whether a block is the one that a lane gave to realloc last. */
static inline bool heap_is_released(const struct heap_lane *lane, uint64_t address)
{
    return address != 0 && lane->release_address == address;
}

/* A lane has the block again that it gave to realloc last.
 *
 * Errors: STATUS_OUT_OF_MEMORY.
 */
enum status heap_restore(struct heap *heap, struct heap_lane *lane, uint64_t ticks) MUST_CHECK;

/* A lane ends. */
void heap_settle(struct heap *heap, struct heap_lane *lane);

/* The recording ends: no block comes or goes any more. */
void heap_finish(struct heap *heap, uint64_t ticks);

/* Close the stretches of time before `ticks`, before the mapped bytes change. */
void heap_pass_time(struct heap *heap, uint64_t ticks);

/* Convert units, rounded to the nearest. */
uint64_t heap_blocks(const struct heap *heap, uint64_t units);
uint64_t heap_bytes(const struct heap *heap, uint64_t units);

#endif
