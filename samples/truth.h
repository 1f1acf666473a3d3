/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample's own counts: the BLAS calls it made, counted next to each
 * call and without any profiler.  The tests compare a trace with these lines.
 *
 * Safety: a tally belongs to one thread; tallies are added when the threads
 * rest.
 */
#ifndef SAMPLES_TRUTH_H
#define SAMPLES_TRUTH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRUTH_HASH_START UINT64_C(0xcbf29ce484222325)

enum truth_routine {
    TRUTH_DGEMM,
    TRUTH_SAXPY,
    TRUTH_SGEMM,
    TRUTH_SGEMV,
    TRUTH_SOMATCOPY,
    TRUTH_ROUTINES
};

/* A sample makes a few dozen shapes; two sizes of part double them. */
enum { TRUTH_SHAPES_MAX = 256 };

/* A routine and its extents; one that the routine does not have is 1. */
struct truth_shape {
    enum truth_routine routine;
    uint64_t m, n, k;
};

struct truth_row {
    struct truth_shape shape;
    uint64_t calls;
};

struct truth {
    struct truth_row rows[TRUTH_SHAPES_MAX];
    size_t count;
};

/* Count one call.
 *
 * Errors: a shape too many ends the program with status 1.
 */
void truth_count(struct truth *truth, struct truth_shape shape);

/* Add the counts of another tally. */
void truth_add(struct truth *truth, const struct truth *other);

/* Sum the calls of one routine. */
uint64_t truth_calls(const struct truth *truth, enum truth_routine routine);

/* Sum the work of one routine.  Units: FLOPs, 2 m n k a call; a copy has none. */
uint64_t truth_flops(const struct truth *truth, enum truth_routine routine);

/* Print the totals and one line a shape, sorted by routine, m, n and k. */
void truth_print(struct truth *truth, FILE *file);

/* Go on with the FNV-1a hash of more bytes; start with TRUTH_HASH_START.
 *
 * Source: draft-eastlake-fnv, the 64-bit prime and offset basis.
 */
uint64_t truth_hash(uint64_t hash, const void *bytes, size_t size);

#endif
