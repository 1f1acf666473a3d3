/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Symbols from the files of a trace's modules, for tprof pack --symbols.
 *
 * All addresses are resolved first, as in reports; then their symbols are written.
 */
#include "cmd/pack_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_open.h"
#include "symbols/module_symbols.h"
#include "symbols/stored_symbols.h"

struct gathering {
    struct session session;
    struct coverage_names names; /* the names of its catalog */
    struct stored_file *files;   /* by key: each file once, however often it was loaded */
    uint32_t count;
    struct text functions; /* facts */
    struct text places;
};

/* A file whose functions are visited. */
struct visit {
    struct gathering *gathering;
    const struct stored_file *file;
    struct text functions; /* facts */
};

static void ask_all(const struct session *session)
{
    const struct symbols_frame *frames;
    size_t count;

    for (size_t i = 0; i < session->calls.count; i++)
        session_find_frames(session, (uint32_t)i, &frames, &count);
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        session_find_site_frames(session, slot->site, &frames, &count);
    }
}

static struct stored_file *find_file(const struct gathering *of, const char *key)
{
    struct stored_file *file;

    HASH_FIND(by_key, of->files, key, strlen(key), file);
    return file;
}

static void free_files(struct gathering *of)
{
    struct stored_file *file, *next;

    HASH_ITER(by_key, of->files, file, next)
    {
        HASH_DELETE(by_key, of->files, file);
        free(file->key);
        free(file);
    }
}

/* Only names of the catalog and of engines. */
static void see_function(void *of, const char *name, bool is_exported)
{
    struct visit *visit = of;
    bool is_meant;

    if (coverage_find_engine(name) ||
        coverage_names_find(&visit->gathering->names, name, text_base_name(visit->file->path),
                            &is_meant))
        stored_symbols_write_function(&visit->functions, visit->file->id,
                                      &(struct stored_function){name, is_exported});
}

static struct stored_file *new_file(struct gathering *of, const char *path, const char *key)
{
    struct stored_file *file = memory_get_zeros(1, sizeof *file);

    file->path = path;
    file->key = memory_copy(key);
    if (file->key)
        HASH_ADD_KEYPTR(by_key, of->files, file->key, strlen(file->key), file);
    if (file->key) {
        file->id = ++of->count;
        return file;
    }
    free(file->key);
    free(file);
    return NULL;
}

static const struct stored_file *find_stored(const struct gathering *of, const char *key)
{
    return stored_symbols_find_key(symbols_stored(of->session.symbols), key);
}

/* Keeps the stored functions of a file that is gone or stripped by now. */
static void keep_functions(struct gathering *of, struct stored_file *file,
                           const struct stored_file *stored)
{
    for (size_t i = 0; i < stored->functions.count; i++)
        stored_symbols_write_function(&of->functions, file->id, array_at(&stored->functions, i));
    file->is_read = true;
    file->has_inner = stored->has_inner;
    file->is_symbolic = stored->is_symbolic;
}

static void read_functions(struct visit *visit, struct stored_file *file,
                           const struct symbols_module *where)
{
    struct gathering *of = visit->gathering;
    struct module_symbols symbols = {false, false};
    enum status status = module_symbols_visit(where, symbols_root(of->session.symbols),
                                              see_function, visit, &symbols);
    const struct stored_file *stored = find_stored(of, file->key);

    if (stored && stored->is_read && (status || (stored->has_inner && !symbols.has_inner))) {
        keep_functions(of, file, stored);
        return;
    }
    file->is_read = status == STATUS_OK;
    file->cause = status == STATUS_NOT_FOUND ? SYMBOLS_CAUSE_OTHER_FILE : SYMBOLS_CAUSE_NONE;
    file->has_inner = symbols.has_inner;
    file->is_symbolic = symbols.is_symbolic;
    text_append_bytes(&of->functions, visit->functions.bytes, visit->functions.size);
}

/* The kernel's own code has a name and no file. */
static void add_file(struct gathering *of, const struct session_module *module, const char *key)
{
    const struct symbols_module where = {module->path, module->build_id, 0};
    struct stored_file *file;

    if (!strchr(module->path, '/') || find_file(of, key))
        return;
    file = new_file(of, module->path, key);
    struct visit visit = {.gathering = of, .file = file};
    text_init(&visit.functions);
    read_functions(&visit, file, &where);
    text_fini(&visit.functions);
}

static void add_files(struct gathering *of)
{
    struct text key;

    text_init(&key);
    for (size_t i = 0; i < of->session.modules.count; i++) {
        const struct session_module *module = session_module_at(&of->session, i);

        text_clear(&key);
        text_appendf(&key, "%s %s", module->build_id, module->path);
        add_file(of, module, key.bytes);
    }
    text_fini(&key);
}

/* Ranks how much is known of an address: the start of its function, then names, then lines. */
static unsigned rate_place(const struct symbols_frame *frames, size_t count)
{
    const struct symbols_frame *outer = &frames[count - 1];

    return (outer->start != 0 ? 1u : 0u) + (outer->function ? 2u : 0u) + (outer->file ? 4u : 0u);
}

/* Keeps the stored place of an address if it is more detailed than the current files. */
static void choose_place(const struct gathering *of, struct symbols_known *known)
{
    const struct stored_file *file = find_stored(of, known->file);
    const struct stored_place *place = file ? stored_file_find(file, known->address) : NULL;

    if (!place ||
        rate_place(place->frames, place->count) <= rate_place(known->frames, known->count))
        return;
    known->frames = place->frames;
    known->count = place->count;
}

/* A file without a module is a map of compiled code; it is useful if it has a name. */
static void see_place(void *of, const struct symbols_known *known)
{
    struct gathering *gathering = of;
    struct stored_file *file = find_file(gathering, known->file);
    struct symbols_known told = *known;

    choose_place(gathering, &told);
    if (!file && !told.frames->function)
        return;
    if (!file)
        file = new_file(gathering, strchr(known->file, ' ') + 1, known->file);
    file->problem = told.problem;
    stored_symbols_write_place(&gathering->places, file->id, &told);
}

/* Writes each file before references to it. */
static void write_all(struct gathering *of, struct text *facts)
{
    for (const struct stored_file *file = of->files; file; file = file->by_key.next)
        stored_symbols_write_file(facts, file);
    text_append_bytes(facts, of->functions.bytes, of->functions.size);
    text_append_bytes(facts, of->places.bytes, of->places.size);
}

static void gather(struct gathering *of, struct text *facts)
{
    coverage_names_init(&of->names, session_read_catalog(&of->session));

    ask_all(&of->session);
    add_files(of);
    symbols_visit(of->session.symbols, see_place, of);
    write_all(of, facts);
}

enum status pack_symbols_gather(const char *path, const char *root, struct text *facts,
                                struct diagnostic *diagnostic)
{
    struct session_options options = session_defaults();
    struct gathering of = {.files = NULL};
    enum status status;

    options.root = root;
    status = session_open(&of.session, path, &options, diagnostic);
    if (status)
        return status;
    text_init(&of.functions);
    text_init(&of.places);
    if (!of.session.process.imported) {
        gather(&of, facts);
        status = STATUS_OK;
    }
    free_files(&of);
    text_fini(&of.functions);
    text_fini(&of.places);
    session_close(&of.session);
    return STATUS_OK;
}
