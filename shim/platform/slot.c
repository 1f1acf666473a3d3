/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changing slots.
 */
#include "platform/slot.h"

#include <stdatomic.h>
#include <sys/mman.h>

static bool protect(const struct elf_object *object, int protection)
{
    return mprotect((void *)object->protected_start,
                    object->protected_end - object->protected_start, protection) == 0;
}

static bool is_protected(const struct elf_object *object, uintptr_t address)
{
    return address >= object->protected_start && address < object->protected_end;
}

bool slot_write(struct elf_object *object, uintptr_t address, uintptr_t value)
{
    if (!elf_is_writable_segment(object, address))
        return false;
    if (is_protected(object, address) && !object->is_lifted) {
        if (!protect(object, PROT_READ | PROT_WRITE))
            return false;
        object->is_lifted = true;
    }
    atomic_store_explicit((_Atomic uintptr_t *)address, value, memory_order_release);
    return true;
}

void slot_protect(struct elf_object *object)
{
    if (object->is_lifted)
        protect(object, PROT_READ);
    object->is_lifted = false;
}
