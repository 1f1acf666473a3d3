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

/* Find them.  Returns in `are` an entry a sample of the session, of the pool in use. */
void starting_find(bool **are, const struct session *session, places_finder find);

/* Find the end of a thread's start-up: before that instant such samples outweigh the others the
 * most.  So neither a glance at its own code between two imports ends the start-up, nor does an
 * import in the middle of the work go on with it. 0: too few samples. */
void starting_find_end(uint64_t *end_ns, const struct session *session, uint32_t thread,
                       places_finder find);

#endif
