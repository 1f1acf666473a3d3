/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that ran in the thread of the steps between kernels, by its samples.
 */
#ifndef STEPS_STEP_FUNCTIONS_H
#define STEPS_STEP_FUNCTIONS_H

#include "cpu/cpu_row.h"
#include "statistics/interval.h"
#include "steps/steps.h"

/* Shares are relative to the samples outside kernels and recording.  These samples represent the
 * rest of the steps' time. */
struct step_function {
    const struct cpu_row *row;
    double samples; /* periods, of all steps */
    double runs;    /* runs between samples of other rows */
    double share;
    double steady_share; /* share in the steps after the first ones; NAN: these have no samples */
    struct statistics_interval interval; /* interval of `share` */
};

struct step_functions {
    struct cpu_time time;
    struct array rows; /* of struct step_function, by share */
    double samples;
};

/* Find the functions.  `first` is the first step after the warm-up. */
void step_functions_find(struct step_functions *functions, const struct steps *steps, size_t first,
                         const struct session *session, const struct analysis_options *options);
#endif
