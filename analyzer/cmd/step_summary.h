/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The summary of a step of GitHub Actions: Markdown on the page of the run.
 */
#ifndef CMD_STEP_SUMMARY_H
#define CMD_STEP_SUMMARY_H

#include "base/attributes.h"
#include "base/status.h"

struct document;

/* Append a document to the file of $GITHUB_STEP_SUMMARY, if there is one.  Long tables are cut in
 * the document, too.
 * Errors: STATUS_IO. */
enum status step_summary_add(struct document *document, const char *title,
                             struct diagnostic *diagnostic) MUST_CHECK;

#endif
