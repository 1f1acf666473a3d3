/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How well samples show where processor time went: for cpu_time.c.
 */
#ifndef CPU_CPU_ERRORS_H
#define CPU_CPU_ERRORS_H

#include <stdint.h>

struct cpu_split;
struct cpu_time;

/* Fill in the intervals of all rows, whose samples are counted.  `kernels`: by sample, the
 * binding of the kernel that it is in. */
void cpu_errors_fill(struct cpu_time *time, const uint32_t *kernels, double confidence);

/* Compare the samples in kernels with the kernels' clocks. */
void cpu_check_fill(struct cpu_time *time, const struct cpu_split *split, const uint32_t *kernels);

#endif
