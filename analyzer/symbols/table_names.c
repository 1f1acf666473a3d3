/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names that a file's own tables give to functions without a symbol.
 *
 * The file's pointers are gathered first: relocations locate them.  A pointer to a name next to a
 * pointer to a function is a row of a table, if the rest has the right form.  Nothing in a file is
 * trusted: data of another form is no row.
 *
 * Decision: doc/decisions/functions-without-symbols.
 */
#include "symbols/table_names.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "symbols/demangle.h"
#include "symbols/function_ranges.h"

enum {
    WORD = 8,
    NAME_MOST = 512, /* characters of a name in a table */
    BASES_MOST = 32, /* limit of classes above a class; more are taken for a circle */
    SLOTS_MOST = 4096,
    PYTHON_FLAGS = 0x3ff, /* all METH_ bits of CPython */
    R_ARITY_MOST = 99,
};

enum entry_kind { PYTHON, R, VIRTUAL };

struct section {
    uint64_t address;
    uint64_t size;
    const unsigned char *bytes;
};

struct entry {
    uint64_t start;
    uint64_t name; /* address of its characters */
    enum entry_kind kind;
    uint16_t slot;  /* slot of a virtual function */
    uint16_t depth; /* depth of its class below the outermost base */
};

/* A word that holds an address; 0: of another file. */
struct pointer {
    uint64_t at;
    uint64_t to;
};

/* While the tables are read. */
struct reading {
    struct table_names *names;
    const struct function_ranges *functions;
    struct array pointers; /* of struct pointer, by where they are */
    uint64_t bias;
    bool is_of_python; /* the file uses Python's functions, or has them */
};

void table_names_init(struct table_names *names)
{
    array_init(&names->sections, sizeof(struct section));
    array_init(&names->entries, sizeof(struct entry));
}

void table_names_fini(struct table_names *names)
{
    array_fini(&names->sections);
    array_fini(&names->entries);
}

/* ---- bytes of the file ---- */

/* Returns: the bytes at an address, with their number in `left`; NULL when the file has none
 * there. */
static const unsigned char *find_bytes(const struct table_names *names, uint64_t address,
                                       uint64_t *left)
{
    for (size_t i = 0; i < names->sections.count; i++) {
        const struct section *section = array_at(&names->sections, i);

        if (address < section->address || address - section->address >= section->size)
            continue;
        *left = section->size - (address - section->address);
        return section->bytes + (address - section->address);
    }
    return NULL;
}

/* Returns: whether the file has the word. */
static bool read_word(const struct table_names *names, uint64_t address, uint64_t *word)
{
    uint64_t left;
    const unsigned char *bytes = find_bytes(names, address, &left);

    if (!bytes || left < sizeof *word)
        return false;
    memcpy(word, bytes, sizeof *word);
    return true;
}

/* Returns: a name that ends within the file; NULL: there is none. */
static const char *find_name(const struct table_names *names, uint64_t address)
{
    uint64_t left;
    const unsigned char *bytes = find_bytes(names, address, &left);
    size_t most = left < NAME_MOST ? (size_t)left : NAME_MOST;
    size_t size = bytes ? strnlen((const char *)bytes, most) : 0;

    return size > 0 && size < most ? (const char *)bytes : NULL;
}

static void add_section(struct table_names *names, Elf_Scn *scn, const GElf_Shdr *header,
                        uint64_t bias)
{
    const Elf_Data *data = elf_rawdata(scn, NULL);
    struct section *section = data && data->d_buf ? array_add(&names->sections) : NULL;

    if (!section)
        return;
    *section = (struct section){header->sh_addr + bias, data->d_size, data->d_buf};
}

static void add_sections(struct reading *reading, Elf *elf)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(elf, scn)))
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_PROGBITS &&
            (header.sh_flags & SHF_ALLOC) && !(header.sh_flags & SHF_EXECINSTR))
            add_section(reading->names, scn, &header, reading->bias);
}

