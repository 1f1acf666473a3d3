/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of sites have of each other: sites.c what is exact, sites_rows.c what drawn
 * blocks stand for.
 */
#ifndef MODEL_SITES_PARTS_H
#define MODEL_SITES_PARTS_H

#include "model/events.h"
#include "model/session.h"

/* Add to the sites, the histograms and the regions what drawn blocks stand for, and find the
 * site of what none stands for; sites have what is exact.
 */
void sites_add_rows(struct session *session, const struct events *events);

/* The same of the marks, which have what is exact. */
void sites_add_row_marks(struct session *session, const struct events *events);

#endif
