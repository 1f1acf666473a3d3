/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of ops that are live at the peak of the heap, or kept for the backward pass.
 * events_op_memory.c follows them.
 *
 * It needs a record of each block: with records of drawn blocks only, the results are unknown.
 */
#ifndef MODEL_OP_MEMORY_H
#define MODEL_OP_MEMORY_H

#include <stdint.h>

#include "base/array.h"
#include "model/heap_map.h"

struct op_memory {
    struct heap_map map; /* blocks that ops obtained: their sites are ops, their births and
                            threads a struct events_sequence */
    uint64_t count;      /* number of these */
    uint64_t epoch;      /* epoch of the heap at the last check */
    uint64_t last_sequence; /* the highest of all blocks */
    uint64_t peak_sequence; /* the same at the peak of the heap */
    struct array ops;    /* of struct op_heap, as the session's; empty without ops */
};

#endif
