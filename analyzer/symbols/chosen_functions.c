/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which functions the loader chose for the processor that this is.
 *
 * A name is right on any machine: the address belongs to one variant, whichever machine chooses it.
 */
#include "symbols/chosen_functions.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

/* The build-id to find, and the library that has it. */
struct search {
    const unsigned char *id;
    size_t id_size;
    const char *name; /* NULL: nothing */
    uint64_t base;
};

static size_t round_up(size_t size)
{
    return (size + 3) / 4 * 4;
}

/* Returns: whether notes in memory have the build-id. */
static bool has_id(const unsigned char *note, size_t size, const struct search *search)
{
    static const char owner[] = ELF_NOTE_GNU;
    ElfW(Nhdr) header;

    while (size >= sizeof header) {
        memcpy(&header, note, sizeof header);
        size_t name_size = round_up(header.n_namesz);
        size_t note_size = sizeof header + name_size + round_up(header.n_descsz);

        if (note_size > size)
            return false;
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof owner &&
            memcmp(note + sizeof header, owner, sizeof owner) == 0)
            return header.n_descsz == search->id_size &&
                   memcmp(note + sizeof header + name_size, search->id, search->id_size) == 0;
        note += note_size;
        size -= note_size;
    }
    return false;
}

static int visit(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;

    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const void *notes = (const void *)(info->dlpi_addr + header->p_vaddr);

        if (header->p_type != PT_NOTE || !has_id(notes, header->p_memsz, search))
            continue;
        search->name = info->dlpi_name;
        search->base = info->dlpi_addr;
        return 1;
    }
    return 0;
}

bool chosen_library_open(struct chosen_library *library, Dwfl_Module *module)
{
    struct search search = {0};
    GElf_Addr address;
    int size = dwfl_module_build_id(module, &search.id, &address);

    *library = (struct chosen_library){0};
    if (size <= 0)
        return false;
    search.id_size = (size_t)size;
    dl_iterate_phdr(visit, &search);
    if (!search.name || search.name[0] != '/')
        return false;
    library->base = search.base;
    library->handle = dlopen(search.name, RTLD_LAZY | RTLD_NOLOAD);
    return library->handle != NULL;
}

void chosen_library_close(struct chosen_library *library)
{
    if (library->handle)
        dlclose(library->handle);
}

uint64_t chosen_library_find(const struct chosen_library *library, const char *name, uint64_t bias)
{
    uint64_t address = (uint64_t)(uintptr_t)dlsym(library->handle, name);

    return address > library->base ? address - library->base + bias : 0;
}
