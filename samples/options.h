/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command line of a model.  The rows of one table are the options there
 * are; a program says which of them it takes and what they are if not given.
 * Another table has the bottlenecks that can be planted with --naive: the same
 * numbers, computed the way that a profiler should object to.
 */
#ifndef SAMPLES_OPTIONS_H
#define SAMPLES_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum option_id {
    OPTION_BATCH,
    OPTION_SEQ,
    OPTION_D_MODEL,
    OPTION_HEADS,
    OPTION_LAYERS,
    OPTION_STEPS,
    OPTION_THREADS,
    OPTION_SEED,
    OPTIONS_COUNT
};

enum naive_way {
    NAIVE_ALLOC,
    NAIVE_ATTENTION,
    NAIVE_DOUBLE,
    NAIVE_GEMV,
    NAIVE_REORDER,
    NAIVE_WAYS
};

/* An option that a program does not take has the standard value 0. */
struct options_program {
    const char *name;
    const char *summary;
    uint64_t standard[OPTIONS_COUNT];
    uint64_t training_steps; /* the standard of --steps with --train */
    /* The meaning of each bottleneck in this program; NULL if it has none. */
    const char *naive_ways[NAIVE_WAYS];
};

struct options {
    uint64_t values[OPTIONS_COUNT];
    bool train;
    bool is_naive[NAIVE_WAYS];
};

enum options_result { OPTIONS_READ, OPTIONS_HELPED, OPTIONS_REFUSED };

/* Read the arguments of a program into `options`.
 *
 * Returns: OPTIONS_READ; OPTIONS_HELPED when --help was asked for and printed.
 * Errors: OPTIONS_REFUSED: one line on stderr has said why.
 */
enum options_result options_read(const struct options_program *program, char **arguments,
                                 struct options *options);

/* Give the exit status of a result that ends the program: 0 or 2. */
int options_exit_status(enum options_result result);

#endif
