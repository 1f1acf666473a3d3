/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every timed call, one a row: the source of the statistics.
 */
#ifndef KERNELS_CALLS_H
#define KERNELS_CALLS_H

#include "analysis/analysis.h"

/* Fill a table that was not initialized, by the start of the calls. */
void calls_build(const struct session *session, const struct analysis_options *options,
                 struct table *table);

#endif
