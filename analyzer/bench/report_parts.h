/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the report of a benchmark, one a file.
 */
#ifndef BENCH_REPORT_PARTS_H
#define BENCH_REPORT_PARTS_H

#include "bench/report.h"

/* Keep a block until the report ends. */
void report_keep_block(struct bench_report *report, void *block);

/* The two tables for people, from the main one. */
void report_add_points(struct bench_report *report);

/* Every run, for programs. */
void report_add_runs(struct bench_report *report);

/* Functions that became slower or faster, by samples. */
void report_add_functions(struct bench_report *report);

/* Start the table of all functions without rows, for callers with rows of their own; and make the
 * section for people from its rows. */
struct table *report_start_functions(struct bench_report *report) MUST_CHECK;
void report_show_functions(struct bench_report *report, const struct table *all);

void report_add_sweeps(struct bench_report *report);

/* Draw the first parts of a scaling; `x` is the name of the sizes. */
void report_add_curves(struct document *document, const struct scaling *scaling, const char *x);

/* The points of all curves, for programs.  Shape: `scalings` of struct scaling. */
void report_add_measured(struct document *document, const struct array *scalings);

/* Shape: `scalings` of struct scaling.  `x` is the name of the sizes. */
void report_add_scaling(struct document *document, const struct array *scalings, const char *x,
                        enum section_place place);

#endif
