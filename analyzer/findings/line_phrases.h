/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of Python code does, by its text: operations of the language that no function names.
 */
#ifndef FINDINGS_LINE_PHRASES_H
#define FINDINGS_LINE_PHRASES_H

/* Returns: the name of the advice for a line without blanks at its ends; NULL: it does nothing that
 * is known to take long. */
const char *line_phrases_find_advice(const char *line);

#endif
