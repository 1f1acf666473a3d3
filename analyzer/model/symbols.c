/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From an address in a module to function, file and line.
 *
 * Debug information is asked first and the symbol table where it is silent.
 * Nothing in a file is trusted: what does not make sense is not there.
 */
#include "model/symbols.h"

#include <fcntl.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/debug_info.h"
#include "model/module_file.h"
#include "model/storage.h"
#include "model/stored_symbols.h"
#include "model/symbol_table.h"
#include "model/texts.h"
#include "spec/trace.h"

_Static_assert((int)DEBUG_INFO_DEPTH_MAX <= (int)TRACE_FRAMES_AT_PLACE, "a place can be stored");

/* A file as some module had it.  Epochs in which the module lay elsewhere
 * share it. */
struct symbols_file {
    UT_hash_handle hh;
    struct module_file file;
    struct symbol_table table;
    struct debug_info debug;
    const struct stored_file *stored; /* tells what this one does not; or NULL */
    const char *problem;              /* why it gives no names, or NULL */
    bool is_map;                      /* of functions that were compiled while it ran */
    char key[];                       /* build-id, blank, path */
};

struct symbols_place_key {
    const struct symbols_file *file;
    uint64_t address; /* in the file */
};

/* What was found at an address. */
struct symbols_place {
    UT_hash_handle hh;
    struct symbols_place_key key;
    size_t count;
    struct symbols_frame frames[];
};

struct symbols {
    struct storage *storage;
    struct symbols_file *files;
    struct symbols_place *places;
    struct array problems; /* of const char * */
    struct stored_symbols *stored;
    struct array stored_files; /* of const struct stored_file *, those that give names */
    struct module_file_search search;
    bool lacks_files; /* one was asked for that is not here, or is another */
};

struct symbols *symbols_new(void)
{
    struct symbols *symbols = calloc(1, sizeof *symbols);
    struct storage *storage = storage_new();

    struct stored_symbols *stored = storage ? stored_symbols_new(storage) : NULL;

    if (!symbols || !stored) {
        free(symbols);
        stored_symbols_free(stored);
        storage_free(storage);
        return NULL;
    }
    symbols->storage = storage;
    symbols->stored = stored;
    array_init(&symbols->stored_files, sizeof(const struct stored_file *));
    array_init(&symbols->problems, sizeof(const char *));
    module_file_init_search(&symbols->search);
    return symbols;
}

static void free_file(struct symbols_file *file)
{
    debug_info_fini(&file->debug);
    symbol_table_fini(&file->table);
    module_file_close(&file->file);
    free(file);
}

void symbols_free(struct symbols *symbols)
{
    struct symbols_file *file;
    struct symbols_file *next_file;
    struct symbols_place *place;
    struct symbols_place *next_place;

    if (!symbols)
        return;
    HASH_ITER(hh, symbols->places, place, next_place)
    {
        HASH_DEL(symbols->places, place);
        free(place);
    }
    HASH_ITER(hh, symbols->files, file, next_file)
    {
        HASH_DEL(symbols->files, file);
        free_file(file);
    }
    array_fini(&symbols->problems);
    array_fini(&symbols->stored_files);
    stored_symbols_free(symbols->stored);
    free(symbols->search.path);
    storage_free(symbols->storage);
    free(symbols);
}

enum status symbols_set_debug_path(struct symbols *symbols, const char *path)
{
    char *copy = strdup(path);

    if (!copy)
        return STATUS_OUT_OF_MEMORY;
    free(symbols->search.path);
    symbols->search.path = copy;
    return STATUS_OK;
}

enum status symbols_set_root(struct symbols *symbols, const char *root)
{
    enum status status = STATUS_OK;
    struct text path;

    if (!root)
        return STATUS_OK;
    text_init(&path);
    text_appendf(&path, ":.debug:%s/usr/lib/debug:/usr/lib/debug", root);
    status = text_status(&path);
    if (!status)
        status = symbols_set_debug_path(symbols, path.bytes);
    text_fini(&path);
    symbols->search.root = root;
    return status;
}

const char *symbols_root(const struct symbols *symbols)
{
    return symbols ? symbols->search.root : NULL;
}

