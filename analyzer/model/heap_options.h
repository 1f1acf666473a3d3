/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the live heap of a program is to be replayed.
 */
#ifndef MODEL_HEAP_OPTIONS_H
#define MODEL_HEAP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "model/clock.h"

/* What the shim counted of the heap, in usable bytes. */
struct heap_counted {
    uint64_t live_bytes; /* at the end of the recording, or at the last reading before now */
    uint64_t peak_bytes; /* 0: it did not count */
    uint64_t peak_ticks;
};

/* Told when HEAP_BLOCKS begins, before anything is forgotten: amounts of live bytes are to be
 * multiplied by `ratio`, and lanes settled. */
typedef void (*heap_listener)(void *of, double ratio);

struct heap_options {
    const struct clock *clock;
    uint64_t end_ticks;    /* of the recording, as far as it is known: at this or later */
    uint64_t sample_bytes; /* mean distance of sampled bytes: HEAP_BLOCKS from the start; or 0 */
    uint64_t short_ns;
    size_t region_count;
    uint64_t chains_ticks; /* when HEAP_CHAINS begins; 0: it does not */
    uint64_t blocks_ticks;
    struct heap_counted counted; /* at the end */
    uint64_t first_bytes;        /* counted at the start: blocks from before the fork */
    heap_listener on_blocks;     /* NULL: nobody asks */
    void *listener;
};

#endif
