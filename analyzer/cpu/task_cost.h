/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What it costs a Python program to hand tasks to its worker processes: the processor time of
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
    const struct place *most; /* the program's own line that most of it is below; NULL: none */
};

struct task_cost task_cost_find(const struct cpu_time *time);

#endif
