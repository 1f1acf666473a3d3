/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Incidents: moments whose events are kept, though a capacity would have them overwritten.
 *
 * The thread that meets a condition of TPROF_KEEP fills in a place in the trace.  Before a chunk
 * is reused, trace/file.c looks at these places.  So there is no thread and no copy, and a
 * kill loses nothing.
 *
 * Safety: any thread, also a signal handler, at any time; takes no lock and makes no system call.
 * Budget of a condition that is not met: one comparison.
 *
 * Decision: doc/decisions/incidents.
 */
#ifndef RECORD_INCIDENTS_H
#define RECORD_INCIDENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/settings.h"

/* What met a condition. */
struct incidents_moment {
    enum trace_incident_cause cause;
    uint32_t subject; /* string id; 0: none */
    uint64_t start;   /* in ticks */
    uint64_t end;
    uint64_t value; /* in ticks or bytes; 0: none */
    uint64_t limit;
};

/* Make an incident of a moment, or count why it is none. */
void incidents_note(const struct incidents_moment *moment);

/* The same for a request. */
static inline bool incidents_is_slow_request(uint64_t ticks)
{
    return UNLIKELY(settings.keeps[TRACE_INCIDENT_REQUEST]) &&
           ticks > process->incidents.request_ticks;
}

void incidents_note_request(const struct trace_request *request);

/* The call of a region has ended; its node counts it.  `depth`: of the regions around it. */
static inline bool incidents_watch_steps(void)
{
    return UNLIKELY(settings.keeps[TRACE_INCIDENT_STEP]);
}

void incidents_check_step(const struct trace_node *node, uint32_t depth, uint64_t start,
                          uint64_t now);

/* A new label of the trace, which may be the name of steps.  The caller holds the process lock. */
void incidents_learn_label(uint32_t id, const char *text);

/* The live heap passed its limit, or fell well below it. */
COLD void incidents_change_heap(int64_t bytes, uint64_t now);

/* The live heap has changed. */
static inline void incidents_check_heap(int64_t bytes, uint64_t now)
{
    const struct process_incidents *incidents = &process->incidents;

    if (UNLIKELY(settings.keeps[TRACE_INCIDENT_HEAP]) &&
        (bytes > atomic_load_explicit(&incidents->heap_most, memory_order_relaxed) ||
         bytes < atomic_load_explicit(&incidents->heap_least, memory_order_relaxed)))
        incidents_change_heap(bytes, now);
}

/* The signal came; the program took a snapshot. */
void incidents_note_signal(uint32_t label);
void incidents_note_snapshot(uint32_t label);

/* A member of a row of room.h: the conditions and the places are written. */
void incidents_keep(void);

#endif
