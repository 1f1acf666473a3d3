/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock of every record: the processor's counter if it runs at a constant rate on all cores,
 * else CLOCK_MONOTONIC in nanoseconds.  The analyzer turns ticks into time from the pairs of the
 * trace.
 *
 * A program may forbid itself the counter (PR_SET_TSC of prctl(2)).  Then reading it raises
 * SIGSEGV, even in the vDSO.  From then on, ticks are computed from CLOCK_MONOTONIC, by a system
 * call.
 *
 * Decision: doc/decisions/forbidden-counter.
 */
#ifndef PLATFORM_CLOCK_H
#define PLATFORM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "spec/trace.h"

/* Whether the counter may be read.  Only clock.c writes it.  It is not atomic, because gcc 12
 * spends another instruction on each load of an atomic one. */
extern bool clock_is_counter HIDDEN;

/* Read CLOCK_MONOTONIC, in ns. */
uint64_t clock_monotonic(void);

/* Now, in ticks, without the counter. */
COLD uint64_t clock_read_kernel(void);

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
    return LIKELY(clock_is_counter) ? clock_read_counter() : clock_read_kernel();
}

/* Now, after all earlier instructions have finished: for the end of a kernel.
 * Without the order a kernel of 231 ticks measured 154. */
static ALWAYS_INLINE uint64_t clock_read_ordered(void)
{
    return LIKELY(clock_is_counter) ? clock_read_counter_ordered() : clock_read_kernel();
}

/* Find out which clock may be used.  Called once, before the first record. */
void clock_init(void);

/* Give the kind of ticks in this process; it never changes. */
enum trace_clock clock_kind(void);

/* Read the counter no more, in any thread.  Waits until the clocks have been compared for a
 * millisecond.  Safety: under a lock of the caller's, as its opposite. */
COLD void clock_forbid_counter(void);

/* Undo one call of clock_forbid_counter. */
COLD void clock_allow_counter(void);

/* Convert a time to ticks, for a deadline; off the hot path.  The rate is measured once, a
 * millisecond after clock_init.  Before that, a tick counts as a nanosecond and the time is at most
 * a millisecond, which is soon at any rate. */
COLD uint64_t clock_ticks_of(uint64_t ns);

/* Read both clocks as near to one instant as a few tries can. */
struct trace_clock_pair clock_read_pair(void);

#endif
