/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processors that this process may use, their caches, and the present state of the system.  All
 * values are read from sysfs and procfs; a missing value is unknown.
 */
#ifndef MACHINE_PROCESSORS_H
#define MACHINE_PROCESSORS_H

#include <stdint.h>

#include "model/machine.h"

enum { PROCESSORS_MAX = 1024 };

struct processors {
    unsigned ids[PROCESSORS_MAX]; /* first one of each core, then the cores' other threads */
    unsigned count;               /* number allowed by affinity */
    unsigned allowed;             /* number of these within the control group's quota */
};

/* Processor time of the machine since it started, in ticks. */
struct processors_time {
    double all;
    double busy;
    double stolen;
};

void processors_find(struct processors *processors);

/* Describe the caches of the first processor, and the processors that share them. */
void processors_add_caches(struct machine *machine, const struct processors *processors);

/* Fill in the known properties of the machine before anything is measured. */
void processors_describe(struct machine *machine, const struct processors *processors);

/* Read the time of the allowed processors. */
struct processors_time processors_read_time(const struct processors *processors);

/* Bytes that may be allocated without harming other programs; INFINITY: unknown. */
double processors_free_memory(void);

#endif
