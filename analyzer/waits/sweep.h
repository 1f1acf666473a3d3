/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All threads at once: which kernels run at a time, from the first call of any thread to the end of
 * the last.
 */
#ifndef WAITS_SWEEP_H
#define WAITS_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A stretch of time without the start or end of a kernel. */
struct sweep_span {
    uint64_t start_ns;
    uint64_t end_ns;
    size_t count; /* threads that are inside a kernel; 0: a gap */
    /* One for each thread inside a kernel, in no order; shape: count.  Valid until the next
     * span. */
    const uint32_t *threads; /* index in the session */
    const uint32_t *slots;   /* slot of the outermost kernel */
};

struct session;
struct sweep_lane;

struct sweep {
    const struct session *session;
    struct sweep_lane *lanes; /* one for each thread with calls */
    uint32_t *heap;           /* lanes, with the earliest next border on top */
    size_t heap_count;
    uint32_t *inside;  /* lanes that are inside a kernel */
    uint32_t *threads; /* theirs */
    uint32_t *slots;   /* theirs */
    size_t count;
    uint64_t now_ns;
};

/* Start. */
void sweep_init(struct sweep *sweep, const struct session *session);
/* Give the next span; spans follow each other without a gap, and are not empty.
 * Returns: whether there is one. */
bool sweep_next(struct sweep *sweep, struct sweep_span *span);

#endif
