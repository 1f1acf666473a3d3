/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of tprof leaks; the findings use the defaults.
 */
#ifndef HEAP_LEAKS_OPTIONS_H
#define HEAP_LEAKS_OPTIONS_H

#include <stdint.h>

struct leaks_options {
    uint64_t warmup_ns; /* left out at the start; UNKNOWN: a fifth of the time */
    double posterior;   /* a site is suspect from this probability on */
    uint64_t threshold_bytes;
};

#endif
