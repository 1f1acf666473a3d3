/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the functions of known libraries among the loaded objects.
 */
#include "hook/libraries.h"

#include <stddef.h>

#include "call/library.h"

static void *find_function(const void *object, const char *name)
{
    const struct loaded *entry = object;
    const ElfW(Sym) *symbol = elf_find(&entry->object, name);

    return symbol ? (void *)(entry->object.base + symbol->st_value) : NULL;
}

void *libraries_bind(int entry, void *target, const struct loaded *caller)
{
    const struct loaded *holder = load_map_find((uintptr_t)target);

    if (!holder || holder == caller)
        return NULL;
    return library_bind(entry, target, holder, find_function);
}

void libraries_look(const struct loaded *entry)
{
    if (!entry->space)
        library_look(entry, find_function);
}
