/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elements of a lane's arrays: open calls and regions, ops, labels, places of cells.
 */
#ifndef RECORD_LANE_PARTS_H
#define RECORD_LANE_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

union trace_cell;
struct trace_node;

enum {
    LANE_FRAMES_MAX = 64,
    LANE_REGIONS_MAX = 128,
    LANE_TABLES_MAX = 512, /* 262,000 cells: the test of linear equations of LAPACK has 77,000 */
    LANE_LABELS = 64,
    LANE_LABEL_SIZE = 48,
    LANE_INDEX_FIRST = 1024,
    LANE_WAITS_RECENT = 16,
    LANE_OP_LABELS = 1024,
    LANE_OP_PLACES = 512,
    LANE_RECENT = 32
};

/* A kernel call that has not returned. */
struct lane_frame {
    uint64_t inner_ticks;
    const void *owner; /* the probe in the wrapper's stack frame */
    bool owns;         /* this call or one around it owns the FLOPs */
};

/* A region that has not ended.  It fills a cache line, so its address is computed by a shift. */
struct lane_region {
    _Alignas(64) uint64_t start;
    uint64_t inner_ticks;
    uint64_t clock_ns;          /* the thread's clock at its start, or at an earlier reading */
    uint64_t clock_ticks;       /* when that clock was read */
    uint64_t clock_after_ticks; /* a call at least this long has its clock read at the end */
    struct trace_node *node;
    uint32_t node_index;
    uint32_t drawn; /* it was drawn from this many calls, and read at its start; 0: it was not
                       drawn */
    /* Valid when clock_after_ticks is 0. */
    bool is_read;      /* its clock was read at its start */
    bool is_left_out;  /* the region has no record */
    uint8_t doublings; /* its record represents 2^doublings calls */
    uint32_t owner;    /* the domain of a range, whose end names it; 0: any end */
};

/* The rest of an entry of `regions` that is an op. */
struct lane_op {
    const void *owner;
    uint32_t outer; /* depth of the op around it, from 1; 0: none */
};

/* A text or a place of an op of this thread; the hash identifies it. */
struct lane_op_label {
    uint64_t hash; /* 0: free */
    uint32_t id;
};

/* A label that this thread has used: the pointer is the key, and the text confirms it. */
struct lane_label {
    const char *pointer;
    uint32_t id;
    char text[LANE_LABEL_SIZE];
};

/* The bytes that a thread obtained, less those that it freed, and the blocks that passed
 * (record/passed.h).  It fills a cache line, and outlives a fork. */
struct lane_balance {
    _Alignas(64) _Atomic int64_t bytes;
    uint64_t obtained;
    uint64_t obtained_bytes;
    uint64_t returned;
    int64_t moved; /* the part of its live bytes that went to the sum of the process */
};

/* A place of the index: a cell and its number. */
struct lane_place {
    union trace_cell *cell; /* NULL: free */
    uint32_t number;
};

#endif
