/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of runs of a plan's points, and the number of runs.
 *
 * Points are interleaved: each round gives one run to every point that needs more, in a new random
 * order.  So a temporary slowdown of the machine slows all points alike.  Warm-up rounds come
 * first.
 *
 * Without a number from the user, a point runs until it has SCHEDULE_LEAST runs and
 * SCHEDULE_LEAST_NS of run time, but at most SCHEDULE_MOST runs.  If these take more than
 * SCHEDULE_MOST_NS, SCHEDULE_SLOW runs are enough: with 5 a side the exact rank test can still
 * reach p = 0.008.  Many comparisons need more runs: the caller says how many.
 *
 * The caller runs the points, so tests need not start programs.
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
    const struct plan_point *point; /* the next to run; NULL: none */
    size_t done;                    /* runs */
    size_t whole;                   /* the estimated number of all runs */
    double ran_ns;                  /* sum of the wall times */
    double left_ns;                 /* expected time of the runs to come; NAN: unknown yet */
};

struct schedule_runner {
    void *of;
    /* Run a point once.  Errors: any, with a diagnostic; an error ends the benchmark. */
    enum status (*run)(void *of, const struct plan_point *point, struct sample *sample,
                       struct diagnostic *diagnostic);
    void (*show)(void *of, const struct schedule_progress *progress); /* or NULL */
    uint64_t seed;
    unsigned runs_least; /* for a point without a number from the user; may be 0 */
    bool ignores_failures;
};

/* Run the plan.  `samples` gets all runs, even those before an error.
 * Shape: of struct sample, in the order of time; the caller's to finish.
 * Errors: those of the runner; STATUS_POLICY_FAILED with a diagnostic: a run failed.
 * Returns: also STATUS_OK when the user interrupted: the last sample says so. */
enum status schedule_run(const struct plan *plan, const struct schedule_runner *runner,
                         struct array *samples, struct diagnostic *diagnostic) MUST_CHECK;

#endif
