/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions that the symbols of one file name.
 *
 * Decision: doc/decisions/own-symbol-tables.
 */
#include "symbols/symbol_table.h"

#include <ctype.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/chosen_functions.h"
#include "symbols/storage.h"

/* Bytes of a line in a map: longer names are cut. */
enum { SYMBOL_LINE_MOST = 8192 };

/* Ranks of symbols by their binding. */
enum { GLOBAL, WEAK, LOCAL };

struct symbol {
    uint64_t address;
    uint64_t end; /* end of its range; end of its section when it has no size */
    const char *name;
    bool is_sized;
    bool is_choice; /* the loader chooses the function by calling the one here */
    uint32_t rank; /* the lowest is preferred */
};

/* Where a symbol was read. */
struct symbol_source {
    Elf *elf;
    uint64_t address; /* in the module's file */
    GElf_Word section;
};

void symbol_table_init(struct symbol_table *table)
{
    table->is_cut = table->has_inner = false;
    array_init(&table->symbols, sizeof(struct symbol));
    array_init(&table->names, sizeof(struct symbol_found));
    intervals_init(&table->intervals);
}

void symbol_table_fini(struct symbol_table *table)
{
    array_fini(&table->symbols);
    array_fini(&table->names);
    intervals_fini(&table->intervals);
}

/* Labels of assembler have no type.  On AArch64, such symbols with a $ mark where code and data
 * start. */
static bool symbol_is_function(const GElf_Sym *raw, const GElf_Shdr *section, const char *name)
{
    switch (GELF_ST_TYPE(raw->st_info)) {
    case STT_FUNC:
    case STT_GNU_IFUNC: return true;
    case STT_NOTYPE: return (section->sh_flags & SHF_EXECINSTR) && name[0] != '$';
    default: return false;
    }
}

static uint32_t symbol_rank_binding(const GElf_Sym *raw)
{
    switch (GELF_ST_BIND(raw->st_info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE: return GLOBAL;
    case STB_WEAK: return WEAK;
    default: return LOCAL;
    }
}

/* A section that is not known has no end, so its labels hold nothing. */
static GElf_Shdr symbol_section(const struct symbol_source *source)
{
    GElf_Shdr header;
    Elf_Scn *section = elf_getscn(source->elf, source->section);

    if (!section || !gelf_getshdr(section, &header))
        return (GElf_Shdr){0};
    return header;
}

static void add(struct symbol_table *table, const struct symbol_source *source, const GElf_Sym *raw,
                const char *name)
{
    if (!name || raw->st_name == 0 || source->section == SHN_UNDEF)
        return;
    GElf_Shdr section = symbol_section(source);
    if (!symbol_is_function(raw, &section, name))
        return;

    struct symbol *symbol = array_add(&table->symbols);
    uint64_t size = raw->st_size ? raw->st_size : section.sh_addr + section.sh_size - raw->st_value;
    *symbol = (struct symbol){.address = source->address,
                              .end = source->address + size,
                              .name = name,
                              .is_sized = raw->st_size != 0,
                              .is_choice = GELF_ST_TYPE(raw->st_info) == STT_GNU_IFUNC,
                              .rank = symbol_rank_binding(raw)};
}

/* Adds the one table that libdwfl prefers, of the file itself or of its debug file, with that of
 * .gnu_debugdata. */
static void add_module(struct symbol_table *table, Dwfl_Module *module)
{
    int count = dwfl_module_getsymtab(module);

    for (int i = 1; i < count; i++) {
        GElf_Sym raw;
        GElf_Addr bias;
        struct symbol_source source = {0};
        const char *name = dwfl_module_getsym_info(module, i, &raw, &source.address,
                                                   &source.section, &source.elf, &bias);

        add(table, &source, &raw, name);
    }
}

static void add_section(struct symbol_table *table, Elf *elf, uint64_t bias, Elf_Scn *section)
{
    GElf_Shdr header;
    Elf_Data *data = elf_getdata(section, NULL);

    if (!data || !gelf_getshdr(section, &header))
        return;
    size_t count = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
    for (size_t i = 1; i < count && i < INT32_MAX; i++) {
        GElf_Sym raw;

        if (!gelf_getsym(data, (int)i, &raw))
            continue;
        struct symbol_source source = {elf, raw.st_value + bias, raw.st_shndx};
        add(table, &source, &raw, elf_strptr(elf, header.sh_link, raw.st_name));
    }
}

/* Exported symbols are nearly always in .symtab too, but need not be. */
static void add_exported(struct symbol_table *table, Dwfl_Module *module)
{
    GElf_Addr bias = 0;
    GElf_Shdr header;
    Elf *elf = dwfl_module_getelf(module, &bias);
    Elf_Scn *section = NULL;

    while (elf && (section = elf_nextscn(elf, section)))

        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
            add_section(table, elf, bias, section);
}

static int symbol_compare_names(const char *a, const char *b)
{
    size_t left = strspn(a, "_");
    size_t right = strspn(b, "_");

    if (left != right)
        return left < right ? -1 : 1;
    return strcmp(a, b);
}

/* By address; among equal addresses, the preferred first. */
static int symbol_compare(const void *left, const void *right)
{
    const struct symbol *a = left;
    const struct symbol *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->is_sized != b->is_sized)
        return a->is_sized ? -1 : 1;
    return a->name == b->name ? 0 : symbol_compare_names(a->name, b->name);
}

