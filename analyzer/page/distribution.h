/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the times of one row are distributed, folded below it.
 */
#ifndef PAGE_DISTRIBUTION_H
#define PAGE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "document/table.h"
#include "page/html.h"

enum { DISTRIBUTION_ROWS = 16 }; /* of a table: those that stand first */

/* Ask whether a row has a histogram. */
bool distribution_is_there(const struct table_schema *schema, const struct value *row);

/* Put it as a row of `columns` columns: median, mean and percentiles with their intervals, and the
 * histogram as bars and as a table.  No script is needed to open it. */
void distribution_put(struct html *html, const struct table_schema *schema,
                      const struct value *row, size_t columns);

#endif
