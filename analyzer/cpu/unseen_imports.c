/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding packages that were imported and not seen afterwards.
 */
#include "cpu/unseen_imports.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_index.h"
#include "cpu/cpu_row.h"
#include "cpu/import_rows.h"
#include "cpu/python_split.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "places/places.h"

enum {
    NO_PACKAGE = UINT32_MAX,
    TRIED_CALLS = 10 /* NumPy tries two kernels during its import; real use makes more calls */
};

struct package {
    bool is_seen;
    uint32_t row; /* the row of the program's own import line; NO_PACKAGE: there is none */
    double ns;
    uint64_t samples;
};

/* A library outside the packages' folders, and the package whose import first loaded it. */
struct owner {
    uint32_t library; /* struct library's first */
    uint32_t package;
};

/* A module of the session, by its path. */
struct library {
    uint32_t first;   /* the first module with the same path, as a library may be loaded again */
    uint32_t package; /* the package whose folder contains it; NO_PACKAGE: none */
    bool is_late;     /* loaded after the program's start */
};

struct search {
    const struct import_rows *rows;
    const struct session *session;
    struct places *places;
    struct text_index paths; /* files that were asked for */
    struct array of_path;    /* uint32_t: the package of each path */
    const char *last_file;   /* the last file asked for: neighbouring calls share it */
    uint32_t last_package;
    struct text_index names; /* names of packages */
    struct array packages;   /* of struct package */
    struct array owners;     /* of struct owner */
    struct library *libraries; /* libraries by module */
    uint32_t *import_of;     /* by call: the call itself or the innermost one around it where a
                                module runs; 0: there is none */
    bool *is_asked;          /* by call: a sample, a block or a mapping has it on its chain; other
                                calls come from joined chains */
    uint32_t first_epoch;    /* the first epoch of a library that was loaded from the start */
};

/* ---- packages ---------------------------------------------------------- */

/* "torch" of "torch/nn/functional.py", "numpy" of "numpy.libs/libopenblas.so" */
static void find_named(struct search *search, const char *path, uint32_t *package)
{
    static const char frozen[] = "<frozen ";
    size_t start = strncmp(path, frozen, strlen(frozen)) == 0 ? strlen(frozen) : 0;
    struct text name;
    long number;

    text_init(&name);
    text_append_bytes(&name, path + start, strcspn(path + start, "/.>"));
    number = text_index_add(&search->names, &name);
    text_fini(&name);
    *package = (uint32_t)number;
    if (*package < search->packages.count)
        return;
    struct package *added = array_add(&search->packages);
    *added = (struct package){.row = NO_PACKAGE};
}

static void find_by_path(struct search *search, const char *file, uint32_t *package)
{
    struct text key;
    uint32_t *added;
    long number;

    text_init(&key);
    text_append(&key, file);
    number = text_index_add(&search->paths, &key);
    text_fini(&key);
    if ((size_t)number < search->of_path.count) {
        *package = *(uint32_t *)array_at(&search->of_path, (size_t)number);
        return;
    }
    find_named(search, import_rows_find_path(search->rows, file), package);
    added = array_add(&search->of_path);
    *added = *package;
}

static void find_package(struct search *search, const char *file, uint32_t *package)
{
    if (file == search->last_file) {
        *package = search->last_package;
        return;
    }
    find_by_path(search, file, package);
    search->last_file = file;
    search->last_package = *package;
}

static const char *file_of(const struct search *search, uint32_t call)
{
    const struct place *place = import_rows_find_python(search->rows, call);

    return place ? place->file : NULL;
}

/* Is the package being imported around a call? */
static bool is_inside(struct search *search, uint32_t call, uint32_t package)
{
    uint32_t found = NO_PACKAGE;

    for (call = search->import_of[call]; call != 0;
         call = search->import_of[places_parent(search->places, call)]) {
        find_package(search, file_of(search, call), &found);
        if (found == package)
            return true;
    }
    return false;
}

/* ---- libraries --------------------------------------------------------- */

static bool is_installed(const char *path)
{
    return !place_file_is_own(path);
}

static uint32_t find_first(const struct session *session, uint32_t module)
{
    const char *path = session_module_at(session, module)->path;
    uint32_t first = 0;

    while (strcmp(session_module_at(session, first)->path, path) != 0)
        first++;
    return first;
}

static void find_libraries(struct search *search)
{
    const struct session *session = search->session;

    for (uint32_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);
        struct library *library = &search->libraries[i];

        *library = (struct library){find_first(session, i), NO_PACKAGE,
                                    module->fact.epoch > search->first_epoch};
        if (is_installed(module->path))
            find_package(search, module->path, &library->package);
    }
}

static bool is_owned(const struct search *search, uint32_t library, uint32_t package)
{
    for (size_t i = 0; i < search->owners.count; i++) {
        const struct owner *owner = array_at(&search->owners, i);

        if (owner->library == library && owner->package == package)
            return true;
    }
    return false;
}

/* A library of a package is in the package's folder; another library came with some package's
 * import. */
