/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading loaded objects.
 */
#include "hook/elf.h"

#include <elf.h>
#include <string.h>

enum { PAGE = 4096, HIDDEN_VERSION = 0x8000 };

/* ---- sections ---------------------------------------------------------- */

/* The linker rewrites these addresses when it maps an object, except where
 * the section is read-only. */
static const void *address_of(const struct elf_object *object, ElfW(Addr) value)
{
    return (const void *)(value < object->base ? object->base + value : value);
}

static size_t relative_count(const struct elf_object *object)
{
    for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_RELACOUNT)
            return entry->d_un.d_val;
    return 0;
}

static void read_entry(struct elf_object *object, const ElfW(Dyn) * entry)
{
    switch (entry->d_tag) {
    case DT_SYMTAB: object->symbols = address_of(object, entry->d_un.d_ptr); break;
    case DT_STRTAB: object->strings = address_of(object, entry->d_un.d_ptr); break;
    case DT_VERSYM: object->versions = address_of(object, entry->d_un.d_ptr); break;
    case DT_GNU_HASH: object->gnu_hash = address_of(object, entry->d_un.d_ptr); break;
    case DT_HASH: object->hash = address_of(object, entry->d_un.d_ptr); break;
    case DT_JMPREL: object->plt_slots = address_of(object, entry->d_un.d_ptr); break;
    case DT_PLTRELSZ: object->plt_slot_count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
    case DT_RELA: object->data_slots = address_of(object, entry->d_un.d_ptr); break;
    case DT_RELASZ: object->data_slot_count = entry->d_un.d_val / sizeof(ElfW(Rela)); break;
    case DT_RPATH: object->has_rpath = true; break;
    case DT_RUNPATH: object->has_runpath = true; break;
    case DT_SYMBOLIC: object->is_symbolic = true; break;
    case DT_FLAGS: object->is_symbolic |= (entry->d_un.d_val & DF_SYMBOLIC) != 0; break;
    default: break;
    }
}

static void read_dynamic(struct elf_object *object)
{
    size_t relative;

    for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++)
        read_entry(object, entry);
    for (const ElfW(Dyn) *entry = object->dynamic; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == DT_SONAME && object->strings)
            object->soname = object->strings + entry->d_un.d_val;
    relative = relative_count(object);
    if (relative <= object->data_slot_count) {
        object->data_slots += relative;
        object->data_slot_count -= relative;
    }
}

static void read_notes(struct elf_object *object, const char *note, const char *end)
{
    while (note + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *head = (const void *)note;
        const char *name = note + sizeof *head;
        const char *content = name + ((head->n_namesz + 3u) & ~3u);

        if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
            object->build_id = (const unsigned char *)content;
            object->build_id_size = head->n_descsz;
            return;
        }
        note = content + ((head->n_descsz + 3u) & ~3u);
    }
}

static void read_load(struct elf_object *object, uintptr_t start, uintptr_t end)
{
    if (object->end == 0 || start < object->start)
        object->start = start;
    if (end > object->end)
        object->end = end;
}

static void read_header(struct elf_object *object, const ElfW(Phdr) * header)
{
    uintptr_t start = object->base + header->p_vaddr;
    uintptr_t end = start + header->p_memsz;

    if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
        read_load(object, start, end);
    else if (header->p_type == PT_DYNAMIC)
        object->dynamic = (const void *)start;
    else if (header->p_type == PT_NOTE && object->build_id_size == 0)
        read_notes(object, (const char *)start, (const char *)end);
    else if (header->p_type == PT_GNU_RELRO) {
        object->protected_start = start & ~(uintptr_t)(PAGE - 1);
        object->protected_end = end & ~(uintptr_t)(PAGE - 1);
    }
}

/* Returns: false when there are none. */
static bool read_symbols(struct elf_object *object)
{
    read_dynamic(object);
    return object->symbols && object->strings && (object->gnu_hash || object->hash);
}

bool elf_read(struct elf_object *object, const struct dl_phdr_info *info)
{
    memset(object, 0, sizeof *object);
    object->base = info->dlpi_addr;
    object->name = info->dlpi_name ? info->dlpi_name : "";
    object->headers = info->dlpi_phdr;
    object->header_count = info->dlpi_phnum;
    for (unsigned i = 0; i < object->header_count; i++)
        read_header(object, &object->headers[i]);
    return object->dynamic && read_symbols(object);
}

bool elf_contains(const struct elf_object *object, uintptr_t address)
{
    return address >= object->start && address < object->end;
}

bool elf_is_writable_segment(const struct elf_object *object, uintptr_t address)
{
    for (unsigned i = 0; i < object->header_count; i++) {
        const ElfW(Phdr) *header = &object->headers[i];
        uintptr_t start = object->base + header->p_vaddr;

        if (header->p_type == PT_LOAD && (header->p_flags & PF_W) && address >= start &&
            address < start + header->p_memsz)
            return true;
    }
    return false;
}

bool elf_is_self(const struct elf_object *object)
{
    return elf_contains(object, (uintptr_t)elf_is_self);
}

/* ---- symbols ----------------------------------------------------------- */

