/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Relocation slots of the architecture, and writing to them.
 */
#ifndef PLATFORM_SLOT_H
#define PLATFORM_SLOT_H

#include <stdbool.h>

#include "platform/elf.h"

/* Store `value` in the slot at `address`.  Where the linker has protected it, the protection of all
 * of the object's protected pages is lifted: a change of a protection interrupts the processors of
 * all threads, and an object has many slots.
 * Returns: false when the page may not be written; nothing has changed then. */
bool slot_write(struct elf_object *object, uintptr_t address, uintptr_t value);

/* Restore the protection after the last slot. */
void slot_protect(struct elf_object *object);

#endif
