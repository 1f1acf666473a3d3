/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What recording was allowed to cost, what it cost, and what it left out for that.
 */
#ifndef SCREEN_STAGE_ROWS_H
#define SCREEN_STAGE_ROWS_H

#include "document/document.h"

struct session;

/* Append the budgets, what they made tprof leave out, and how all is recorded; nothing where all
 * was. */
void stage_rows_append(struct text *line, const struct session *session);

/* Add a record of the budgets and a table of the changes. */
void stage_rows_add(struct document *document, const struct session *session,
                    enum section_place place);

#endif
