/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Meters of the whole machine while a program runs: the energy of processors and memory, by RAPL,
 * and how often heat slowed processors down.  They include all other programs, because the energy
 * cannot be split.
 *
 * RAPL's counters wrap after minutes (65 kJ on some processors), so a thread of this process reads
 * them every half minute; it exists only if there are counters.
 *
 * Source: Documentation/power/powercap/powercap.rst of Linux.
 */
#ifndef MACHINE_METERS_H
#define MACHINE_METERS_H

#include <stdbool.h>
#include <stdint.h>

enum meter_id { METER_PACKAGES, METER_DRAM, METER_THROTTLES, METERS };

enum { METERS_REASON_SIZE = 160 };

struct meter_value {
    bool is_known;
    uint64_t value; /* microjoules, or throttles */
    char reason[METERS_REASON_SIZE];
};

struct meters;

/* Begin.  Files are those below `root`: "", except in tests. */
struct meters *meters_start(const char *root);

/* Read the counters once more, as the thread does. */
void meters_read(struct meters *meters);

/* Read the energy since the start, and free.  Safety: NULL gives unmetered values. */
void meters_stop(struct meters *meters, struct meter_value values[METERS]);

/* Whether the energy of processors can be read here, and why not. */
bool meters_can_read_energy(const char *root, char reason[METERS_REASON_SIZE]);

#endif
