/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of tprof memory; tprof leaks uses the callers, and tprof report the short lives.
 */
#ifndef HEAP_MEMORY_OPTIONS_H
#define HEAP_MEMORY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct memory_options {
    bool timeline;         /* the heap over time, not by site */
    size_t callers;        /* shown below a row, and levels of a tree from below; or as follows */
    double least_fraction; /* rows below this share are gathered into one */
    uint64_t short_ns;     /* up to where the session took a life for short */
};

/* The user gave no number of callers: a tree has all of them. */
#define MEMORY_CALLERS_UNASKED SIZE_MAX

/* Returns: how many callers are shown below a row. */
size_t memory_callers(const struct memory_options *options);

#endif
