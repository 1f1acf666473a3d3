/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time outside kernels: starting threads, threads that wait for one another, allocations, and
 * waiting.
 */
#ifndef FINDINGS_OUTSIDE_H
#define FINDINGS_OUTSIDE_H

#include "base/text.h"
#include "findings/context.h"

/* Say which events are frequent enough to matter, "48,000 threads were started, 4,149 a second.".
 * `next` gets the command that shows more of the most expensive events.  Say nothing if no event is
 * frequent enough. */
void outside_append(struct text *evidence, struct text *next,
                    const struct findings_context *context);

/* Compute the least time when no thread had a processor, without the time when others may have used
 * it.
 * Units: nanoseconds; NAN where that is less than half of the wall time, or unknown. */
double outside_idle_ns(const struct findings_context *context);

#endif
