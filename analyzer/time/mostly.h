/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A column of the tables of threads and of regions: what each spent most of its processor time
 * on.
 */
#ifndef TIME_MOSTLY_H
#define TIME_MOSTLY_H

#include "document/table.h"
#include "figures/analysis.h"
#include "figures/cpu_top.h"

/* Fill in the column of all rows, which are the threads or regions of the session in their order.
 * Nothing is filled in without samples. */
void mostly_fill(struct table *table, size_t column, const struct session *session,
                 const struct analysis_options *options, enum cpu_top_of of);

#endif
