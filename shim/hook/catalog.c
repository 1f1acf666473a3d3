/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of kernels.def and the kernels of the user's files, as one table
 * of symbols with an index by name.
 *
 * Decisions: doc/decisions/catalog-rows-by-name, users-catalog.
 */
#include "hook/catalog.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call/adapter_call.h"
#include "call/entry_layout.h"
#include "platform/calls.h"
#include "platform/elf.h"
#include "platform/lock.h"
#include "platform/memory.h"
#include "platform/notice.h"
#include "record/settings.h"
#include "spec/catalog.h"
#include "spec/plan.h"

#define STEPS(...) __VA_ARGS__
#define PLAN(number, count, words, integers, keeps_reals, has_no_proto, steps)                     \
    static const struct plan_step steps_##number[] = {STEPS steps};
#include "kernels.def"
#undef PLAN

static const struct plan plans[] = {
#define PLAN(number, count, words, integers, keeps_reals, has_no_proto, steps)                     \
    {steps_##number, count, words, integers, keeps_reals, has_no_proto, false},
#include "kernels.def"
#undef PLAN
    {NULL, 0, 0, 0, false, false, false},
};

/* A symbol as kernels.def has it.  There are no pointers in it, so that nothing
 * need be done for the many when a process starts; of those that are met, a
 * struct symbol is made. */
struct row {
    uint32_t hash;
    uint32_t name; /* where it begins in `names` */
    uint16_t kernel;
    uint16_t number; /* of its form or its plan */
    uint8_t library; /* 0 is none */
    bool is_compiled;
    bool owns;
    bool is_sampled;
};

enum { WAY_PLANNED, WAY_COMPILED };

static const struct row rows[] = {
#define SYMBOL(hash, kernel, way, number, owns, is_sampled, library, name)                         \
    {hash, name, kernel, number, library, WAY_##way, owns, is_sampled},
#include "kernels.def"
#undef SYMBOL
};

static const char names[] =
#define NAME(name) name "\0"
#include "kernels.def"
#undef NAME
    ;

static const char *const libraries[] = {
    NULL,
#define LIBRARY(glob) glob,
#include "kernels.def"
#undef LIBRARY
};

enum {
    BUILT_IN = sizeof rows / sizeof *rows,
#define PLACES(count) BUILT_IN_PLACES = (count),
#include "kernels.def"
#undef PLACES
    USER_SYMBOLS = ENTRY_STUBS, /* of files and of globs that matched */
    USER_PLACES = 2 * USER_SYMBOLS,
    GLOBS_MAX = 256,
    FILE_MAX = 1 << 20,
    ARENA_SIZE = 32 << 20, /* address space; only what is used is touched, and given back */
    KEPT_BLOCK = 1 << 16,
#define KERNELS(count) BUILT_IN_KERNELS = (count),
#include "kernels.def"
#undef KERNELS
    STARTS = 65536 / 64
};

_Static_assert((int)BUILT_IN_PLACES > (int)BUILT_IN, "the index ends every search");
_Static_assert((int)BUILT_IN < UINT16_MAX, "a place holds the number of a row plus one");

/* The number of a row plus one; 0 is free. */
static const uint16_t built_in_places[BUILT_IN_PLACES] = {
#define PLACE(place, symbol) [place] = (symbol) + 1,
#include "kernels.def"
#undef PLACE
};

/* The first two characters of all names, a bit each.  Large C++ libraries ask
 * for tens of thousands of names, and nearly all are refused here. */
static const uint64_t built_in_starts[STARTS] = {
#define START(word, bits) [word] = (bits),
#include "kernels.def"
#undef START
};

/* Their hashes, a bit each; the lowest bit of a hash left out. */
static const uint64_t built_in_filter[CATALOG_FILTER_BITS / 64] = {
#define FILTER(word, bits) [word] = (bits),
#include "kernels.def"
#undef FILTER
};

#define FILTER_BITS(count) _Static_assert(CATALOG_FILTER_BITS == (count), "as it was made");
#include "kernels.def"
#undef FILTER_BITS

static const char built_in_text[] =
#define TEXT(line) line
#include "kernels.def"
#undef TEXT
    ;

/* The paragraphs of it that a user's kernel may name. */
static const char built_in_families[] =
#define FAMILY(line) line
#include "kernels.def"
#undef FAMILY
    ;

/* The whole for traces, where tprof was built with zstd. */
static const unsigned char packed_text[] = {
#define PACKED(byte) byte,
#include "kernels.def"
#undef PACKED
    0};

enum { PACKED_SIZE = sizeof packed_text - 1 };

struct catalog_part catalog_parts[CATALOG_TEXTS_MAX] = {
    {PACKED_SIZE > 0 ? (const char *)packed_text : built_in_text,
     PACKED_SIZE > 0 ? PACKED_SIZE : sizeof built_in_text - 1, false, PACKED_SIZE > 0}};
atomic_uint catalog_part_count = 1;

/* The built-in symbols that were met. */
static struct symbol made[BUILT_IN];
static atomic_bool is_made[BUILT_IN];

/* Those of the user's files, and what matched their globs; the index as above. */
static struct symbol *users;
static uint16_t user_globs[USER_SYMBOLS]; /* the number of its glob plus one; 0: it has a name */
static unsigned user_count;
static _Atomic unsigned short user_places[USER_PLACES];
static uint64_t user_starts[STARTS];
static uint64_t user_filter[CATALOG_FILTER_BITS / 64];

/* What stands for all symbols that match its name; they are added when a function
 * of theirs is hooked. */
static struct symbol globs[GLOBS_MAX];
static unsigned glob_count;
static unsigned left_out; /* times that a name found no room */
static struct lock *lock; /* of making and adding symbols */
static bool is_telling;

/* ---- what is kept ------------------------------------------------------ */

/* Copy bytes to where they stay: the arena is given back, and an object that has a name may
 * go.  Returns: NULL when there is no room. */
static void *keep_bytes(const void *from, size_t size)
{
    static char *block;
    static size_t left;
    size_t taken = (size + 7) & ~(size_t)7;
    char *kept;

    if (taken > KEPT_BLOCK)
        return NULL;
    if (!block || taken > left) {
        block = memory_map(KEPT_BLOCK);
        left = block ? KEPT_BLOCK : 0;
    }
    if (!block)
        return NULL;
    kept = memcpy(block, from, size);
    block += taken;
    left -= taken;
    return kept;
}

static const char *keep_text(const char *text)
{
    return keep_bytes(text, strlen(text) + 1);
}

/* ---- the user's files -------------------------------------------------- */

static struct catalog_part read_file(const char *path)
{
    struct catalog_part part = {NULL, 0, true, false};
    struct stat status;
    char *text;
    ssize_t size;
    int descriptor = calls_open(path, O_RDONLY | O_CLOEXEC, 0);

    if (descriptor < 0)
        return part;
    if (calls_fstat(descriptor, &status) == 0 && status.st_size > 0 && status.st_size < FILE_MAX) {
        text = memory_map((size_t)status.st_size + 2);
        size = text ? calls_read(descriptor, text, (size_t)status.st_size) : -1;
        if (size > 0) {
            text[size] = '\n'; /* the next text starts on a line of its own */
            part = (struct catalog_part){text, (size_t)size + 1, true, false};
        }
    }
    calls_close(descriptor);
    return part;
}

static void tell_unrecorded(const char *name, const char *why)
{
    if (is_telling)
        notice("kernel %s is not recorded: %s", name, why);
}

/* A plan of its own for a symbol; told and NULL when there is none. */
static const struct plan *make_plan(const struct catalog_kernel *kernel,
                                    const struct catalog_symbol *symbol)
{
    struct plan_step program[PLAN_STEPS_MAX];
    struct plan plan, *kept = NULL;
    const char *obstacle = plan_make(&plan, program, kernel, symbol->is_wide);

    if (!obstacle) {
        plan.steps = keep_bytes(program, plan.step_count * sizeof *program);
        plan.is_users = true;
        kept = plan.steps ? keep_bytes(&plan, sizeof plan) : NULL;
    }
    if (!kept)
        tell_unrecorded(symbol->name, obstacle ? obstacle : "no memory is left");
    return kept;
}

static unsigned start_of(const char *name)
{
    return (unsigned)(unsigned char)name[0] << 8 | (name[0] ? (unsigned char)name[1] : 0u);
}

/* The place is written last: others may be searching. */
static void add_user(const struct symbol *symbol, unsigned glob)
{
    unsigned start = start_of(symbol->name);
    uint32_t place = symbol->hash % USER_PLACES;
    uint32_t bit = symbol->hash / 2 % CATALOG_FILTER_BITS;

    user_globs[user_count] = (uint16_t)glob;
    users[user_count++] = *symbol;
    user_starts[start / 64] |= UINT64_C(1) << start % 64;
    user_filter[bit / 64] |= UINT64_C(1) << bit % 64;
    while (user_places[place] != 0)
        place = (place + 1) % USER_PLACES;
    atomic_store_explicit(&user_places[place], (unsigned short)user_count, memory_order_release);
}

/* Functions that return twice, or whose caller is their argument, have no wrapper that
 * could stand between; nor have those that gcc -pg and -fsplit-stack call before a function
 * has saved its arguments, which therefore keep all registers; nor what finds thread-local
 * variables, which compiled code calls with a stack that is not aligned (gcc's bug 58066, and
 * Java's virtual machine). */
static bool is_refused(const char *name)
{
    static const char *const refused[] = {
        "setjmp",     "_setjmp",     "sigsetjmp",   "__sigsetjmp",    "vfork",   "__vfork",
        "getcontext", "swapcontext", "makecontext", "setcontext",     "longjmp", "mcount",
        "_mcount",    "__fentry__",  "__morestack", "__tls_get_addr",
    };

    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(name, refused[i]) == 0)
            return true;
    return false;
}

/* Returns: false when there is no room. */
static bool add_user_row(struct symbol *row, const struct catalog_symbol *symbol)
{
    row->name = keep_text(symbol->name);
    row->library = symbol->library ? keep_text(symbol->library) : NULL;
    if (!row->name || !row->library != !symbol->library)
        return false;
    if (symbol->is_glob && glob_count < GLOBS_MAX)
        globs[glob_count++] = *row;
    else if (!symbol->is_glob && user_count < USER_SYMBOLS)
        add_user(row, 0);
    else
        return false;
    return true;
}

static void add_user_symbol(const struct catalog *catalog, unsigned kernel, unsigned index)
{
    const struct catalog_kernel *of = &catalog->kernels[kernel];
    const struct catalog_symbol *symbol = &of->symbols[index];
    const struct plan *plan = is_refused(symbol->name) ? NULL : make_plan(of, symbol);
    struct symbol row = {.hash = elf_hash(symbol->name),
                         .kernel = BUILT_IN_KERNELS + kernel,
                         .form = wrapper_stubs,
                         .owns = of->accuracy != CATALOG_UNKNOWN,
                         .is_sampled = of->is_sampled,
                         .plan = plan};

    if (is_refused(symbol->name))
        tell_unrecorded(symbol->name, "no wrapper can stand before it");
    if (plan && !add_user_row(&row, symbol))
        tell_unrecorded(symbol->name, "there are too many");
}

/* Of the list people know no lines: what stands in this one behind its keyword. */
static void tell_entry(const char *line, const char *what)
{
    line += strspn(line, " ");
    line += strcspn(line, " ");
    line += *line == ' ';
    notice("TPROF_WRAP: \"%.*s\": %s; the list is left out", (int)strcspn(line, "\n"), line, what);
}

static void tell_mistake(struct catalog_part part, const char *path,
                         const struct catalog_error *error)
{
    const char *line = part.text;

    if (part.is_file) {
        notice("%s:%u:%u: %s; the file is left out", path, error->line, error->column, error->text);
        return;
    }
    for (unsigned number = 1; number < error->line; number++)
        line += strcspn(line, "\n") + 1;
    tell_entry(line, error->text);
}

/* `path` names the file where a mistake is told. */
static void add_part(struct catalog *catalog, struct catalog_arena *arena, struct catalog_part part,
                     const char *path)
{
    unsigned before = catalog->kernel_count;
    struct catalog_error error;

    if (catalog_part_count == CATALOG_TEXTS_MAX)
        return;
    if (!catalog_read(catalog, arena, part.text, part.size, &error)) {
        if (is_telling)
            tell_mistake(part, path, &error);
        catalog->kernel_count = before;
        return;
    }
    catalog_parts[catalog_part_count] = part;
    atomic_fetch_add(&catalog_part_count, 1); /* another thread may write it into the trace now */
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
    struct catalog_part part = {memory_map(room), 0, false, false};
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
            if (end > 0 && colon > list)
                part.size += (size_t)snprintf(text + part.size, room - part.size,
                                              "  library %.*s\n", (int)(colon - list), list);
            if (part.size >= room)
                return (struct catalog_part){NULL, 0, false, false};
            name += end + 1;
        }
        list += length + (list[length] == ';');
    }
    return part;
}

