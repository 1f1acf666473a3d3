/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processor time of a process, by code.
 *
 * Kernels have the time of their clocks.  Samples split the rest of their threads' clocks.  The
 * rows sum up to the whole.  For tprof time, the report, comparisons, and other views of a program
 * outside its kernels.
 *
 * Decision: doc/decisions/sampled-time.
 */
#ifndef CPU_CPU_TIME_H
#define CPU_CPU_TIME_H

#include "cpu/cpu_row.h"
#include "places/places.h"

struct cpu_time_options {
    enum cpu_by by;
    double confidence;         /* confidence level of the intervals */
    places_finder find_frames; /* session_find_frames, except in tests */
};

/* Find the processor time. */
void cpu_time_init(struct cpu_time *time, const struct session *session,
                   const struct cpu_time_options *options);

#endif
