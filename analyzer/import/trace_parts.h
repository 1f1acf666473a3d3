/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files for imported traces: places of cells and calls in their chunks.
 */
#ifndef IMPORT_TRACE_PARTS_H
#define IMPORT_TRACE_PARTS_H

#include <stdint.h>

#include "spec/trace.h"

enum {
    IMPORT_CELLS = TRACE_TALLY_CELLS - 1, /* cells of a chunk: its head takes the first */
    IMPORT_CALLS_HEAD = sizeof(struct trace_chunk) / sizeof(struct trace_call),
    IMPORT_CALLS = TRACE_STACK_CALLS - IMPORT_CALLS_HEAD
};

/* An event without the time before it. */
struct import_event {
    uint64_t ns;
    uint64_t words[2];
};

/* Returns: the number of a cell in its lane. */
static inline uint32_t import_cell_number(uint32_t index)
{
    return index / IMPORT_CELLS * TRACE_TALLY_CELLS + index % IMPORT_CELLS + 1;
}

static inline uint32_t import_cell_index(uint32_t number)
{
    return number / TRACE_TALLY_CELLS * IMPORT_CELLS + number % TRACE_TALLY_CELLS - 1;
}

/* Returns: the number of a call in its lane. */
static inline uint32_t import_call_number(uint32_t index)
{
    return index / IMPORT_CALLS * TRACE_STACK_CALLS + index % IMPORT_CALLS + IMPORT_CALLS_HEAD;
}

#endif