/* Leave one symbol at each address, as long as the longest there. */
static void merge(struct array *array)
{
    struct symbol *symbols = array->items;
    size_t kept = 0;

    for (size_t i = 0; i < array->count; i++) {
        struct symbol *last = kept > 0 ? &symbols[kept - 1] : NULL;

        if (!last || last->address != symbols[i].address)
            symbols[kept++] = symbols[i];
        else if (symbols[i].is_sized && (!last->is_sized || last->end < symbols[i].end)) {
            last->end = symbols[i].end;
            last->is_sized = true;
        }
    }
    array_truncate(array, kept);
}

/* A label ends where the next symbol starts, and inside a function it names nothing of its own. */
static void index_symbols(struct symbol_table *table)
{
    const struct symbol *symbols = table->symbols.items;
    size_t count = table->symbols.count;
    uint64_t covered = 0; /* the farthest end of a sized symbol so far */

    for (size_t i = 0; i < count; i++) {
        uint64_t end = symbols[i].end;

        if (symbols[i].is_sized)
            covered = end > covered ? end : covered;
        else if (symbols[i].address < covered)
            continue;
        else if (i + 1 < count && symbols[i + 1].address < end)
            end = symbols[i + 1].address;

        struct symbol_found *name = array_add(&table->names);
        intervals_add(&table->intervals, symbols[i].address, end,
                      (uint32_t)(table->names.count - 1));
        *name = (struct symbol_found){symbols[i].name, symbols[i].address, symbols[i].is_sized};
    }
    intervals_sort(&table->intervals);
}

/* Called after all symbols were added.  `arrange` keeps one of those that cover the same range. */
static void finish(struct symbol_table *table, void (*arrange)(struct array *symbols))
{
    if (table->symbols.count > 0) {
        qsort(table->symbols.items, table->symbols.count, sizeof(struct symbol), symbol_compare);
        arrange(&table->symbols);
        index_symbols(table);
    }
    array_fini(&table->symbols);
}

/* Add the function that the loader chooses for a symbol: a label, whose end is in the unwind
 * table. */
static void add_choice(struct symbol_table *table, const struct symbol *from, uint64_t start)
{
    const struct symbol choice = {
        .address = start, .end = UINT64_MAX, .name = from->name, .rank = from->rank};
    struct symbol *symbol = start != 0 ? array_add(&table->symbols) : NULL;

    if (!symbol)
        return;
    *symbol = choice;
}

static void add_choices(struct symbol_table *table, Dwfl_Module *module)
{
    size_t count = table->symbols.count;
    GElf_Addr bias = 0;
    struct chosen_library library;

    if (!chosen_library_open(&library, module) || !dwfl_module_getelf(module, &bias))
        count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct symbol *symbol = array_at(&table->symbols, i);

        if (symbol->is_choice)
            add_choice(table, symbol, chosen_library_find(&library, symbol->name, bias));
    }
    chosen_library_close(&library);
}

/* Stripped files have only exported symbols. */
static bool has_inner(const struct symbol_table *table)
{
    const struct symbol *symbols = table->symbols.items;

    for (size_t i = 0; i < table->symbols.count; i++)
        if (symbols[i].rank == LOCAL)
            return true;
    return false;
}

void symbol_table_read(struct symbol_table *table, Dwfl_Module *module)
{
    add_module(table, module);

    table->has_inner = has_inner(table);
    add_exported(table, module);
    if (!table->has_inner)
        add_choices(table, module);
    finish(table, merge);
}

/* Reads a hexadecimal number and the blanks after it.  Returns: false when there is none. */
static bool symbol_read_number(char **at, uint64_t *number)
{
    char *end;

    if (!isxdigit((unsigned char)**at))
        return false;
    *number = strtoull(*at, &end, 16);
    *at = end + strspn(end, " ");
    return *at > end;
}

/* Add a function compiled at run time: later ones are preferred. */
static void add_compiled(struct symbol_table *table, const struct symbol *from, size_t length,
                         struct storage *storage)
{
    const char *kept = storage_keep(storage, from->name, length);
    struct symbol *symbol = kept && length > 0 ? array_add(&table->symbols) : NULL;

    if (!symbol)
        return;
    *symbol = *from;
    symbol->name = kept;
    symbol->is_sized = true;
    symbol->rank = UINT32_MAX - (uint32_t)table->symbols.count;
}

