/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A quiet stretch of the run, to compare an incident with.
 */
#ifndef INCIDENTS_QUIET_H
#define INCIDENTS_QUIET_H

#include <stdbool.h>

#include "model/session_window.h"

struct session;
struct session_incident;

/* The window of an incident, within the recording. */
struct session_window incident_window(const struct session *session,
                                      const struct session_incident *incident);

/* Find a stretch as long as the incident's window, without other incidents and missing records:
 * before it, behind it, behind the first incident, or at the end of the recording.
 * Returns: whether there is one. */
bool quiet_find(struct session_window *quiet, const struct session *session,
                const struct session_incident *incident);

#endif
