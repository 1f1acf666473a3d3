/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Protection keys in signal handlers.
 *
 * A page with a key can be read where the thread's own register has the key open.  Linux closes
 * all keys but the first before a handler, and the thread's stack, with its thread-local
 * variables, may have another one.  The register comes back when the handler returns.
 *
 * Only x86-64 is served.  Budget without keys: one load and one comparison.
 *
 * Decision: doc/decisions/memory-that-is-asked-for.
 */
#ifndef PLATFORM_KEYS_H
#define PLATFORM_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

/* Have the processor and the kernel keys?  Set once by keys_init. */
extern bool keys_exist HIDDEN;

void keys_init(void);

/* Returns: which keys this thread has closed; 0 without keys. */
static ALWAYS_INLINE uint32_t keys_read(void)
{
    uint32_t closed = 0;

#if defined(__x86_64__)
    uint32_t upper;

    if (UNLIKELY(keys_exist))
        __asm__ volatile("rdpkru" : "=a"(closed), "=d"(upper) : "c"(0));
#endif
    return closed;
}

/* Close these keys, and open all others. */
static ALWAYS_INLINE void keys_write(uint32_t closed)
{
#if defined(__x86_64__)
    if (UNLIKELY(keys_exist))
        __asm__ volatile("wrpkru" : : "a"(closed), "c"(0), "d"(0) : "memory");
#else
    (void)closed;
#endif
}

/* Open all keys.  A handler does this first, before it touches a thread-local variable, errno
 * included.  Returns: those that were closed. */
static ALWAYS_INLINE uint32_t keys_open(void)
{
    uint32_t closed = keys_read();

    keys_write(0);
    return closed;
}

#endif
