/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report of a benchmark: its points in two tables, and the result of a
 * sweep.
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
    const struct table *functions; /* read from a file; NULL: computed from samples */
    struct array blocks; /* void *: memory of the tables */
};

void bench_report_init(struct bench_report *report, const struct results *results);
void bench_report_fini(struct bench_report *report);

/* Make the table of all points with all columns, the main one, for programs. */
void bench_report_points(struct bench_report *report);

/* Make the rest.  Tables for people show the rows that the main table has at this time. */
void bench_report_rest(struct bench_report *report);

/* Make a document of only the scaling; `x` names the sizes. */
void scaling_report(struct document *document, const struct scaling *scaling, const char *x);

#endif
