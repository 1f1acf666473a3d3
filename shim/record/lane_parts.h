/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a lane has several of: calls and regions that are open, ops, labels, places of cells.
 */
#ifndef RECORD_LANE_PARTS_H
#define RECORD_LANE_PARTS_H

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
    LANE_WAITS_RECENT = 8,
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

/* A region that has not ended; a line of the cache, so that its place is a shift. */
struct lane_region {
    _Alignas(64) uint64_t start;
    uint64_t inner_ticks;
    uint64_t clock_ns;          /* of the thread at its start, or when it was read before */
    uint64_t clock_ticks;       /* when that was */
    uint64_t clock_after_ticks; /* a call that takes so long has it read at its end */
    struct trace_node *node;
    uint32_t node_index;
    uint32_t drawn; /* of so many calls, where it was read at its start; 0: it was not drawn */
    /* These hold where clock_after_ticks is 0. */
    bool is_read;      /* its clock was, at its start */
    bool is_left_out;  /* it has no record */
    uint8_t doublings; /* its record stands for 2^this calls */
};

/* What an entry of `regions` is beside, where it is an op. */
struct lane_op {
    const void *owner;
    uint32_t outer; /* depth of the op around it, from 1; 0: there is none */
};

/* A text that an op of this thread had, or a place that it came from: the hash tells it. */
struct lane_op_label {
    uint64_t hash; /* 0: free */
    uint32_t id;
};

/* A label this thread has used: the pointer is the key, the text its proof. */
struct lane_label {
    const char *pointer;
    uint32_t id;
    char text[LANE_LABEL_SIZE];
};

/* A place of the index: a cell and its number. */
struct lane_place {
    union trace_cell *cell; /* NULL: free */
    uint32_t number;
};

#endif
