/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing is disassembled: the bytes before an address are compared.
 */
#include "symbols/code_pauses.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

enum { BEFORE = 16, AFTER = 4 }; /* bytes that are searched */

/* The bytes around an address, as far as the section has them. */
struct window {
    unsigned char bytes[BEFORE + AFTER];
    size_t size;
};

/* Mapped pages of all code that is asked for would be most of a report's memory. */
static bool read_window(struct window *window, int descriptor, const GElf_Shdr *section,
                        uint64_t address)
{
    uint64_t at = address - section->sh_addr, from = at > BEFORE ? at - BEFORE : 0;
    uint64_t left = section->sh_size - from, wanted = at - from + AFTER;
    ssize_t size = pread(descriptor, window->bytes, (size_t)(left < wanted ? left : wanted),
                         (off_t)(section->sh_offset + from));

    window->size = size > 0 ? (size_t)size : 0;
    return size > 0;
}

static bool find_window(struct window *window, Elf *elf, int descriptor, uint64_t address)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(elf, scn)))
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_PROGBITS &&
            (header.sh_flags & SHF_EXECINSTR) && address >= header.sh_addr &&
            address - header.sh_addr < header.sh_size)
            return read_window(window, descriptor, &header, address);
    return false;
}

/* A loop that asks the processor for random bits again waits for no thread: RDRAND and RDSEED of a
 * register are 0F C7 F0 to FF. */
static bool draws_x86_64(const struct window *window)
{
    static const unsigned char draw[] = {0x0f, 0xc7};
    enum { DIRECT = 0xf0 };

    for (size_t i = 0; i + sizeof draw < window->size; i++)
        if (memcmp(window->bytes + i, draw, sizeof draw) == 0 &&
            window->bytes[i + sizeof draw] >= DIRECT)
            return true;
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

bool code_pauses_at(Elf *elf, int descriptor, uint64_t bias, uint64_t address)
{
    struct window window;
    GElf_Ehdr header;

    if (!gelf_getehdr(elf, &header) || address < bias ||
        !find_window(&window, elf, descriptor, address - bias))
        return false;
    switch (header.e_machine) {
    case EM_X86_64: return has_pause_x86_64(&window) && !draws_x86_64(&window);
    case EM_AARCH64: return has_pause_aarch64(&window);
    default: return false;
    }
}
