/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of sites: sites.c fills exact counts, sites_rows.c estimates from drawn
 * blocks.
 */
#ifndef MODEL_SITES_PARTS_H
#define MODEL_SITES_PARTS_H

#include "model/events.h"
#include "model/session.h"

/* Add the estimates from drawn blocks to the sites, the histograms and the regions, and find the
 * site of blocks that no drawn block represents.  The exact counts must already be filled in.
 */
void sites_add_rows(struct session *session, const struct events *events);

/* Add the estimates from drawn blocks to the marks.  The exact marks must already be filled in. */
void sites_add_row_marks(struct session *session, const struct events *events);

#endif
