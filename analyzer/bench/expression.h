/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Arithmetic on numbers, such as "32 * 128": --items after its parameters are
 * replaced.  The language is that of the catalog's formulas.
 */
#ifndef BENCH_EXPRESSION_H
#define BENCH_EXPRESSION_H

#include "base/status.h"

/* Compute an expression; `option` names it in the diagnostic.
 * Errors: STATUS_USAGE: it is no expression, or not a number above 0. */
enum status expression_compute(const char *option, const char *text, double *number,
                               struct diagnostic *diagnostic) MUST_CHECK;

#endif
