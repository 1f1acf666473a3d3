/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a session: the heap, the sites that allocate, and the program's own
 * mappings.
 */
#ifndef MODEL_SESSION_HEAP_H
#define MODEL_SESSION_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"

/* Bytes of blocks: the requested size, or the size of malloc_usable_size. */
enum session_heap_unit { SESSION_HEAP_REQUESTED, SESSION_HEAP_USABLE };

/* The estimate of a site from its drawn blocks.  Sites share a known total in proportion to their
 * estimates (model/shares.h), so a group of sites is known better than its parts. */
struct session_share {
    double rest;
    double variance; /* for an unknown total; NAN: unknown */
};

enum session_share_of {
    SESSION_SHARE_CALLS,
    SESSION_SHARE_OBTAINED,
    SESSION_SHARE_LIVE,
    SESSION_SHARE_PEAK,
    SESSION_SHARES
};

/* The estimate of a site with drawn blocks. */
struct session_estimate {
    struct session_share shares[SESSION_SHARES];
    uint64_t live_drawn; /* drawn blocks that live_bytes is based on */
    uint64_t peak_drawn;
};

/* The call chain of allocations.  Without call chains there is one site, with call 0.  Counts and
 * bytes are exact, or estimated from drawn blocks, with standard errors
 * (session_heap.has_estimated_sites).  A mean lifetime has no error: a few of thousands of blocks
 * outlive all others and determine it, and usually none of these is drawn.  Drawn blocks do not
 * show the calls between two records: temporary, moved and grown_bytes are then UNKNOWN.  If
 * records are missing, the remaining ones are counted, and live amounts are UNKNOWN. */
struct session_site {
    uint32_t call;    /* innermost of the chain; index in calls */
    uint32_t binding; /* the innermost kernel that was running, index in bindings, or NONE */
    uint64_t records; /* allocation records that the counts are based on */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t freed_bytes;
    uint64_t live_blocks; /* live at the end */
    uint64_t live_bytes;
    uint64_t peak_blocks; /* live when the whole heap was at its peak */
    uint64_t peak_bytes;
    uint64_t temporary;     /* freed by its thread before the next allocation of that thread */
    uint64_t short_lived;   /* freed within session_options.short_ns */
    uint64_t moved;         /* allocations of a realloc to another address than its block's */
    uint64_t grown_bytes;   /* bytes added by these */
    uint64_t strange_frees; /* frees by a thread that did not obtain the block */
    bool is_resized;        /* a block of it came from realloc */
    uint64_t lifetime_ns;   /* summed over the freed blocks */
    uint64_t min_size;
    uint64_t max_size;
    double allocations_error; /* standard errors; 0 when exact */
    double allocated_error;
    double live_error;
    double peak_error;
    uint64_t drawn; /* drawn blocks among the records; 0: all is exact */
    struct session_estimate *estimate; /* NULL: all is exact */
};

/* Counts by powers of two: bin i is for values from 2^i on, bin 0 for 0 too. */
enum { SESSION_BINS = 64 };

struct session_histogram {
    uint64_t counts[SESSION_BINS];
    uint64_t bytes[SESSION_BINS];
};

/* The live heap during a stretch of time.  Stretches follow one another without a gap, and all but
 * the last have the same length. */
struct session_moment {
    uint64_t time_ns; /* start of the stretch */
    uint64_t min_bytes;
    uint64_t max_bytes;
    uint64_t last_bytes;
    uint64_t last_blocks;
    uint64_t mapped_bytes; /* mapped by the program's own mmap calls, at the end of the stretch */
    uint64_t obtained_blocks; /* blocks obtained until its end; an estimate after BLOCKS */
    uint64_t obtained_bytes;
};

/* The most moments, and the most marks.  Marks are some moments at equal distances, the first at
 * the start. */
enum { SESSION_MOMENTS = 2048, SESSION_MARKS = 32 };

/* The live bytes of a site at each mark. */
struct session_mark {
    uint64_t live_bytes[SESSION_MARKS];
};

/* The standard errors of a session_mark. */
struct session_mark_error {
    float live_bytes[SESSION_MARKS];
};

/* The call chain of the program's own calls of mmap and mremap.  Memory from mremap belongs to its
 * call.  Ranges are the remaining pieces of a call's memory; bytes are whole pages, touched or
 * not. */
struct session_mapping {
    uint32_t call;           /* innermost of the chain; index in calls */
    uint64_t calls;          /* calls that gave memory */
    uint64_t bytes;          /* bytes obtained by these calls */
    uint64_t file_bytes;     /* part for files, shared memory and devices */
    uint64_t reserved_bytes; /* part mapped without access */
    uint64_t live_ranges;    /* ranges live at the end */
    uint64_t live_bytes;
    uint64_t peak_ranges; /* when all mapped memory was at its peak */
    uint64_t peak_bytes;
    struct session_mark mark; /* at the times of the heap's marks */
};

