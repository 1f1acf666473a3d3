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

/* Bytes of blocks: as they were asked for, or as malloc_usable_size tells them. */
enum session_heap_unit { SESSION_HEAP_REQUESTED, SESSION_HEAP_USABLE };

/* What drawn blocks of a site stand for, and how it varies.  Sites share what is known of all in
 * proportion to it (model/shares.h); so a group of sites is better known than its parts. */
struct session_share {
    double rest;
    double variance; /* as if nothing were known in all; NAN: nothing is */
};

enum session_share_of {
    SESSION_SHARE_CALLS,
    SESSION_SHARE_OBTAINED,
    SESSION_SHARE_LIVE,
    SESSION_SHARE_PEAK,
    SESSION_SHARES
};

/* Of a site that has drawn blocks. */
struct session_estimate {
    struct session_share shares[SESSION_SHARES];
    uint64_t live_drawn; /* drawn blocks that live_bytes rests on */
    uint64_t peak_drawn;
};

/* Where blocks were obtained: a call chain.  Without call chains there is one
 * site, of call 0.  Counts and bytes are exact, or estimates by drawn blocks, with
 * standard errors (session_heap.has_estimated_sites).  A mean lifetime has none: few blocks of
 * thousands outlive all others by so much that it is theirs, and mostly none of them is drawn.
 * What stands between two records drawn blocks cannot tell: once they alone are recorded,
 * temporary, moved and grown_bytes are UNKNOWN.  When records are missing, those that are there
 * are counted, and what was live is UNKNOWN. */
struct session_site {
    uint32_t call;    /* innermost of the chain; index in calls */
    uint32_t binding; /* the innermost kernel that was running, index in bindings, or NONE */
    uint64_t records; /* allocation records it rests on */
    uint64_t allocations;
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t freed_bytes;
    uint64_t live_blocks; /* at the end */
    uint64_t live_bytes;
    uint64_t peak_blocks; /* live when the whole heap was at its peak */
    uint64_t peak_bytes;
    uint64_t temporary;     /* freed by its thread before the next allocation of that thread */
    uint64_t short_lived;   /* freed within session_options.short_ns */
    uint64_t moved;         /* allocations of a realloc to another address than its block's */
    uint64_t grown_bytes;   /* what those added */
    uint64_t strange_frees; /* by another thread than the one that obtained the block */
    uint64_t lifetime_ns;   /* summed over the freed blocks */
    uint64_t min_size;
    uint64_t max_size;
    double allocations_error; /* standard errors; 0 when exact */
    double allocated_error;
    double live_error;
    double peak_error;
    uint64_t drawn; /* of the records: blocks that stand for others; 0: all is exact */
    struct session_estimate *estimate; /* NULL: all is exact */
};

/* Counts by powers of two: bin i is for values from 2^i on, bin 0 for 0 too. */
enum { SESSION_BINS = 64 };

struct session_histogram {
    uint64_t counts[SESSION_BINS];
    uint64_t bytes[SESSION_BINS];
};

/* The live heap during a stretch of time; stretches follow one another without
 * a gap and have one length, but for the last. */
struct session_moment {
    uint64_t time_ns; /* of its start */
    uint64_t min_bytes;
    uint64_t max_bytes;
    uint64_t last_bytes;
    uint64_t last_blocks;
    uint64_t mapped_bytes; /* by the program's own mmap calls, at its end */
    uint64_t obtained_blocks; /* until its end; since BLOCKS what drawn ones stand for */
    uint64_t obtained_bytes;
};

/* At most so many moments, and every so many of them a mark, the first at the start. */
enum { SESSION_MOMENTS = 2048, SESSION_MARKS = 32 };

/* What a site had live at each mark. */
struct session_mark {
    uint64_t live_bytes[SESSION_MARKS];
};

/* Their standard errors. */
struct session_mark_error {
    float live_bytes[SESSION_MARKS];
};

/* Where a program mapped memory by its own calls of mmap and mremap: a call chain.  What
 * mremap gave is of its call.  Ranges are what is left in one piece of a call's memory; bytes
 * are whole pages, touched or not. */
struct session_mapping {
    uint32_t call;           /* innermost of the chain; index in calls */
    uint64_t calls;          /* that gave memory */
    uint64_t bytes;          /* that they gave */
    uint64_t file_bytes;     /* of these: of files, shared memory and devices */
    uint64_t reserved_bytes; /* without access when they were mapped */
    uint64_t live_ranges;    /* at the end */
    uint64_t live_bytes;
    uint64_t peak_ranges; /* when all that was mapped was at its peak */
    uint64_t peak_bytes;
    struct session_mark mark; /* at the times of the heap's marks */
};

