/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What recording costs, measured by the shim on itself.
 */
#ifndef START_OVERHEAD_H
#define START_OVERHEAD_H

#include "spec/trace.h"

/* Record into a scratch lane and take the mean of each sort of event.
 * Units: 1/256 ticks an event.  Takes some ten microseconds. */
struct trace_overhead overhead_measure(void);

#endif
