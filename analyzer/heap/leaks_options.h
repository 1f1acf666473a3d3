/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What tprof leaks is asked; the findings ask for it as it is when the user says nothing.
 */
#ifndef HEAP_LEAKS_OPTIONS_H
#define HEAP_LEAKS_OPTIONS_H

#include <stdint.h>

struct leaks_options {
    uint64_t warmup_ns; /* left out at the start; UNKNOWN: a fifth of the time */
    double posterior;   /* from which on a site is suspect */
    uint64_t threshold_bytes;
};

#endif
