/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counts of the blocks of one site: the part of the replayed heap that grows with the number of
 * call chains.
 */
#ifndef MODEL_HEAP_SITE_H
#define MODEL_HEAP_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/heap_map.h"

/* Counts of the blocks of one site, or of one size class. */
struct heap_site {
    _Alignas(HEAP_MAP_LINE) uint64_t live_blocks; /* after HEAP_BLOCKS: when that stage started */
    uint64_t live_bytes;
    uint64_t blocks; /* obtained in all */
    uint64_t bytes;
    uint64_t epoch; /* epoch of the heap when the next two were noted: */
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
    bool is_resized; /* a block of it came from realloc */
};

/* The live amounts of a site at the start of the window. */
struct heap_before {
    uint64_t blocks;
    uint64_t bytes;
};

#endif
