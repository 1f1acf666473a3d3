/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap of a program, replayed block by block.
 *
 * The replay goes through up to three stages.  At first each block has a record and counts for its
 * site.  From HEAP_CHAINS on, only drawn blocks have an owner: they count for rows (heap_drawn.h),
 * and the others for their size class.  From HEAP_BLOCKS on, only drawn blocks are replayed: live
 * drawn blocks stay, the others are forgotten, and the size of the whole heap comes from the shim's
 * count.  Late records of an earlier stage are ignored.
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
#include "model/heap_chunks.h"
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

/* A freed block, and the circumstances. */
struct heap_freed {
    struct heap_block block; /* address 0: none */
    uint64_t ticks;
    uint32_t thread;
    uint32_t region;
    bool is_temporary;
    bool goes_on; /* realloc continued it in another block */
};

/* A block whose address was obtained again before its free. */
struct heap_owed {
    struct heap_block block;
    uint64_t ticks;  /* when it was obtained again */
    bool is_counted; /* among the missing frees */
};

/* The thread that a lane serves, as it obtains and frees blocks. */
struct heap_lane {
    uint64_t records; /* records of blocks */
    uint64_t last;    /* address of the block it obtained last */
    uint32_t thread;
    uint32_t region;           /* its present region */
    struct heap_freed release; /* the block it gave to realloc last */
    uint64_t release_address;  /* known or unknown; 0 when settled */
    uint64_t release_record;   /* the lane's record number of the release */
    bool is_held;              /* the block still counts as live */
};

struct heap_peak {
    uint64_t epoch; /* the epoch that began with it */
    uint64_t bytes;
    uint64_t blocks;
    uint64_t ticks;
    double variance; /* variance of bytes */
    uint32_t site;   /* site of the record that made it; with HEAP_DRAWN, the session's site;
                        SESSION_NONE */
    uint32_t region;
    uint32_t thread;
};

/* Moments that need work beyond adding a record. */
struct heap_borders {
    uint64_t next; /* the first of these, or the end of the open stretch of time */
    uint64_t chains;
    uint64_t blocks;
    uint64_t peak; /* peak of the heap by the shim's count */
};

struct heap {
    struct heap_map map;
    struct heap_site *sites; /* each on cache lines of its own */
    uint32_t site_count;
    uint32_t site_capacity;
    uint32_t owner_count; /* number of sites; size classes follow them */
    struct heap_before *before; /* by site; NULL: counts start at 0 */
    uint32_t before_count;
    uint64_t before_bytes; /* bytes of the heap, in the unit of the course */
    enum heap_stage stage;
    bool is_counted; /* after HEAP_BLOCKS: amounts are in usable bytes */
    bool is_lenient; /* after HEAP_BLOCKS: unmatched records are late ones */
    bool is_out_of_memory;
    uint64_t *freed_bytes;    /* by region */
    uint64_t *freed_rests;    /* the same in units, for blocks without a record */
    uint64_t short_ticks;     /* shorter lives are short */
    unsigned char *life_bins; /* by binary logarithm of ticks: the bin, or the one before */
    uint64_t *life_limits;    /* by bin: its least ticks */
    uint64_t live_bytes;
    struct heap_chunks chunks; /* until HEAP_BLOCKS */
    uint64_t block_count; /* live records */
    uint64_t blocks_left; /* live when HEAP_BLOCKS began */
    struct heap_peak peak;
    struct session_histogram sizes; /* sizes of blocks with an own record */
    struct session_histogram lifetimes;
    struct moments moments;
    struct marks marks;
    uint64_t epoch;         /* grows with each peak: sites need a new note then */
    uint64_t blocks_epoch;  /* when HEAP_BLOCKS began */
    uint64_t mapped_bytes;  /* for the moments */
    uint64_t unknown_frees; /* frees of blocks that were never obtained */
    uint64_t missing_frees; /* missing frees of blocks that were obtained twice */
    uint64_t bad_addresses; /* blocks at address 0 */
    struct heap_owed owed[HEAP_OWED_MAX];
    unsigned owed_count;
    unsigned owed_open; /* owed frees that a late free may still settle */
    struct heap_drawn drawn;
    struct heap_options options;
    struct heap_borders borders;
    struct heap_counted counted; /* counts so far */
    double usable_ratio;         /* ratio of usable to requested bytes at the last reading */
    uint64_t peak_end;           /* ticks until its record may come */
    uint64_t peak_estimate;      /* live bytes by drawn blocks when sites were noted */
    uint64_t inherited_bytes;    /* usable, of blocks from before the recording */
    uint64_t lowest;             /* counted, in the open stretch of time */
    uint64_t highest;
    int64_t drift; /* correction of the live bytes by drawn blocks */
};

