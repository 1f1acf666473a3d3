/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaves the common path: a slow side restores the program's errno and vector registers, and its
 * time counts as cost of recording, without the time that the thread waits for a processor.
 */
#ifndef RECORD_SLOW_H
#define RECORD_SLOW_H

#include <stdint.h>

#include "platform/vectors.h"

struct slow {
    int saved_errno;
    uint64_t start;  /* in ticks */
    uint64_t cpu_ns; /* processor time of the thread at that time; 0: unknown */
    struct vectors vectors; /* vectors of a kernel's call */
};

void slow_begin(struct slow *slow);

/* The same for callers that set cpu_ns, as soon as they have read it for another reason: a reading
 * takes 0.5 us. */
void slow_begin_unread(struct slow *slow);

/* Add the time to the trace. */
void slow_end(const struct slow *slow);

#endif
