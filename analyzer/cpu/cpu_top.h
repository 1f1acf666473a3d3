/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions on which each thread, or each region, spent most of its processor time.
 */
#ifndef CPU_CPU_TOP_H
#define CPU_CPU_TOP_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

struct cpu_row;
struct cpu_time;

enum cpu_top_of { CPU_TOP_OF_THREADS, CPU_TOP_OF_REGIONS };

struct cpu_top {
    const struct cpu_row *row; /* NULL: no sample fell there */
    double row_ns;
    double ns; /* time represented by all samples there */
};

/* Find the top rows.
 * Shape: `tops` has one entry for each thread or region of the session. */
void cpu_top_find(const struct cpu_time *time, enum cpu_top_of of, struct cpu_top *tops);

/* Append "parse 82.1 %", or nothing. */
void cpu_top_append(struct text *text, const struct cpu_top *top);

#endif
