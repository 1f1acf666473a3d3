/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Additions that a signal cannot split: each is one instruction, or is tried again.
 *
 * So counters of one thread need no guard against the thread's own signal handlers.  Other threads
 * may read them.
 *
 * Budget: 1 ns.  A locked instruction would take 5 ns.
 */
#ifndef PLATFORM_SINGLE_ADD_H
#define PLATFORM_SINGLE_ADD_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

/* A counter of another thread, which may be writing it. */
static ALWAYS_INLINE uint64_t single_read(const uint64_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

#if defined(__x86_64__)

static ALWAYS_INLINE void single_add(uint64_t *counter, uint64_t amount)
{
    __asm__("addq %1, %0" : "+m"(*counter) : "er"(amount) : "cc");
}

/* Subtract.  Returns: whether something is left; else the counter has wrapped around, or is 0. */
static ALWAYS_INLINE bool single_take(uint64_t *counter, uint64_t amount)
{
    bool is_left;

    __asm__("subq %2, %0" : "+m"(*counter), "=@cca"(is_left) : "er"(amount));
    return is_left;
}

/* Comparisons with memory: the compiler loads an atomic word first. */
static ALWAYS_INLINE bool single_is(const uint32_t *counter, uint32_t value)
{
    bool is;

    __asm__("cmpl %2, %1" : "=@cce"(is) : "m"(*counter), "ri"(value));
    return is;
}

static ALWAYS_INLINE bool single_is_zero(const uint16_t *counter)
{
    bool is;

    __asm__("cmpw $0, %1" : "=@cce"(is) : "m"(*counter));
    return is;
}

typedef uint32_t MAY_ALIAS single_half;

/* Of the lower half. */
static ALWAYS_INLINE bool single_is_above(const uint64_t *counter, uint32_t value)
{
    bool is;

    __asm__("cmpl %2, %1" : "=@cca"(is) : "m"(*(const single_half *)counter), "ri"(value));
    return is;
}

#else

static ALWAYS_INLINE void single_add(uint64_t *counter, uint64_t amount)
{
    __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

static ALWAYS_INLINE bool single_take(uint64_t *counter, uint64_t amount)
{
    return __atomic_fetch_sub(counter, amount, __ATOMIC_RELAXED) > amount;
}

static ALWAYS_INLINE bool single_is(const uint32_t *counter, uint32_t value)
{
    return __atomic_load_n(counter, __ATOMIC_RELAXED) == value;
}

static ALWAYS_INLINE bool single_is_zero(const uint16_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_RELAXED) == 0;
}

static ALWAYS_INLINE bool single_is_above(const uint64_t *counter, uint32_t value)
{
    return (uint32_t)__atomic_load_n(counter, __ATOMIC_RELAXED) > value;
}

#endif

#endif
