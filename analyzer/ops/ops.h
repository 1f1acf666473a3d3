/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of tprof ops, for the screen that shows it.
 */
#ifndef OPS_OPS_H
#define OPS_OPS_H

#include "analysis/analysis.h"

struct session;
struct table;

/* Fill a table that was not initialized. */
void ops_build(const struct session *session, const struct analysis_options *options,
               struct table *table);

#endif
