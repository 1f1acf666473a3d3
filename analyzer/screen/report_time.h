/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a report: where the time went.
 */
#ifndef SCREEN_REPORT_TIME_H
#define SCREEN_REPORT_TIME_H

#include <stddef.h>

struct document;
struct report_sums;
struct table;

/* Add it to what people see. */
void report_add_time(struct document *document, const struct report_sums *sums);

/* Fill its table alone, with `limit` rows of kernels.  Errors: as above. */
void report_fill_time(struct table *table, const struct report_sums *sums, size_t limit);

#endif
