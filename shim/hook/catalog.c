/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of kernels.def and the kernels of the user's files, as one table
 * of symbols with an index by name.
 */
#include "hook/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapter/adapter.h"
#include "cold/calls.h"
#include "cold/lock.h"
#include "cold/memory.h"
#include "cold/notice.h"
#include "cold/settings.h"
#include "hook/elf.h"
#include "spec/catalog.h"
#include "spec/plan.h"

#define STEPS(...) __VA_ARGS__
#define PLAN(number, count, words, integers, keeps_reals, has_no_proto, steps)                     \
    static const struct plan_step steps_##number[] = {STEPS steps};
#include "kernels.def"
#undef PLAN

static const struct plan plans[] = {
#define PLAN(number, count, words, integers, keeps_reals, has_no_proto, steps)                     \
    {steps_##number, count, words, integers, keeps_reals, has_no_proto},
#include "kernels.def"
#undef PLAN
    {NULL, 0, 0, 0, false, false},
};

/* The pool of a symbol without a compiled wrapper is that of the entry stubs. */
enum { STUBS = UINT32_MAX };

#define POOL_COMPILED(form) form
#define POOL_PLANNED(plan) STUBS
#define PLAN_COMPILED(form) NULL
#define PLAN_PLANNED(plan) &plans[plan]

static const struct symbol built_in[] = {
#define SYMBOL(name, kernel, way, number, owns, is_sampled, library)                               \
    {name, kernel, POOL_##way(number), owns, is_sampled, library, PLAN_##way(number), NULL},
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
    USER_SYMBOLS = 2048, /* of files and of globs that matched */
    SYMBOLS_MAX = BUILT_IN + USER_SYMBOLS,
    GLOBS_MAX = 256,
    PLACES = 16384,
    FILE_MAX = 1 << 20,
    ARENA_SIZE = 16 << 20 /* address space; only what is used is touched */
};

_Static_assert((int)PLACES >= 2 * (int)SYMBOLS_MAX, "the index stays half empty");

struct symbol *catalog_symbols;
unsigned catalog_symbol_count;
uint32_t *catalog_hashes;
struct catalog_part catalog_parts[CATALOG_TEXTS_MAX] = {
    {built_in_text, sizeof built_in_text - 1, false}};
unsigned catalog_part_count = 1;

static _Atomic unsigned short places[PLACES]; /* number of a symbol plus one; 0 is free */

/* What stands for all symbols that match its name; they are added when they
 * are met. */
static struct symbol globs[GLOBS_MAX];
static unsigned glob_count;
static struct lock *lock; /* of adding these */

/* The first two characters of all names, a bit each.  Large C++ libraries ask
 * for tens of thousands of names, and nearly all are refused here. */
static uint64_t starts[65536 / 64];
static bool is_telling;

/* ---- the user's files -------------------------------------------------- */

static struct catalog_part read_file(const char *path)
{
    struct catalog_part part = {NULL, 0, true};
    struct stat status;
    char *text;
    ssize_t size;
    int descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);

    if (descriptor < 0)
        return part;
    if (fstat(descriptor, &status) == 0 && status.st_size > 0 && status.st_size < FILE_MAX) {
        text = memory_map((size_t)status.st_size + 2);
        size = text ? calls_read(descriptor, text, (size_t)status.st_size) : -1;
        if (size > 0) {
            text[size] = '\n'; /* the next text starts on a line of its own */
            part = (struct catalog_part){text, (size_t)size + 1, true};
        }
    }
    calls_close(descriptor);
    return part;
}

/* A plan of its own for a symbol; told and NULL when there is none. */
static const struct plan *make_plan(const struct catalog_kernel *kernel,
                                    const struct catalog_symbol *symbol)
{
    struct plan_step made[PLAN_STEPS_MAX];
    struct plan plan;
    const char *obstacle = plan_make(&plan, made, kernel, symbol->is_wide);
    struct plan_step *steps;
    struct plan *kept;

    if (obstacle) {
        if (is_telling)
            notice("kernel %s is not recorded: %s", symbol->name, obstacle);
        return NULL;
    }
    kept = memory_map(sizeof plan + sizeof made);
    if (!kept)
        return NULL;
    steps = (struct plan_step *)(kept + 1);
    memcpy(steps, made, sizeof made);
    *kept = plan;
    kept->steps = steps;
    return kept;
}

static void add_user_symbol(const struct catalog *catalog, unsigned kernel, unsigned index)
{
    const struct catalog_kernel *of = &catalog->kernels[kernel];
    const struct catalog_symbol *symbol = &of->symbols[index];
    const struct plan *plan = make_plan(of, symbol);
    struct symbol row = {.name = symbol->name,
                         .kernel = kernel,
                         .form = wrapper_stubs,
                         .owns = of->accuracy != CATALOG_UNKNOWN,
                         .is_sampled = of->is_sampled,
                         .library = symbol->library,
                         .plan = plan};

    if (!plan)
        return;
    if (symbol->is_glob && glob_count < GLOBS_MAX)
        globs[glob_count++] = row;
    else if (!symbol->is_glob && catalog_symbol_count < USER_SYMBOLS)
        catalog_symbols[catalog_symbol_count++] = row;
    else if (is_telling)
        notice("kernel %s is not recorded: there are too many", symbol->name);
}

/* `path` names the text where a mistake is told. */
static void add_part(struct catalog *catalog, struct catalog_arena *arena, struct catalog_part part,
                     const char *path)
{
    unsigned before = catalog->kernel_count;
    struct catalog_error error;

    if (catalog_part_count == CATALOG_TEXTS_MAX)
        return;
    if (!catalog_read(catalog, arena, part.text, part.size, &error)) {
        if (is_telling)
            notice("%s:%u:%u: %s; %s is left out", path, error.line, error.column, error.text,
                   part.is_file ? "the file" : "the option");
        catalog->kernel_count = before;
        return;
    }
    catalog_parts[catalog_part_count++] = part;
    for (unsigned i = before; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            add_user_symbol(catalog, i, j);
}

static void add_file(struct catalog *catalog, struct catalog_arena *arena, const char *path)
{
    struct catalog_part part = read_file(path);

    if (part.text)
        add_part(catalog, arena, part, path);
    else if (is_telling)
        notice("TPROF_KERNELS: cannot read %s: %s", path,
               errno ? strerror(errno) : "it is empty or too large");
}

static void add_files(struct catalog *catalog, struct catalog_arena *arena, const char *paths)
{
    while (*paths) {
        size_t length = strcspn(paths, ":");
        char path[4096];

        snprintf(path, sizeof path, "%.*s", (int)length, paths);
        errno = 0;
        if (length > 0)
            add_file(catalog, arena, path);
        paths += length + (paths[length] == ':');
    }
}

/* TPROF_WRAP is [LIBRARY:]SYMBOL,...;...: kernels of which nothing but the
 * name is known, as text of the catalog. */
static struct catalog_part translate_wrap(const char *list)
{
    size_t room = 64 * (strlen(list) + 1); /* a symbol takes two characters and becomes a line */
    struct catalog_part part = {memory_map(room), 0, false};
    char *text = (char *)part.text;

    while (text && *list) {
        size_t length = strcspn(list, ";");
        const char *colon = memchr(list, ':', length);
        const char *name = colon ? colon + 1 : list;

        while (name < list + length) {
            size_t end = strcspn(name, ",;");

            if (end > 0)
                part.size += (size_t)snprintf(text + part.size, room - part.size, "kernel %.*s\n",
                                              (int)end, name);
            if (end > 0 && colon)
                part.size += (size_t)snprintf(text + part.size, room - part.size,
                                              "  library %.*s\n", (int)(colon - list), list);
            if (part.size >= room)
                return (struct catalog_part){NULL, 0, false};
            name += end + 1;
        }
        list += length + (list[length] == ';');
    }
    return part;
}

/* The built-in text is read too: a user's kernel may name its families, and
 * its number counts from there. */
static void add_users(const char *files, const char *wrap)
{
    struct catalog_arena arena = {memory_map(ARENA_SIZE), ARENA_SIZE, 0};
    struct catalog catalog = {0};
    struct catalog_part part;
    struct catalog_error error;

    if (!arena.base ||
        !catalog_read(&catalog, &arena, built_in_text, sizeof built_in_text - 1, &error))
        return;
    add_files(&catalog, &arena, files);
    part = translate_wrap(wrap);
    if (part.size > 0)
        add_part(&catalog, &arena, part, "TPROF_WRAP");
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

/* The place is written last: others may be searching. */
static void add_to_index(unsigned symbol)
{
    uint32_t hash = elf_hash(catalog_symbols[symbol].name);
    uint32_t place = hash % PLACES;

    starts[start_of(catalog_symbols[symbol].name) / 64] |=
        UINT64_C(1) << start_of(catalog_symbols[symbol].name) % 64;
    catalog_hashes[symbol] = hash;
    while (places[place] != 0)
        place = (place + 1) % PLACES;
    atomic_store_explicit(&places[place], (unsigned short)(symbol + 1), memory_order_release);
}

/* What a row of kernels.def cannot say; adapters act around stubs only. */
static void complete_symbol(struct symbol *symbol)
{
    if (symbol->form != STUBS)
        return;
    symbol->form = wrapper_stubs;
    symbol->adapter = adapter_find(symbol->name);
}

void catalog_init(bool tells)
{
    is_telling = tells;
    catalog_symbols = memory_map(SYMBOLS_MAX * sizeof *catalog_symbols);
    catalog_hashes = memory_map(SYMBOLS_MAX * sizeof *catalog_hashes);
    lock = memory_map_wiped(sizeof *lock);
    if (!catalog_symbols || !catalog_hashes || !lock)
        return;
    if (settings.text[SETTING_KERNELS][0] != '\0' || settings.text[SETTING_WRAP][0] != '\0')
        add_users(settings.text[SETTING_KERNELS], settings.text[SETTING_WRAP]);
    memcpy(catalog_symbols + catalog_symbol_count, built_in, sizeof built_in);
    for (unsigned i = 0; i < BUILT_IN; i++)
        complete_symbol(&catalog_symbols[catalog_symbol_count + i]);
    catalog_symbol_count += BUILT_IN;
    for (unsigned i = 0; i < catalog_symbol_count; i++)
        add_to_index(i);
}

static const struct symbol *find_exact(const char *name)
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

/* Functions that return twice, or whose caller is their argument, have no
 * wrapper that could stand between. */
static bool is_refused(const char *name)
{
    static const char *const refused[] = {
        "setjmp",     "_setjmp",     "sigsetjmp",   "__sigsetjmp", "vfork",   "__vfork",
        "getcontext", "swapcontext", "makecontext", "setcontext",  "longjmp",
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(name, refused[i]) == 0)
            return true;
    return false;
}

static const struct symbol *add_match(const struct symbol *glob, const char *name)
{
    const struct symbol *found;
    char *kept = NULL;

    lock_take(lock);
    found = find_exact(name);
    if (!found && catalog_symbol_count < SYMBOLS_MAX)
        kept = memory_map(strlen(name) + 1);
    if (kept) {
        catalog_symbols[catalog_symbol_count] = *glob;
        catalog_symbols[catalog_symbol_count].name = strcpy(kept, name);
        add_to_index(catalog_symbol_count);
        found = &catalog_symbols[catalog_symbol_count++];
    }
    lock_release(lock);
    return found;
}

const struct symbol *catalog_find(const char *name)
{
    const struct symbol *found = find_exact(name);

    for (unsigned i = 0; !found && i < glob_count; i++)
        if (fnmatch(globs[i].name, name, 0) == 0 && !is_refused(name))
            found = add_match(&globs[i], name);
    return found;
}