/* Other programs have tables like those of Python's methods, as that of git's commands. */
static bool uses_python(Elf *elf)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr header;

    while ((scn = elf_nextscn(elf, scn))) {
        const Elf_Data *names;

        if (!gelf_getshdr(scn, &header) || header.sh_type != SHT_DYNSYM)
            continue;
        names = elf_getdata(elf_getscn(elf, header.sh_link), NULL);
        return names && names->d_buf && memmem(names->d_buf, names->d_size, "\0Py", 3);
    }
    return false;
}

/* ---- pointers ---- */

static void add_pointer(struct reading *reading, uint64_t at, uint64_t to)
{
    struct pointer *pointer = array_add(&reading->pointers);

    *pointer = (struct pointer){at, to};
}

static bool is_relative(uint64_t type, GElf_Half machine)
{
    return type == (machine == EM_AARCH64 ? (uint64_t)R_AARCH64_RELATIVE : R_X86_64_RELATIVE);
}

static bool is_absolute(uint64_t type, GElf_Half machine)
{
    return type == (machine == EM_AARCH64 ? (uint64_t)R_AARCH64_ABS64 : R_X86_64_64);
}

/* Returns: the address of a symbol of this file; 0: the symbol belongs to another file. */
static uint64_t find_symbol(const Elf_Data *symbols, uint64_t index)
{
    GElf_Sym symbol;

    if (!symbols || index > INT32_MAX || !gelf_getsym((Elf_Data *)symbols, (int)index, &symbol) ||
        symbol.st_shndx == SHN_UNDEF)
        return 0;
    return symbol.st_value;
}

static void add_relocations(struct reading *reading, Elf *elf, Elf_Scn *scn, const GElf_Ehdr *file)
{
    GElf_Shdr header;
    Elf_Data *data = gelf_getshdr(scn, &header) ? elf_getdata(scn, NULL) : NULL;
    Elf_Scn *linked = data ? elf_getscn(elf, header.sh_link) : NULL;
    const Elf_Data *symbols = linked ? elf_getdata(linked, NULL) : NULL;
    size_t count = data ? data->d_size / sizeof(Elf64_Rela) : 0;
    GElf_Rela rela;

    for (size_t i = 0; i < count && i < INT32_MAX; i++) {
        if (!gelf_getrela(data, (int)i, &rela))
            continue;
        uint64_t type = GELF_R_TYPE(rela.r_info), at = rela.r_offset + reading->bias;
        uint64_t symbol =
            is_absolute(type, file->e_machine) ? find_symbol(symbols, GELF_R_SYM(rela.r_info)) : 0;

        if (is_relative(type, file->e_machine) || symbol != 0)
            add_pointer(reading, at, symbol + (uint64_t)rela.r_addend + reading->bias);
        else if (is_absolute(type, file->e_machine))
            add_pointer(reading, at, 0);
    }
}

/* Without a relocation, a word is a pointer if it would be an address in the file. */
static void add_words(struct reading *reading, const struct section *section)
{
    uint64_t word, left;

    for (uint64_t i = 0; i + WORD <= section->size; i += WORD) {
        memcpy(&word, section->bytes + i, sizeof word);
        if (word == 0)
            continue;
        word += reading->bias;
        if (function_ranges_find(reading->functions, word) ||
            find_bytes(reading->names, word, &left))
            add_pointer(reading, section->address + i, word);
    }
}

static int compare_pointers(const void *left, const void *right)
{
    const struct pointer *a = left, *b = right;

    return (a->at > b->at) - (a->at < b->at);
}

/* Programs at fixed addresses have no relocations, and packed ones (RELR) leave the word. */
static bool has_words(const GElf_Ehdr *file, bool has_packed)
{
    return file->e_type == ET_EXEC || has_packed;
}

