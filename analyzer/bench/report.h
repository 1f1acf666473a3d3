/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a benchmark: its points in two tables, and what a sweep says.
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include "bench/scaling.h"
#include "bench/sweep.h"
#include "document/document.h"

struct bench_report {
    struct document document;
    const struct results *results;
    const struct text_list *warnings;
    const char *swept;     /* name of the one numeric parameter, or NULL */
    struct array sweeps;   /* of struct bench_sweep, one a command */
    struct array scalings; /* of struct scaling, fitted; the same */
    struct bench_sweep_limits limits;
    uint64_t seed;
    bool is_interrupted;
    const struct table *functions; /* read from a file; NULL: they are made of samples */
    struct array blocks; /* of void *: what the tables stand on */
};

void bench_report_init(struct bench_report *report, const struct results *results);
void bench_report_fini(struct bench_report *report);

/* Make the table of all points with all columns, the main one, for programs. */
void bench_report_points(struct bench_report *report);

/* Make the rest; what people see of the points follows the rows of the main table as
 * they are then. */
void bench_report_rest(struct bench_report *report);

/* Make a document of scaling alone; `x` is what sizes are called. */
void scaling_report(struct document *document, const struct scaling *scaling, const char *x);

#endif
