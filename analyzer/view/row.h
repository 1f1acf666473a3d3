/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of a table as a separate document, with a line for each of its figures, and each table that
 * it contains, such as a call chain.
 */
#ifndef VIEW_ROW_H
#define VIEW_ROW_H

#include "document/document.h"

/* Add the sections.  Nested tables share their rows, which stay constant. */
void row_add(struct document *document, const struct table *table, size_t row);

#endif
