/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap over time, and its owners at the session's marks of time.
 */
#ifndef PAGE_OWNERS_H
#define PAGE_OWNERS_H

#include "page/html.h"
#include "page/page_request.h"

/* Put the owners as a JSON object. */
void owners_put(struct html *html, const struct page_request *request);

#endif
