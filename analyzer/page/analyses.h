/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An analysis as a block of the page.
 */
#ifndef PAGE_ANALYSES_H
#define PAGE_ANALYSES_H

#include <stdbool.h>

#include "analysis/analysis.h"
#include "page/html.h"
#include "page/page_request.h"

/* Put the output of its command, with more rows. */
void analyses_put(struct html *html, const struct page_request *request,
                  const struct analysis *analysis);

/* Put how long each kernel takes, and below the first rows the distribution of their times. */
void analyses_put_timing(struct html *html, const struct page_request *request);

/* The same for ops. */
void analyses_put_ops(struct html *html, const struct page_request *request);

/* Put the heap over time: a plot and the readings. */
void analyses_put_heap(struct html *html, const struct page_request *request);

#endif