static void learn_owner(struct search *search, uint32_t call)
{
    uint32_t import = search->import_of[call], package;
    uint32_t module = session_call_at(search->session, call)->module;
    const struct library *library;
    struct owner *owner;

    if (import == 0 || module == SESSION_NONE)
        return;
    library = &search->libraries[module];
    if (!library->is_late || library->package != NO_PACKAGE)
        return;
    find_package(search, file_of(search, import), &package);
    if (is_owned(search, library->first, package))
        return;
    owner = array_add(&search->owners);
    *owner = (struct owner){library->first, package};
}

/* ---- seen packages ----------------------------------------------------- */

static void see(struct search *search, uint32_t package)
{
    ((struct package *)array_at(&search->packages, package))->is_seen = true;
}

static bool is_seen(const struct search *search, uint32_t package)
{
    return ((const struct package *)array_at(&search->packages, package))->is_seen;
}

/* Ask whether Python code of another package leads there.  Calls that a module makes by itself, as
 * when it is unloaded at the end, are no use of it. */
static bool is_led_to(struct search *search, uint32_t call, uint32_t package)
{
    uint32_t found = package;

    for (; call != 0; call = places_parent(search->places, call)) {
        const struct place *place = import_rows_find_python(search->rows, call);

        if (!place || !place->file || place_is_importlib(place))
            continue;
        find_package(search, place->file, &found);
        if (found != package)
            return true;
    }
    return false;
}

/* `call`: where. */
static void see_call_of(struct search *search, uint32_t call, uint32_t package)
{
    if (!is_seen(search, package) && !is_inside(search, call, package) &&
        is_led_to(search, call, package))
        see(search, package);
}

/* Visit the packages that a library belongs to.  `call`: where the library was seen. */
static void see_library(struct search *search, uint32_t module, uint32_t call,
                        void (*visit)(struct search *search, uint32_t call, uint32_t package))
{
    const struct library *library = &search->libraries[module];

    if (library->package != NO_PACKAGE) {
        visit(search, call, library->package);
        return;
    }
    for (size_t i = 0; i < search->owners.count && library->is_late; i++) {
        const struct owner *owner = array_at(&search->owners, i);

        if (owner->library == library->first)
            visit(search, call, owner->package);
    }
}

static void see_call(struct search *search, uint32_t call)
{
    const struct session_call *of = session_call_at(search->session, call);
    const char *file = file_of(search, call);
    uint32_t package;

    if (file)
        find_package(search, file, &package);
    if (file) {
        see_call_of(search, call, package);
        return;
    }
    if (of->module != SESSION_NONE)
        see_library(search, of->module, call, see_call_of);
}

static void see_used(struct search *search, uint32_t call, uint32_t package)
{
    (void)call;
    see(search, package);
}

static void see_address(struct search *search, uint64_t address)
{
    const struct session_module *module = session_find_module(search->session, address);

    if (!module)
        return;
    see_library(search, (uint32_t)(module - session_module_at(search->session, 0)), 0, see_used);
}

/* Where the program's own code calls a kernel, the libraries in between are used.  A module that
 * calls kernels in its own files may only test them. */
static void see_slot(struct search *search, const struct session_slot *slot)
{
    const struct symbols_frame *frame;
    const struct trace_site *site;
    uint32_t package;

    session_find_site_python(search->session, slot->site, &frame);
    if (!frame || !frame->file)
        return;
    if (is_installed(frame->file)) {
        find_package(search, frame->file, &package);
        if (slot->calls > TRIED_CALLS)
            see(search, package);
        return;
    }
    site = python_codes_find_site(search->session->python.codes, slot->site);
    see_address(search, site->address);
    see_address(search, session_binding_at(search->session, slot->binding)->target);
}

/* ---- all calls --------------------------------------------------------- */

static void ask_chain(struct search *search, uint32_t call)
{
    for (; call != 0 && !search->is_asked[call]; call = places_parent(search->places, call))
        search->is_asked[call] = true;
}

static void ask_chains(struct search *search)
{
    const struct session *session = search->session;

    for (size_t i = 0; i < session->samples.count; i++)
        ask_chain(search, session_sample_at(session, i)->call);
    for (size_t i = 0; i < session->sites.count; i++)
        ask_chain(search, session_site_at(session, i)->call);
    for (size_t i = 0; i < session->mappings.count; i++)
        ask_chain(search, ((const struct session_mapping *)array_at(&session->mappings, i))->call);
}

static void look_up(struct search *search)
{
    const struct session *session = search->session;

    for (uint32_t call = 1; call < session->calls.count; call++) {
        if (!search->is_asked[call])
            continue;
        if (python_is_call(session_call_at(session, call)->address))
            places_look_up(search->places, call);
        search->import_of[call] =
            import_rows_runs_module(search->rows, call)
                ? call
                : search->import_of[places_parent(search->places, call)];
    }
}

static void see_all(struct search *search)
{
    const struct session *session = search->session;

    ask_chains(search);
    find_libraries(search);
    look_up(search);
    for (uint32_t call = 1; call < session->calls.count; call++)
        if (search->is_asked[call])

            learn_owner(search, call);
    for (uint32_t call = 1; call < session->calls.count; call++)
        if (search->is_asked[call])
            see_call(search, call);
    for (size_t i = 0; i < session->slots.count; i++)
        see_slot(search, session_slot_at(session, i));
}

