/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is there in memory?  Asked of the kernel, for stacks and code of which
 * nothing else is known.  Keeps errno.  Safety: signal-safe.
 */
#ifndef PLATFORM_READABLE_H
#define PLATFORM_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May these bytes be read?  Asked of what lies below a stack that grows, it may grow. */
bool readable(uintptr_t address, size_t size);

/* Is each page from that of `start` to `end` mapped, readable or not?  No stack grows by it.
 * Returns: false, too, where the kernel does not tell. */
bool readable_is_mapped(uintptr_t start, uintptr_t end);

#endif
