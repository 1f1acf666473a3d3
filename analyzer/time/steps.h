/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a program: calls of a region that it marked, or else what
 * repeats in the kernels that a thread calls.
 */
#ifndef TIME_STEPS_H
#define TIME_STEPS_H

#include <stdbool.h>

#include "base/array.h"
#include "figures/analysis.h"

enum steps_source {
    STEPS_NONE,
    STEPS_REGION, /* the program marked a region, and called it again and again */
    STEPS_CALLS,  /* kernels with their shapes repeat in a thread */
    STEPS_KERNELS /* kernels repeat, and their shapes do not */
};

/* Times since the start of recording. */
struct step {
    uint64_t start_ns;
    uint64_t end_ns; /* of a region; else where the thread's next kernel begins */
};

/* What repeats within one repeat of the level above; the first level is that of the
 * steps. */
struct steps_level {
    size_t calls;   /* of kernels in one repeat */
    size_t repeats; /* in one of the level above */
    size_t first;   /* where the first begins, in calls behind the begin of the level above */
};

struct steps {
    enum steps_source source;
    const char *reason;   /* why there are none; NULL when there are */
    uint32_t thread;      /* index in the session's threads */
    uint32_t region;      /* of STEPS_REGION */
    struct array steps;   /* of struct step, in order; they do not overlap */
    bool is_last_cut;     /* where the last ends is not known: its end is that of its last kernel */
    struct array levels;  /* of struct steps_level, outermost first; none of a region */
    size_t calls;         /* that were looked through */
    size_t strays;        /* calls between steps that belong to none */
    size_t stray_places;  /* where such stand */
    size_t before, after; /* calls before the first step and after the last */
    size_t resized;       /* steps of another size that are between or after, and are none of
                             these; their calls are among the strays and those after */
    size_t resized_calls;
    bool is_whole; /* no call of the course is missing */
};

/* Find them.  Errors: STATUS_OUT_OF_MEMORY; nothing is to be finished then. */
enum status steps_init(struct steps *steps, const struct session *session) MUST_CHECK;
void steps_fini(struct steps *steps);

/* Count the steps of which the whole time is known. */
size_t steps_count_whole(const struct steps *steps);

#endif
