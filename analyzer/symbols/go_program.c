/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linker of Go writes what it built into a section of its own, which strip(1) leaves.
 *
 * Source: package debug/buildinfo of Go.
 */
#include "symbols/go_program.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool has_section(Elf *elf, const char *wanted)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((scn = elf_nextscn(elf, scn))) {
        const char *name =
            gelf_getshdr(scn, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

        if (name && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

bool go_program_is(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    bool is_go = false;
    Elf *elf;

    if (descriptor < 0)
        return false;
    elf_version(EV_CURRENT);
    elf = elf_begin(descriptor, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_ELF)
        is_go = has_section(elf, ".go.buildinfo");
    if (elf)
        elf_end(elf);
    close(descriptor);
    return is_go;
}
