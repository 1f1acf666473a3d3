/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage as a report: coverage.c puts its parts together.
 */
#ifndef KERNELS_COVERAGE_REPORT_PARTS_H
#define KERNELS_COVERAGE_REPORT_PARTS_H

#include "document/document.h"
#include "kernels/coverage.h"

enum { COVERAGE_REPORT_NAMES_SHOWN = 5 };

/* Ask whether a library has something to do with kernels. */
bool coverage_report_is_listed(const struct coverage_library *library);
bool coverage_report_has_libraries(const struct coverage *coverage);

/* Ask whether there is a kernel of the catalog. */
bool coverage_report_has_kernels(const struct coverage *coverage);

/* Fill a table that was not initialized with libraries. */
void coverage_report_build_libraries(const struct coverage *coverage, struct table *table);

/* Add the share of kernels, the gaps, and advice, for people. */
void coverage_report_add_head(struct document *document, const struct coverage *coverage);

#endif