uint32_t elf_hash(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Not strcmp: a sanitizer's runtime in the program may have taken that, and not
 * be ready for it. */
static bool is_same(const char *left, const char *right)
{
    while (*left == *right && *left != '\0') {
        left++;
        right++;
    }
    return *left == *right;
}

const char *elf_listed_name(const struct elf_object *object, size_t index)
{
    if (object->versions && (object->versions[index] & HIDDEN_VERSION))
        return NULL;
    return object->strings + object->symbols[index].st_name;
}

static bool is_named(const struct elf_object *object, size_t index, const char *name)
{
    const char *listed = elf_listed_name(object, index);

    return listed && is_same(listed, name);
}

bool elf_is_defined_function(const ElfW(Sym) * symbol)
{
    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
           ELF64_ST_TYPE(symbol->st_info) == STT_FUNC;
}

/* nbuckets, symoffset, bloom words, bloom shift; then bloom, buckets, chain. */
static const ElfW(Sym) *
    find_by_gnu_hash(const struct elf_object *object, const char *name, uint32_t hash)
{
    const uint32_t *table = object->gnu_hash;
    const ElfW(Addr) *bloom = (const void *)(table + 4);
    const uint32_t *buckets = (const void *)(bloom + table[2]);
    const uint32_t *chain = buckets + table[0];
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    ElfW(Addr) filter = bloom[(hash / BITS) % table[2]];
    uint32_t index;

    if (!((filter >> (hash % BITS)) & (filter >> ((hash >> table[3]) % BITS)) & 1))
        return NULL;
    index = table[0] ? buckets[hash % table[0]] : 0;
    if (index < table[1])
        return NULL;
    for (;; index++) {
        uint32_t entry = chain[index - table[1]];

        if ((entry | 1) == (hash | 1) && is_named(object, index, name))
            return &object->symbols[index];
        if (entry & 1)
            return NULL;
    }
}

static const ElfW(Sym) * find_by_hash(const struct elf_object *object, const char *name)
{
    for (uint32_t i = 0; i < object->hash[1]; i++)
        if (is_named(object, i, name))
            return &object->symbols[i];
    return NULL;
}

const ElfW(Sym) * elf_find_listed(const struct elf_object *object, const char *name, uint32_t hash)
{
    return object->gnu_hash ? find_by_gnu_hash(object, name, hash) : find_by_hash(object, name);
}

const ElfW(Sym) * elf_find(const struct elf_object *object, const char *name, uint32_t hash)
{
    const ElfW(Sym) *symbol = elf_find_listed(object, name, hash);

    return symbol && elf_is_defined_function(symbol) ? symbol : NULL;
}

static bool has_no_buckets(const struct elf_object *object)
{
    const uint32_t *table = object->gnu_hash;
    const uint32_t *buckets =
        (const void *)((const ElfW(Addr) *)(const void *)(table + 4) + table[2]);

    for (uint32_t i = 0; i < table[0]; i++)
        if (buckets[i] != 0)
            return false;
    return true;
}

/* The last symbol is the last of the chain that begins last. */
struct elf_range elf_listed(const struct elf_object *object)
{
    const uint32_t *table = object->gnu_hash;
    const uint32_t *buckets;
    struct elf_range range = {1, 1};
    uint32_t last = 0;

    if (!table)
        return (struct elf_range){1, object->hash[1]};
    buckets = (const void *)((const ElfW(Addr) *)(const void *)(table + 4) + table[2]);
    for (uint32_t i = 0; i < table[0]; i++)
        last = buckets[i] > last ? buckets[i] : last;
    if (last < table[1])
        return range;
    while ((buckets[table[0] + last - table[1]] & 1) == 0)
        last++;
    range.first = table[1];
    range.limit = last + 1;
    return range;
}

static size_t highest_symbol(const ElfW(Rela) * slots, size_t count)
{
    size_t highest = 0;

    for (size_t i = 0; i < count; i++)
        if (ELF64_R_SYM(slots[i].r_info) > highest)
            highest = ELF64_R_SYM(slots[i].r_info);
    return highest;
}

size_t elf_undefined_limit(const struct elf_object *object)
{
    size_t in_plt, in_data;

    if (!object->gnu_hash)
        return object->hash[1];
    if (!has_no_buckets(object))
        return object->gnu_hash[1];
    in_plt = highest_symbol(object->plt_slots, object->plt_slot_count);
    in_data = highest_symbol(object->data_slots, object->data_slot_count);
    return (in_plt > in_data ? in_plt : in_data) + 1;
}

/* ---- the next definitions ---------------------------------------------- */

/* Find what is not found yet in one object. */
static void search_object(const struct elf_object *object, const char *const *names, void **found,
                          unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        const ElfW(Sym) *symbol = found[i] ? NULL : elf_find(object, names[i], elf_hash(names[i]));

        if (symbol)
            found[i] = (void *)(object->base + symbol->st_value);
    }
}

/* Along the debugger's list: dl_iterate_phdr, too, may be a sanitizer's. */
void elf_find_next(const char *const *names, void **found, unsigned count)
{
    bool is_past_self = false;

    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
        struct elf_object object = {.base = map->l_addr, .dynamic = map->l_ld};

        if (is_past_self && read_symbols(&object))
            search_object(&object, names, found, count);
        is_past_self = is_past_self || map->l_ld == _DYNAMIC;
    }
}
