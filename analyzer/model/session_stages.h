/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages of a run: which records were reduced, when, and why; see spec/stages.def.
 */
#ifndef MODEL_SESSION_STAGES_H
#define MODEL_SESSION_STAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "model/session_unknown.h"
#include "spec/trace.h"

/* A stage began, or became coarser or finer: a distance, an interval, or one call in this many. */
struct session_stage {
    enum trace_stage stage;
    enum trace_stage_cause cause;
    uint64_t time_ns;
    uint64_t from;
    uint64_t to;
};

struct session_stages {
    uint64_t overhead_ppm;           /* budget, of the processor time; 0: none */
    uint64_t disk_bytes;             /* budget of the trace; 0: none */
    uint64_t exact_ns[TRACE_STAGES]; /* the time until the stage; UNKNOWN: to the end */
    struct array changes;            /* of struct session_stage, by time */
};

/* Are the records that a stage thins exact for the whole run? */
static inline bool session_stage_is_exact(const struct session_stages *stages,
                                          enum trace_stage stage)
{
    return stages->exact_ns[stage] == SESSION_UNKNOWN;
}

#endif
