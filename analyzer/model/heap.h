/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap of a program, replayed block by block.
 *
 * It goes through up to three stages.  At first every block has a record and counts for its
 * site.  Since HEAP_CHAINS drawn blocks alone have an owner: they count for rows
 * (heap_drawn.h), and the others for their size class.  Since HEAP_BLOCKS the replay is of drawn
 * blocks: those that are live then stay, the others are forgotten, and the heap as a whole is
 * told by what the shim counted.  Records that are late, in the manner before, are ignored.
 *
 * Memory: 128 bytes or less a live block, at the peak; 392 a site.
 */
#ifndef MODEL_HEAP_H
#define MODEL_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "model/clock.h"
#include "model/heap_drawn.h"
#include "model/heap_map.h"
#include "model/heap_options.h"
#include "model/heap_site.h"
#include "model/marks.h"
#include "model/moments.h"
#include "model/session_heap.h"
#include "reader/cursor.h"

enum { HEAP_OWED_MAX = 16 };

enum heap_stage { HEAP_EXACT, HEAP_CHAINS, HEAP_BLOCKS };

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
    uint64_t ticks;  /* when it was obtained again */
    bool is_counted; /* among the missing frees */
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
    uint32_t site;   /* of the record that made it, with HEAP_DRAWN the session's; SESSION_NONE */
    uint32_t region;
    uint32_t thread;
};

/* Moments at which more happens than that a record comes. */
struct heap_borders {
    uint64_t next; /* the first of these, or the end of the open stretch of time */
    uint64_t chains;
    uint64_t blocks;
    uint64_t peak; /* of the heap as the shim counted it */
};

struct heap {
    struct heap_map map;
    struct heap_site *sites; /* each on cache lines of its own */
    uint32_t site_count;
    uint32_t site_capacity;
    uint32_t owner_count; /* sites; those behind them are size classes */
    struct heap_before *before; /* by site; NULL: all is counted from the start on */
    uint32_t before_count;
    uint64_t before_bytes; /* of the heap, in the unit of the course */
    enum heap_stage stage;
    bool is_counted; /* since HEAP_BLOCKS: amounts are in usable bytes, and ... */
    bool is_lenient; /* ... records that fit nothing are late */
    bool is_out_of_memory;
    uint64_t *freed_bytes;    /* by region */
    uint64_t *freed_rests;    /* the same, in units, by what drawn blocks stand for */
    uint64_t short_ticks;     /* shorter lives are short */
    unsigned char *life_bins; /* by binary logarithm of ticks: the bin, or the one before */
    uint64_t *life_limits;    /* by bin: its least ticks */
    uint64_t live_bytes;
    uint64_t block_count; /* live records */
    uint64_t blocks_left; /* live when HEAP_BLOCKS began */
    struct heap_peak peak;
    struct session_histogram sizes; /* of blocks that are recorded each */
    struct session_histogram lifetimes;
    struct moments moments;
    struct marks marks;
    uint64_t epoch;         /* another with each peak: sites are then to be noted */
    uint64_t blocks_epoch;  /* when HEAP_BLOCKS began */
    uint64_t mapped_bytes;  /* for the moments */
    uint64_t unknown_frees; /* of blocks that were never obtained */
    uint64_t missing_frees; /* of blocks that were obtained twice */
    uint64_t bad_addresses; /* blocks at address 0 */
    struct heap_owed owed[HEAP_OWED_MAX];
    unsigned owed_count;
    unsigned owed_open; /* that may be paid */
    struct heap_drawn drawn;
    struct heap_options options;
    struct heap_borders borders;
    struct heap_counted counted; /* so far */
    double usable_ratio;         /* of usable to requested bytes, at the last reading */
    uint64_t peak_end;           /* ticks, until when its record may come */
    uint64_t peak_estimate;      /* live by drawn blocks when sites were noted */
    uint64_t inherited_bytes;    /* usable, of blocks from before the recording */
    uint64_t lowest;             /* counted, in the open stretch of time */
    uint64_t highest;
    int64_t drift; /* what is to be added to the live bytes by drawn blocks */
};

/* Start with no block and no site.
 */
void heap_init(struct heap *heap, const struct heap_options *options);

void heap_fini(struct heap *heap);

/* Add a site, whose number is one above the last.
 */
void heap_add_site(struct heap *heap);

/* Bring a site near. */
static ALWAYS_INLINE void heap_prefetch_site(const struct heap *heap, uint32_t site)
{
    __builtin_prefetch(&heap->sites[site], 1);
    __builtin_prefetch(&heap->sites[site].min_size, 1);
}

/* A lane obtained a block at a site.
 */
void heap_obtain(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                 uint32_t site);

/* A lane gave a block back by free; or realloc freed the block of heap_release, whether it
 * gave none for it or one that was not sampled. */
void heap_free(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane gave a block to realloc.  It is live until the lane's next call of heap_release,
 * heap_move, heap_settle or heap_free of that address: a realloc is one change of the heap,
 * and no floor or reading sees the block missing. */
void heap_release(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane obtained a block from realloc at a site.
 */
void heap_move(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
               uint32_t site);

/* Tell whether a block is the one that a lane gave to realloc last. */
static inline bool heap_is_released(const struct heap_lane *lane, uint64_t address)
{
    return address != 0 && lane->release_address == address;
}

/* A lane has the block again that it gave to realloc last.
 */
void heap_restore(struct heap *heap, struct heap_lane *lane, uint64_t ticks);

/* A lane ends. */
void heap_settle(struct heap *heap, struct heap_lane *lane);

/* A record says that a stage begins; nothing happens when it has begun. */
void heap_begin_stage(struct heap *heap, enum heap_stage stage, uint64_t ticks);

/* The shim counted so many usable bytes live. */
void heap_note_counted(struct heap *heap, uint64_t ticks, uint64_t live_bytes);

/* The recording ends: no block comes or goes any more.
 */
void heap_finish(struct heap *heap, uint64_t ticks);

/* Close the stretches of time that ended before `ticks`.  Call it before the mapped bytes
 * change. */
void heap_pass_time(struct heap *heap, uint64_t ticks);

/* A window begins: what is live stays, and all counts are of what comes.
 */
void heap_restart(struct heap *heap, uint64_t ticks);

/* A window ends before the recording: what the shim counted last is not of it. */
void heap_cut(struct heap *heap);

/* Ask whether the peak came while each block had a record.  Of a later one sites, classes and ops
 * have nothing. */
static inline bool heap_has_plain_peak(const struct heap *heap)
{
    return heap->stage != HEAP_BLOCKS || heap->peak.epoch <= heap->blocks_epoch;
}

/* Returns: what a site had live when its counts began. */
static inline struct heap_before heap_find_before(const struct heap *heap, uint32_t site)
{
    return site < heap->before_count ? heap->before[site] : (struct heap_before){0, 0};
}

/* Tell whether the owner of a block is known that comes with this record. */
static inline bool heap_has_owner(const struct heap *heap, const struct reader_event *event)
{
    return (heap->stage == HEAP_EXACT) | (event->distance > 0) | (heap->options.sample_bytes > 0);
}

/* Returns: live blocks, since HEAP_BLOCKS by drawn ones. */
uint64_t heap_live_blocks(const struct heap *heap);

#endif
