/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Going along the list.  dl_iterate_phdr is not called: it may be a sanitizer's.
 *
 * Decision: doc/decisions/symbols-without-dlsym.
 */
#include "platform/link_list.h"

#include <elf.h>
#include <string.h>

#include "platform/elf.h"
#include "platform/readable.h"

enum { HEAD_SIZE = 4096 };

/* The structure of glibc 2.35 for a second namespace, because the headers at build time may be
 * older. */
struct space {
    struct r_debug debug;
    const struct space *next;
};

enum { VERSION_OF_SPACES = 2 };

/* Read the program headers through the file's head, which is mapped at the start of the object.
 * They are right if they lead to its dynamic section. */
static bool read_map(const struct link_map *map, struct dl_phdr_info *info)
{
    const ElfW(Ehdr) *head = (const void *)map->l_addr;

    if (map->l_addr == 0 || !readable(map->l_addr, HEAD_SIZE) ||
        memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_phoff + head->e_phnum * sizeof(ElfW(Phdr)) > HEAD_SIZE)
        return false;
    info->dlpi_addr = map->l_addr;
    info->dlpi_name = map->l_name;
    info->dlpi_phdr = (const void *)(map->l_addr + head->e_phoff);
    info->dlpi_phnum = head->e_phnum;
    for (unsigned i = 0; i < head->e_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return map->l_addr + info->dlpi_phdr[i].p_vaddr == (uintptr_t)map->l_ld;
    return false;
}

/* The list of glibc, and of musl; both exist before the first function of the shim runs. */
extern __typeof__(_r_debug) _r_debug __attribute__((weak));
extern const struct r_debug *_dl_debug_addr __attribute__((weak));

/* For a C library that has neither. */
static const struct r_debug no_list;

bool link_list_is_musl(void)
{
    return &_dl_debug_addr;
}

const struct r_debug *link_list_get(void)
{
    if (link_list_is_musl())
        return _dl_debug_addr;
    /* The compiler knows only the structure of its own headers. */
    return &_r_debug ? (const void *)&_r_debug : &no_list;
}

void link_list_visit_spaces(link_list_visitor visit)
{
    const void *volatile first = link_list_get();
    const struct space *space = first;

    if (space->debug.r_version < VERSION_OF_SPACES)
        return;
    for (space = space->next; space; space = space->next)
        for (const struct link_map *map = space->debug.r_map; map; map = map->l_next) {
            struct dl_phdr_info info = {0};

            if (read_map(map, &info))
                visit(&info, space);
        }
}

static struct elf_object object_of(const struct link_map *map)
{
    return (struct elf_object){.base = map->l_addr, .dynamic = map->l_ld};
}

static const struct link_map *last_map(void)
{
    const struct link_map *map = link_list_get()->r_map;

    while (map && map->l_next)
        map = map->l_next;
    return map;
}

/* Find the versions that are still missing in one object. */
static void read_versions(const struct elf_object *object, struct elf_name *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!names[i].version)
            names[i].version = elf_system_version(object, &names[i]);
}

/* Asks for each name like a program.  Starts at the last object: the C library comes after
 * preloaded objects, which may have versions of their own. */
static void ask_by_program(const char *const *texts, struct elf_name *names, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        names[i] = elf_name_by_program(texts[i], NULL);
    for (const struct link_map *map = last_map(); map; map = map->l_prev) {
        struct elf_object object = object_of(map);

        if (elf_read_symbols(&object))
            read_versions(&object, names, count);
    }
}

struct elf_name link_list_name(const char *text)
{
    struct elf_name name;

    ask_by_program(&text, &name, 1);
    return name;
}

/* Find the missing functions in one object.  Objects after this library are relocated before it, so
 * an indirect function can be asked. */
static void search_object(const struct elf_object *object, const struct elf_name *names,
                          void **found, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const ElfW(Sym) *symbol = found[i] ? NULL : elf_find_function(object, &names[i]);

        if (symbol)
            found[i] = elf_address(object, symbol);
    }
}

bool link_list_defines(const char *name)
{
    for (const struct link_map *map = link_list_get()->r_map; map; map = map->l_next) {
        struct elf_object object = object_of(map);

        if (elf_read_symbols(&object) && elf_find(&object, name))
            return true;
    }
    return false;
}

/* Objects do not overlap.  That of a program that is not relocated is 0. */
uintptr_t link_list_find_base(const void *address)
{
    uintptr_t nearest = 0;

    for (const struct link_map *map = link_list_get()->r_map; map; map = map->l_next)
        if (map->l_addr <= (uintptr_t)address && map->l_addr > nearest)
            nearest = map->l_addr;
    return nearest;
}

const char *link_list_own_name(void)
{
    for (const struct link_map *map = link_list_get()->r_map; map; map = map->l_next)
        if (map->l_ld == _DYNAMIC)
            return map->l_name;
    return "";
}

void link_list_find_next(const char *const *texts, void **found, unsigned count)
{
    struct elf_name names[LINK_LIST_NAMES_MAX];
    bool is_past_self = false;

    ask_by_program(texts, names, count);
    for (const struct link_map *map = link_list_get()->r_map; map; map = map->l_next) {
        struct elf_object object = object_of(map);

        if (is_past_self && elf_read_symbols(&object))
            search_object(&object, names, found, count);
        is_past_self = is_past_self || map->l_ld == _DYNAMIC;
    }
}
