/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of handing tasks to the worker processes of a Python program: the processor time of
 * multiprocessing and concurrent.futures, without the tasks themselves.
 */
#ifndef CPU_TASK_COST_H
#define CPU_TASK_COST_H

#include <stdint.h>

struct cpu_time;
struct place;

struct task_cost {
    double ns;
    uint64_t samples;
    double copied_ns;         /* part of it that copies the data of tasks */
    double loader_ns;         /* part of it below PyTorch's data loader */
    const struct place *most; /* the program's own line with most of it; NULL: none is known */
};

struct task_cost task_cost_find(const struct cpu_time *time);

#endif
