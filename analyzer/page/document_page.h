/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A finished report as a page: its tables and plots, which need no script.
 */
#ifndef PAGE_DOCUMENT_PAGE_H
#define PAGE_DOCUMENT_PAGE_H

#include <stdio.h>

#include "document/document.h"

/* Write the page.  A failed write is an error of `out`. */
void document_page_write(const struct document *document, const char *title, FILE *out);

#endif
