/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of only tprof timing.
 */
#ifndef KERNELS_TIMING_OPTIONS_H
#define KERNELS_TIMING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct timing_options {
    bool nearest_rank; /* percentiles are values that were seen */
    bool oneline;      /* one line for each row */
    bool histogram;    /* with everything known about each row */
    bool calls;        /* every call, one a row */
    size_t slowest;    /* the number of slowest calls to show instead; 0: not requested */
};

#endif
