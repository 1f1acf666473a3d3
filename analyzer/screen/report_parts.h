/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a report, used only by report.c: the records for programs and the screen for people,
 * from the same sums.
 */
#ifndef SCREEN_REPORT_PARTS_H
#define SCREEN_REPORT_PARTS_H

#include "document/document.h"
#include "screen/report_sums.h"

/* Add the sections of the JSON contract. */
void report_add_facts(struct document *document, const struct report_sums *sums,
                      const struct analysis_options *options);

/* Add compute, memory, system, losses and cost for people. */
void report_add_summary(struct document *document, const struct report_sums *sums);

/* Add the first screen, the summary, and the output of each command of parts.def. */
void report_add_full(struct document *document, const struct report_sums *sums,
                     const struct analysis_options *options);

#endif
