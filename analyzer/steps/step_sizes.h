/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps of another size, such as the smaller batch at the end of an epoch: the kernels of a step,
 * in its order but with other shapes.  Pure functions.
 */
#ifndef STEPS_STEP_SIZES_H
#define STEPS_STEP_SIZES_H

#include <stddef.h>
#include <stdint.h>

struct session;

/* The calls of a thread: for each, the number of its kernel and shape, and the end of its run (the
 * index after the run's last call). */
struct step_course {
    const struct session *session;
    const struct course_call *calls;
    const uint32_t *symbols;
    const uint32_t *run_ends;
};

/* Find the runs of `count` symbols: consecutive calls of the same symbol.
 * Returns: the end of each call's run, in memory of the pool in use. */
uint32_t *step_sizes_find_runs(const uint32_t *symbols, size_t count);

/* Some of these calls. */
struct step_stretch {
    size_t first;
    size_t count;
};

/* Follow the kernels of a step through a stretch, from its start.  A kernel with several calls of
 * one shape may have more or fewer of them here, for example one product for each item of a batch.
 * Returns: the calls of the stretch that form such a step; 0 when it starts with none, or when the
 * step is too short. */
size_t step_sizes_match(const struct step_course *course, const struct step_stretch *step,
                        const struct step_stretch *stretch);

#endif
