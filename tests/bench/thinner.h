/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns an exact trace into one with reduced blocks: points are drawn on the bytes of its blocks,
 * and its records are rewritten as the shim writes them in its stages.
 *
 * Usable bytes are those of glibc's malloc on 64-bit machines: multiples of 16 bytes, less 8 for
 * the allocator itself.
 */
#ifndef BENCH_THINNER_H
#define BENCH_THINNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thinner;

/* Stages start at shares of the records of blocks, from 0 on; with 1 or more they never start. */
struct thinner_plan {
    uint64_t seed;
    uint64_t distance; /* mean bytes between points */
    double chains;
    double blocks;
    double coarser; /* from then on, points are four times as far apart */
};

/* Read a trace that is not packed.  Returns: NULL, after saying why on standard error. */
struct thinner *thinner_open(const char *path);

void thinner_close(struct thinner *thinner);

/* Returns: the records of blocks. */
size_t thinner_count(const struct thinner *thinner);

/* Write the trace as it would be.  Returns: whether it was written. */
bool thinner_write(struct thinner *thinner, const struct thinner_plan *plan, int descriptor);

/* Write the exact trace with usable bytes for sizes. */
bool thinner_write_usable(struct thinner *thinner, int descriptor);

#endif
