/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading loaded objects.
 *
 * Decision: doc/decisions/symbols-without-dlsym.
 */
#include "platform/elf.h"

#include <elf.h>
#include <string.h>
#include <sys/auxv.h>
#if defined(__aarch64__)
#include <sys/ifunc.h>
#endif

#include "platform/relocation.h"

/* The bits of an entry of DT_VERSYM, and of vna_other.  Numbers up to VERSION_BASE mean none; the
 * linker gives the next one to the oldest version. */
enum { HIDDEN_VERSION = 0x8000, VERSION_NUMBER = 0x7fff, VERSION_BASE = 1 };

/* The linker rewrites these addresses when it maps an object, unless the section is read-only. */
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
    case DT_VERDEF: object->defined_versions = address_of(object, entry->d_un.d_ptr); break;
    case DT_VERNEED: object->needed_versions = address_of(object, entry->d_un.d_ptr); break;
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
    if (!object->defined_versions && !object->needed_versions)
        object->versions = NULL;
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

/* The linker protects pages of the machine's size: kernels for AArch64 may have pages of 64 KiB,
 * and data after the section in the last one stays writable. */
static void read_relro(struct elf_object *object, uintptr_t start, uintptr_t end)
{
    uintptr_t page_size = getauxval(AT_PAGESZ);

    object->protected_start = start & ~(page_size - 1);
    object->protected_end = end & ~(page_size - 1);
}

static void read_header(struct elf_object *object, const ElfW(Phdr) * header)
{
    uintptr_t start = object->base + header->p_vaddr;
    uintptr_t end = start + header->p_memsz;

    if (header->p_type == PT_LOAD && end - object->base > object->size)
        object->size = end - object->base;
    if (header->p_type == PT_LOAD && (header->p_flags & PF_X))
        read_load(object, start, end);
    else if (header->p_type == PT_DYNAMIC)
        object->dynamic = (const void *)start;
    else if (header->p_type == PT_NOTE && object->build_id_size == 0)
        read_notes(object, (const char *)start, (const char *)end);
    else if (header->p_type == PT_GNU_RELRO)
        read_relro(object, start, end);
}

bool elf_read_symbols(struct elf_object *object)
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
    object->tls_module = info->dlpi_tls_modid;
    for (unsigned i = 0; i < object->header_count; i++)
        read_header(object, &object->headers[i]);
    return object->dynamic && elf_read_symbols(object);
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

