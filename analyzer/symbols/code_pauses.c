/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is disassembled: the bytes before an address are compared.
 */
#include "symbols/code_pauses.h"

#include <gelf.h>
#include <string.h>

enum { BEFORE = 16, AFTER = 4 }; /* bytes that are searched */

/* The bytes around an address, as far as the section has them. */
struct window {
    const unsigned char *bytes;
    size_t size;
};

static bool find_window(struct window *window, Elf *elf, uint64_t address)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(elf, scn))) {
        const Elf_Data *data;
        uint64_t at, from;

        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR) || address < header.sh_addr ||
            address - header.sh_addr >= header.sh_size)
            continue;
        data = elf_rawdata(scn, NULL);
        at = address - header.sh_addr;
        if (!data || !data->d_buf || data->d_size <= at)
            return false;
        from = at > BEFORE ? at - BEFORE : 0;
        *window = (struct window){(const unsigned char *)data->d_buf + from,
                                  data->d_size - from < at - from + AFTER ? data->d_size - from
                                                                          : at - from + AFTER};
        return true;
    }
    return false;
}

/* PAUSE is F3 90, and TPAUSE of a register 66 0F AE F0 to F7. */
static bool has_pause_x86_64(const struct window *window)
{
    static const unsigned char pause[] = {0xf3, 0x90}, wait[] = {0x66, 0x0f, 0xae};
    enum { REGISTERS = 0xf8, DIRECT = 0xf0 };

    for (size_t i = 0; i + sizeof pause <= window->size; i++) {
        const unsigned char *at = window->bytes + i;

        if (memcmp(at, pause, sizeof pause) == 0)
            return true;
        if (i + sizeof wait < window->size && memcmp(at, wait, sizeof wait) == 0 &&
            (at[sizeof wait] & REGISTERS) == DIRECT)
            return true;
    }
    return false;
}

static bool has_pause_aarch64(const struct window *window)
{
    static const uint32_t yield = 0xd503203f, wait = 0xd503205f, isb = 0xd5033fdf;

    for (size_t i = 0; i + sizeof yield <= window->size; i += sizeof yield) {
        uint32_t word;

        memcpy(&word, window->bytes + i, sizeof word);
        if (word == yield || word == wait || word == isb)
            return true;
    }
    return false;
}

bool code_pauses_at(Elf *elf, uint64_t bias, uint64_t address)
{
    struct window window;
    GElf_Ehdr header;

    if (!gelf_getehdr(elf, &header) || address < bias || !find_window(&window, elf, address - bias))
        return false;
    switch (header.e_machine) {
    case EM_X86_64: return has_pause_x86_64(&window);
    case EM_AARCH64: return has_pause_aarch64(&window);
    default: return false;
    }
}
