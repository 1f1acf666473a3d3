/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Documents as elements of HTML.
 */
#ifndef PAGE_TABLES_H
#define PAGE_TABLES_H

#include "document/document.h"
#include "page/html.h"

/* Put a document in its form for people. */
void tables_put_document(struct html *html, const struct document *document);

#endif
