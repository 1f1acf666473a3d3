/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which samples are of a program that starts up: of the loader, constructors, imports.
 */
#ifndef CPU_STARTING_H
#define CPU_STARTING_H

#include <stdbool.h>
#include <stdint.h>

#include "places/places.h"

struct session;

/* Find the samples of the start-up.  Returns in `are` one entry for each sample of the session, in
 * memory of the pool in use. */
void starting_find(bool **are, const struct session *session, places_finder find);

/* Find the end of a thread's start-up: the instant before which start-up samples outweigh the
 * others the most.  So a moment of own code between two imports does not end the start-up, and a
 * later import does not prolong it.  0: too few samples. */
void starting_find_end(uint64_t *end_ns, const struct session *session, uint32_t thread,
                       places_finder find);

#endif
