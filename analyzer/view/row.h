/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One row of a table as a document of its own: each of its figures in a line, and each table that
 * it holds, such as a call chain.
 */
#ifndef VIEW_ROW_H
#define VIEW_ROW_H

#include "document/document.h"

/* Add the sections.  Nested tables share their rows, which stay constant. */
void row_add(struct document *document, const struct table *table, size_t row);

#endif
