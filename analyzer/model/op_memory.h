/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The blocks of ops: alive at the peak of the heap, and kept for the backward pass.
 *
 * It knows what each block's record tells.  Where only drawn blocks have records, nothing is
 * told.
 */
#ifndef MODEL_OP_MEMORY_H
#define MODEL_OP_MEMORY_H

#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "model/heap_map.h"

struct events;
struct reader_event;
struct session;

struct op_memory {
    struct heap_map map; /* blocks that ops obtained: their sites are ops, their births and
                            threads a struct events_sequence */
    uint64_t count;      /* of these */
    uint64_t epoch;      /* of the heap, at the last look */
    uint64_t last_sequence; /* of blocks so far, the highest */
    uint64_t peak_sequence; /* the same when the heap had its peak */
    struct array ops;    /* of struct op_heap, as the session's; empty where there are no ops */
};

/* Errors: STATUS_OUT_OF_MEMORY; it may be finished all the same. */
enum status op_memory_init(struct op_memory *memory, const struct session *session) MUST_CHECK;

void op_memory_fini(struct op_memory *memory);

/* Before the heap takes it: a block was obtained, and given back.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status op_memory_obtain(struct events *events, const struct reader_event *event) MUST_CHECK;
enum status op_memory_free(struct events *events, const struct reader_event *event) MUST_CHECK;

/* A window begins: what is live stays. */
void op_memory_restart(struct op_memory *memory);

/* Nothing comes any more: tell the session. */
void op_memory_finish(struct events *events);

#endif
