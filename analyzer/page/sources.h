/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text around the hottest lines of the program's own files.
 */
#ifndef PAGE_SOURCES_H
#define PAGE_SOURCES_H

#include "page/html.h"
#include "page/page_request.h"

/* Put excerpts of a few files that the trace names. */
void sources_put(struct html *html, const struct page_request *request);

#endif
