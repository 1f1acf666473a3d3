/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap over time, and who owned it at the marks of time that the session has.
 */
#ifndef PAGE_OWNERS_H
#define PAGE_OWNERS_H

#include "page/html.h"
#include "page/page_request.h"

/* Put it as an object of JSON. */
void owners_put(struct html *html, const struct page_request *request);

#endif
