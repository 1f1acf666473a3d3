/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linker has bound these objects without regard to the shim, so their slots are changed one by
 * one.  Called by the scan of hook.c, under its lock, after the objects' constructors have run.
 */
#include "hook/deep.h"

#include <string.h>

#include "hook/scope.h"
#include "platform/link_list.h"
#include "platform/relocation.h"
#include "platform/slot.h"

/* The functions that we export and the libraries behind us define. */
static const char *const names[] = {
#define NEXT(result, name, parameters, arguments) #name,
#include "platform/next.def"
#undef NEXT
    "mmap64",
    "execl",
    "execlp",
    "execle",
};

enum { NAME_COUNT = sizeof names / sizeof *names };

enum {
#define NEXT(result, name, parameters, arguments) NAME_##name,
#include "platform/next.def"
#undef NEXT
};

static void *behind[NAME_COUNT]; /* NULL: there is none, and no slot leads past us */
static void *own[NAME_COUNT];
static unsigned unseen;

static void find_own(const struct loaded *self)
{
    for (unsigned i = 0; i < NAME_COUNT; i++) {
        struct elf_name name = elf_name_by_program(names[i], NULL);

        own[i] = scope_find_in(self, &name);
    }
}

static void find_functions(void)
{
    static bool is_done;

    if (is_done)
        return;
    is_done = true;
    _Static_assert((int)NAME_COUNT <= (int)LINK_LIST_NAMES_MAX, "there is room for all");
    link_list_find_next(names, behind, NAME_COUNT);
    for (unsigned i = 0; i < load_map_count; i++)
        if (elf_is_self(&load_map[i].object))
            find_own(&load_map[i]);
}

/* The rows of the allocator are adjacent in next.def. */
static bool is_of_blocks(unsigned index)
{
    return index >= NAME_malloc && index <= NAME_pvalloc;
}

/* Returns: NAME_COUNT for any other function. */
static unsigned find_name(const char *text)
{
    unsigned i = 0;

    while (i < NAME_COUNT && strcmp(names[i], text) != 0)
        i++;
    return i;
}

/* Returns: whether calls through the slot come to us, or cannot happen. */
static bool redirect_slot(struct loaded *entry, const ElfW(Rela) * slot, unsigned index)
{
    struct elf_name name = elf_name_by_slot(&entry->object, ELF64_R_SYM(slot->r_info));
    uintptr_t address = entry->object.base + slot->r_offset;
    void *target = *(void *const *)address;

    if (target && slot_is_plt(slot) && scope_is_unresolved(entry, &name, (uintptr_t)target))
        target = scope_resolve(entry, &name);
    if (!target || target == own[index])
        return true;
    return target == behind[index] && own[index] &&
           slot_write(&entry->object, address, (uintptr_t)own[index]);
}

/* Returns: how many slots of the allocator lead elsewhere.  Other functions are not counted: an
 * older version may have its own address, and hides no block. */
static unsigned redirect_slots(struct loaded *entry, const ElfW(Rela) * slots, size_t count)
{
    const struct elf_object *object = &entry->object;
    unsigned missed = 0;

    for (size_t i = 0; i < count; i++) {
        const ElfW(Rela) *slot = &slots[i];
        unsigned index;

        if ((!slot_is_plt(slot) && !slot_is_data(slot)) || slot->r_addend != 0)
            continue;
        index = find_name(object->strings + object->symbols[ELF64_R_SYM(slot->r_info)].st_name);
        if (index < NAME_COUNT && !redirect_slot(entry, slot, index))
            missed += is_of_blocks(index);
    }
    return missed;
}

/* An object may be scanned again. */
static void note_unseen(struct loaded *entry)
{
    unseen += !entry->is_unseen;
    entry->is_unseen = true;
}

void deep_redirect(struct loaded *entry)
{
    const struct elf_object *object = &entry->object;
    unsigned missed;

    find_functions();
    missed = redirect_slots(entry, object->plt_slots, object->plt_slot_count);
    missed += redirect_slots(entry, object->data_slots, object->data_slot_count);
    if (missed > 0)
        note_unseen(entry);
}

unsigned deep_unseen(void)
{
    return unseen;
}
