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
enum status report_build(const struct session *session, const struct analysis_options *options,
                         struct document *document) MUST_CHECK;

/* The same with all that is known for people, not one screen of it. */
enum status report_build_full(const struct session *session,
                              const struct analysis_options *options,
                              struct document *document) MUST_CHECK;

/* Build the document of `tprof info`: the process, its machine and its trace. */
enum status report_build_info(const struct session *session, const struct analysis_options *options,
                              struct document *document) MUST_CHECK;

#endif
