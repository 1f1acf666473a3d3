/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running the points of a benchmark: prepare, execute, read the trace at once.
 */
#ifndef CMD_BENCH_RUNNER_H
#define CMD_BENCH_RUNNER_H

#include <limits.h>

#include "bench/schedule.h"

struct bench_runner {
    char shim[PATH_MAX];
    char folder[PATH_MAX]; /* the folder of the traces */
    bool keeps_traces;     /* the folder is the user's */
    bool shows_output;
    int64_t start_ns;
};

/* Prepare for a plan: the shim, a folder for traces; `keep` is the user's, or NULL.
 * Errors: STATUS_UNSUPPORTED: a program that nothing can be preloaded into;
 * STATUS_IO: no shim, no folder. */
enum status bench_runner_init(struct bench_runner *runner, const struct plan *plan,
                              const char *keep, struct diagnostic *diagnostic) MUST_CHECK;
void bench_runner_fini(struct bench_runner *runner);

/* For struct schedule_runner; `of` is a struct bench_runner. */
enum status bench_runner_run(void *of, const struct plan_point *point, struct sample *sample,
                             struct diagnostic *diagnostic) MUST_CHECK;
void bench_runner_show(void *of, const struct schedule_progress *progress);

#endif
