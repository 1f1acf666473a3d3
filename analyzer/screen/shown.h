/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The document that the command of an analysis shows, for other displays than lines of a terminal.
 */
#ifndef SCREEN_SHOWN_H
#define SCREEN_SHOWN_H

#include "analysis/analysis.h"
#include "document/document.h"

struct shown {
    const struct session *session;
    const struct analysis_options *options;
    const struct analysis *analysis;
    enum analysis_by by;
    size_t most_rows;   /* for each table */
    bool is_elaborated; /* a single row may become sentences */
};

/* Make the document, which is uninitialized before. */
void shown_build(const struct shown *shown, struct document *document);

#endif
