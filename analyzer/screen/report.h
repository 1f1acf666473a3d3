/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The whole story of one trace: a screen for people, one object for programs.
 */
#ifndef SCREEN_REPORT_H
#define SCREEN_REPORT_H

#include "analysis/analysis.h"
#include "document/document.h"

/* Build the report of a session.  The keys of its sections are the JSON
 * contract; people see the first screen. */
void report_build(const struct session *session, const struct analysis_options *options,
                  struct document *document);

/* The same with everything known for people, instead of one screen. */
void report_build_full(const struct session *session,
                       const struct analysis_options *options,
                       struct document *document);

/* Build the document of `tprof info`: the process, its machine and its trace. */
void report_build_info(const struct session *session, const struct analysis_options *options,
                       struct document *document);

#endif