uint32_t elf_hash(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* strcmp is not used: a sanitizer's runtime in the program may have replaced it, and not be ready
 * for a call. */
static bool is_same(const char *left, const char *right)
{
    while (*left == *right && *left != '\0') {
        left++;
        right++;
    }
    return *left == *right;
}

/* Ask whether the linker takes a symbol for a definition. */
static bool is_definition(const ElfW(Sym) * symbol)
{
    enum {
        TYPES = 1 << STT_NOTYPE | 1 << STT_OBJECT | 1 << STT_FUNC | 1 << STT_COMMON | 1 << STT_TLS |
                1 << STT_GNU_IFUNC
    };
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    return symbol->st_shndx != SHN_UNDEF && (TYPES >> type & 1) &&
           (symbol->st_value != 0 || symbol->st_shndx == SHN_ABS || type == STT_TLS);
}

/* The linker skips an object whose definition is not for others. */
static bool is_for_others(const ElfW(Sym) * symbol)
{
    unsigned visibility = ELF64_ST_VISIBILITY(symbol->st_other);

    return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL && visibility != STV_HIDDEN &&
           visibility != STV_INTERNAL;
}

/* A function written in assembly may have no type. */
bool elf_is_function(const struct elf_object *object, const ElfW(Sym) * symbol)
{
    unsigned type = ELF64_ST_TYPE(symbol->st_info);

    if (symbol->st_value == 0 || type == STT_OBJECT || type == STT_COMMON || type == STT_TLS)
        return false;
    return type != STT_NOTYPE || object->end == 0 ||
           elf_contains(object, object->base + symbol->st_value);
}

static const char *defined_version(const struct elf_object *object, unsigned number)
{
    const char *at = (const char *)object->defined_versions;

    while (at) {
        const ElfW(Verdef) *version = (const void *)at;
        const ElfW(Verdaux) *name = (const void *)(at + version->vd_aux);

        if ((version->vd_ndx & VERSION_NUMBER) == number)
            return version->vd_flags & VER_FLG_BASE ? NULL : object->strings + name->vda_name;
        at = version->vd_next ? at + version->vd_next : NULL;
    }
    return NULL;
}

/* The version by this number among those needed from one library. */
static const char *version_from(const struct elf_object *object, const ElfW(Verneed) * needed,
                                unsigned number)
{
    const char *at = (const char *)needed + needed->vn_aux;

    for (unsigned i = 0; i < needed->vn_cnt; i++) {
        const ElfW(Vernaux) *version = (const void *)at;

        if ((version->vna_other & VERSION_NUMBER) == number)
            return object->strings + version->vna_name;
        at += version->vna_next;
    }
    return NULL;
}

static const char *needed_version(const struct elf_object *object, unsigned number)
{
    const char *at = (const char *)object->needed_versions;
    const char *found = NULL;

    while (at && !found) {
        const ElfW(Verneed) *needed = (const void *)at;

        found = version_from(object, needed, number);
        at = needed->vn_next ? at + needed->vn_next : NULL;
    }
    return found;
}

/* The name of a symbol's version.  A definition has a needed one where the program has a copy of a
 * library's variable.  Returns: NULL when the symbol has none. */
static const char *version_name(const struct elf_object *object, size_t index)
{
    unsigned number = object->versions ? object->versions[index] & VERSION_NUMBER : 0;
    const char *defined = number > 0 ? defined_version(object, number) : NULL;

    if (defined || number == 0)
        return defined;
    return needed_version(object, number);
}

bool elf_is_offered(const struct elf_object *object, size_t index)
{
    const ElfW(Sym) *symbol = &object->symbols[index];

    return is_definition(symbol) && elf_is_function(object, symbol) &&
           !(object->versions && object->versions[index] & HIDDEN_VERSION);
}

struct elf_name elf_name_by_slot(const struct elf_object *object, size_t index)
{
    const ElfW(Sym) *symbol = &object->symbols[index];
    const char *text = object->strings + symbol->st_name;

    return (struct elf_name){.text = text,
                             .hash = elf_hash(text),
                             .version = version_name(object, index),
                             .is_kept = symbol->st_shndx != SHN_UNDEF &&
                                        ELF64_ST_VISIBILITY(symbol->st_other) == STV_PROTECTED};
}

struct elf_name elf_name_by_program(const char *text, const char *version)
{
    return (struct elf_name){.text = text, .hash = elf_hash(text), .version = version};
}

struct elf_name elf_name_by_dlsym(const char *text, const char *version)
{
    return (struct elf_name){
        .text = text, .hash = elf_hash(text), .version = version, .is_by_dlsym = true};
}

/* A search through the symbols of one object. */
struct search {
    const struct elf_object *object;
    const struct elf_name *name;
    const ElfW(Sym) * found;
    const ElfW(Sym) * later; /* in a later version than the name without one asks for */
    unsigned later_count;
};

/* A symbol without a version matches every version, but not dlvsym. */
static bool has_version(const struct search *search, size_t index)
{
    const char *version = version_name(search->object, index);

    if (version)
        return is_same(version, search->name->version);
    return !search->name->is_by_dlsym && !(search->object->versions[index] & HIDDEN_VERSION);
}

/* For a program that was linked before there were versions, the oldest is meant. */
static bool is_early_version(const struct search *search, size_t index)
{
    unsigned last = search->name->is_by_dlsym ? VERSION_BASE : VERSION_BASE + 1;

    return (search->object->versions[index] & VERSION_NUMBER) <= last;
}

static bool is_meant(const struct search *search, size_t index)
{
    if (!search->object->versions)
        return true;
    return search->name->version ? has_version(search, index) : is_early_version(search, index);
}

static void note_later(struct search *search, size_t index)
{
    if (search->name->version || search->object->versions[index] & HIDDEN_VERSION)
        return;
    search->later = &search->object->symbols[index];
    search->later_count++;
}

/* Returns: whether the search is over. */
static bool try_symbol(struct search *search, size_t index)
{
    const struct elf_object *object = search->object;
    const ElfW(Sym) *symbol = &object->symbols[index];

    if (!is_definition(symbol) || !is_same(object->strings + symbol->st_name, search->name->text))
        return false;
    if (is_meant(search, index))
        search->found = symbol;
    else
        note_later(search, index);
    return search->found != NULL;
}

/* nbuckets, symoffset, bloom words, bloom shift; then bloom, buckets, chain. */
struct gnu_hash {
    const ElfW(Addr) * bloom;
    uint32_t bloom_count;
    uint32_t bloom_shift;
    const uint32_t *buckets;
    uint32_t bucket_count;
    const uint32_t *chain;
    uint32_t first; /* symbol of the chain's first entry */
};

static struct gnu_hash read_gnu_hash(const uint32_t *table)
{
    const ElfW(Addr) *bloom = (const void *)(table + 4);
    const uint32_t *buckets = (const void *)(bloom + table[2]);

    return (struct gnu_hash){.bloom = bloom,
                             .bloom_count = table[2],
                             .bloom_shift = table[3],
                             .buckets = buckets,
                             .bucket_count = table[0],
                             .chain = buckets + table[0],
                             .first = table[1]};
}

static bool may_hold(const struct gnu_hash *table, uint32_t hash)
{
    enum { BITS = 8 * sizeof(ElfW(Addr)) };
    ElfW(Addr) filter = table->bloom[(hash / BITS) % table->bloom_count];

    return (filter >> (hash % BITS)) & (filter >> ((hash >> table->bloom_shift) % BITS)) & 1;
}

static void search_gnu_hash(struct search *search)
{
    const struct gnu_hash table = read_gnu_hash(search->object->gnu_hash);
    uint32_t hash = search->name->hash;
    uint32_t index, entry;

    if (table.bucket_count == 0 || !may_hold(&table, hash))
        return;
    index = table.buckets[hash % table.bucket_count];
    if (index < table.first)
        return;
    do {
        entry = table.chain[index - table.first];
        if ((entry | 1) == (hash | 1) && try_symbol(search, index))
            return;
        index++;
    } while (!(entry & 1));
}

static uint32_t system_v_hash(const char *name)
{
    uint32_t hash = 0;

    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash ^= hash >> 24 & 0xf0;
    }
    return hash & 0x0fffffff;
}

