/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The steps of a program: calls of a marked region, else steps by ops of PyTorch, else repeats in
 * the sequence of a thread's kernel calls.
 */
#ifndef STEPS_STEPS_H
#define STEPS_STEPS_H

#include <stdbool.h>

#include "analysis/analysis.h"
#include "base/array.h"

enum steps_source {
    STEPS_NONE,
    STEPS_REGION, /* the program marked a region, and called it again and again */
    STEPS_OPTIMIZER, /* each ends with a step of an optimizer */
    STEPS_BACKWARD,  /* each ends with a pass that computes gradients */
    STEPS_MODULE,    /* calls of the outermost module that takes the most time */
    STEPS_CALLS,  /* kernels with their shapes repeat in a thread */
    STEPS_KERNELS /* kernels repeat, and their shapes do not */
};

/* Caches and allocators warm up in at least this many steps. */
enum { STEPS_FIRST = 3 };

/* Times since the start of recording. */
struct step {
    uint64_t start_ns;
    uint64_t end_ns; /* end of the region, else start of the thread's next kernel */
    bool begins_epoch; /* before it, the data loader restarted or a validation ended */
};

/* Repeats inside one repeat of the level above.  The first level has the steps. */
struct steps_level {
    size_t calls;   /* kernel calls in one repeat */
    size_t repeats; /* repeats in one of the level above */
    size_t first;   /* calls before the first repeat, from the start of the level above */
};

struct steps {
    enum steps_source source;
    const char *reason;   /* why there are none; NULL: there are some */
    uint32_t thread;      /* index in the session's threads */
    uint32_t region;      /* for STEPS_REGION */
    uint32_t op;          /* for STEPS_OPTIMIZER: the op that ended the first step */
    uint32_t layer;       /* for STEPS_MODULE */
    size_t backwards;     /* backward passes in all steps, if ops define these */
    struct array steps;   /* of struct step, in order; they do not overlap */
    bool is_last_cut;     /* the end of the last step is unknown: it ends with its last kernel */
    struct array levels;  /* of struct steps_level, outermost first; none of a region */
    size_t calls;         /* number of searched calls */
    size_t strays;        /* calls between steps, in no step */
    size_t stray_places;  /* gaps between steps with such calls */
    size_t before, after; /* calls before the first step and after the last */
    size_t resized;       /* further steps of another size; their calls are in strays and after */
    size_t resized_calls;
    bool is_whole; /* no call of the course and no op is missing */
};

/* Find the steps. */
void steps_init(struct steps *steps, const struct session *session);
/* Say below a table why there are no steps. */
void steps_say_none(struct table *table, const struct steps *steps);

/* Returns: whether the steps are marked or found by ops, and not inferred. */
bool steps_are_told(const struct steps *steps);

/* Count the steps with a known end. */
size_t steps_count_whole(const struct steps *steps);

#endif
