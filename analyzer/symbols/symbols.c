/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an address in a module to function, file and line.
 *
 * Debug information is used first, and then the symbol table for missing names; the unwind table
 * gives the start of a function without a name.  Nothing in a file is trusted: invalid data counts
 * as missing.
 */
#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/wildcard.h"
#include "spec/trace.h"
#include "symbols/debug_info.h"
#include "symbols/demangle.h"
#include "symbols/intervals.h"
#include "symbols/module_file.h"
#include "symbols/storage.h"
#include "symbols/stored_symbols.h"
#include "symbols/symbol_table.h"
#include "symbols/symbols_parts.h"
#include "symbols/texts.h"

_Static_assert((int)DEBUG_INFO_DEPTH_MAX <= (int)TRACE_FRAMES_AT_PLACE, "a place can be stored");

struct symbols_place_key {
    struct symbols_file *file;
    uint64_t address; /* in the file */
};

/* The functions found at an address. */
struct symbols_place {
    UT_hash_handle hh;
    struct symbols_place_key key;
    size_t count;
    struct symbols_frame frames[];
};

struct symbols *symbols_new(void)
{
    struct symbols *symbols = memory_get_zeros(1, sizeof *symbols);
    struct storage *storage = storage_new();

    struct stored_symbols *stored = stored_symbols_new(storage);

    symbols->storage = storage;
    symbols->stored = stored;
    array_init(&symbols->stored_files, sizeof(const struct stored_file *));
    array_init(&symbols->problems, sizeof(const char *));
    module_file_init_search(&symbols->search);
    return symbols;
}

struct symbols *symbols_share(struct symbols *symbols)
{
    symbols->sharers++;
    return symbols;
}

bool symbols_are_shared(const struct symbols *symbols)
{
    return symbols->sharers > 0;
}

void symbols_free(struct symbols *symbols)
{
    struct symbols_file *file;
    struct symbols_file *next_file;
    struct symbols_place *place;
    struct symbols_place *next_place;

    if (!symbols)
        return;
    if (symbols->sharers > 0) {
        symbols->sharers--;
        return;
    }
    HASH_ITER(hh, symbols->places, place, next_place)
    {
        HASH_DEL(symbols->places, place);
        free(place);
    }
    HASH_ITER(hh, symbols->files, file, next_file)
    {
        HASH_DEL(symbols->files, file);
        symbols_file_free(file);
    }
    array_fini(&symbols->problems);
    array_fini(&symbols->stored_files);
    stored_symbols_free(symbols->stored);
    free(symbols->search.path);
    storage_free(symbols->storage);
    free(symbols);
}

void symbols_set_debug_path(struct symbols *symbols, const char *path)
{
    char *copy = memory_copy(path);

    free(symbols->search.path);
    symbols->search.path = copy;
}

void symbols_set_root(struct symbols *symbols, const char *root)
{
    struct text path;

    if (!root)
        return;
    text_init(&path);
    text_appendf(&path, ":.debug:%s/usr/lib/debug:/usr/lib/debug", root);
    symbols_set_debug_path(symbols, path.bytes);
    text_fini(&path);
    symbols->search.root = root;
}

const char *symbols_root(const struct symbols *symbols)
{
    return symbols ? symbols->search.root : NULL;
}

bool symbols_is_generated(const char *file)
{
    static const char *const patterns[] = {
        ".pb.h$",        ".pb.cc$",     /* Protocol Buffers */
        ".pb-c.h$",      ".pb-c.c$",    /* the same for C */
        ".capnp.h$",     ".capnp.c++$", /* Cap'n Proto */
        "_generated.h$",                /* FlatBuffers */
    };

    for (size_t i = 0; file && i < sizeof patterns / sizeof *patterns; i++)
        if (wildcard_matches(patterns[i], file))
            return true;
    return false;
}

bool symbols_is_of_library(const char *file)
{
    static const char *const patterns[] = {
        "^/usr/include/",   "^/usr/lib/",        "^/rustc/",
        "^/usr/src/rustc-", "^library/std/",     "^library/core/",
        "^library/alloc/",  "/.cargo/registry/", /* Rust's own library, and crates */
    };

    for (size_t i = 0; file && i < sizeof patterns / sizeof *patterns; i++)
        if (wildcard_matches(patterns[i], file))
            return true;
    return symbols_is_generated(file);
}

bool symbols_is_of_intrinsics(const char *file)
{
    static const char *const patterns[] = {
        "/gcc/*intrin.h$", "/clang/*intrin.h$", "/gcc/*/arm_neon.h$",
        "/clang/*/arm_neon.h$", "/gcc/*/arm_sve.h$", "/clang/*/arm_sve.h$",
        "/core_arch/src/", /* Rust */
    };

    for (size_t i = 0; file && i < sizeof patterns / sizeof *patterns; i++)
        if (wildcard_matches(patterns[i], file))
            return true;
    return false;
}

bool symbols_module_has_file(const struct symbols_module *module)
{
    return strchr(module->path, '/') != NULL;
}