/* The live heap, from the replay of every allocation and free or of the drawn ones; other values
 * are UNKNOWN.
 *
 * session.stages.exact_ns has the ends of two periods: each block has a record until BLOCKS, and
 * each record has the block's owner until CHAINS.  After CHAINS the owners of blocks are estimated,
 * and the whole heap is exact.  After BLOCKS only drawn blocks are replayed.  Then the whole heap
 * comes from the shim's count, in usable bytes, exact within 64 KiB for each thread.  Without that
 * count, or with samples that the user requested, the whole heap is estimated, too. */
struct session_heap {
    bool is_exact;      /* false: records are missing, drawn, or were not requested */
    const char *reason; /* the reason if not; NULL when exact */
    bool has_chains;    /* there are several sites */
    /* After BLOCKS, or sampled: all but the totals of the tallies and values in usable bytes. */
    bool is_estimated;
    bool has_estimated_sites;           /* after CHAINS, or is_estimated */
    bool has_estimated_totals;          /* totals of the blocks in a window are estimated from drawn
                                           ones */
    enum session_heap_unit peak_unit;   /* unit of peak_bytes, of the heap and of its sites */
    enum session_heap_unit live_unit;   /* unit of live_bytes */
    enum session_heap_unit course_unit; /* unit of moments, marks, readings and regions */
    struct array estimates;             /* of struct session_estimate; sites refer to them */
    uint32_t undrawn_site;              /* for blocks without a known owner; SESSION_NONE */
    /* A site without a drawn block obtained less than this in blocks without a record, with a
     * confidence of 95 %. */
    uint64_t unseen_bytes;
    uint64_t sample_bytes; /* the mean distance of the user's samples; 0: none */
    struct session_share shares[SESSION_SHARES]; /* shares of all sites */
    double peak_error;                           /* standard errors of estimates; 0 when exact */
    double live_error;
    uint64_t peak_bytes;
    uint64_t peak_time_ns;
    uint32_t peak_site;   /* site of the allocation that made the peak; SESSION_NONE */
    uint32_t peak_region; /* region of that thread at that time */
    uint32_t peak_thread;
    uint64_t peak_blocks;
    uint64_t temporary; /* sums over the sites */
    uint64_t short_lived;
    uint64_t moved;
    uint64_t grown_bytes;
    uint64_t strange_frees;
    uint64_t lost_chains;  /* records without room for their chain */
    uint64_t lost_samples; /* sampled blocks without room */
    uint64_t maps;         /* calls of mmap that succeeded; mremap not */
    uint64_t unmaps;
    uint64_t mapped_bytes; /* mapped by the program's own mmap calls, at the end */
    uint64_t peak_mapped_bytes;
    uint64_t peak_mapped_file_bytes;     /* part for files, shared memory and devices */
    uint64_t peak_mapped_reserved_bytes; /* part mapped without access */
    uint64_t peak_mapped_time_ns;
    struct session_histogram sizes;     /* sizes of all obtained blocks */
    struct session_histogram lifetimes; /* in ns, of the blocks freed */
    struct array moments;     /* of struct session_moment, at most SESSION_MOMENTS, in order */
    struct array mark_rows;   /* uint32_t, one for each site; empty when marks are unknown */
    struct array marks;       /* of struct session_mark: of sites with live bytes at a mark */
    struct array mark_errors; /* of struct session_mark_error, as marks; empty when exact */
    uint64_t mark_ns[SESSION_MARKS];
    unsigned mark_count;
    uint64_t live_bytes; /* live at the end */
    uint64_t live_blocks;
    uint64_t unknown_frees; /* frees of blocks from before the recording, or missing */
    uint64_t inherited_bytes;      /* usable bytes live at the start of a forked process; 0: none
                                      known */
    uint64_t inherited_left_bytes; /* upper bound of those still live at the end; or UNKNOWN */
    uint64_t allocations;   /* from the tallies: exact even if records are lost */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t usable_peak_bytes; /* by the shim's count, within 64 KiB for each thread; 0: not
                                   counted */
};

/* Returns: the moment that a time lies in, or the last; NULL before the first. */
const struct session_moment *session_moment_of(const struct session_heap *heap, uint64_t time_ns);

/* Give the live bytes at each mark for a site whose marks are known. */
const struct session_mark *session_mark_at(const struct session_heap *heap, size_t site);
const struct session_mark_error *session_mark_error_at(const struct session_heap *heap,
                                                       size_t site);

/* The same, writable. */
struct session_mark *session_mark_make(struct session_heap *heap, size_t site);

#endif
