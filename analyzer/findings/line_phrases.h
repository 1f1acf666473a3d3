/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of code does, by its text: operations that no function in a chain names.
 */
#ifndef FINDINGS_LINE_PHRASES_H
#define FINDINGS_LINE_PHRASES_H

#include <stdbool.h>

/* Returns: the name of the advice for a line of Python without blanks at its ends; NULL: it does
 * nothing that is known to take long. */
const char *line_phrases_find_advice(const char *line);

/* Find why a line holds much memory.
 * Returns: the name of the advice; NULL: the text does not tell. */
const char *line_phrases_find_memory_advice(const char *line, bool is_python);

/* Ask whether a line of Python multiplies matrices, and calls nothing that takes each element. */
bool line_phrases_multiplies_matrices(const char *line);

/* Ask whether a line of Python takes one column of an array: "a[:, j]". */
bool line_phrases_takes_column(const char *line);

/* Ask whether a line adds up products of elements: "sum += a[i][k] * b[k][j]". */
bool line_phrases_sums_products(const char *line);

#endif
