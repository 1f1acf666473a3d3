/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options for replaying the live heap of a program.
 */
#ifndef MODEL_HEAP_OPTIONS_H
#define MODEL_HEAP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "model/clock.h"

/* The shim's count of the heap, in usable bytes. */
struct heap_counted {
    uint64_t live_bytes; /* live bytes at the end of the recording, or at the last reading */
    uint64_t peak_bytes; /* 0: not counted */
    uint64_t peak_ticks;
};

/* Called when HEAP_BLOCKS starts, before anything is forgotten.  The listener multiplies amounts of
 * live bytes by `ratio`, and settles the lanes. */
typedef void (*heap_listener)(void *of, double ratio);

struct heap_options {
    const struct clock *clock;
    uint64_t end_ticks;    /* end of the recording at the earliest */
    uint64_t sample_bytes; /* mean distance of sampled bytes: HEAP_BLOCKS from the start; or 0 */
    uint64_t call_bytes;   /* that each block counts for beyond its size when it is drawn */
    uint64_t short_ns;
    size_t region_count;
    uint64_t chains_ticks; /* start of HEAP_CHAINS; 0: never */
    uint64_t blocks_ticks;
    struct heap_counted counted; /* counts at the end */
    uint64_t first_bytes;        /* counted at the start: blocks from before the fork */
    heap_listener on_blocks;     /* NULL: no listener */
    void *listener;
};

#endif
