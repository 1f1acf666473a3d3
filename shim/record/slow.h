/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Leaving the common path: what a slow side must give back to the program, and the time
 * that it took, which is part of what we cost.
 */
#ifndef RECORD_SLOW_H
#define RECORD_SLOW_H

#include <stdint.h>

#include "platform/vectors.h"

struct slow {
    int saved_errno;
    uint64_t start;
    struct vectors vectors; /* of a kernel's call */
};

void slow_begin(struct slow *slow);

/* The time goes into the trace. */
void slow_end(const struct slow *slow);

#endif
