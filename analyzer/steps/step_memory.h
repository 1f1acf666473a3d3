/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The peak of the live heap in each step, and what ran at it.
 */
#ifndef STEPS_STEP_MEMORY_H
#define STEPS_STEP_MEMORY_H

#include "kernels/roles.h"
#include "steps/steps.h"

struct step_peak {
    size_t step;
    uint64_t bytes;   /* of the live heap */
    uint64_t time_ns; /* of the stretch that holds it; or UNKNOWN */
    enum role role;   /* of the op that ran at it; else of the kernel that the steps' thread was in
                         for the most of that stretch; ROLES: neither tells one */
};

struct step_memory {
    struct array peaks; /* of struct step_peak: the steps with a known peak, in order */
    size_t most;        /* the one with the highest */
    uint64_t median_bytes;
    size_t at_role[ROLES + 1]; /* steps by what ran at their peak */
    const char *reason;        /* why none is told; NULL when some are */
};

/* Find them. */
void step_memory_find(struct step_memory *memory, const struct steps *steps,
                      const struct session *session, const struct roles *roles);
void step_memory_fini(struct step_memory *memory);

/* "attention: projections", or "other code". */
const char *step_memory_place(enum role role);

#endif
