/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of kernels by thread time.
 */
#ifndef SCREEN_REPORT_TIME_H
#define SCREEN_REPORT_TIME_H

#include <stddef.h>

struct report_sums;
struct table;

/* Fill a table that was not initialized, with `limit` rows of kernels. */
void report_fill_time(struct table *table, const struct report_sums *sums, size_t limit);

#endif
