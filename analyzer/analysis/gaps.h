/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times without complete records in the trace: records are missing, a budget thinned them, or the
 * end of the run was not recorded.
 */
#ifndef ANALYSIS_GAPS_H
#define ANALYSIS_GAPS_H

#include <stdint.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "model/session_holes.h"
#include "spec/trace.h"

struct session;

enum gap_kind {
    GAP_HOLE, /* records of a thread are missing */
    GAP_LESS, /* a stage: less was recorded, of all threads */
    GAP_END   /* the end of the recording; the rest of the run is unknown */
};

struct gap {
    enum gap_kind kind;
    uint32_t thread; /* index in the session; SESSION_NONE: all */
    uint64_t from_ns;
    uint64_t to_ns; /* UNKNOWN of an end */
    union {
        enum session_hole_cause cause;
        enum trace_stage stage;
    };
};

/* Find all gaps: holes by thread and time, then stages, then the end.  `gaps` is an empty array of
 * struct gap, for the caller to finish.
 */
void gaps_find(struct array *gaps, const struct session *session);

/* Append a sentence on the missing data. */
void gap_append(struct text *text, const struct session *session, const struct gap *gap);

/* The key of a kind, "hole". */
const char *gap_key(enum gap_kind kind);

#endif
