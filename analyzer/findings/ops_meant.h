/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of PyTorch that one finding is about.
 */
#ifndef FINDINGS_OPS_MEANT_H
#define FINDINGS_OPS_MEANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "findings/context.h"

/* Ask whether a finding is about an op. */
typedef bool (*op_is_meant)(const struct session *session, uint32_t op);

/* Find the ops that a rule of op_rules.c is about.  Returns: NULL for other rules. */
op_is_meant op_rules_meaning(enum finding_rule rule);

/* The sum of the ops that a rule means.  If they are nested, the outermost counts, with all ops
 * inside. */
struct ops_meant {
    const struct findings_context *context;
    bool *is_inside; /* by op: the finding is about it, or about an op around it */
    uint64_t calls;
    double ns;       /* elapsed, at most the wall time */
    uint32_t most;   /* the op with the most time; 0: none */
    struct text place; /* the place of most calls: "train.py:14 step"; empty: unknown */
};

/* Sum them up. */
void ops_meant_init(struct ops_meant *meant, const struct findings_context *context,
                    op_is_meant is_meant);
/* The share of the wall time. */
double ops_meant_fraction(const struct ops_meant *meant);

/* Add a finding about the ops: without them, `saved_ns` of the wall time is saved.  Its evidence
 * starts with "1,200 calls of ops take 310 ms, 12.1 % of the wall time, mostly aten::copy_ at
 * train.py:14 step." */
struct finding *ops_meant_claim(struct findings *findings, const struct ops_meant *meant,
                                double saved_ns, double confidence);

/* Append the line of Python that called an op, "train.py:14"; nothing if the line is unknown. */
void ops_append_line(struct text *text, const struct session *session, uint32_t op);

/* Ask whether ops were recorded; if not, add a note instead of a finding. */
bool ops_are_known(const struct findings_context *context, struct findings *findings);

#endif
