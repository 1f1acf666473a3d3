/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * May these bytes be read?  Asked of the kernel, for stacks and code of which
 * nothing else is known.  Keeps errno.  Safety: signal-safe.
 */
#ifndef UNWIND_READABLE_H
#define UNWIND_READABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool readable(uintptr_t address, size_t size);

#endif
