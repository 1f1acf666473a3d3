/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of kernels.def and the kernels of the user's files, as one table
 * of symbols with an index by name.
 *
 * Called when an object is scanned and in dlsym, on any thread; never in a kernel's call.
 *
 * Decision: doc/decisions/catalog-rows-by-name.
 */
#include "hook/catalog.h"

#include <fnmatch.h>
#include <stdatomic.h>
#include <string.h>

#include "call/adapter_call.h"
#include "call/entry_layout.h"
#include "platform/elf.h"
#include "platform/lock.h"
#include "platform/memory.h"
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

/* A symbol of kernels.def.  It has no pointers, so that a process starts without relocating
 * thousands; a symbol in use becomes a struct symbol. */
struct row {
    uint32_t hash;
    uint32_t name; /* start in `names` */
    uint16_t kernel;
    uint16_t number; /* number of its form or plan */
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
    USER_SYMBOLS = ENTRY_STUBS, /* from files, and for globs that matched */
    USER_PLACES = 2 * USER_SYMBOLS,
    GLOBS_MAX = 256,
    KEPT_BLOCK = 1 << 16,
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

/* The first two characters of all names, a bit for each pair.  Large C++ libraries ask for tens
 * of thousands of names, and this refuses nearly all. */
static const uint64_t built_in_starts[STARTS] = {
#define START(word, bits) [word] = (bits),
#include "kernels.def"
#undef START
};

/* The hashes of all names without their lowest bit, a bit for each hash. */
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

/* Its families, which a user's kernel may name. */
const char catalog_families[] =
#define FAMILY(line) line
#include "kernels.def"
#undef FAMILY
    ;
const size_t catalog_families_size = sizeof catalog_families - 1;

/* The whole text for traces, if tprof was built with zstd. */
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

/* The symbols of the user's files, and those that matched their globs; indexed as above. */
static struct symbol *users;
static uint16_t user_globs[USER_SYMBOLS]; /* the number of its glob plus one; 0: it has its own
                                             name */
static unsigned user_count;
static _Atomic unsigned short user_places[USER_PLACES];
static uint64_t user_starts[STARTS];
static uint64_t user_filter[CATALOG_FILTER_BITS / 64];

/* A glob covers all symbols that match it; a symbol is added when a function of that name is
 * hooked. */
static struct symbol globs[GLOBS_MAX];
static unsigned glob_count;
static unsigned left_out; /* times that a matching name found no room */
static struct lock *lock; /* for making and adding symbols */

void *catalog_keep(const void *from, size_t size)
{
    static char *block;
    static size_t left;
    size_t taken = (size + 7) & ~(size_t)7;
    char *kept;

    if (taken > KEPT_BLOCK)
        return NULL;
    if (!block || taken > left) {
        block = memory_keep(KEPT_BLOCK);
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
    return catalog_keep(text, strlen(text) + 1);
}

static unsigned start_of(const char *name)
{
    return (unsigned)(unsigned char)name[0] << 8 | (name[0] ? (unsigned char)name[1] : 0u);
}

/* The place is written last, because other threads may be searching. */
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

/* No wrapper can replace three kinds of functions.  The first return twice, or take their caller's
 * frame as an argument.  The second are called by code of gcc -pg and -fsplit-stack before a
 * function has saved its arguments, so they must keep all registers.  The third finds thread-local
 * variables, and compiled code calls it with an unaligned stack (gcc's bug 58066, and Java's
 * virtual machine). */
bool catalog_refuses(const char *name)
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

bool catalog_add(struct symbol symbol, bool is_glob)
{
    const char *library = symbol.library;

    symbol.name = keep_text(symbol.name);
    symbol.library = library ? keep_text(library) : NULL;
    if (!symbol.name || !symbol.library != !library)
        return false;
    if (is_glob && glob_count < GLOBS_MAX)
        globs[glob_count++] = symbol;
    else if (!is_glob && user_count < USER_SYMBOLS)
        add_user(&symbol, 0);
    else
        return false;
    return true;
}

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

/* Find the first user's symbol of a name after row `after`; -1 is before the first.  `glob`: the
 * number of the matching glob plus one; 0 for symbols with exactly this name. */
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

/* Programs call dlsym before there is a table (in a library's constructor), or when there will be
 * none because nothing is recorded.  No name is then a kernel's.
 * Returns: the number of a built-in symbol, or of a user's symbol after these; or -1. */
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
    uint64_t bits = built_in_filter[bit / 64];

    if (catalog_has_users()) /* most processes never touch the other filter */
        bits |= user_filter[bit / 64];
    return (bits >> bit % 64 & 1) != 0;
}

bool catalog_init(void)
{
    users = memory_keep(USER_SYMBOLS * sizeof *users);
    lock = memory_keep_wiped(sizeof *lock);
    return users && lock;
}

/* Each name of each object comes here; most differ from the glob before its first star. */
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
        if (is_matched(globs[i].name, name) && !catalog_refuses(name))
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

bool catalog_has_users(void)
{
    return user_count > 0;
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
