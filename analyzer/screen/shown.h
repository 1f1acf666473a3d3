/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the command of an analysis shows people, as a document: for those who show it elsewhere
 * than in a terminal's lines.
 */
#ifndef SCREEN_SHOWN_H
#define SCREEN_SHOWN_H

#include "analysis/analysis.h"
#include "base/attributes.h"
#include "base/status.h"
#include "document/document.h"

struct shown {
    const struct session *session;
    const struct analysis_options *options;
    const struct analysis *analysis;
    enum analysis_by by;
    size_t most_rows;   /* of a table */
    bool is_elaborated; /* a single row may be told in sentences */
};

/* Make the document, which was not initialized. */
enum status shown_build(const struct shown *shown, struct document *document) MUST_CHECK;

#endif
