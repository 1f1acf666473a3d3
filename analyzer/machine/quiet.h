/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the machine was quiet while it was measured.
 */
#ifndef MACHINE_QUIET_H
#define MACHINE_QUIET_H

#include "machine/processors.h"
#include "model/machine.h"

struct quiet {
    const struct processors *processors;
    struct processors_time time; /* times at the beginning */
    double own_seconds;
};

void quiet_begin(struct quiet *quiet, const struct processors *processors);

/* Fill in the time that other programs took since then, and warn if the figures are doubtful. */
void quiet_end(const struct quiet *quiet, struct machine *machine);

#endif