const char *symbols_problem(const struct symbols *symbols, size_t index)
{
    if (index >= symbols->problems.count)
        return NULL;
    return *(const char **)array_at(&symbols->problems, index);
}

const char *symbols_cause_words(enum symbols_cause cause)
{
    static const char *const words[SYMBOLS_CAUSES] = {
#define CAUSE(id, word) [SYMBOLS_CAUSE_##id] = (word),
#include "symbols/symbols_causes.def"
#undef CAUSE
    };

    return words[cause];
}

bool symbols_lacks_files(const struct symbols *symbols)
{
    return symbols->lacks_files;
}

/* Returns: NULL when it is not mangled. */
static const char *demangle_name(struct symbols *symbols, const char *name)
{
    const char *kept = NULL;
    struct text text;

    text_init(&text);
    if (name && demangle_append(&text, name))
        kept = storage_keep(symbols->storage, text.bytes, text.size);
    text_fini(&text);
    return kept;
}

/* Compilers give no linkage name to functions that are not exported, so a lambda is only
 * "operator()": a mangled symbol says more. */
static const char *name_function(struct symbols *symbols, const struct debug_frame *frame,
                                 const char *symbol)
{
    const char *demangled = demangle_name(symbols, frame->linkage_name);

    if (!demangled && !frame->linkage_name)
        demangled = demangle_name(symbols, symbol);
    if (demangled)
        return demangled;
    if (frame->name)
        return frame->name;
    return frame->linkage_name ? frame->linkage_name : symbol;
}

/* The name and the start of an outermost function. */
struct naming {
    const char *symbol;            /* NULL: it has none */
    const struct interval *range;  /* from the unwind table, or NULL */
    uint64_t start;                /* 0: not known */
};

/* In a stripped file, only exported labels remain of those without a size.  Unlisted functions may
 * start after such a label. */
static bool is_lone_label(const struct symbols_file *file, const struct symbol_found *found,
                          const struct interval *range)
{
    return found->name && !found->is_sized && !range && !file->table.has_inner && !file->is_map;
}

/* Finds a function known only from code.  A label after its start separates it from the address. */
static void find_target(struct symbols_file *file, const struct symbol_found *found,
                        uint64_t address, struct naming *naming)
{
    symbols_file_find_target(file, address, &naming->start);

    if (naming->start < found->start)
        naming->start = 0;
}

/* A label without a size names the code up to the next label, unless a function starts between it
 * and the address. */
static void find_naming(struct symbols *symbols, struct symbols_place *place,
                        const struct debug_frame *frame, struct naming *naming)
{
    struct symbols_file *file = place->key.file;
    uint64_t address = frame->entry ? frame->entry : place->key.address;
    const struct symbol_found found = symbol_table_find(&file->table, address);

    *naming = (struct naming){.symbol = found.name, .start = found.start};
    if (!found.is_sized)
        symbols_file_find_range(symbols, file, address, &naming->range);
    const struct interval *linkage =
        found.name ? NULL : intervals_find(&file->linkage, address);
    if (linkage)
        *naming = (struct naming){.symbol = linkage_text.words, .start = linkage->start};
    else if (naming->range && naming->range->start > found.start)
        *naming = (struct naming){.range = naming->range, .start = naming->range->start};
    else if (is_lone_label(file, &found, naming->range) && address != found.start)
        *naming = (struct naming){.symbol = NULL};
    if (!naming->symbol && naming->range && !file->table.has_inner)
        symbols_file_find_table_name(symbols, file, naming->start, &naming->symbol);
    if (naming->start == 0 && !found.is_sized && !file->table.has_inner && !file->is_map)
        find_target(file, &found, address, naming);
    if (frame->entry)
        naming->start = frame->entry;
}

static void fill_inlined(struct symbols *symbols, struct symbols_frame *frame,
                         const struct debug_frame *found)
{
    *frame = (struct symbols_frame){
        .function = name_function(symbols, found, NULL),
        .file = found->file,
        .line = found->line,
        .is_inlined = true,
    };
}

/* The last frame, which has code of its own. */
static void fill_outer(struct symbols *symbols, struct symbols_place *place,
                       const struct debug_frame *found)
{
    struct symbols_frame *frame = &place->frames[place->count - 1];
    uint64_t address = place->key.address;
    struct naming naming;

    find_naming(symbols, place, found, &naming);
    *frame = (struct symbols_frame){
        .function = name_function(symbols, found, naming.symbol),
        .file = found->file,
        .line = found->line,
        .start = naming.start,
    };
    bool needs_offset = frame->line == 0 || !frame->function;
    if (needs_offset && naming.start != 0 && naming.start <= address)
        frame->offset = address - naming.start;
    if (!frame->function && naming.start == 0)
        frame->cause = place->key.file->cause;
}

