/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The differences of an incident from a quiet time.
 */
#ifndef INCIDENTS_DIFFERS_H
#define INCIDENTS_DIFFERS_H

#include <stdint.h>

#include "base/text.h"

struct session;
struct session_incident;

/* Append the waits and the processor time that grew most, against a quiet stretch of the same
 * length, or why there is none.  `quiet_from_ns` becomes its start; unknown, it stays. */
void differs_append(struct text *text, uint64_t *quiet_from_ns, const struct session *session,
                    const struct session_incident *incident);

#endif
