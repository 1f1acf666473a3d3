/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of tprof ops, for the screen that shows it.
 */
#ifndef TIME_OPS_H
#define TIME_OPS_H

#include "base/attributes.h"
#include "base/status.h"
#include "figures/analysis.h"

struct session;
struct table;

/* Fill a table that was not initialized. */
enum status ops_build(const struct session *session, const struct analysis_options *options,
                      struct table *table) MUST_CHECK;

#endif
