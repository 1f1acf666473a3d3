/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace as one self-contained page of HTML: no network, no other file, and no script for its
 * tables.
 *
 * The same trace gives the same bytes.
 */
#ifndef PAGE_PAGE_H
#define PAGE_PAGE_H

#include <stdio.h>

#include "page/page_request.h"

/* Write the page.  A failed write is an error of `out`. */
void page_write(const struct page_request *request, FILE *out);

#endif
