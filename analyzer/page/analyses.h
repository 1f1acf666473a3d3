/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An analysis as a block of the page.
 */
#ifndef PAGE_ANALYSES_H
#define PAGE_ANALYSES_H

#include <stdbool.h>

#include "analysis/analysis.h"
#include "base/attributes.h"
#include "base/status.h"
#include "page/html.h"
#include "page/page_request.h"

/* Put the output of its command, with more rows. */
enum status analyses_put(struct html *html, const struct page_request *request,
                         const struct analysis *analysis) MUST_CHECK;

/* Put how long each kernel takes, and below the first rows how their times are distributed. */
enum status analyses_put_timing(struct html *html, const struct page_request *request) MUST_CHECK;

/* The same of ops. */
enum status analyses_put_ops(struct html *html, const struct page_request *request) MUST_CHECK;

/* Put the heap over time: a plot and the readings. */
enum status analyses_put_heap(struct html *html, const struct page_request *request) MUST_CHECK;

#endif
