/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings as rows and sentences, for `tprof bottlenecks` and `tprof report`.
 */
#ifndef ANALYSIS_FINDINGS_ROWS_H
#define ANALYSIS_FINDINGS_ROWS_H

#include "analysis/analysis.h"
#include "analysis/findings/context.h"

extern const struct table_schema finding_rows_schema;

/* Fill a table of that schema.  Errors: STATUS_OUT_OF_MEMORY. */
enum status finding_rows_fill(struct table *table, const struct findings *findings) MUST_CHECK;

/* Add the table "findings" of the JSON contract.  Errors: STATUS_OUT_OF_MEMORY. */
enum status finding_rows_add(struct document *document, const struct findings *findings) MUST_CHECK;

/* Say a finding in sentences, a line each.  Errors: STATUS_OUT_OF_MEMORY. */
enum status finding_add_sentences(struct text_list *lines,
                                  const struct finding *finding) MUST_CHECK;

const struct finding *findings_at(const struct findings *findings, size_t index);
const struct finding_note *findings_note_at(const struct findings *findings, size_t index);

/* Ask whether there are findings that would save time, and each of them is a limit alone. */
bool findings_are_limits(const struct findings *findings);

#endif
