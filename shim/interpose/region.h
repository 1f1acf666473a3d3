/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Regions: begin, end, and the node each runs in.
 */
#ifndef INTERPOSE_REGION_H
#define INTERPOSE_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include "record/lane.h"

/* Open a region on this thread, and close it; see tprof.h. */
void region_begin(const char *label);
void region_end(const char *label);

/* Open a region of a label's number on a lane, which is BUSY.  `owner`: not 0; only the end of this
 * owner closes it.
 * Returns: false when it was refused, and counted. */
bool region_push(struct lane *lane, uint32_t label, uint32_t owner);

/* Close the innermost region of an owner.  Regions of other owners that opened inside stay open:
 * each is shown in two parts, and counted once.  An owner without an open region is counted. */
void region_pop(struct lane *lane, uint32_t owner);

/* Record a metric, a double, by its bits. */
void region_record_metric(const char *name, uint64_t value);

/* Enter a label in the lane's cache under its number in the trace. */
void region_remember(struct lane *lane, const char *label, uint32_t number);

#endif
