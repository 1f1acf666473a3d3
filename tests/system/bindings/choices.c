/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library to preload.  It prints the functions that the shim would bind the slots of all loaded
 * objects to, and those that it would call behind its own functions:
 *   slot FILE NAME VERSION DEFINER
 *   next NAME DEFINER
 * VERSION is - if there is none; DEFINER is - if the shim finds no function but the slot leads to
 * one.  Ends the process at the start; with CHOICES_LATE it also prints the objects that the
 * program opens.
 */
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hook/linker.h"
#include "hook/load_map.h"
#include "hook/scope.h"
#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/link_list.h"
#include "platform/next.h"
#include "platform/relocation.h"
#include "platform/slot.h"
#include "record/path.h"
#include "record/thread_context.h"
#include "unwind/objects.h"
#include "unwind/rules.h"

EXPORT void choices_note(int mode);

struct next next;

/* Nothing is unwound here, and no thread has a context. */
void rules_forget(unsigned epoch)
{
    (void)epoch;
}

void objects_add(uintptr_t start, uintptr_t end, const void *tables)
{
    (void)start;
    (void)end;
    (void)tables;
}

void objects_remove(uintptr_t start)
{
    (void)start;
}

void thread_context_gone(uintptr_t object)
{
    (void)object;
}

const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static const char *file_of(const struct loaded *entry)
{
    if (entry == load_map)
        return program_invocation_short_name;
    return path_base_name(load_map_module(entry)->path);
}

static void print(const char *line)
{
    calls_write(STDOUT_FILENO, line, strlen(line));
}

/* In a program at a fixed address the linker may take a function's entry in its PLT for it. */
static bool is_stand_in(const struct elf_name *name, uintptr_t value)
{
    return scope_is_unresolved(&load_map[0], name, value);
}

static void print_slot(const struct loaded *entry, const ElfW(Rela) * slot)
{
    struct elf_name name = elf_name_by_slot(&entry->object, ELF64_R_SYM(slot->r_info));
    uintptr_t value = *(const uintptr_t *)(entry->object.base + slot->r_offset);
    const void *found = scope_resolve(entry, &name);
    const struct loaded *definer = load_map_find(found ? (uintptr_t)found : value);
    char line[4096];

    if (value == 0 || !definer || definer->is_vdso || is_stand_in(&name, value))
        return;
    snprintf(line, sizeof line, "slot %s %s %s %s\n", file_of(entry), name.text,
             name.version ? name.version : "-", found ? file_of(definer) : "-");
    print(line);
}

static void print_slots(const struct loaded *entry, const ElfW(Rela) * slots, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if ((slot_is_plt(&slots[i]) || slot_is_data(&slots[i])) && slots[i].r_addend == 0 &&
            ELF64_R_SYM(slots[i].r_info) != 0)
            print_slot(entry, &slots[i]);
}

static const char *const names[] = {
#define NEXT(result, name, parameters, arguments) #name,
#include "platform/next.def"
#undef NEXT
};

enum { NAME_COUNT = sizeof names / sizeof *names };

static void print_next(void)
{
    static void *found[NAME_COUNT];
    char line[4096];

    link_list_find_next(names, found, NAME_COUNT);
    for (unsigned i = 0; i < NAME_COUNT; i++) {
        const struct loaded *definer = load_map_find((uintptr_t)found[i]);

        snprintf(line, sizeof line, "next %s %s\n", names[i], definer ? file_of(definer) : "-");
        print(line);
    }
}

static void print_object(struct loaded *entry)
{
    const struct elf_object *object = &entry->object;

    if (entry->is_scanned)
        return;
    entry->is_scanned = true;
    if (elf_is_self(object) || entry->is_vdso)
        return;
    print_slots(entry, object->plt_slots, object->plt_slot_count);
    print_slots(entry, object->data_slots, object->data_slot_count);
}

/* A dlopen with this mode has returned. */
EXPORT void choices_note(int mode)
{
    load_map_update(mode);
    load_map_publish();
    for (unsigned i = 0; i < load_map_count; i++)
        print_object(&load_map[i]);
}

static __attribute__((constructor)) void start(void)
{
    if (!linker_init() || !load_map_init())
        return;
    choices_note(0);
    if (getenv("CHOICES_LATE"))
        return;
    print_next();
    calls_system(SYS_exit_group, 0);
}