static void read_users(struct catalog_arena *arena, const char *files, const char *wrap)
{
    struct catalog catalog = {0};
    struct catalog_part part;
    struct catalog_error error;

    if (!catalog_read(&catalog, arena, built_in_families, sizeof built_in_families - 1, &error))
        return;
    catalog.refuses_adapters = catalog.refuses_twice = true;
    add_files(&catalog, arena, files);
    catalog.refuses_twice = false; /* a list may name what a file has, too */
    part = translate_wrap(wrap);
    if (part.size > 0)
        add_part(&catalog, arena, part, NULL);
}

/* Of the built-in text only the families are read, which a user's kernel may name: the whole
 * took 178 million instructions and 18 MiB in each process.  Huge pages would bring as much. */
static void add_users(const char *files, const char *wrap)
{
    struct catalog_arena arena = {memory_map(ARENA_SIZE), ARENA_SIZE, 0};

    if (!arena.base)
        return;
    madvise(arena.base, arena.size, MADV_NOHUGEPAGE);
    read_users(&arena, files, wrap);
    memory_unmap(arena.base, arena.size);
}

/* ---- the index --------------------------------------------------------- */

static bool may_be_in(const uint64_t *starts, const char *name)
{
    unsigned start = start_of(name);

    return (starts[start / 64] >> start % 64 & 1) != 0;
}

