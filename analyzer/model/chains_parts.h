/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the parts of chains.h.
 */
#ifndef MODEL_CHAINS_PARTS_H
#define MODEL_CHAINS_PARTS_H

#include <stdint.h>

#include "model/chains.h"
#include "reader/reader_chunks.h"
#include "spec/trace.h"

struct session_call;

enum {
    CHAINS_PYTHON_MAX = 128, /* frames of Python code on a chain */
    /* The call for cut or lost outer calls is one more than a chain has. */
    CHAINS_DEPTH_MAX = TRACE_CHAIN_MAX + 1,
    CHAINS_JOINED_MAX = CHAINS_DEPTH_MAX + CHAINS_PYTHON_MAX
};

/* A lane while its chunks are read. */
struct chains_reading {
    struct chains_lane *lane;
    uint32_t *epochs; /* epoch of each call's root */
    uint32_t number;  /* number of the current call: it refers to lower ones */
};

/* Find the call of a number; a missing number gives the lost call. */
void chains_resolve(struct chains *chains, const struct chains_lane *lane, uint32_t number,
                    uint32_t *index);

/* Read a call.  The lower numbers that it refers to must have been read. */
void chains_read_call(struct chains *chains, struct chains_reading *reading,
                      const struct trace_call *raw);

/* The entry of an unknown number. */
#define CHAINS_UNKNOWN UINT32_MAX

/* Returns: the highest possible number of chunks of a lane; numbers may run ahead of its chunks. */
size_t chains_most_chunks(struct reader_span chunks);

/* Returns: the number of the first call in a chunk. */
uint32_t chains_first_of(const struct reader_chunk *chunk);

/* Prepare a lane without calls for reading its calls on demand. */
void chains_later_start(struct chains_lane *lane, const struct reader *reader,
                        struct reader_span chunks);

/* Read the call of a number below the lane's count, and the calls that it refers to. */
void chains_later_read(struct chains *chains, const struct chains_lane *lane, uint32_t number);

void chains_later_free(struct chains_later *later);

/* Find the call that equals this one, or make it. */
void chains_merge(struct chains *chains, const struct session_call *like, uint32_t *index);

/* Give the call that represents unknown outer calls. */
void chains_find_stand_in(struct chains *chains, enum trace_chain_end end, uint32_t *index);

/* Find the first load of each module. */
void chains_gather_loads(struct chains *chains);

/* Find the module with CPython. */
void chains_find_python(struct chains *chains);

/* Find the call of a Python frame in a chain of Python frames, below its parent's call. */
void chains_add_python(struct chains *chains, const struct trace_call *raw, uint32_t parent,
                       uint32_t *index);

/* Find the call of the joined chain of the machine's frames and Python's, by the innermost calls of
 * both: Python's frames replace the interpreter's. */
void chains_join_python(struct chains *chains, uint32_t native, uint32_t python, uint32_t *index);

#endif
