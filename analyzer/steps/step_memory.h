/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The peak of the live heap in each step, and the role of the code at the peak.
 */
#ifndef STEPS_STEP_MEMORY_H
#define STEPS_STEP_MEMORY_H

#include "kernels/roles.h"
#include "steps/steps.h"

struct step_peak {
    size_t step;
    uint64_t bytes;   /* bytes of the live heap */
    uint64_t time_ns; /* start of its stretch; or UNKNOWN */
    enum role role;   /* role of the op at the peak; else of the kernels with most of the stretch in
                         the steps' thread; ROLES: unknown */
};

struct step_memory {
    struct array peaks; /* of struct step_peak: the steps with a known peak, in order */
    size_t most;        /* the one with the highest */
    uint64_t median_bytes;
    size_t at_role[ROLES + 1]; /* steps by the role at their peak */
    const char *reason;        /* why all peaks are unknown; NULL: some are known */
};

/* Find the peaks. */
void step_memory_find(struct step_memory *memory, const struct steps *steps,
                      const struct session *session, const struct roles *roles);
/* "attention: projections", or "other code". */
const char *step_memory_place(enum role role);

#endif
