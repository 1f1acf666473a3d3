/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budgets of recording, its cost, and the records left out to keep the budgets.
 */
#ifndef SCREEN_STAGE_ROWS_H
#define SCREEN_STAGE_ROWS_H

#include "document/document.h"

struct session;

/* Append the budgets, the records left out for them, and how to record all.  Appends nothing if all
 * was recorded. */
void stage_rows_append(struct text *line, const struct session *session);

/* Add a record of the budgets and a table of the changes. */
void stage_rows_add(struct document *document, const struct session *session,
                    enum section_place place);

#endif
