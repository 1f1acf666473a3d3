/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of the tables of threads and of regions: the code with most of its processor time.
 */
#ifndef CPU_MOSTLY_H
#define CPU_MOSTLY_H

#include "analysis/analysis.h"
#include "cpu/cpu_top.h"
#include "document/table.h"

/* Fill the column of all rows; these are the threads or regions of the session, in order.  Without
 * samples, nothing is filled in. */
void mostly_fill(struct table *table, size_t column, const struct session *session,
                 const struct analysis_options *options, enum cpu_top_of of);

#endif
