/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions: begin, end, and the node each runs in.
 */
#ifndef INTERPOSE_REGION_H
#define INTERPOSE_REGION_H

#include "record/lane.h"

/* Open a region on this thread, and close it; see tprof.h. */
void region_begin(const char *label);
void region_end(const char *label);

/* Record a metric, a double, by its bits. */
void region_record_metric(const char *name, uint64_t value);

/* Enter a label in the lane's cache under its number in the trace. */
void region_remember(struct lane *lane, const char *label, uint32_t number);

#endif
