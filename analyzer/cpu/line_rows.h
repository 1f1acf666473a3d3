/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of processor time as rows: lines, functions, files, libraries or callers, each with
 * the samples in it, and in it or its callees.
 *
 * By line, a kernel of the catalog counts for the line that calls it, as in tprof time --by line.
 * Where the program has the kernel in its own executable, it counts for the lines inside.
 */
#ifndef CPU_LINE_ROWS_H
#define CPU_LINE_ROWS_H

#include <stdint.h>

#include "analysis/analysis.h"
#include "base/array.h"
#include "cpu/cpu_time.h"
#include "places/places.h"
#include "rows/fold.h"

struct session;

struct line_row {
    struct place place;                    /* one of those that it stands for; no function where
                                              the samples have no call chain */
    const struct places_function *caller;  /* of a function without a name, and by caller of all:
                                              the innermost caller with a useful name; or NULL */
    uint32_t slot;   /* without a call chain: of the kernel that was running, or SESSION_NONE */
    double self_ns;  /* processor time in it */
    double total_ns; /* and in its callees, recursion not twice */
    double interpreter_ns; /* of Python code: the interpreter ran it; garbage is not collected */
    double native_ns;      /* of Python code: native code ran that it called itself, kernels too */
    uint64_t self_samples;
    uint64_t total_samples;
    uint64_t runs; /* of samples in it, one after the other in a thread */
    uint32_t seen; /* the fact that was counted last, and one */
};

struct line_rows {
    struct array rows; /* of struct line_row */
    struct cpu_time time;
    enum analysis_by by;
    struct array facts;   /* of struct line_fact */
    uint32_t *of_sample;  /* by sample: its fact */
    struct fold fold;
    struct fold known;    /* of places that were seen, each with its caller */
    struct array indices; /* of uint32_t: the rows of these */
    struct array chain;   /* of const struct place *, of the chain in hand */
};

/* Sum up the samples of a session. */
void line_rows_init(struct line_rows *rows, const struct session *session,
                    const struct analysis_options *options);

#endif