const char *symbols_problem(const struct symbols *symbols, size_t index)
{
    if (index >= symbols->problems.count)
        return NULL;
    return *(const char **)array_at(&symbols->problems, index);
}

bool symbols_lacks_files(const struct symbols *symbols)
{
    return symbols->lacks_files;
}

static enum status note_problem(struct symbols *symbols, struct symbols_file *file,
                                const char *problem)
{
    const char **entry = problem ? array_add(&symbols->problems) : NULL;

    if (!entry)
        return STATUS_OUT_OF_MEMORY;
    *entry = problem;
    file->problem = problem;
    return STATUS_OK;
}

static enum status add_problem(struct symbols *symbols, struct symbols_file *file, const char *path,
                               const char *problem)
{
    struct text text;

    text_init(&text);
    text_appendf(&text, "%s: %s", text_base_name(path), problem);
    const char *kept =
        text_status(&text) ? NULL : storage_keep(symbols->storage, text.bytes, text.size);
    text_fini(&text);
    return note_problem(symbols, file, kept);
}

/* The kernel's own code has a name without a folder: [vdso], linux-vdso.so.1. */
static bool has_file(const struct symbols_module *module)
{
    return strchr(module->path, '/') != NULL;
}

/* Read where in the file everything lies.
 * Errors: STATUS_OUT_OF_MEMORY; any other: there is a problem to tell. */
static enum status read_file(struct symbols_file *file, struct diagnostic *diagnostic)
{
    Dwarf_Addr bias = 0;
    enum status status = symbol_table_read(&file->table, file->file.module);

    if (status)
        return diagnostic_set_out_of_memory(diagnostic);
    Dwarf *dwarf = dwfl_module_getdwarf(file->file.module, &bias);
    status = debug_info_init(&file->debug, dwarf, bias);
    if (status == STATUS_CORRUPT)
        return diagnostic_set(diagnostic, status, "debug information cannot be read: %s",
                              dwarf_errmsg(-1));
    if (status)
        return diagnostic_set_out_of_memory(diagnostic);
    if (file->table.names.count == 0 && file->debug.units.count == 0)
        return diagnostic_set(diagnostic, STATUS_NOT_FOUND, "%s", file_no_symbols_text.words);
    return STATUS_OK;
}

/* What the trace brought along is asked from now on; if that is nothing but why, that is
 * told alone. */
static enum status use_stored(struct symbols *symbols, struct symbols_file *file,
                              const struct stored_file *stored)
{
    const struct stored_file **entry;

    file->stored = stored;
    if (stored->problem)
        return note_problem(symbols, file, stored->problem);
    entry = array_add(&symbols->stored_files);
    if (!entry)
        return STATUS_OUT_OF_MEMORY;
    *entry = stored;
    return STATUS_OK;
}

/* Open a map: a file of this process, since another may have had its number before.
 * Returns: NULL when there is none. */
