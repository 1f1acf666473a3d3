/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paths of samples: from the row that has their time outwards to the start of the thread.
 *
 * Frames inside a kernel belong to the kernel.  Frames that only start a program or a thread are
 * left out.  Ops of PyTorch replace its own functions.
 */
#ifndef CPU_CPU_WAYS_H
#define CPU_CPU_WAYS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"

struct cpu_time;

/* A step is a row of the cpu_time, or a function that called it.  Its name is kept once: equal
 * texts have equal addresses. */
struct cpu_ways {
    const struct cpu_time *time;
    struct array steps; /* of struct call_frame, of one sample, the innermost first */
    bool is_past;       /* past the innermost function, which its row represents */
};

void cpu_ways_init(struct cpu_ways *ways, const struct cpu_time *time);
/* Find the path of a sample. */
void cpu_ways_find(struct cpu_ways *ways, size_t sample);

#endif
