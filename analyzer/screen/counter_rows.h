/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of `tprof run`, for the report and for `tprof info`.
 */
#ifndef SCREEN_COUNTER_ROWS_H
#define SCREEN_COUNTER_ROWS_H

#include "document/document.h"

struct session;

/* Add a row for each counter, with its value or why there is none, for programs. */
void counter_rows_add(struct document *document, const struct session *session);

/* Add the known counters as rows, and each reason once for the unknown ones. */
void counter_rows_add_text(struct document *document, const struct session *session);

/* Append the known counters in one line, and once the reason why the others are unknown. */
void counter_rows_append(struct text *line, const struct session *session);

#endif
