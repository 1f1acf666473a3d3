/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Asking the kernel which memory is there, for stacks and code that nothing else describes.
 * Keeps errno.  Safety: signal-safe.
 */
#ifndef PLATFORM_READABLE_H
#define PLATFORM_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* May these bytes be read?  Asking about memory below a stack may make the stack grow. */
bool readable(uintptr_t address, size_t size);

/* Is each page from that of `start` to `end` mapped, readable or not?  No stack grows by it.
 * Returns: false, too, where the kernel does not tell. */
bool readable_is_mapped(uintptr_t start, uintptr_t end);

#endif
