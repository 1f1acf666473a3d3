/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ways of samples: from the row that has their time out to where the thread began.
 *
 * Frames inside of a kernel are the kernel's, and those that only start a program or a thread are
 * left out.  Ops of PyTorch stand for its own functions.
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
    bool is_past;       /* its innermost function, which its row stands for */
};

void cpu_ways_init(struct cpu_ways *ways, const struct cpu_time *time);
/* Find the way of a sample. */
void cpu_ways_find(struct cpu_ways *ways, size_t sample);

#endif
