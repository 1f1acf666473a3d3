/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gaps of a timeline, for its chart.
 */
#ifndef PAGE_GAPS_H
#define PAGE_GAPS_H

#include "page/html.h"

struct session;

/* Put the gaps as a JSON list. */
void gaps_put(struct html *html, const struct session *session);

#endif
