/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of a report: where the time went.
 */
#ifndef SCREEN_REPORT_TIME_H
#define SCREEN_REPORT_TIME_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"

struct document;
struct report_sums;
struct table;

/* Add it to what people see.  Errors: STATUS_OUT_OF_MEMORY. */
enum status report_add_time(struct document *document, const struct report_sums *sums) MUST_CHECK;

/* Fill its table alone, with `limit` rows of kernels.  Errors: as above. */
enum status report_fill_time(struct table *table, const struct report_sums *sums,
                             size_t limit) MUST_CHECK;

#endif
