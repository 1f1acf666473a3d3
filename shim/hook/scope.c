/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search of the dynamic linker: the global scope in the order of the load map, and the
 * list of the objects that a dlopen loaded.
 */
#include "hook/scope.h"

#include <string.h>

#include "record/path.h"

enum { NEEDED_MAX = 512 };

/* An object without a soname goes by the name of its file. */
static bool is_called(const struct elf_object *object, const char *name)
{
    const char *own = object->soname ? object->soname : path_base_name(object->name);

    return strcmp(own, object->soname ? name : path_base_name(name)) == 0;
}

/* A namespace has its own objects of all names. */
static const struct loaded *find_needed(const char *name, const void *space)
{
    for (unsigned i = 0; i < load_map_count; i++)
        if (load_map[i].space == space && is_called(&load_map[i].object, name))
            return &load_map[i];
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
            needed = find_needed(object->strings + entry->d_un.d_val, root->space);
            if (needed && !is_listed(list, count, needed))
                list[count++] = needed;
        }
    }
    return count;
}

void *scope_find_in(const struct loaded *entry, const struct elf_name *name)
{
    const ElfW(Sym) *found = entry->is_vdso ? NULL : elf_find_function(&entry->object, name);

    return found ? elf_address(&entry->object, found) : NULL;
}

bool scope_is_unresolved(const struct loaded *entry, const struct elf_name *name, uintptr_t value)
{
    return elf_contains(&entry->object, value) && (void *)value != scope_find_in(entry, name);
}

/* Represents a definition that is no function, or an indirect one that cannot be asked yet: the
 * linker stops there, too. */
static char no_function;

/* Returns: a function's address, that of `no_function` for anything else, or NULL. */
static void *find_definition(const struct loaded *entry, const struct elf_name *name)
{
    const struct elf_object *object = &entry->object;
    const ElfW(Sym) *found = entry->is_vdso ? NULL : elf_find_definition(object, name);
    void *function;

    if (!found)
        return NULL;
    function = elf_is_function(object, found) ? elf_address(object, found) : NULL;
    return function ? function : &no_function;
}

static void *only_function(void *found)
{
    return found == &no_function ? NULL : found;
}

static void *find_in_global(const void *space, const struct elf_name *name)
{
    void *found = NULL;

    for (unsigned i = 0; i < load_map_count && !found; i++)
        if (load_map[i].is_global && load_map[i].space == space)
            found = find_definition(&load_map[i], name);
    return found;
}

/* A list of objects, in the linker's order of search. */
struct list {
    const struct loaded *items[NEEDED_MAX];
    unsigned count;
};

/* In the load map, the objects that the program started with have the order of its scope. */
static void list_first_batch(struct list *list)
{
    list->count = 0;
    for (unsigned i = 0; i < load_map_count && list->count < NEEDED_MAX; i++)
        if (load_map_module(&load_map[i])->fact.epoch == 1)
            list->items[list->count++] = &load_map[i];
}

/* The local scope of an object is the list of the object whose dlopen loaded it: the first of its
 * epoch that needs it. */
static void list_local(struct list *list, const struct loaded *entry)
{
    uint32_t batch = load_map_module(entry)->fact.epoch;

    for (unsigned i = 0; i < load_map_count; i++) {
        if (load_map_module(&load_map[i])->fact.epoch != batch || load_map[i].space != entry->space)
            continue;
        list->count = list_needed(&load_map[i], list->items);
        if (is_listed(list->items, list->count, entry))
            return;
    }
    list->count = 0;
}

static void *find_in_list(const struct list *list, unsigned from, const struct elf_name *name)
{
    void *found = NULL;

    for (unsigned i = from; i < list->count && !found; i++)
        found = find_definition(list->items[i], name);
    return found;
}

static struct list list; /* under the lock: stacks may be small */

static void *find_in_local(const struct loaded *entry, const struct elf_name *name)
{
    list_local(&list, entry);
    return find_in_list(&list, 0, name);
}

/* The linker lets RTLD_DEEPBIND have its own order. */
static bool looks_in_itself(const struct loaded *entry, const struct elf_name *name)
{
    return name->is_kept || (entry->object.is_symbolic && !entry->is_deep);
}

void *scope_resolve(const struct loaded *entry, const struct elf_name *name)
{
    void *found = looks_in_itself(entry, name) ? find_definition(entry, name) : NULL;

    if (!found && entry->is_deep)
        found = find_in_local(entry, name);
    if (!found)
        found = find_in_global(entry->space, name);
    if (!found)
        found = find_in_local(entry, name);
    return only_function(found);
}

void *scope_resolve_next(const struct loaded *entry, const struct elf_name *name)
{
    unsigned place = 0;

    if (load_map_module(entry)->fact.epoch == 1)
        list_first_batch(&list);
    else
        list_local(&list, entry);
    while (place < list.count && list.items[place] != entry)
        place++;
    return only_function(find_in_list(&list, place + 1, name));
}