/* Start with no block and no site.
 */
void heap_init(struct heap *heap, const struct heap_options *options);

void heap_fini(struct heap *heap);

/* Add a site.  Its number is one above the last. */
void heap_add_site(struct heap *heap);

/* Prefetch a site. */
static ALWAYS_INLINE void heap_prefetch_site(const struct heap *heap, uint32_t site)
{
    __builtin_prefetch(&heap->sites[site], 1);
    __builtin_prefetch(&heap->sites[site].min_size, 1);
}

/* A lane obtained a block at a site.
 */
void heap_obtain(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
                 uint32_t site);

/* A lane freed a block, or realloc freed the block of heap_release.  In the latter case, realloc
 * gave no new block or one that was not sampled. */
void heap_free(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane gave a block to realloc.  The block is live until the lane's next call of heap_release,
 * heap_move, heap_settle or heap_free of that address: a realloc is one change of the heap, and no
 * minimum or reading misses the block. */
void heap_release(struct heap *heap, struct heap_lane *lane, const struct reader_event *event);

/* A lane obtained a block from realloc at a site.
 */
void heap_move(struct heap *heap, struct heap_lane *lane, const struct reader_event *event,
               uint32_t site);

/* Ask whether a lane gave this block to realloc last. */
static inline bool heap_is_released(const struct heap_lane *lane, uint64_t address)
{
    return address != 0 && lane->release_address == address;
}

/* realloc failed: a lane has the block of its last heap_release again. */
void heap_restore(struct heap *heap, struct heap_lane *lane, uint64_t ticks);

/* A lane ends. */
void heap_settle(struct heap *heap, struct heap_lane *lane);

/* A record starts a stage; a started stage is not started again. */
void heap_begin_stage(struct heap *heap, enum heap_stage stage, uint64_t ticks);

/* The shim counted this many usable bytes live. */
void heap_note_counted(struct heap *heap, uint64_t ticks, uint64_t live_bytes);

/* The recording ends: the heap changes no more. */
void heap_finish(struct heap *heap, uint64_t ticks);

/* Close the stretches of time that ended before `ticks`.  Call it before the mapped bytes
 * change. */
void heap_pass_time(struct heap *heap, uint64_t ticks);

/* A window starts: live blocks stay, and all counts start over. */
void heap_restart(struct heap *heap, uint64_t ticks);

/* A window ends before the recording: the shim's last count is outside of it. */
void heap_cut(struct heap *heap);

/* Ask whether the peak came while each block had a record.  For a later peak, sites, classes and
 * ops have no data. */
static inline bool heap_has_plain_peak(const struct heap *heap)
{
    return heap->stage != HEAP_BLOCKS || heap->peak.epoch <= heap->blocks_epoch;
}

/* Returns: the live amounts of a site when its counts began. */
static inline struct heap_before heap_find_before(const struct heap *heap, uint32_t site)
{
    return site < heap->before_count ? heap->before[site] : (struct heap_before){0, 0};
}

/* Ask whether the owner of this record's block is known. */
static inline bool heap_has_owner(const struct heap *heap, const struct reader_event *event)
{
    return (heap->stage == HEAP_EXACT) | (event->distance > 0) | (heap->options.sample_bytes > 0);
}

/* Returns: live blocks; after HEAP_BLOCKS an estimate by drawn ones. */
uint64_t heap_live_blocks(const struct heap *heap);

#endif
