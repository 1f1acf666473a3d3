/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of processor time as rows: lines, functions, files, libraries or callers.  Each row
 * counts the samples in itself, and in itself or its callees.
 *
 * By line, a kernel of the catalog counts for the line that calls it, as in tprof time --by line.
 * A kernel in the program's own executable counts for its own lines.
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
    struct place place;                    /* one of the places of the row; no function if the
                                              samples have no call chain */
    const struct places_function *caller;  /* for a function without a name, and for all rows by
                                              caller: the innermost caller with a useful name; or
                                              NULL */
    uint32_t slot;   /* without a call chain: the slot of the running kernel, or SESSION_NONE */
    double self_ns;  /* processor time in it */
    double total_ns; /* and in its callees, recursion not twice */
    double interpreter_ns; /* Python code: time in the interpreter, without garbage collection */
    double native_ns;      /* Python code: time in native code that it called directly, kernels
                              included */
    uint64_t self_samples;
    uint64_t total_samples;
    uint64_t runs; /* runs of consecutive samples in it, in a thread */
    uint32_t seen; /* the fact that was counted last, and one */
};

struct line_rows {
    struct array rows; /* of struct line_row */
    struct cpu_time time;
    enum analysis_by by;
    struct array facts;   /* of struct line_fact */
    uint32_t *of_sample;  /* by sample: the index of its fact */
    struct fold fold;
    struct fold known;    /* the fold of places already met, each with its caller */
    struct array indices; /* uint32_t: the rows of `known` */
    struct array chain;   /* const struct place *, the current chain */
};

/* Sum up the samples of a session. */
void line_rows_init(struct line_rows *rows, const struct session *session,
                    const struct analysis_options *options);

#endif
