/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In which order the points of a plan run, and when there are enough runs.
 *
 * Points are interleaved: in each round every point that needs more runs gets one,
 * in an order drawn anew, so that what slows the machine down for a while slows all
 * points alike.  First come the rounds that warm up.
 *
 * Where the user states no number, a point is run until it has SCHEDULE_LEAST runs
 * and SCHEDULE_LEAST_NS of them; but no more than SCHEDULE_MOST, and where these take
 * more than SCHEDULE_MOST_NS, SCHEDULE_SLOW are enough: with 5 a side the exact
 * rank test can still reach p = 0.008.  Many comparisons take more: the caller says.
 *
 * What runs a point is the caller's, so that no program need be started to test this.
 */
#ifndef BENCH_SCHEDULE_H
#define BENCH_SCHEDULE_H

#include <stdint.h>

#include "bench/plan.h"
#include "bench/sample.h"

enum { SCHEDULE_LEAST = 10, SCHEDULE_MOST = 500, SCHEDULE_SLOW = 5 };
#define SCHEDULE_LEAST_NS 3e9
#define SCHEDULE_MOST_NS 60e9

struct schedule_progress {
    const struct plan_point *point; /* that runs next; NULL: none does */
    size_t done;                    /* runs */
    size_t whole;                   /* as far as can be told */
    double ran_ns;                  /* sum of the wall times */
    double left_ns;                 /* the same of those to come; NAN: cannot be told yet */
};

struct schedule_runner {
    void *of;
    /* Run a point once.  Errors: with a diagnostic, which end the benchmark. */
    enum status (*run)(void *of, const struct plan_point *point, struct sample *sample,
                       struct diagnostic *diagnostic);
    void (*show)(void *of, const struct schedule_progress *progress); /* or NULL */
    uint64_t seed;
    unsigned runs_least; /* of a point for which the user states no number; may be 0 */
    bool ignores_failures;
};

/* Run the plan.  `samples` gets all runs, also those before an error.
 * Shape: of struct sample, in the order of time; the caller's to finish.
 * Errors: those of the runner; STATUS_POLICY_FAILED with a diagnostic: a run failed.
 * Returns: also STATUS_OK when the user interrupted: the last sample says so. */
enum status schedule_run(const struct plan *plan, const struct schedule_runner *runner,
                         struct array *samples, struct diagnostic *diagnostic) MUST_CHECK;

#endif
