/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time-stamp counter of x86-64.  Included only by platform/clock.h.
 */
#ifndef PLATFORM_CLOCK_X86_64_H
#define PLATFORM_CLOCK_X86_64_H

#include <cpuid.h>
#include <x86intrin.h>

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

/* Invariant TSC: CPUID 80000007h, EDX bit 8. */
static inline bool clock_counter_is_constant(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & (1u << 8)) != 0;
}

#endif
