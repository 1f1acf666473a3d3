/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The share of a sort of samples, with its interval.
 */
#ifndef CPU_CPU_SORT_H
#define CPU_CPU_SORT_H

#include "statistics/interval.h"

/* Samples, and how many of them are of one kind. */
struct cpu_sort {
    double count;
    double of;   /* samples in all */
    double runs; /* runs of the sort, between other samples of the thread; NAN: unknown */
};

/* Returns: the interval of the sort's share of the time that the samples are of. */
struct statistics_interval cpu_sort_interval(const struct cpu_sort *sort, double confidence);

#endif
