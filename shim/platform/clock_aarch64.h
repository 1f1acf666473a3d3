/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The virtual counter of AArch64.  Included only by platform/clock.h.
 */
#ifndef PLATFORM_CLOCK_AARCH64_H
#define PLATFORM_CLOCK_AARCH64_H

static ALWAYS_INLINE uint64_t clock_read_counter(void)
{
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

/* isb keeps the read from moving before earlier instructions (Arm ARM, D11). */
static ALWAYS_INLINE uint64_t clock_read_counter_ordered(void)
{
    uint64_t ticks;

    __asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
    return ticks;
}

/* The architecture requires a constant rate. */
static inline bool clock_counter_is_constant(void)
{
    return true;
}

#endif
