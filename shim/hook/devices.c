/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the functions of device libraries among the loaded objects.
 */
#include "hook/devices.h"

#include <stddef.h>

#include "device/entries.h"

static void *find_function(const void *object, const char *name)
{
    const struct loaded *entry = object;
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    return symbol ? (void *)(entry->object.base + symbol->st_value) : NULL;
}

void *devices_bind(int entry, void *target, const struct loaded *caller)
{
    const struct loaded *holder = load_map_find((uintptr_t)target);

    if (!holder || holder == caller)
        return NULL;
    return entries_bind(entry, target, holder, find_function);
}

void devices_look(const struct loaded *entry)
{
    if (!entry->space)
        entries_look(entry, find_function);
}
