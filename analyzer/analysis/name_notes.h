/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the names of a table's places come from, and why some are missing.
 */
#ifndef ANALYSIS_NAME_NOTES_H
#define ANALYSIS_NAME_NOTES_H

#include "analysis/analysis.h"
#include "document/table.h"

struct session;

/* Note it for the addresses asked for so far: call it when the rows are complete. */
void name_notes_add(struct table *table, const struct session *session);

/* The same where rows stand for places, and not otherwise. */
void name_notes_add_for(struct table *table, const struct session *session, enum analysis_by by);

#endif
