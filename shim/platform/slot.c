/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changing one slot.
 */
#include "platform/slot.h"

#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

static bool store(uintptr_t address, uintptr_t value)
{
    atomic_store_explicit((_Atomic uintptr_t *)address, value, memory_order_release);
    return true;
}

bool slot_write(const struct elf_object *object, uintptr_t address, uintptr_t value)
{
    size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
    void *page = (void *)(address & ~(page_size - 1));

    if (!elf_is_writable_segment(object, address))
        return false;
    if (address < object->protected_start || address >= object->protected_end)
        return store(address, value);
    if (mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0)
        return false;
    store(address, value);
    mprotect(page, page_size, PROT_READ);
    return true;
}
