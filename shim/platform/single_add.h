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

#if defined(__x86_64__)

static ALWAYS_INLINE void single_add(uint64_t *word, uint64_t amount)
{
    __asm__("addq %1, %0" : "+m"(*word) : "er"(amount) : "cc");
}

/* Subtract.  Returns: whether something is left; else the word has wrapped around, or is 0. */
static ALWAYS_INLINE bool single_take(uint64_t *word, uint64_t amount)
{
    bool is_left;

    __asm__("subq %2, %0" : "+m"(*word), "=@cca"(is_left) : "er"(amount));
    return is_left;
}

#else

static ALWAYS_INLINE void single_add(uint64_t *word, uint64_t amount)
{
    __atomic_fetch_add(word, amount, __ATOMIC_RELAXED);
}

static ALWAYS_INLINE bool single_take(uint64_t *word, uint64_t amount)
{
    return __atomic_fetch_sub(word, amount, __ATOMIC_RELAXED) > amount;
}

#endif

#endif
