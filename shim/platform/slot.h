/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relocation slots of the architecture, and writing to them.
 */
#ifndef PLATFORM_SLOT_H
#define PLATFORM_SLOT_H

#include <stdbool.h>

#include "platform/elf.h"

/* Store `value` in the slot at `address`, lifting and restoring the
 * protection of its page where the linker has set one.
 * Returns: false when the page may not be written; nothing has changed then. */
bool slot_write(const struct elf_object *object, uintptr_t address, uintptr_t value);

#endif
