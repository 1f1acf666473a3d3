/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides of made-up runs from a few lines of text, for the tests of comparisons.
 *
 *     kernel gemm m=4 n=5  calls=10  total_ns=100,102,99
 *
 * A line is a row of every run of the side: subject, name, shape, and quantities by their keys.
 * Values separated by commas are those of the runs in turn, a single value is for all, and "-" is
 * unknown; a row without any known value in a run is absent there.  "100~5" is an estimate with a
 * standard error of 5, "100~-" one of unknown error; a run with an estimated peak heap has drawn
 * blocks.  "at=FILE:LINE" is the place of a row.  "fact NAME VALUE" is a fact of all runs, with a
 * " = " in between if the name has spaces.  The side has as many runs as the longest list has
 * values.
 */
#ifndef UNIT_MADE_RUNS_H
#define UNIT_MADE_RUNS_H

#include "runs/run.h"

void made_runs_init(struct run_side *side, const char *label, const char *lines);

/* Add a kernel's calls one by one to the only run of a side. */
void made_runs_add_calls(struct run_side *side, const char *kernel, const double *ns, size_t count);

#endif
