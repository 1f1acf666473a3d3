/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Machines that are known by name, with their vendors' figures: known_machines.def.
 */
#ifndef MODEL_KNOWN_MACHINES_H
#define MODEL_KNOWN_MACHINES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"
#include "model/machine.h"

struct known_machine {
    const char *name;
    const char *words; /* part of the name that the processor reports, or NULL */
    bool is_accelerator;
    unsigned cores;                          /* cores of a processor; 0 for an accelerator */
    double peaks[MACHINE_PRECISIONS];        /* FLOP/s; NAN if unknown */
    double matrix_peaks[MACHINE_PRECISIONS]; /* peaks of units for matrix products; NAN */
    double bytes_per_second;                 /* bandwidth of its memory */
    double watts;
    double link_bytes_per_second; /* bandwidth from the host, one way; NAN for processors */
    const char *source;
};

/* Give the machines one by one.  Returns: false past the last. */
bool known_machine_at(size_t index, struct known_machine *machine);

/* Find a machine by its name or a part of it, ignoring case, spaces and signs: "h200", "epyc9654".
 * Errors: STATUS_NOT_FOUND, or STATUS_USAGE when there are several; the diagnostic lists
 * them. */
enum status known_machine_find(const char *name, struct known_machine *machine,
                               struct diagnostic *diagnostic) MUST_CHECK;

/* Find a processor by the name that it reports.  Returns: false for an unknown name. */
bool known_machine_of_cpu(const char *cpu, struct known_machine *machine);

/* Make a machine's limits, with `cores` cores of a processor; 0: all. */
void known_machine_describe(const struct known_machine *known, unsigned cores,
                            struct machine *machine);

#endif
