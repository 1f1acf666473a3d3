/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The phases of a run: start-up, steps or kernels, end.
 */
#ifndef SCREEN_PHASES_H
#define SCREEN_PHASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/status.h"
#include "model/session_window.h"

struct session;

/* What stands out: a phase below a twentieth of the wall time does not. */
enum { PHASES_NOTICED_PART = 20 };

/* The middle is the steps, or else from the first kernel to the last. */
struct phases {
    uint64_t from_ns;
    uint64_t to_ns;
    double step_ns; /* median */
    size_t steps;   /* 0: there are no steps */
};

/* Find them, and whether they are worth showing.  `phases` is zero before.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status phases_find(struct phases *phases, const struct session *session,
                        bool *are) MUST_CHECK;

/* Find the window of the steps, and whether their processor time is worth telling alone: it has
 * samples, and the rest takes a tenth of the wall time or more.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status phases_find_steady(struct session_window *window, const struct session *session,
                               bool *is_worth) MUST_CHECK;

#endif