static const struct adapter_call *find_adapter(const char *name)
{
    const struct adapter_call *call = NULL;

    for (unsigned i = 0; !call && i < adapter_finder_count; i++)
        call = adapter_finders[i](name);
    return call;
}

static const struct symbol *make_symbol(unsigned number)
{
    const struct row *row = &rows[number];
    struct symbol *symbol = &made[number];

    if (atomic_load_explicit(&is_made[number], memory_order_acquire))
        return symbol;
    lock_take(lock);
    *symbol = (struct symbol){.name = names + row->name,
                              .hash = row->hash,
                              .kernel = row->kernel,
                              .form = row->is_compiled ? row->number : wrapper_stubs,
                              .owns = row->owns,
                              .is_sampled = row->is_sampled,
                              .library = libraries[row->library],
                              .plan = row->is_compiled ? NULL : &plans[row->number],
                              .adapter = row->is_compiled ? NULL : find_adapter(names + row->name)};
    atomic_store_explicit(&is_made[number], true, memory_order_release);
    lock_release(lock);
    return symbol;
}

/* The first of a name behind row `after`, or behind none when that is -1; `glob`:
 * 0 for those that have the name, else for what that glob matched. */
static int find_user(const char *name, uint32_t hash, int after, unsigned glob)
{
    int number;

    for (uint32_t place = hash % USER_PLACES; (number = user_places[place]) != 0;
         place = (place + 1) % USER_PLACES)
        if (number - 1 > after && users[number - 1].hash == hash &&
            user_globs[number - 1] == glob && strcmp(users[number - 1].name, name) == 0)
            return number - 1;
    return -1;
}

