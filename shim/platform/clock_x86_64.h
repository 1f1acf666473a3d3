/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time-stamp counter of x86-64.  Included only by platform/clock.h.
 */
#ifndef PLATFORM_CLOCK_X86_64_H
#define PLATFORM_CLOCK_X86_64_H

#include <x86intrin.h>

#include "platform/cpu_leaf.h"

static ALWAYS_INLINE uint64_t clock_read_counter(void)
{
    return __rdtsc();
}

/* lfence waits until all earlier instructions have completed (Intel SDM 2B, RDTSC). */
static ALWAYS_INLINE uint64_t clock_read_counter_ordered(void)
{
    __asm__ volatile("lfence" : : : "memory");
    return __rdtsc();
}

static inline bool clock_counter_is_constant(void)
{
    return cpu_leaf_has_constant_counter();
}

#endif
