/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the trace tells of the time outside of kernels: threads that are started, threads
 * that wait for one another, blocks that are obtained; and waiting.
 */
#ifndef FINDINGS_OUTSIDE_H
#define FINDINGS_OUTSIDE_H

#include "base/text.h"
#include "findings/context.h"

/* Say what is so frequent that it matters, "48,000 threads were started, 4,149 a second.", and
 * in `next` which command tells more of the gravest.  Nothing where nothing is. */
void outside_append(struct text *evidence, struct text *next,
                    const struct findings_context *context);

/* Nanoseconds in which no thread had a processor, at least: less what others may have had it
 * for.  NAN where that is less than half of the time, or not known. */
double outside_idle_ns(const struct findings_context *context);

#endif
