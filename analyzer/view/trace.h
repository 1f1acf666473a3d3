/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of a trace as pages of tprof view: the commands' tables, and for each row the related
 * rows of other tables.
 */
#ifndef VIEW_TRACE_H
#define VIEW_TRACE_H

#include "analysis/analysis.h"
#include "base/array.h"
#include "view/view.h"

struct view_trace {
    const struct session *session;
    const struct analysis_options *options;
    struct array made; /* of struct made *: whole tables that were opened behind rows */
};

void view_trace_init(struct view_trace *trace, const struct session *session,
                     const struct analysis_options *options);
void view_trace_fini(struct view_trace *trace);

/* Returns: the source of pages of the trace, valid while the trace exists. */
struct view_source view_trace_source(struct view_trace *trace);

#endif
