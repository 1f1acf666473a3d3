/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings as rows and sentences, for `tprof bottlenecks` and `tprof report`.
 */
#ifndef FINDINGS_ROWS_H
#define FINDINGS_ROWS_H

#include "base/text.h"
#include "base/text_list.h"
#include "document/document.h"
#include "document/table.h"
#include "findings/finding.h"

extern const struct table_schema finding_rows_schema;

/* Fill a table of that schema. */
void finding_rows_fill(struct table *table, const struct findings *findings);

/* Add the table "findings" of the JSON contract. */
void finding_rows_add(struct document *document, const struct findings *findings);

/* Say a finding in sentences, a line each. */
void finding_add_sentences(struct text_list *lines, const struct finding *finding);

/* Append the first sentences of its action, which must exist. */
void finding_append_action(struct text *text, const struct finding *finding);

const struct finding *findings_at(const struct findings *findings, size_t index);
const struct finding_note *findings_note_at(const struct findings *findings, size_t index);

/* The verdict on all findings. */
enum findings_verdict {
    FINDINGS_NOTHING, /* no finding is worth following */
    FINDINGS_UNSURE,  /* only bounds that may be unreachable */
    FINDINGS_SURE     /* a known or likely repair */
};
enum findings_verdict findings_judge(const struct findings *findings);

/* Say at which line to begin, behind `indent`, if no finding saves half of its time, and kernels do
 * not take most of the run; else add nothing. */
void findings_add_begin(struct text_list *lines, const struct findings *findings,
                        const char *indent);

/* Add a line, behind `indent`, if there is no finding or no certain one; else add nothing.  Without
 * a finding it says where to begin; that nothing can be repaired, only of a program that spends its
 * time in kernels. */
void findings_add_verdict(struct text_list *lines, const struct findings *findings,
                          const char *indent);

#endif
