/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns that the user computes from others: NAME=EXPRESSION, with numbers, names, + - * / and
 * parentheses.  The catalog's formulas have whole numbers only, and cannot be used here.
 */
#ifndef COMPARE_DERIVE_H
#define COMPARE_DERIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"

/* Give the value of a name, `size` bytes long; NAN when it is unknown.
 * Returns: whether the name exists. */
typedef bool (*derive_finder)(const void *of, const char *name, size_t size, double *value);

/* Compute an expression.  A quotient by 0 is unknown.
 * Errors: STATUS_USAGE with a diagnostic that points at the place. */
enum status derive_evaluate(const char *expression, derive_finder find, const void *of,
                            double *value, struct diagnostic *diagnostic) MUST_CHECK;

#endif
