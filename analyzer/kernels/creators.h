/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that make an object which others execute: primitives, plans, sessions.
 */
#ifndef KERNELS_CREATORS_H
#define KERNELS_CREATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/groups.h"

struct creator {
    const char *names;   /* glob */
    const char *frees;   /* glob, of functions called once for each made object */
    const char *adapter; /* of the kernels that execute the objects */
    /* Least calls in all, and of one shape, to be repeated, however long they take.  FFTW may look
     * for a good plan for seconds, and models differ. */
    uint64_t least, least_alike;
    const char *title, *why, *action, *refute, *see_names; /* where it makes again and again */
    const char *once;                                      /* advice where it does not */
};

extern const struct creator creators[];
extern const size_t creator_count;

/* Is this the name of such a kernel?  `name`: may be NULL. */
bool creator_is(const struct creator *creator, const char *name);

/* Does a kernel of this name free the objects of such a kernel?  `name`: may be NULL. */
bool creator_frees(const struct creator *creator, const char *name);

/* Returns: the first row of that name; NULL where there is none. */
const struct creator *creators_find(const char *name);

/* Are so many calls of one shape some that are made again? */
bool creator_repeats(const struct creator *creator, const char *name, uint64_t calls);

/* Calls that make objects, and calls that execute them, without those inside one another: a planner
 * calls planners. */
struct making {
    uint64_t calls;
    uint64_t again; /* of these, those of shapes that are made again */
    uint64_t executions;
};

struct making creators_count(const struct groups *groups, const struct creator *creator);

#endif
