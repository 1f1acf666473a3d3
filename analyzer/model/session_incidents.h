/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Incidents: moments that met a condition of TPROF_KEEP, and whose events were kept.
 */
#ifndef MODEL_SESSION_INCIDENTS_H
#define MODEL_SESSION_INCIDENTS_H

#include <stdint.h>

#include "spec/trace.h"

/* A condition; its times are in ticks of the trace. */
struct session_keep {
    struct trace_keep raw;
    uint64_t limit_ns; /* of a request; else SESSION_UNKNOWN */
    uint64_t worst_ns; /* of a request and of a step; else, and without one, SESSION_UNKNOWN */
};

/* Times are since the start of the recording, also of a session that is a window. */
struct session_incident {
    struct trace_incident raw;
    uint32_t number; /* from 1, as the user says it */
    enum trace_incident_cause cause;
    const char *subject; /* an endpoint, a region or a snapshot; NULL: none */
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t from_ns; /* of its window */
    uint64_t to_ns;
    uint64_t value_ns;   /* of a request and of a step; else SESSION_UNKNOWN */
    uint64_t limit_ns;   /* of these */
    uint64_t missing_ns; /* records up to then had been overwritten; 0: none */
};

#endif
