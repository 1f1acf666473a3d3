/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock of every record: the processor's counter where it runs at a
 * constant rate on all cores, else CLOCK_MONOTONIC in nanoseconds.  The
 * analyzer turns ticks into time from the pairs of the trace.
 */
#ifndef PLATFORM_CLOCK_H
#define PLATFORM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "spec/trace.h"

/* Set once by clock_init; false selects CLOCK_MONOTONIC. */
extern bool clock_is_counter HIDDEN;

/* Read CLOCK_MONOTONIC, in ns. */
uint64_t clock_monotonic(void);

#if defined(__x86_64__)
#include "platform/clock_x86_64.h"
#elif defined(__aarch64__)
#include "platform/clock_aarch64.h"
#else
#error "tprof knows the clocks of x86-64 and AArch64"
#endif

/* Now, for a record that starts something. */
static ALWAYS_INLINE uint64_t clock_read(void)
{
    return LIKELY(clock_is_counter) ? clock_read_counter() : clock_monotonic();
}

/* Now, after all earlier instructions have finished: for the end of a kernel.
 * Without the order a kernel of 231 ticks measured 154. */
static ALWAYS_INLINE uint64_t clock_read_ordered(void)
{
    return LIKELY(clock_is_counter) ? clock_read_counter_ordered() : clock_monotonic();
}

/* Find out which clock may be used.  Called once, before the first record. */
void clock_init(void);

/* Turn a time into ticks, for a deadline; off the hot path.  The rate is measured once, a
 * millisecond after clock_init.  Before that, a tick counts as a nanosecond and the time is at
 * most a millisecond, which is soon at any rate. */
COLD uint64_t clock_ticks_of(uint64_t ns);

/* Read both clocks as near to one instant as a few tries can. */
struct trace_clock_pair clock_read_pair(void);

#endif
