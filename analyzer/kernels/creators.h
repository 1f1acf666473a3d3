/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that make an object for others to execute: primitives, plans, sessions.
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
    const char *adapter; /* adapter of the kernels that execute the objects */
    /* The least calls, in all and of one shape, that count as repeated, however long they take.
     * FFTW may look for a good plan for seconds, and models differ. */
    uint64_t least, least_alike;
    const char *title, *why, *action, *refute, *see_names; /* texts for objects made again and
                                                              again */
    const char *once;                                      /* advice where it does not */
};

extern const struct creator creators[];
extern const size_t creator_count;

/* Ask whether a kernel of this name makes such objects.  `name`: may be NULL. */
bool creator_is(const struct creator *creator, const char *name);

/* Ask whether a kernel of this name frees such objects.  `name`: may be NULL. */
bool creator_frees(const struct creator *creator, const char *name);

/* Returns: the first row with that name; NULL if there is none. */
const struct creator *creators_find(const char *name);

/* Ask whether this many calls of one shape include repeated ones. */
bool creator_repeats(const struct creator *creator, const char *name, uint64_t calls);

/* Calls that make objects, and calls that execute them, without nested calls: a planner calls
 * planners. */
struct making {
    uint64_t calls;
    uint64_t again; /* calls of shapes that are made repeatedly */
    uint64_t executions;
};

struct making creators_count(const struct groups *groups, const struct creator *creator);

#endif
