/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the trace tells of the time outside of kernels: threads that are started, threads
 * that wait for one another, blocks that are obtained.
 */
#ifndef ANALYSIS_FINDINGS_OUTSIDE_H
#define ANALYSIS_FINDINGS_OUTSIDE_H

#include "analysis/findings/context.h"
#include "base/text.h"

/* Append what is so frequent that it matters: "; 48,000 threads were started, 4,149 a
 * second", and to the action what to do about the gravest, before a "; ".  Nothing where
 * nothing is. */
void outside_append(struct text *evidence, struct text *action,
                    const struct findings_context *context);

#endif
