/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The distribution of the times of one row, folded below it.
 */
#ifndef PAGE_DISTRIBUTION_H
#define PAGE_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>

#include "document/table.h"
#include "page/html.h"

enum { DISTRIBUTION_ROWS = 16 }; /* the number of first rows of a table that have one */

/* Ask whether a row has a histogram. */
bool distribution_is_there(const struct table_schema *schema, const struct value *row);

/* Put the distribution as a row of `columns` columns: median, mean and percentiles with their
 * intervals, and the histogram as bars and as a table.  It opens without a script. */
void distribution_put(struct html *html, const struct table_schema *schema,
                      const struct value *row, size_t columns);

#endif
