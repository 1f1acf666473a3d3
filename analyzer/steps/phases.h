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
    PHASE_BY_NOTHING, /* the phase is empty or lasts to the end */
    PHASE_BY_REGION,
    PHASE_BY_STEPS,
    PHASE_BY_KERNELS,
    PHASE_BY_SAMPLES, /* only for the start-up: the last moment of the loader and imports */
    PHASE_BY_REQUESTS, /* requests of a server */
    PHASE_BY_TASKS     /* tasks of a pool's workers */
};

/* Phases follow one another without a gap.  A missing phase is empty. */
struct phases {
    uint64_t border_ns[PHASES + 1]; /* the first 0, the last the wall time */
    enum phase_by ends_by[PHASES];
    const char *region[PHASES]; /* for phases that a region ended: its path */
    uint32_t thread;            /* thread that runs the steps; else the program's first */
    size_t steps;               /* steps of the main phase; 0: there are none */
    size_t warm_steps;          /* steps before the main phase */
    double step_ns;             /* median of the steps, from the next field on, whose end is
                                   known */
    size_t step_first;          /* counts the warm-up steps, which are left out */
    size_t served;              /* waits that ended with a request or task; 0: unknown */
};

static inline uint64_t phase_length_ns(const struct phases *phases, enum phase phase)
{
    return phases->border_ns[phase + 1] - phases->border_ns[phase];
}

/* Find the phases.  `find` names the calls of samples: session_find_frames, except in tests.
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

/* Find the window of the steps without their warm-up, or of requests or tasks.  Also find whether
 * its processor time deserves a separate table: it has samples, and the rest takes a tenth of the
 * wall time or more. */
void phases_find_steady(struct session_window *window, const struct session *session,
                        places_finder find, bool *is_worth);

#endif
