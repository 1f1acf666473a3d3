/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of ops: alive at the peak of the heap, and kept for the backward pass.
 * events_op_memory.c follows them.
 *
 * It knows what each block's record tells.  Where only drawn blocks have records, nothing is
 * told.
 */
#ifndef MODEL_OP_MEMORY_H
#define MODEL_OP_MEMORY_H

#include <stdint.h>

#include "base/array.h"
#include "model/heap_map.h"

struct op_memory {
    struct heap_map map; /* blocks that ops obtained: their sites are ops, their births and
                            threads a struct events_sequence */
    uint64_t count;      /* of these */
    uint64_t epoch;      /* of the heap, at the last look */
    uint64_t last_sequence; /* of blocks so far, the highest */
    uint64_t peak_sequence; /* the same when the heap had its peak */
    struct array ops;    /* of struct op_heap, as the session's; empty where there are no ops */
};

#endif
