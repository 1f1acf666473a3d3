/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls that took far longer than others of the same kernel and shape, and simultaneous events.
 */
#ifndef KERNELS_SLOWEST_H
#define KERNELS_SLOWEST_H

#include "analysis/analysis.h"

/* Fill a table that was not initialized with the high outliers of all kernels and
 * shapes, the one that lost the most time first. */
void slowest_build(const struct session *session, const struct analysis_options *options,
                   struct table *table);

#endif