/* nbuckets, nchain; then buckets, chains. */
static void search_hash(struct search *search)
{
    const uint32_t *table = search->object->hash;
    const uint32_t *buckets = table + 2, *chains = buckets + table[0];
    uint32_t index;

    if (table[0] == 0)
        return;
    index = buckets[system_v_hash(search->name->text) % table[0]];
    while (index != STN_UNDEF && !try_symbol(search, index))
        index = chains[index];
}

/* Without an early version, the only later one is meant. */
const ElfW(Sym) * elf_find_definition(const struct elf_object *object, const struct elf_name *name)
{
    struct search search = {.object = object, .name = name};

    if (object->gnu_hash)
        search_gnu_hash(&search);
    else
        search_hash(&search);
    if (!search.found && search.later_count == 1)
        search.found = search.later;
    return search.found && is_for_others(search.found) ? search.found : NULL;
}

const ElfW(Sym) * elf_find_function(const struct elf_object *object, const struct elf_name *name)
{
    const ElfW(Sym) *symbol = elf_find_definition(object, name);

    return symbol && elf_is_function(object, symbol) ? symbol : NULL;
}

const ElfW(Sym) * elf_find(const struct elf_object *object, const char *name)
{
    const struct elf_name asked = elf_name_by_dlsym(name, NULL);

    return elf_find_function(object, &asked);
}

const ElfW(Sym) * elf_find_data(const struct elf_object *object, const char *name)
{
    const struct elf_name asked = elf_name_by_dlsym(name, NULL);
    const ElfW(Sym) *symbol = elf_find_definition(object, &asked);

    return symbol && !elf_is_function(object, symbol) ? symbol : NULL;
}

bool elf_has_data(const struct elf_object *object, const char *name)
{
    return elf_find_data(object, name) != NULL;
}

static bool begins_with(const char *text, const char *start)
{
    while (*start != '\0' && *text == *start) {
        text++;
        start++;
    }
    return *start == '\0';
}

static bool is_of_system(const char *version)
{
    return begins_with(version, "GLIBC_") || begins_with(version, "GCC_");
}

/* dlsym takes the newest version; a version kept only for older programs is found in their way. */
const char *elf_system_version(const struct elf_object *object, const struct elf_name *name)
{
    struct elf_name asked = {.text = name->text, .hash = name->hash, .is_by_dlsym = true};
    const ElfW(Sym) *symbol = elf_find_definition(object, &asked);
    const char *version;

    asked.is_by_dlsym = false;
    if (!symbol)
        symbol = elf_find_definition(object, &asked);
    version = symbol ? version_name(object, (size_t)(symbol - object->symbols)) : NULL;
    return version && is_of_system(version) ? version : NULL;
}