static FILE *open_map(const struct symbols *symbols, const struct symbols_map *map)
{
    const int64_t second_ns = 1000000000;
    const char *root = symbols->search.root;
    struct text path;
    struct stat facts;

    text_init(&path);
    text_appendf(&path, "%s%s", root ? root : "", map->path);
    int descriptor =
        text_status(&path) ? -1 : open(path.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    text_fini(&path);
    if (descriptor < 0)
        return NULL;
    bool is_own =
        !fstat(descriptor, &facts) && S_ISREG(facts.st_mode) &&
        (uint64_t)(facts.st_mtim.tv_sec * second_ns + facts.st_mtim.tv_nsec) >= map->since_ns;
    FILE *opened = is_own ? fdopen(descriptor, "r") : NULL;
    if (!opened)
        close(descriptor);
    return opened;
}

/* Few programs write one, so nothing is said where there is none. */
static enum status read_map(struct symbols *symbols, struct symbols_file *file,
                            const struct symbols_map *map)
{
    const struct stored_file *stored = stored_symbols_find(symbols->stored, "", map->path);
    FILE *opened = open_map(symbols, map);
    enum status status = STATUS_OK;

    file->is_map = true;
    if (opened) {
        status = symbol_table_read_map(&file->table, opened, symbols->storage);
        (void)fclose(opened);
    } else if (stored) {
        status = use_stored(symbols, file, stored);
    }
    return status;
}

/* The file itself knows best, unless it is another one, or the debug information that
 * was there when the trace was packed is not here. */
static enum status open_file(struct symbols *symbols, struct symbols_file *file,
                             const struct symbols_module *module)
{
    const struct stored_file *stored =
        stored_symbols_find(symbols->stored, module->build_id, module->path);
    struct diagnostic diagnostic = {0};

    if (!has_file(module))
        return STATUS_OK;
    enum status status = module_file_open(&file->file, module, &symbols->search, &diagnostic);
    symbols->lacks_files |= status && !stored;
    if (!status)
        status = read_file(file, &diagnostic);
    if (status == STATUS_OUT_OF_MEMORY)
        return status;
    if (stored && (status || (file->debug.units.count == 0 && stored->has_lines)))
        return use_stored(symbols, file, stored);
    return status ? add_problem(symbols, file, module->path, diagnostic.text) : STATUS_OK;
}

static struct symbols_file *new_file(const struct text *key)
{
    struct symbols_file *file = calloc(1, sizeof *file + key->size + 1);

    if (!file)
        return NULL;
    memcpy(file->key, key->bytes, key->size);
    symbol_table_init(&file->table);
    return file;
}

static struct symbols_file *add_file(struct symbols *symbols, const struct text *key,
                                     const struct symbols_module *module,
                                     const struct symbols_map *map)
{
    struct symbols_file *file = new_file(key);

    if (!file)
        return NULL;
    if (!(map ? read_map(symbols, file, map) : open_file(symbols, file, module))) {
        HASH_ADD_STR(symbols->files, key, file);
        if (hash_was_added(&file->hh))
            return file;
    }
    free_file(file);
    return NULL;
}

/* `map`: that the module stands for; NULL when it is one.
 * Returns: NULL when memory ran out. */
static struct symbols_file *find_file(struct symbols *symbols, const struct symbols_module *module,
                                      const struct symbols_map *map)
{
    struct symbols_file *file = NULL;
    struct text key;

    text_init(&key);
    text_appendf(&key, "%s %s", module->build_id, module->path);
    if (!text_status(&key)) {
        HASH_FIND_STR(symbols->files, key.bytes, file);
        if (!file)
            file = add_file(symbols, &key, module, map);
    }
    text_fini(&key);
    return file;
}

/* Names from files may be made to nest: libiberty's limit of recursion stays
 * on, and so names of more than 1024 characters stay as they are.
 * Returns: NULL when it is not mangled, or memory ran out for it. */
static const char *demangle_name(struct symbols *symbols, const char *name)
{
    char *text = name ? cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO) : NULL;
    const char *kept = text ? storage_keep(symbols->storage, text, strlen(text)) : NULL;

    free(text);
    return kept;
}

/* Compilers give no linkage name to functions that are not exported, so of a
 * lambda they tell "operator()": a mangled symbol says more. */
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

/* Finds the symbol of a frame that is not inlined, and where the function begins. */
static const char *find_symbol(const struct symbols_place *place, const struct debug_frame *frame,
                               uint64_t *start)
{
    uint64_t address = frame->entry ? frame->entry : place->key.address;
    const char *symbol = symbol_table_find(&place->key.file->table, address, start);

    if (frame->entry)
        *start = frame->entry;
    return symbol;
}

/* What tells two calls of a function apart whose lines nobody knows. */
static uint64_t find_offset(const struct symbols_place *place, const struct debug_frame *frame,
                            uint64_t start)
{
    bool is_told = frame->line != 0 || start == 0 || start > place->key.address;

    return is_told ? 0 : place->key.address - start;
}

static void fill(struct symbols *symbols, struct symbols_place *place,
                 const struct debug_frames *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct debug_frame *frame = &found->items[i];
        bool is_inlined = i + 1 < found->count;
        uint64_t start = 0;
        const char *symbol = is_inlined ? NULL : find_symbol(place, frame, &start);

        place->frames[i] = (struct symbols_frame){
            .function = name_function(symbols, frame, symbol),
            .file = frame->file,
            .line = frame->line,
            .is_inlined = is_inlined,
            .offset = find_offset(place, frame, start),
        };
    }
}

