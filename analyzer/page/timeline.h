/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The timeline: the activity of each thread, and the resources of the process.
 */
#ifndef PAGE_TIMELINE_H
#define PAGE_TIMELINE_H

#include <stddef.h>

#include "page/html.h"
#include "page/page_request.h"

enum { TIMELINE_MARKS = 60000 }; /* for a page */

/* Put the timeline as a JSON object. */
void timeline_put(struct html *html, const struct page_request *request);

/* Put the timeline of a process with about this many marks. */
void timeline_put_some(struct html *html, const struct session *session, size_t marks);

#endif