/* Call a resolver as the linker does: on AArch64 with the processor's capabilities. */
static void *pick(uintptr_t resolver)
{
#if defined(__aarch64__)
    __ifunc_arg_t more = {sizeof more, getauxval(AT_HWCAP), getauxval(AT_HWCAP2)};

    return ((void *(*)(uint64_t, const __ifunc_arg_t *))resolver)(more._hwcap | _IFUNC_ARG_HWCAP,
                                                                  &more);
#else
    return ((void *(*)(void))resolver)();
#endif
}

void *elf_address(const struct elf_object *object, const ElfW(Sym) * symbol)
{
    uintptr_t address = object->base + symbol->st_value;

    if (ELF64_ST_TYPE(symbol->st_info) != STT_GNU_IFUNC)
        return (void *)address;
    return elf_is_relocated(object) ? pick(address) : NULL;
}

static size_t highest_symbol(const ElfW(Rela) * slots, size_t count)
{
    size_t highest = 0;

    for (size_t i = 0; i < count; i++)
        if (ELF64_R_SYM(slots[i].r_info) > highest)
            highest = ELF64_R_SYM(slots[i].r_info);
    return highest;
}

/* An empty hash section lists nothing; the slots are read instead. */
static struct elf_symbols list_from_slots(const struct elf_object *object)
{
    size_t in_plt = highest_symbol(object->plt_slots, object->plt_slot_count);
    size_t in_data = highest_symbol(object->data_slots, object->data_slot_count);
    size_t end = (in_plt > in_data ? in_plt : in_data) + 1;

    return (struct elf_symbols){end, end, NULL};
}

/* The last bucket in use begins the last chain, whose end is the table's. */
struct elf_symbols elf_list_symbols(const struct elf_object *object)
{
    struct gnu_hash table;
    uint32_t last = 0;

    if (!object->gnu_hash)
        return (struct elf_symbols){object->hash[1], object->hash[1], NULL};
    table = read_gnu_hash(object->gnu_hash);
    for (uint32_t i = 0; i < table.bucket_count; i++)
        if (table.buckets[i] > last)
            last = table.buckets[i];
    if (last < table.first || last == 0)
        return list_from_slots(object);
    while (!(table.chain[last - table.first] & 1))
        last++;
    return (struct elf_symbols){table.first, last + 1u, table.chain};
}

static uintptr_t slot_value(const struct elf_object *object, const ElfW(Rela) * slot)
{
    return *(const uintptr_t *)(object->base + slot->r_offset);
}

/* Before relocation, a slot of the PLT holds an offset in the object.  A slot that leads to a
 * program at a fixed address may hold such a number, too, but hardly LAST slots do. */
static bool is_plt_relocated(const struct elf_object *object)
{
    enum { LAST = 8 };
    size_t from = object->plt_slot_count > LAST ? object->plt_slot_count - LAST : 0;

    for (size_t i = from; i < object->plt_slot_count; i++) {
        uintptr_t value = slot_value(object, &object->plt_slots[i]);

        if (value == 0 || value >= object->size)
            return true;
    }
    return false;
}

/* Before relocation a slot in data holds 0.  The slot of a weak symbol that nobody defines does
 * so afterwards, too. */
static bool is_data_relocated(const struct elf_object *object)
{
    enum { LAST = 64 };
    size_t count = object->data_slot_count < LAST ? object->data_slot_count : LAST;

    for (size_t i = 1; i <= count; i++) {
        const ElfW(Rela) *slot = &object->data_slots[object->data_slot_count - i];
        const ElfW(Sym) *symbol = &object->symbols[ELF64_R_SYM(slot->r_info)];

        if (slot_is_data(slot) && ELF64_ST_BIND(symbol->st_info) != STB_WEAK)
            return slot_value(object, slot) != 0;
    }
    return true;
}

/* The linker relocates the slots of data first, so the last slot decides. */
bool elf_is_relocated(const struct elf_object *object)
{
    if (object->base == 0)
        return true;
    return object->plt_slot_count > 0 ? is_plt_relocated(object) : is_data_relocated(object);
}