/* Python tells a function as "py::NAME:FILE", of code that is the same for all. */
static enum status split_python(struct symbols *symbols, struct symbols_frame *frame)
{
    static const char prefix[] = "py::";
    const char *name = frame->function;
    const char *file = name && strncmp(name, prefix, strlen(prefix)) == 0
                           ? strchr(name + strlen(prefix), ':')
                           : NULL;

    if (!file)
        return STATUS_OK;
    frame->function = storage_keep(symbols->storage, name, (size_t)(file - name));
    frame->file = file + 1;
    frame->offset = 0;
    return frame->function ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

static struct symbols_place *new_place(const struct symbols_place_key *key, size_t count)
{
    struct symbols_place *place = calloc(1, sizeof *place + count * sizeof(struct symbols_frame));

    if (!place)
        return NULL;
    place->key = *key;
    place->count = count;
    return place;
}

static struct symbols_place *resolve(struct symbols *symbols, struct symbols_file *file,
                                     const struct symbols_place_key *key)
{
    struct debug_frames found;

    if (debug_info_find(&file->debug, key->address, &found))
        return NULL;
    if (found.count == 0)
        found.items[found.count++] = (struct debug_frame){0};
    struct symbols_place *place = new_place(key, found.count);
    if (!place)
        return NULL;
    fill(symbols, place, &found);
    if (!file->is_map || !split_python(symbols, &place->frames[0]))
        return place;
    free(place);
    return NULL;
}

static struct symbols_place *recall(const struct stored_place *stored,
                                    const struct symbols_place_key *key)
{
    struct symbols_place *place = new_place(key, stored->count);

    if (place)
        memcpy(place->frames, stored->frames, stored->count * sizeof *stored->frames);
    return place;
}

static struct symbols_place *add_place(struct symbols *symbols, struct symbols_file *file,
                                       const struct symbols_place_key *key)
{
    const struct stored_place *stored =
        file->stored ? stored_file_find(file->stored, key->address) : NULL;
    struct symbols_place *place = stored ? recall(stored, key) : resolve(symbols, file, key);

    if (!place)
        return NULL;
    HASH_ADD(hh, symbols->places, key, sizeof place->key, place);
    if (hash_was_added(&place->hh))
        return place;
    free(place);
    return NULL;
}

static enum status find_place(struct symbols *symbols, struct symbols_file *file, uint64_t address,
                              const struct symbols_frame **frames, size_t *count)
{
    const struct symbols_place_key key = {file, address};
    struct symbols_place *place;

    if (!file)
        return STATUS_OUT_OF_MEMORY;
    HASH_FIND(hh, symbols->places, &key, sizeof key, place);
    if (!place)
        place = add_place(symbols, file, &key);
    if (!place)
        return STATUS_OUT_OF_MEMORY;
    *frames = place->frames;
    *count = place->count;
    return STATUS_OK;
}

enum status symbols_find(struct symbols *symbols, const struct symbols_module *module,
                         uint64_t address, const struct symbols_frame **frames, size_t *count)
{
    return find_place(symbols, find_file(symbols, module, NULL), address - module->base, frames,
                      count);
}

enum status symbols_find_compiled(struct symbols *symbols, const struct symbols_map *map,
                                  uint64_t address, const struct symbols_frame **frames,
                                  size_t *count)
{
    const struct symbols_module module = {map->path, "", 0};

    return find_place(symbols, find_file(symbols, &module, map), address, frames, count);
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

enum status symbols_visit(const struct symbols *symbols, symbols_visitor visitor, void *of)
{
    enum status status = STATUS_OK;

    for (const struct symbols_place *place = symbols->places; place && !status;
         place = place->hh.next) {
        const struct symbols_known known = {place->key.file->key, place->key.file->problem,
                                            place->key.address, place->frames, place->count};

        status = visitor(of, &known);
    }
    return status;
}
