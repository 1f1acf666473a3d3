/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of kernels.def and the kernels of the user's files, as one table
 * of symbols with an index by name.
 */
#include "hook/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter/adapter.h"
#include "cold/memory.h"
#include "cold/notice.h"
#include "cold/settings.h"
#include "hook/elf.h"
#include "hot/generic.h"
#include "spec/catalog.h"

static const struct symbol built_in[] = {
#define SYMBOL(name, kernel, form, owns, library) {name, kernel, form, owns, library, NULL},
#include "kernels.def"
#undef SYMBOL
};

static const char built_in_text[] =
#define TEXT(line) line
#include "kernels.def"
#undef TEXT
    ;

enum {
    BUILT_IN = sizeof built_in / sizeof *built_in,
    SYMBOLS_MAX = BUILT_IN + 1024,
    PLACES = 4096,
    FILE_MAX = 1 << 20,
    ARENA_SIZE = 16 << 20 /* address space; only what is used is touched */
};

_Static_assert((int)PLACES >= 2 * (int)SYMBOLS_MAX, "the index stays half empty");

struct symbol *catalog_symbols;
unsigned catalog_symbol_count;
uint32_t *catalog_hashes;
struct catalog_part catalog_parts[CATALOG_TEXTS_MAX] = {{built_in_text, sizeof built_in_text - 1}};
unsigned catalog_part_count = 1;

static unsigned short places[PLACES]; /* number of a symbol plus one; 0 is free */

/* The first two characters of all names, a bit each.  Large C++ libraries ask
 * for tens of thousands of names, and nearly all are refused here. */
static uint64_t starts[65536 / 64];
static bool is_telling;

/* ---- the user's files -------------------------------------------------- */

static struct catalog_part read_file(const char *path)
{
    struct catalog_part part = {NULL, 0};
    struct stat status;
    char *text;
    ssize_t size;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0)
        return part;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0 && status.st_size < FILE_MAX) {
        text = memory_map((size_t)status.st_size + 2);
        size = text ? read(descriptor, text, (size_t)status.st_size) : -1;
        if (size > 0) {
            text[size] = '\n'; /* the next text starts on a line of its own */
            part = (struct catalog_part){text, (size_t)size + 1};
        }
    }
    close(descriptor);
    return part;
}

static void add_user_symbol(const struct catalog *catalog, unsigned kernel, unsigned index)
{
    const struct catalog_kernel *of = &catalog->kernels[kernel];
    const struct catalog_symbol *symbol = &of->symbols[index];
    bool returns_real = of->result == CATALOG_FLOAT || of->result == CATALOG_DOUBLE;
    struct generic_plan *plan = memory_map(sizeof *plan);
    const char *obstacle;

    if (!plan || catalog_symbol_count == SYMBOLS_MAX - BUILT_IN)
        return;
    obstacle = generic_make_plan(plan, of, symbol->is_wide);
    if (obstacle) {
        if (is_telling)
            notice("kernel %s is not recorded: %s", symbol->name, obstacle);
        return;
    }
    catalog_symbols[catalog_symbol_count++] =
        (struct symbol){symbol->name,
                        kernel,
                        returns_real ? wrapper_generic_real : wrapper_generic_word,
                        of->accuracy != CATALOG_UNKNOWN,
                        symbol->library,
                        plan};
}

static void add_file(struct catalog *catalog, struct catalog_arena *arena, const char *path)
{
    struct catalog_part part = read_file(path);
    unsigned before = catalog->kernel_count;
    struct catalog_error error;

    if (!part.text) {
        if (is_telling)
            notice("TPROF_KERNELS: cannot read %s: %s", path,
                   errno ? strerror(errno) : "it is empty or too large");
        return;
    }
    if (catalog_part_count == CATALOG_TEXTS_MAX)
        return;
    if (!catalog_read(catalog, arena, part.text, part.size, &error)) {
        if (is_telling)
            notice("%s:%u:%u: %s; the file is left out", path, error.line, error.column,
                   error.text);
        catalog->kernel_count = before;
        return;
    }
    catalog_parts[catalog_part_count++] = part;
    for (unsigned i = before; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            add_user_symbol(catalog, i, j);
}

/* The built-in text is read too: a user's kernel may name its families, and
 * its number counts from there. */
static void add_user_files(const char *paths)
{
    struct catalog_arena arena = {memory_map(ARENA_SIZE), ARENA_SIZE, 0};
    struct catalog catalog = {0};
    struct catalog_error error;

    if (!arena.base ||
        !catalog_read(&catalog, &arena, built_in_text, sizeof built_in_text - 1, &error))
        return;
    while (*paths) {
        size_t length = strcspn(paths, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        errno = 0;
        if (length > 0)
            add_file(&catalog, &arena, path);
        paths += length + (paths[length] == ':');
    }
}

/* Functions whose shape an adapter finds go through the wrappers of users'
 * kernels, whose plan says so. */
static void add_adapters(struct symbol *symbols)
{
    for (unsigned i = 0; i < BUILT_IN; i++) {
        const struct adapter_call *call = adapter_find(symbols[i].name);
        struct generic_plan *plan = call ? memory_map(sizeof *plan) : NULL;

        if (!plan)
            continue;
        plan->adapter = call;
        symbols[i].plan = plan;
        symbols[i].form = wrapper_generic_word;
    }
}

/* ---- the index --------------------------------------------------------- */

static unsigned start_of(const char *name)
{
    return (unsigned)(unsigned char)name[0] << 8 | (name[0] ? (unsigned char)name[1] : 0u);
}

static bool may_be_known(const char *name)
{
    unsigned start = start_of(name);

    return (starts[start / 64] >> start % 64 & 1) != 0;
}

static void add_to_index(unsigned symbol)
{
    uint32_t hash = elf_hash(catalog_symbols[symbol].name);
    uint32_t place = hash % PLACES;

    starts[start_of(catalog_symbols[symbol].name) / 64] |=
        UINT64_C(1) << start_of(catalog_symbols[symbol].name) % 64;
    catalog_hashes[symbol] = hash;
    while (places[place] != 0)
        place = (place + 1) % PLACES;
    places[place] = (unsigned short)(symbol + 1);
}

void catalog_init(bool tells)
{
    is_telling = tells;
    catalog_symbols = memory_map(SYMBOLS_MAX * sizeof *catalog_symbols);
    catalog_hashes = memory_map(SYMBOLS_MAX * sizeof *catalog_hashes);
    if (!catalog_symbols || !catalog_hashes)
        return;
    if (settings.text[SETTING_KERNELS][0] != '\0')
        add_user_files(settings.text[SETTING_KERNELS]);
    memcpy(catalog_symbols + catalog_symbol_count, built_in, sizeof built_in);
    add_adapters(catalog_symbols + catalog_symbol_count);
    catalog_symbol_count += BUILT_IN;
    for (unsigned i = 0; i < catalog_symbol_count; i++)
        add_to_index(i);
}

const struct symbol *catalog_find(const char *name)
{
    uint32_t hash;

    if (!may_be_known(name))
        return NULL;
    hash = elf_hash(name);
    for (uint32_t place = hash % PLACES; places[place] != 0; place = (place + 1) % PLACES) {
        unsigned i = places[place] - 1u;

        if (catalog_hashes[i] == hash && strcmp(catalog_symbols[i].name, name) == 0)
            return &catalog_symbols[i];
    }
    return NULL;
}