static void add_pointers(struct reading *reading, Elf *elf)
{
    enum { PACKED = 19 }; /* SHT_RELR, which older headers lack */
    bool has_packed = false;
    Elf_Scn *scn = NULL;
    GElf_Shdr header;
    GElf_Ehdr file;

    if (!gelf_getehdr(elf, &file) || gelf_getclass(elf) != ELFCLASS64)
        return;
    while ((scn = elf_nextscn(elf, scn))) {
        if (!gelf_getshdr(scn, &header))
            continue;
        has_packed |= header.sh_type == PACKED;
        if (header.sh_type == SHT_RELA && (header.sh_flags & SHF_ALLOC))
            add_relocations(reading, elf, scn, &file);
    }
    for (size_t i = 0; i < reading->names->sections.count; i++)
        if (has_words(&file, has_packed))
            add_words(reading, array_at(&reading->names->sections, i));
    if (reading->pointers.count > 0)
        qsort(reading->pointers.items, reading->pointers.count, sizeof(struct pointer),
              compare_pointers);
}

/* Returns: the pointer at an address; NULL: there is none. */
static const struct pointer *find_pointer(const struct reading *reading, uint64_t at)
{
    const struct pointer key = {at, 0};

    if (reading->pointers.count == 0)
        return NULL;
    return bsearch(&key, reading->pointers.items, reading->pointers.count, sizeof key,
                   compare_pointers);
}

static bool is_function(const struct reading *reading, uint64_t address)
{
    const struct interval *range = function_ranges_find(reading->functions, address);

    return address != 0 && range && range->start == address;
}

/* ---- rows ---- */

static void add_entry(struct reading *reading, const struct entry *entry)
{
    struct entry *added = array_add(&reading->names->entries);

    *added = *entry;
}

static bool is_identifier(const char *name)
{
    if (!isalpha((unsigned char)*name) && *name != '_')
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

static bool is_printable(const char *name)
{
    while (isgraph((unsigned char)*name))
        name++;
    return *name == '\0';
}

/* PyMethodDef: name, function, flags, text of help or nothing. */
static bool is_python_row(const struct reading *reading, uint64_t at, const char *name)
{
    const uint64_t flags_at = at + 2 * WORD, help_at = at + 3 * WORD;
    uint64_t flags, help;

    return reading->is_of_python && is_identifier(name) &&
           read_word(reading->names, flags_at, &flags) && flags > 0 && flags <= PYTHON_FLAGS &&
           read_word(reading->names, help_at, &help) &&
           (help == 0 || find_pointer(reading, help_at)) && !find_pointer(reading, flags_at);
}

/* FUNTAB: name, function, a code, its evaluation (up to three digits) and arity, then its
 * printing. */
static bool is_r_row(const struct reading *reading, uint64_t at, const char *name)
{
    enum { PLUS = 1000, KINDS_MOST = 64 };
    uint64_t words[3];

    for (unsigned i = 0; i < 3; i++)
        if (find_pointer(reading, at + (2 + i) * WORD) ||
            !read_word(reading->names, at + (2 + i) * WORD, &words[i]))
            return false;
    int32_t arity = (int32_t)(words[1] & UINT32_MAX);

    return is_printable(name) && words[0] >> 32 < PLUS && arity >= -1 && arity <= R_ARITY_MOST &&
           words[1] >> 32 < KINDS_MOST && (words[2] & UINT32_MAX) < KINDS_MOST &&
           words[2] >> 32 <= 1 && find_pointer(reading, at + 5 * WORD);
}

static void add_row(struct reading *reading, const struct pointer *pointer)
{
    const struct pointer *function = find_pointer(reading, pointer->at + WORD);
    struct entry entry = {.name = pointer->to};
    const char *name;

    if (!function || !is_function(reading, function->to))
        return;
    name = find_name(reading->names, pointer->to);
    if (!name)
        return;
    entry.start = function->to;
    entry.kind = is_python_row(reading, pointer->at, name) ? PYTHON : R;
    if (entry.kind == R && !is_r_row(reading, pointer->at, name))
        return;
    add_entry(reading, &entry);
}

/* GCC writes a star before the name of a class that no other file can mean.
 * Returns: the mangled name in a type's description; 0: the address is no description. */
static uint64_t find_type_name(const struct reading *reading, uint64_t type)
{
    const struct pointer *word = find_pointer(reading, type + WORD);
    const char *name = word && find_pointer(reading, type) ? find_name(reading->names, word->to)
                                                           : NULL;
    unsigned skipped = name && *name == '*' ? 1 : 0;

    if (!name || (!isdigit((unsigned char)name[skipped]) && name[skipped] != 'N'))
        return 0;
    return is_printable(name) ? word->to + skipped : 0;
}

/* Returns: how many classes are above one, if each has a single base. */
static uint16_t count_bases(const struct reading *reading, uint64_t type)
{
    uint16_t count = 0;

    while (count < BASES_MOST) {
        const struct pointer *base = find_pointer(reading, type + 2 * WORD);

        if (!base || find_type_name(reading, base->to) == 0)
            break;
        type = base->to;
        count++;
    }
    return count;
}

/* A table of virtual functions: the offset to the object's start, its type, the functions.  `type`
 * points to the type. */
static void add_virtual(struct reading *reading, const struct pointer *type)
{
    uint64_t offset, name = find_type_name(reading, type->to);
    struct entry entry = {.name = name, .kind = VIRTUAL};

    if (name == 0 || find_pointer(reading, type->at - WORD) ||
        !read_word(reading->names, type->at - WORD, &offset) || (int64_t)offset > 0)
        return;
    entry.depth = count_bases(reading, type->to);
    for (uint16_t i = 0; i < SLOTS_MOST; i++) {
        const struct pointer *slot = find_pointer(reading, type->at + (i + 1U) * WORD);

        if (!slot || (slot->to != 0 && !is_function(reading, slot->to)))
            break;
        entry.start = slot->to;
        entry.slot = i;
        if (slot->to != 0)
            add_entry(reading, &entry);
    }
}

/* Sorts by function; among several names, that of the outermost class comes first, as the others
 * inherit it. */
static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->depth != b->depth)
        return a->depth < b->depth ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