/* ---- their time -------------------------------------------------------- */

static void find_candidates(struct search *search)
{
    const struct import_rows *rows = search->rows;

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct import_row *row = array_at(&rows->rows, i);
        const struct place *importer =
            row->importer ? import_rows_find_python(rows, row->importer) : NULL;
        struct package *package;
        uint32_t number;

        if (!row->file || !is_installed(row->file) || !importer || !place_is_own_python(importer))
            continue;
        find_package(search, row->file, &number);
        package = array_at(&search->packages, number);
        if (package->row == NO_PACKAGE)
            package->row = (uint32_t)i;
    }
}

/* The module that is being loaded and whose code does not run yet. */
static const char *find_loaded(const struct search *search, uint32_t call)
{
    const struct import_rows *rows = search->rows;
    uint32_t row;

    if (call != 0 && !import_rows_find_python(rows, call))
        call = import_rows_find_outer(rows, call);
    if (call == 0 || !place_is_importlib(import_rows_find_python(rows, call)))
        return NULL;
    call = import_rows_find_importer(rows, call);
    row = call != 0 ? rows->of_call[call] : 0;
    if (row == 0 || row == IMPORT_ROWS_SEVERAL)
        return NULL;
    return ((const struct import_row *)array_at(&rows->rows, row - 1))->file;
}

/* Go outwards from the package whose import a sample belongs to.
 * Returns: whether the imports around it might be spared, too; `best`: the outermost import that
 * may be spared. */
static bool may_spare(const struct search *search, uint32_t number, struct package **best)
{
    struct package *package = array_at(&search->packages, number);

    if (package->is_seen)
        return false;
    if (package->row != NO_PACKAGE)
        *best = package;
    return true;
}

static void add_sample(struct search *search, size_t index)
{
    const struct session_sample *sample = session_sample_at(search->session, index);
    const char *file = find_loaded(search, sample->call);
    uint32_t call = search->import_of[sample->call], number;
    struct package *best = NULL;
    bool goes_on = true;

    if (file)
        find_package(search, file, &number);
    if (file)
        goes_on = may_spare(search, number, &best);
    for (; call != 0 && goes_on; call = search->import_of[places_parent(search->places, call)]) {
        find_package(search, file_of(search, call), &number);
        goes_on = may_spare(search, number, &best);
    }
    if (!best)
        return;
    best->ns += search->rows->time->sample_ns[index];
    best->samples += sample->count;
}

static void collect(struct unseen_imports *unseen, const struct search *search, double least_ns)
{
    for (size_t i = 0; i < search->packages.count; i++) {
        const struct package *package = array_at(&search->packages, i);
        const struct import_row *row =
            package->row != NO_PACKAGE ? array_at(&search->rows->rows, package->row) : NULL;
        struct unseen_import *found;

        if (!row)
            continue;
        unseen->seen += package->is_seen && row->total_ns >= least_ns;
        if (package->is_seen || package->ns < least_ns)
            continue;
        found = array_add(&unseen->found);
        *found = (struct unseen_import){package->row, package->ns, package->samples};
    }
}

static void run(struct unseen_imports *unseen, struct search *search, double least_ns)
{
    see_all(search);

    find_candidates(search);
    for (size_t i = 0; i < search->session->samples.count; i++)

        add_sample(search, i);
    collect(unseen, search, least_ns);
}

static uint32_t find_first_epoch(const struct session *session)
{
    uint32_t first = UINT32_MAX;

    for (size_t i = 0; i < session->modules.count; i++)
        if (session_module_at(session, i)->fact.epoch < first)
            first = session_module_at(session, i)->fact.epoch;
    return first;
}

void unseen_imports_init(struct unseen_imports *unseen, const struct import_rows *rows,
                         double least_ns)
{
    const struct session *session = rows->time->session;
    struct search search = {.rows = rows,
                            .session = session,
                            .places = rows->time->places,
                            .first_epoch = find_first_epoch(session)};

    *unseen = (struct unseen_imports){.seen = 0};
    array_init(&unseen->found, sizeof(struct unseen_import));
    array_init(&search.of_path, sizeof(uint32_t));
    array_init(&search.packages, sizeof(struct package));
    array_init(&search.owners, sizeof(struct owner));
    search.import_of = memory_get_zeros(session->calls.count + 1, sizeof *search.import_of);
    search.is_asked = memory_get_zeros(session->calls.count + 1, sizeof *search.is_asked);
    search.libraries = memory_get_zeros(session->modules.count + 1, sizeof *search.libraries);
    run(unseen, &search, least_ns);
    free(search.import_of);
    free(search.is_asked);
    free(search.libraries);
    text_index_fini(&search.paths);
    text_index_fini(&search.names);
    array_fini(&search.of_path);
    array_fini(&search.packages);
    array_fini(&search.owners);
}

void unseen_imports_fini(struct unseen_imports *unseen)
{
    array_fini(&unseen->found);
}
