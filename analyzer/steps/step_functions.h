/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that ran in the thread of the steps between kernels, by its samples.
 */
#ifndef STEPS_STEP_FUNCTIONS_H
#define STEPS_STEP_FUNCTIONS_H

#include "cpu/cpu_row.h"
#include "statistics/interval.h"
#include "steps/steps.h"

/* Shares are of the samples outside kernels and recording.  These samples stand for the rest of the
 * steps' time. */
struct step_function {
    const struct cpu_row *row;
    double samples; /* periods, of all steps */
    double runs;    /* with other rows around */
    double share;
    double steady_share; /* of the steps after the first ones; NAN: no sample came in these */
    struct statistics_interval interval; /* of `share` */
};

struct step_functions {
    struct cpu_time time;
    struct array rows; /* of struct step_function, by share */
    double samples;
};

/* Find them.  `first` is the first step after the warm-up. */
void step_functions_find(struct step_functions *functions, const struct steps *steps, size_t first,
                         const struct session *session, const struct analysis_options *options);
#endif