static void add_line(struct symbol_table *table, char *line, struct storage *storage)
{
    struct symbol symbol = {0};
    uint64_t size;
    char *name = line;

    if (!symbol_read_number(&name, &symbol.address) || !symbol_read_number(&name, &size) ||
        symbol.address + size < symbol.address)
        return;
    symbol.end = symbol.address + size;
    symbol.name = name;
    add_compiled(table, &symbol, strcspn(name, "\n"), storage);
}

/* Leave no two that overlap: the older one keeps its part in front.  The youngest at an address
 * comes first. */
static void part(struct array *array)
{
    struct symbol *symbols = array->items;
    size_t kept = 0;

    for (size_t i = 0; i < array->count; i++) {
        const struct symbol symbol = symbols[i];

        if (kept > 0 && symbols[kept - 1].end > symbol.address) {
            if (symbols[kept - 1].rank < symbol.rank)
                continue;
            symbols[kept - 1].end = symbol.address;
        }
        symbols[kept++] = symbol;
    }
    array_truncate(array, kept);
}

/* Skip the part of a line that does not fit the buffer. */
static void skip_line(const char *line, FILE *map)
{
    int c = strchr(line, '\n') ? '\n' : 0;

    while (c != '\n' && c != EOF)
        c = getc(map);
}

static void read_lines(struct symbol_table *table, FILE *map, struct storage *storage)
{
    char line[SYMBOL_LINE_MOST];

    while (fgets(line, sizeof line, map)) {
        skip_line(line, map);
        table->is_cut = table->symbols.count == SYMBOL_TABLE_MAP_MOST;
        if (table->is_cut)
            break;
        add_line(table, line, storage);
    }
}

/* ---- dumps ---- */

enum { DUMP_LOAD = 0 };

struct dump_head {
    uint32_t magic, version, size, machine, unused, process;
    uint64_t time, flags;
};

struct dump_record {
    uint32_t kind, size;
    uint64_t time;
};

/* The name follows, then the code. */
struct dump_load {
    uint32_t process, thread;
    uint64_t virtual_address, address, size, number;
};

_Static_assert(sizeof(struct dump_head) == 40 && sizeof(struct dump_record) == 16 &&
                   sizeof(struct dump_load) == 40,
               "as in the file");

static const uint32_t dump_magic = 0x4A695444;

/* Read a record behind its head.  Returns: whether the name could be read. */
static bool read_load(FILE *dump, uint32_t size, struct symbol *symbol, char *name)
{
    enum { HEADS = sizeof(struct dump_record) + sizeof(struct dump_load) };
    struct dump_load load;
    size_t most = size > HEADS ? size - HEADS : 0;

    most = most < SYMBOL_LINE_MOST - 1 ? most : SYMBOL_LINE_MOST - 1;
    if (most == 0 || fread(&load, sizeof load, 1, dump) != 1)
        return false;
    size_t got = fread(name, 1, most, dump);
    name[got] = '\0';
    *symbol = (struct symbol){
        .address = load.address, .end = load.address + load.size, .name = name};
    return symbol->end >= symbol->address;
}

static void read_record(struct symbol_table *table, FILE *dump, const struct dump_record *record,
                        struct storage *storage)
{
    char name[SYMBOL_LINE_MOST];
    struct symbol symbol;

    if (record->kind != DUMP_LOAD || !read_load(dump, record->size, &symbol, name))
        return;
    add_compiled(table, &symbol, strlen(name), storage);
}

/* A process that was killed may have left half a record. */
static void read_dump(struct symbol_table *table, FILE *dump, struct storage *storage)
{
    struct dump_head head;
    struct dump_record record;
    bool is_open = fread(&head, sizeof head, 1, dump) == 1;
    off_t next = is_open ? (off_t)head.size : 0;

    while (is_open && next >= (off_t)sizeof head && fseeko(dump, next, SEEK_SET) == 0 &&
           fread(&record, sizeof record, 1, dump) == 1 && record.size >= sizeof record) {
        table->is_cut = table->symbols.count == SYMBOL_TABLE_MAP_MOST;
        if (table->is_cut)
            break;
        read_record(table, dump, &record, storage);
        next += (off_t)record.size;
    }
}

static bool is_dump(FILE *file)
{
    uint32_t magic = 0;
    bool is_read = fread(&magic, sizeof magic, 1, file) == 1;

    rewind(file);
    return is_read && magic == dump_magic;
}

void symbol_table_read_map(struct symbol_table *table, FILE *map, struct storage *storage)
{
    if (is_dump(map))
        read_dump(table, map, storage);
    else
        read_lines(table, map, storage);

    finish(table, part);
}

struct symbol_found symbol_table_find(const struct symbol_table *table, uint64_t address)
{
    const struct interval *interval = intervals_find(&table->intervals, address);

    if (!interval)
        return (struct symbol_found){.name = NULL};
    return *(const struct symbol_found *)array_at(&table->names, interval->value);
}
