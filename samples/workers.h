/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a sample: they share a piece of work by index and rest in
 * between.  One worker means no thread: the caller does the work itself.
 *
 * Safety: one thread starts, runs and stops a team.
 */
#ifndef SAMPLES_WORKERS_H
#define SAMPLES_WORKERS_H

#include <stddef.h>

struct workers;

/* The work of worker number `index`; `context` is shared by all. */
typedef void (*workers_task)(void *context, size_t index);

/* Start a team of `count` workers, each to do `task` once a run.
 *
 * Returns: the team, to be given to workers_stop.
 * Errors: a thread that cannot start ends the program with status 1.
 */
struct workers *workers_start(size_t count, workers_task task, void *context);

/* Let each worker do the task once, and wait for all of them. */
void workers_run(struct workers *workers);

/* End the threads and free the team. */
void workers_stop(struct workers *workers);

#endif
