/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the names of a table's places come from, and why some are missing.
 */
#ifndef ANALYSIS_NAME_NOTES_H
#define ANALYSIS_NAME_NOTES_H

#include "analysis/table.h"
#include "base/attributes.h"
#include "model/session.h"

/* Note it of the addresses that were asked for so far: call it when the rows are made.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status name_notes_add(struct table *table, const struct session *session) MUST_CHECK;

#endif
