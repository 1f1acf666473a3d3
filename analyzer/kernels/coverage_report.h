/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage in the record of a report.
 */
#ifndef KERNELS_COVERAGE_REPORT_H
#define KERNELS_COVERAGE_REPORT_H

struct coverage;
struct document;

/* Add the record of a report. */
void coverage_report_add_record(struct document *document, const struct coverage *coverage);

#endif
