/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the dynamic linker would look: the global scope in the order of the
 * load map, and the list of what a dlopen brought.
 */
#include "hook/scope.h"

#include <string.h>

#include "hook/catalog.h"

enum { NEEDED_MAX = 512 };

static const struct loaded *find_needed(const char *name)
{
    for (unsigned i = 0; i < load_map_count; i++) {
        const struct elf_object *object = &load_map[i].object;

        if (object->soname && strcmp(object->soname, name) == 0)
            return &load_map[i];
    }
    return NULL;
}

static bool is_listed(const struct loaded *const *list, unsigned count, const struct loaded *entry)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i] == entry)
            return true;
    return false;
}

/* The objects that `root` needs, breadth first, as dlopen lists them. */
static unsigned list_needed(const struct loaded *root, const struct loaded **list)
{
    unsigned count = 1;

    list[0] = root;
    for (unsigned i = 0; i < count; i++) {
        const struct elf_object *object = &list[i]->object;

        for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++) {
            const struct loaded *needed;

            if (entry->d_tag != DT_NEEDED || count == NEEDED_MAX)
                continue;
            needed = find_needed(object->strings + entry->d_un.d_val);
            if (needed && !is_listed(list, count, needed))
                list[count++] = needed;
        }
    }
    return count;
}

void *scope_find_in(const struct loaded *entry, const struct symbol *symbol)
{
    const ElfW(Sym) *found = elf_find(&entry->object, symbol->name, symbol->hash);

    return found ? (void *)(entry->object.base + found->st_value) : NULL;
}

static void *find_in_global(const struct symbol *symbol)
{
    void *found = NULL;

    for (unsigned i = 0; i < load_map_count && !found; i++)
        if (load_map[i].is_global)
            found = scope_find_in(&load_map[i], symbol);
    return found;
}

/* The local scope of an object is the list of the one whose dlopen brought
 * it: the first of its epoch that needs it. */
static void *find_in_local(const struct loaded *entry, const struct symbol *symbol)
{
    static const struct loaded *list[NEEDED_MAX];
    uint32_t batch = load_map_module(entry)->fact.epoch;

    for (unsigned i = 0; i < load_map_count; i++) {
        unsigned count;
        void *found = NULL;

        if (load_map_module(&load_map[i])->fact.epoch != batch)
            continue;
        count = list_needed(&load_map[i], list);
        if (!is_listed(list, count, entry))
            continue;
        for (unsigned j = 0; j < count && !found; j++)
            found = scope_find_in(list[j], symbol);
        return found;
    }
    return NULL;
}

void *scope_resolve(const struct loaded *entry, const struct symbol *symbol)
{
    void *found = entry->object.is_symbolic ? scope_find_in(entry, symbol) : NULL;

    if (!found && entry->is_deep)
        found = find_in_local(entry, symbol);
    if (!found)
        found = find_in_global(symbol);
    if (!found)
        found = find_in_local(entry, symbol);
    return found;
}
