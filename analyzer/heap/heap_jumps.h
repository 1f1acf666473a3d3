/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growth by jumps, such as a container that doubles its room: the lasting part of the live heap
 * rises seldom, but by much.  The due time of the next jump decides whether the growth goes on.
 */
#ifndef HEAP_HEAP_JUMPS_H
#define HEAP_HEAP_JUMPS_H

#include "model/session_heap.h"

enum heap_jumping {
    HEAP_NO_JUMPS,      /* the heap rises in another way */
    HEAP_ONE_JUMP,      /* one jump makes up all of the growth */
    HEAP_JUMPS_GO_ON,   /* three or more, each as late as steady use of the room predicts */
    HEAP_JUMPS_STOPPED, /* the next one is long overdue */
    HEAP_JUMPS_UNCLEAR  /* too few jumps, or neither case */
};

struct heap_jumps {
    enum heap_jumping kind;
    unsigned count;
    double low; /* bytes by nanosecond: the slowest and the fastest use of room; only for jumps that
                   go on */
    double high;
    double slope;   /* over all of them */
    double last_ns; /* when the last jump was */
};

/* Find the jumps up to `to_ns`; they are parts of the growth since `from_ns`. */
struct heap_jumps heap_jumps_find(const struct session_heap *heap, uint64_t from_ns,
                                  uint64_t to_ns);

#endif
