/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over each phase of a program.
 */
#ifndef STEPS_PHASE_SUMS_H
#define STEPS_PHASE_SUMS_H

#include <stdbool.h>

#include "steps/phases.h"

/* NAN: unknown. */
struct phase_sum {
    double cpu_ns;     /* processor time of the process: between readings by samples */
    double waiting_ns; /* in recorded calls of the phases' thread, which are the long ones */
    double allocations;
    double allocated_bytes;
    bool has_estimated_blocks; /* estimated from drawn blocks, or from borders within a stretch */
    double read_bytes;         /* returned by read and similar calls; between readings, by long
                                  calls */
    double peak_bytes;         /* highest live heap */
};

/* Sum them up.  Shape: `sums` has PHASES of them. */
void phase_sums_find(struct phase_sum *sums, const struct session *session,
                     const struct phases *phases);

#endif
