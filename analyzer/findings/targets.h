/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernels that one finding is about: their sums, and the largest by name.
 */
#ifndef FINDINGS_TARGETS_H
#define FINDINGS_TARGETS_H

#include "findings/context.h"

enum { TARGETS_NAMED = 3 };

struct targets {
    const struct group *named[TARGETS_NAMED]; /* the first that were added */
    size_t count;
    uint64_t calls;
    double thread_ns; /* self time */
    double saved_ns;  /* thread time */
    double rough_ns;  /* part of thread_ns in rows whose time is known badly */
};

/* Add a row, and the part of its self time that could be saved.  Rows come in the order of the
 * context, the largest first. */
void targets_add(struct targets *targets, const struct group *group, double saved_ns);

/* The same for rows whose calls matter only outside of all other kernels: they include the kernels
 * inside. */
struct targets_outermost {
    struct targets rows;
    uint64_t calls;
    double thread_ns, saved_ns;
};

/* Add a row; `share` of its time could be saved. */
void targets_add_outermost(struct targets_outermost *outermost, const struct group *group,
                           double share);

/* Add all rows that the finding is about, with nothing saved.  Sum up their calls that are in
 * courses and start at `from_ns` or later. */
typedef bool (*targets_meant)(const struct findings_context *context, size_t row, const void *what);
void targets_gather(struct targets_outermost *outermost, const struct findings_context *context,
                    targets_meant is_meant, const void *what, uint64_t from_ns);

/* End a sentence with them: ": cblas_sgemm m=8 n=8 k=8 (12.1 %), ... and 3 more."  Without a
 * context, only names. */
void targets_end(struct text *text, const struct targets *targets,
                 const struct findings_context *context);

/* Say "1,234 calls take 1.20 s, 34.5 % of the wall time: cblas_sgemm m=8 n=8 k=8 (12.1 %)." */
void targets_say(struct text *text, const struct targets *targets,
                 const struct findings_context *context);

/* The share of a row in the wall time, or of a sum of thread time. */
double findings_fraction(const struct findings_context *context, double thread_ns);

/* Append " +- 10.0 %" of the wall time to the share of a row whose time is known badly. */
void targets_append_error(struct text *text, const struct findings_context *context,
                          const struct group *group);

/* Lower a confidence if most of the time of the targets, or of a row, is known badly. */
double targets_confidence(const struct targets *targets, double confidence);
double targets_confidence_in(const struct group *group, double confidence);

/* Name the line that calls the largest row, if that row has most of the time. */
void targets_find_place(struct finding *finding, const struct targets *targets,
                        const struct findings_context *context);

/* Add a finding about targets.  Its evidence starts with targets_say, and its place is that of the
 * targets. */
struct finding *targets_claim(struct findings *findings, const struct targets *targets,
                              const struct findings_context *context, double confidence);

/* The same: "20 calls take 300 ms, 30.0 % of the wall time, kernels inside included: dgetri." */
struct finding *targets_claim_outermost(struct findings *findings,
                                        const struct targets_outermost *of,
                                        const struct findings_context *context, double confidence);

#endif