void table_names_read(struct table_names *names, Elf *elf, uint64_t bias,
                      const struct function_ranges *functions)
{
    struct reading reading = {.names = names, .functions = functions, .bias = bias};

    array_init(&reading.pointers, sizeof(struct pointer));
    reading.is_of_python = uses_python(elf);
    add_sections(&reading, elf);
    add_pointers(&reading, elf);
    for (size_t i = 0; i < reading.pointers.count; i++) {
        const struct pointer *pointer = array_at(&reading.pointers, i);

        add_row(&reading, pointer);
        add_virtual(&reading, pointer);
    }
    array_fini(&reading.pointers);
    if (names->entries.count > 0)
        qsort(names->entries.items, names->entries.count, sizeof(struct entry), compare_entries);
}

/* ---- names ---- */

static int compare_start(const void *item, const void *key)
{
    uint64_t start = ((const struct entry *)item)->start, other = *(const uint64_t *)key;

    return (start > other) - (start < other);
}

/* Returns: the first entry of a function; NULL: it has none. */
static const struct entry *find_entry(const struct table_names *names, uint64_t start)
{
    const struct entry *entries = names->entries.items;
    size_t first = array_first_from(&names->entries, &start, compare_start);

    return first < names->entries.count && entries[first].start == start ? &entries[first] : NULL;
}

static bool append_class(struct text *text, const char *name, unsigned slot)
{
    struct text mangled;
    bool is_told;

    text_init(&mangled);
    text_appendf(&mangled, "_Z%s", name);
    is_told = demangle_append(text, mangled.bytes);
    text_fini(&mangled);
    if (is_told)
        text_appendf(text, "::virtual_%u", slot);
    return is_told;
}

bool table_names_append(struct text *text, const struct table_names *names, uint64_t start)
{
    const struct entry *entry = find_entry(names, start);
    const char *name = entry ? find_name(names, entry->name) : NULL;

    if (!name)
        return false;
    if (entry->kind == VIRTUAL)
        return append_class(text, name, entry->slot);
    text_appendf(text, "%s: %s", entry->kind == PYTHON ? "Python" : "R", name);
    return true;
}
