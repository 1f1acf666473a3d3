/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects that publish the context of threads.  Only of glibc is it known where the parts of a
 * thread are.
 *
 * Source: relocations of thread-local variables in the System V ABI's supplements for x86-64 and
 * AArch64; "ELF Handling For Thread-Local Storage" by Ulrich Drepper.
 */
#include "hook/contexts.h"

#include <stddef.h>

#include "platform/elf.h"
#include "platform/link_list.h"
#include "record/thread_context.h"

#if defined(__x86_64__)
enum { DESCRIPTOR = R_X86_64_TLSDESC, DISTANCE = R_X86_64_TPOFF64 };
#else
enum { DESCRIPTOR = R_AARCH64_TLSDESC, DISTANCE = R_AARCH64_TLS_TPREL };
#endif

/* A symbol that is bound inside of the object has no number in its relocation. */
static bool is_of(const ElfW(Rela) * slot, size_t symbol, uintptr_t offset)
{
    size_t number = ELF64_R_SYM(slot->r_info);

    return number == symbol || (number == 0 && (uintptr_t)slot->r_addend == offset);
}

/* The word with the distance from the thread pointer.  The second word of a descriptor has it, if
 * the part is static; else an address. */
static const intptr_t *find_in(const struct elf_object *object, const ElfW(Rela) * slots,
                               size_t count, const ElfW(Sym) * symbol)
{
    size_t number = (size_t)(symbol - object->symbols);

    for (size_t i = 0; i < count; i++) {
        const intptr_t *word = (const intptr_t *)(object->base + slots[i].r_offset);

        if (!is_of(&slots[i], number, symbol->st_value))
            continue;
        if (ELF64_R_TYPE(slots[i].r_info) == DESCRIPTOR)
            return word + 1;
        if (ELF64_R_TYPE(slots[i].r_info) == DISTANCE)
            return word;
    }
    return NULL;
}

static const intptr_t *find_distance(const struct elf_object *object, const ElfW(Sym) * symbol)
{
    const intptr_t *word = find_in(object, object->plt_slots, object->plt_slot_count, symbol);

    return word ? word : find_in(object, object->data_slots, object->data_slot_count, symbol);
}

void contexts_look(const struct loaded *entry)
{
    const struct elf_object *object = &entry->object;
    const ElfW(Sym) * symbol;
    struct thread_context_place place;

    if (entry->space || object->tls_module == 0)
        return;
    symbol = elf_find_data(object, THREAD_CONTEXT_NAME);
    if (!symbol || ELF64_ST_TYPE(symbol->st_info) != STT_TLS || link_list_is_musl())
        return;
    place = (struct thread_context_place){
        .object = object->base,
        .module = object->tls_module,
        .offset = symbol->st_value,
        .distance = find_distance(object, symbol),
    };
    thread_context_found(&place);
}
