/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The phases of a run: start-up, warm-up, steps or work, end.
 */
#ifndef STEPS_PHASES_H
#define STEPS_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/session_window.h"
#include "places/places.h"

struct session;

/* In their order.  The main one is the steps, or else the work. */
enum phase { PHASE_START, PHASE_WARM_UP, PHASE_MAIN, PHASE_END, PHASES };

/* The source of a phase's end.  Regions that the program marked go first. */
enum phase_by {
    PHASE_BY_NOTHING, /* it is empty, or lasts to the end */
    PHASE_BY_REGION,
    PHASE_BY_STEPS,
    PHASE_BY_KERNELS,
    PHASE_BY_SAMPLES, /* the start-up alone: where the loader and imports were last */
    PHASE_BY_REQUESTS, /* of a server */
    PHASE_BY_TASKS     /* of the workers of a pool */
};

/* Phases follow one another without a gap.  A missing phase is empty. */
struct phases {
    uint64_t border_ns[PHASES + 1]; /* the first 0, the last the wall time */
    enum phase_by ends_by[PHASES];
    const char *region[PHASES]; /* of those that a region ended: its path */
    uint32_t thread;            /* that runs the steps; else the first of the program */
    size_t steps;               /* in the main phase; 0: there are no steps */
    size_t warm_steps;          /* before it */
    double step_ns;             /* median of those from the next on whose end is known */
    size_t step_first;          /* with the steps of the warm-up: these are left out */
    size_t served;              /* waits that ended with a request or task; 0: unknown */
};

static inline uint64_t phase_length_ns(const struct phases *phases, enum phase phase)
{
    return phases->border_ns[phase + 1] - phases->border_ns[phase];
}

/* Find them.  `find` names the calls of samples: session_find_frames, but in tests.
 * Returns in `are`: whether any border is known. */
void phases_find(struct phases *phases, const struct session *session, places_finder find,
                 bool *are);

/* Returns: whether requests or tasks define the main phase. */
static inline bool phases_have_service(const struct phases *phases)
{
    return phases->ends_by[PHASE_START] == PHASE_BY_REQUESTS ||
           phases->ends_by[PHASE_START] == PHASE_BY_TASKS;
}

/* Returns: the key of a phase: "warm-up". */
const char *phase_name(const struct phases *phases, enum phase phase);

/* Find the window of the steps without their warm-up, or of requests or tasks, and whether their
 * processor time deserves its own table: it has samples, and the rest takes a tenth of the wall
 * time or more. */
void phases_find_steady(struct session_window *window, const struct session *session,
                        places_finder find, bool *is_worth);

#endif
