/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How busy the devices were in each step.
 */
#ifndef STEPS_STEP_DEVICES_H
#define STEPS_STEP_DEVICES_H

#include "steps/steps.h"

struct step_devices {
    struct array busy_ns; /* double, by step with a known end: some device ran a command; empty
                             when no command has times */
    uint64_t untimed;     /* commands without times: devices may have been busy for longer */
};

/* Find the times, in the pool in use. */
void step_devices_find(struct step_devices *devices, const struct steps *steps,
                       const struct session *session);

/* Returns: the sum over the steps from `first` on; NAN when it is unknown. */
double step_devices_sum(const struct step_devices *devices, size_t first);

#endif
