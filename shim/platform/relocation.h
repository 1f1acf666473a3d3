/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sorts of relocations whose slots may hold the address of a function.
 */
#ifndef PLATFORM_RELOCATION_H
#define PLATFORM_RELOCATION_H

#include <elf.h>
#include <link.h>
#include <stdbool.h>

/* Ask whether the slot of a relocation may hold a function's address. */
static inline bool slot_is_plt(const ElfW(Rela) * slot)
{
#if defined(__x86_64__)
    return ELF64_R_TYPE(slot->r_info) == R_X86_64_JUMP_SLOT;
#elif defined(__aarch64__)
    return ELF64_R_TYPE(slot->r_info) == R_AARCH64_JUMP_SLOT;
#endif
}

static inline bool slot_is_data(const ElfW(Rela) * slot)
{
#if defined(__x86_64__)
    return ELF64_R_TYPE(slot->r_info) == R_X86_64_GLOB_DAT ||
           ELF64_R_TYPE(slot->r_info) == R_X86_64_64;
#elif defined(__aarch64__)
    return ELF64_R_TYPE(slot->r_info) == R_AARCH64_GLOB_DAT ||
           ELF64_R_TYPE(slot->r_info) == R_AARCH64_ABS64;
#endif
}

/* Does the called function keep or take unusual registers?  A wrapper in its place would not. */
static inline bool slot_has_own_convention(const ElfW(Sym) * symbol)
{
#if defined(__x86_64__)
    (void)symbol;
    return false;
#elif defined(__aarch64__)
    return (symbol->st_other & STO_AARCH64_VARIANT_PCS) != 0;
#endif
}

#endif
