/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the report of a benchmark, one a file.
 */
#ifndef BENCH_REPORT_PARTS_H
#define BENCH_REPORT_PARTS_H

#include "bench/report.h"

/* Keep a block until the report ends; NULL is passed on as no memory. */
enum status report_keep_block(struct bench_report *report, void *block) MUST_CHECK;

/* The two tables for people, from the main one. */
enum status report_add_points(struct bench_report *report) MUST_CHECK;

/* Every run, for programs. */
enum status report_add_runs(struct bench_report *report) MUST_CHECK;

/* Functions that became slower or faster, by samples. */
enum status report_add_functions(struct bench_report *report) MUST_CHECK;

/* The table of all of them, without rows, for who has them from elsewhere; and from its rows
 * what people see.  Returns: NULL when memory ran out. */
struct table *report_start_functions(struct bench_report *report) MUST_CHECK;
enum status report_show_functions(struct bench_report *report,
                                  const struct table *all) MUST_CHECK;

enum status report_add_sweeps(struct bench_report *report) MUST_CHECK;

/* Draw the first parts of a scaling; `x` is what sizes are called. */
enum status report_add_curves(struct document *document, const struct scaling *scaling,
                              const char *x) MUST_CHECK;

/* The points of all curves, for programs.  Shape: `scalings` of struct scaling. */
enum status report_add_measured(struct document *document,
                                const struct array *scalings) MUST_CHECK;

/* Shape: `scalings` of struct scaling.  `x` is what sizes are called. */
enum status report_add_scaling(struct document *document, const struct array *scalings,
                               const char *x, enum section_place place) MUST_CHECK;

#endif
