/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about: their sums, and the largest by name.
 */
#ifndef ANALYSIS_FINDINGS_SELECTION_H
#define ANALYSIS_FINDINGS_SELECTION_H

#include "analysis/findings/context.h"

enum { SELECTION_NAMED = 3 };

struct selection {
    const struct group *named[SELECTION_NAMED]; /* the first that were added */
    size_t count;
    uint64_t calls;
    double thread_ns; /* self time */
    double saved_ns;  /* thread time */
};

/* Add a row, of whose self time so much could be saved.  Rows come in the order of the
 * context, the largest first. */
void selection_add(struct selection *selection, const struct group *group, double saved_ns);

/* Say "cblas_sgemm m=8 n=8 k=8 (12.1 %), ... and 3 more". */
void selection_append(struct text *text, const struct selection *selection,
                      const struct findings_context *context);

/* Say "1,234 calls, 1.20 s, 34.5 % of the wall time". */
void selection_append_sums(struct text *text, const struct selection *selection,
                           const struct findings_context *context);

/* The share of the wall time; that of a sum of thread time. */
double findings_fraction(const struct findings_context *context, double thread_ns);

/* Add a finding about a selection. */
struct finding *selection_claim(struct findings *findings, const struct selection *selection,
                                const struct findings_context *context, double confidence);

#endif