/* With -ffile-prefix-map the folder may be relative, too. */
static void complete_file(struct symbols *symbols, struct symbols_frame *frame, const char *folder)
{
    struct text path;

    if (!frame->file || frame->file[0] == '/' || frame->file[0] == '<' || !folder ||
        folder[0] != '/')
        return;
    text_init(&path);
    text_appendf(&path, "%s/%s", folder, frame->file);
    frame->file = storage_keep(symbols->storage, path.bytes, path.size);
    text_fini(&path);
}

static void fill(struct symbols *symbols, struct symbols_place *place,
                 const struct debug_frames *found)
{
    for (size_t i = 0; i + 1 < found->count; i++)
        fill_inlined(symbols, &place->frames[i], &found->items[i]);
    fill_outer(symbols, place, &found->items[found->count - 1]);
    for (size_t i = 0; i < place->count; i++)
        complete_file(symbols, &place->frames[i], found->folder);
}

/* Python names a function "py::NAME:FILE"; the code is the same for all functions. */
static void split_python(struct symbols *symbols, struct symbols_frame *frame)
{
    static const char prefix[] = "py::";
    const char *name = frame->function;
    const char *file = name && strncmp(name, prefix, strlen(prefix)) == 0
                           ? strchr(name + strlen(prefix), ':')
                           : NULL;

    if (!file)
        return;
    frame->function = storage_keep(symbols->storage, name, (size_t)(file - name));
    frame->file = file + 1;
    frame->offset = 0;
}

static struct symbols_place *new_place(const struct symbols_place_key *key, size_t count)
{
    struct symbols_place *place =
        memory_get_zeros(1, sizeof *place + count * sizeof(struct symbols_frame));

    place->key = *key;
    place->count = count;
    return place;
}

static struct symbols_place *resolve(struct symbols *symbols, struct symbols_file *file,
                                     const struct symbols_place_key *key)
{
    struct debug_frames found;

    debug_info_find(&file->debug, key->address, &found);
    if (found.count == 0)
        found.items[found.count++] = (struct debug_frame){0};
    struct symbols_place *place = new_place(key, found.count);
    fill(symbols, place, &found);
    if (file->is_map)
        split_python(symbols, &place->frames[0]);
    else
        place->frames[0].is_pausing = symbols_file_pauses(file, key->address);
    return place;
}

static struct symbols_place *recall(const struct stored_place *stored,
                                    const struct symbols_place_key *key)
{
    struct symbols_place *place = new_place(key, stored->count);

    memcpy(place->frames, stored->frames, stored->count * sizeof *stored->frames);
    return place;
}

static struct symbols_place *add_place(struct symbols *symbols, struct symbols_file *file,
                                       const struct symbols_place_key *key)
{
    const struct stored_place *stored =
        file->stored ? stored_file_find(file->stored, key->address) : NULL;
    struct symbols_place *place = stored ? recall(stored, key) : resolve(symbols, file, key);

    HASH_ADD(hh, symbols->places, key, sizeof place->key, place);
    return place;
}

static void find_place(struct symbols *symbols, struct symbols_file *file, uint64_t address,
                       const struct symbols_frame **frames, size_t *count)
{
    const struct symbols_place_key key = {file, address};
    struct symbols_place *place;

    HASH_FIND(hh, symbols->places, &key, sizeof key, place);
    if (!place)
        place = add_place(symbols, file, &key);
    *frames = place->frames;
    *count = place->count;
}

void symbols_find(struct symbols *symbols, const struct symbols_module *module, uint64_t address,
                  const struct symbols_frame **frames, size_t *count)
{
    struct pool *pool = pool_use(NULL); /* the tables of a file stay for other addresses */

    find_place(symbols, symbols_file_get(symbols, module, NULL), address - module->base, frames,
               count);
    pool_use(pool);
}

void symbols_find_compiled(struct symbols *symbols, const struct symbols_map *map, uint64_t address,
                           const struct symbols_frame **frames, size_t *count)
{
    const struct symbols_module module = {map->path, "", 0};
    struct pool *pool = pool_use(NULL);

    find_place(symbols, symbols_file_get(symbols, &module, map), address, frames, count);
    pool_use(pool);
}

struct stored_symbols *symbols_stored(struct symbols *symbols)
{
    return symbols->stored;
}

void symbols_append_stored(struct text *text, const struct symbols *symbols)
{
    enum { SHOWN = 3 };
    size_t count = symbols->stored_files.count;

    for (size_t i = 0; i < count && i < SHOWN; i++) {
        const struct stored_file *file =
            *(const struct stored_file **)array_at(&symbols->stored_files, i);

        text_appendf(text, "%s%s", i ? ", " : "", text_base_name(file->path));
    }
    if (count > SHOWN)
        text_appendf(text, " and %zu more", count - SHOWN);
}

void symbols_visit(const struct symbols *symbols, symbols_visitor visitor, void *of)
{
    for (const struct symbols_place *place = symbols->places; place; place = place->hh.next) {
        const struct symbols_known known = {place->key.file->key, place->key.file->problem,
                                            place->key.address, place->frames, place->count};

        visitor(of, &known);
    }
}