static int find_built_in(const char *name, uint32_t hash)
{
    unsigned number;

    for (uint32_t place = hash % BUILT_IN_PLACES; (number = built_in_places[place]) != 0;
         place = (place + 1) % BUILT_IN_PLACES)
        if (rows[number - 1].hash == hash && strcmp(names + rows[number - 1].name, name) == 0)
            return (int)number - 1;
    return -1;
}

/* Programs ask dlsym also before there is a table, in the constructor of a library, and where
 * there will be none, as nothing is recorded: then no name is a kernel's.
 * Returns: the number of a built-in symbol, of a user's behind these, or -1. */
static int find_number(const char *name)
{
    bool may_be_users = may_be_in(user_starts, name);
    bool may_be_built_in = may_be_in(built_in_starts, name);
    uint32_t hash;
    int number = -1;

    if (!lock || (!may_be_users && !may_be_built_in))
        return -1;
    hash = elf_hash(name);
    if (may_be_users)
        number = find_user(name, hash, -1, 0);
    if (number >= 0)
        return BUILT_IN + number;
    return may_be_built_in ? find_built_in(name, hash) : -1;
}

static const struct symbol *symbol_at(int number)
{
    if (number < 0)
        return NULL;
    return number < BUILT_IN ? make_symbol((unsigned)number) : &users[number - BUILT_IN];
}

