/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of only tprof time.
 */
#ifndef CPU_TIME_OPTIONS_H
#define CPU_TIME_OPTIONS_H

#include <stddef.h>

struct time_options {
    double least_fraction; /* rows with a smaller total are left out; 0: none */
    size_t depth;          /* levels of a tree */
};

#endif
