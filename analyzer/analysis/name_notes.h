/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sources of the names of a table's places, and why some names are missing.
 */
#ifndef ANALYSIS_NAME_NOTES_H
#define ANALYSIS_NAME_NOTES_H

#include "analysis/analysis.h"
#include "document/table.h"

struct session;

/* Add the note for the addresses asked for so far: call it when the rows are complete. */
void name_notes_add(struct table *table, const struct session *session);

/* The same, but only if the rows are places. */
void name_notes_add_for(struct table *table, const struct session *session, enum analysis_by by);

#endif