bool catalog_may_hold(uint32_t hash)
{
    uint32_t bit = hash / 2 % CATALOG_FILTER_BITS;
    uint64_t bits = built_in_filter[bit / 64] | user_filter[bit / 64];

    return (bits >> bit % 64 & 1) != 0;
}

void catalog_init(bool tells)
{
    is_telling = tells;
    users = memory_map(USER_SYMBOLS * sizeof *users);
    lock = memory_map_wiped(sizeof *lock);
    if (!users || !lock)
        return;
    if (settings.text[SETTING_KERNELS][0] != '\0' || settings.text[SETTING_WRAP][0] != '\0')
        add_users(settings.text[SETTING_KERNELS], settings.text[SETTING_WRAP]);
}

/* ---- globs ---------------------------------------------------------------- */

/* Each name of each object comes here: most differ from the glob before its first star. */
static bool is_matched(const char *glob, const char *name)
{
    for (; *glob != '\0' && !strchr("*?[\\", *glob); glob++, name++)
        if (*glob != *name)
            return false;
    return strcmp(glob, "*") == 0 || fnmatch(glob, name, 0) == 0;
}

static const struct symbol *find_glob(const char *name, unsigned first)
{
    for (unsigned i = first; i < glob_count; i++)
        if (is_matched(globs[i].name, name) && !is_refused(name))
            return &globs[i];
    return NULL;
}

bool catalog_is_glob(const struct symbol *row)
{
    return row >= globs && row < globs + glob_count;
}

const struct symbol *catalog_find_named(const char *name)
{
    return symbol_at(find_number(name));
}

const struct symbol *catalog_find_glob(const char *name)
{
    return find_glob(name, 0);
}

const struct symbol *catalog_find(const char *name)
{
    const struct symbol *found = catalog_find_named(name);

    return found ? found : find_glob(name, 0);
}

const struct symbol *catalog_next(const struct symbol *row, const char *name)
{
    const struct symbol *next = NULL;
    int number;

    if (catalog_is_glob(row))
        return find_glob(name, (unsigned)(row - globs) + 1);
    if (row >= users && row < users + user_count) {
        number = find_user(name, row->hash, (int)(row - users), 0);
        next = symbol_at(number >= 0 ? BUILT_IN + number : find_built_in(name, row->hash));
    }
    return next ? next : find_glob(name, 0);
}

bool catalog_has_globs(void)
{
    return glob_count > 0;
}

const struct symbol *catalog_choose(const struct symbol *row, const char *name)
{
    struct symbol symbol = *row;
    const char *kept = NULL;
    unsigned glob;
    int number;

    if (!catalog_is_glob(row))
        return row;
    glob = (unsigned)(row - globs) + 1;
    lock_take(lock);
    symbol.hash = elf_hash(name);
    number = find_user(name, symbol.hash, -1, glob);
    if (number < 0 && user_count < USER_SYMBOLS)
        kept = keep_text(name);
    if (kept) {
        symbol.name = kept;
        number = (int)user_count;
        add_user(&symbol, glob);
    }
    left_out += number < 0;
    lock_release(lock);
    return number >= 0 ? &users[number] : NULL;
}

unsigned catalog_left_out(void)
{
    return left_out;
}
