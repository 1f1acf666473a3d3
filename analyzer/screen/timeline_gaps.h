/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table below a timeline: times without complete records.
 */
#ifndef SCREEN_TIMELINE_GAPS_H
#define SCREEN_TIMELINE_GAPS_H

#include "document/document.h"

struct session;

/* Add the table; people see it only if it has rows. */
void timeline_gaps_add(struct document *document, const struct session *session);

#endif
