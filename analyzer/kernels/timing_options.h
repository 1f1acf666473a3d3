/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tprof timing alone is asked.
 */
#ifndef KERNELS_TIMING_OPTIONS_H
#define KERNELS_TIMING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct timing_options {
    bool nearest_rank; /* percentiles are values that were seen */
    bool oneline;      /* a line a row */
    bool histogram;    /* with all that is known of each row */
    bool calls;        /* every call, one a row */
    size_t slowest;    /* so many calls far from their like instead; 0: did not ask */
};

#endif
