/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels that make an object which others execute: primitives, plans, sessions.
 */
#ifndef ANALYSIS_MAKERS_H
#define ANALYSIS_MAKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maker {
    const char *names; /* glob */
    /* Calls in all, and of one shape: fewer are not again and again, however long they take.
     * FFTW may look for a good plan for seconds, and of models each is another. */
    uint64_t least, least_alike;
    const char *title, *why, *action, *refute, *see_names; /* where it makes again and again */
};

extern const struct maker makers[];
extern const size_t maker_count;

/* Is this the name of such a kernel; of any?  `name`: may be NULL. */
bool maker_is(const struct maker *maker, const char *name);
bool makers_have(const char *name);

#endif
