/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processor time of a process, by what it was spent on.
 *
 * Kernels have the time of their clocks.  What their threads' clocks say beyond that is split
 * by samples.  The rows sum up to the whole.  For tprof time, the report, comparisons and
 * whoever wants to know what a program does beside its kernels.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef CPU_CPU_TIME_H
#define CPU_CPU_TIME_H

#include "cpu/cpu_row.h"
#include "places/places.h"

struct cpu_time_options {
    enum cpu_by by;
    double confidence;         /* of the intervals */
    places_finder find_frames; /* session_find_frames, but in tests */
};

/* Find it. */
void cpu_time_init(struct cpu_time *time, const struct session *session,
                   const struct cpu_time_options *options);

void cpu_time_fini(struct cpu_time *time);

#endif
