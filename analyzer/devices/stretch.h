/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stretch of a run that its devices are judged in.
 */
#ifndef DEVICES_STRETCH_H
#define DEVICES_STRETCH_H

#include <stdbool.h>

#include "places/places.h"

struct busy;
struct session;

/* Find the stretch that a session's devices are judged in.  Returns: false when no command has
 * times. */
bool stretch_find_judged(struct busy *busy, const struct session *session, places_finder find);

/* The same for shares of all that passed: the steps, or else the run from its start to its end. */
void stretch_find_passed(struct busy *busy, const struct session *session, places_finder find);

#endif
