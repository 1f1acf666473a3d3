/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `tprof whatif`: other machines and another recording, as a document.
 */
#ifndef MONEY_WHATIF_REPORT_H
#define MONEY_WHATIF_REPORT_H

#include "document/document.h"
#include "money/whatif.h"

struct whatif_question {
    const struct session *session;
    const struct analysis_options *options;
    const struct whatif_place *places;
    size_t place_count;
    const struct session *reference; /* or NULL */
    const char *reference_path;
};

/* Fill a document that was not initialized. */
void whatif_report_build(const struct whatif_question *question, struct document *document);

#endif