/* The live heap by replay of every allocation and free, or of the drawn ones; what
 * neither gives is UNKNOWN.
 *
 * Until when each block has a record, and until when one with its owner, is told by
 * session.stages.exact_ns of BLOCKS and of CHAINS.  Since CHAINS the owners of blocks are
 * estimated, and the heap as a whole is exact.  Since BLOCKS the replay is of drawn blocks.
 * The heap as a whole is then as the shim counted it, in usable bytes, exact within 64 KiB a
 * thread; where it did not count, or the user wanted samples, it is estimated too. */
struct session_heap {
    bool is_exact;      /* false: records are missing, drawn, or were not asked for */
    const char *reason; /* why not; NULL when exact */
    bool has_chains;    /* sites are told apart */
    /* Since BLOCKS, or sampled: all but the totals of the tallies and what is in usable bytes. */
    bool is_estimated;
    bool has_estimated_sites;           /* since CHAINS, or is_estimated */
    bool has_estimated_totals;          /* of the blocks in a window, by drawn ones */
    enum session_heap_unit peak_unit;   /* of peak_bytes, of the heap and of its sites */
    enum session_heap_unit live_unit;   /* of live_bytes */
    enum session_heap_unit course_unit; /* of moments, marks, readings and regions */
    struct array estimates;             /* of struct session_estimate; sites refer to them */
    uint32_t undrawn_site;              /* of the blocks whose owner was not drawn; SESSION_NONE */
    /* With a confidence of 95 %, a site without a drawn block obtained less than this by blocks
     * without a record. */
    uint64_t unseen_bytes;
    uint64_t sample_bytes; /* the mean distance of samples that the user wanted; 0: none */
    struct session_share shares[SESSION_SHARES]; /* of all sites */
    double peak_error;                           /* standard errors of estimates; 0 when exact */
    double live_error;
    uint64_t peak_bytes;
    uint64_t peak_time_ns;
    uint32_t peak_site;   /* of the allocation that made the peak; SESSION_NONE */
    uint32_t peak_region; /* in which its thread was then */
    uint32_t peak_thread;
    uint64_t peak_blocks;
    uint64_t temporary; /* sums over the sites */
    uint64_t short_lived;
    uint64_t moved;
    uint64_t grown_bytes;
    uint64_t strange_frees;
    uint64_t lost_chains;  /* records whose chain found no room */
    uint64_t lost_samples; /* sampled blocks that found no room */
    uint64_t maps;         /* calls of mmap that succeeded; mremap not */
    uint64_t unmaps;
    uint64_t mapped_bytes; /* at the end, by the program's own mmap calls */
    uint64_t peak_mapped_bytes;
    uint64_t peak_mapped_file_bytes;     /* of these: of files, shared memory and devices */
    uint64_t peak_mapped_reserved_bytes; /* without access when they were mapped */
    uint64_t peak_mapped_time_ns;
    struct session_histogram sizes;     /* of all blocks obtained */
    struct session_histogram lifetimes; /* in ns, of the blocks freed */
    struct array moments;     /* of struct session_moment, at most SESSION_MOMENTS, in order */
    struct array mark_rows;   /* of uint32_t, one a site; none when marks are not known */
    struct array marks;       /* of struct session_mark: of sites that had anything at one */
    struct array mark_errors; /* of struct session_mark_error, as marks; none when exact */
    uint64_t mark_ns[SESSION_MARKS];
    unsigned mark_count;
    uint64_t live_bytes; /* at the end */
    uint64_t live_blocks;
    uint64_t unknown_frees; /* of blocks from before recording, or missing */
    uint64_t inherited_bytes;      /* usable, live when a forked process began; 0: none is known */
    uint64_t inherited_left_bytes; /* of it, at most so many were live at the end; or UNKNOWN */
    uint64_t allocations;   /* from the tallies: exact even when records are lost */
    uint64_t allocated_bytes;
    uint64_t frees;
    uint64_t failed_allocations;
    uint64_t usable_peak_bytes; /* as the shim counted it, within 64 KiB a thread; 0: it did not */
};

/* Give what a site, of which marks are known, had live at each. */
const struct session_mark *session_mark_at(const struct session_heap *heap, size_t site);
const struct session_mark_error *session_mark_error_at(const struct session_heap *heap,
                                                       size_t site);

/* The same, to be changed. */
struct session_mark *session_mark_make(struct session_heap *heap, size_t site);

#endif
