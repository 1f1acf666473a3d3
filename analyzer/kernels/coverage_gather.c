/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gathers the symbols of each kernel in each library: slots and calls from the trace, library
 * contents from the file on disk.  Each source adds its own rows; rows of one symbol are then
 * merged.
 */
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "kernels/coverage.h"
#include "kernels/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/slots.h"
#include "symbols/module_symbols.h"
#include "symbols/stored_symbols.h"

static bool is_same_file(const struct session_module *left, const struct session_module *right)
{
    return left == right ||
           (strcmp(left->build_id, right->build_id) == 0 && strcmp(left->path, right->path) == 0);
}

/* Whether a slot of the library was led to a kernel of another file. */
static bool calls_kernels(const struct session *session, const struct coverage_library *library)
{
    for (size_t i = 0; i < session->hooks.count; i++) {
        const struct session_hook *hook = session_hook_at(session, i);

        if (hook->binding && hook->binding->module && hook->module &&
            is_same_file(hook->module, library->module) &&
            !is_same_file(hook->binding->module, library->module))
            return true;
    }
    return false;
}

static void set_hint(const struct session *session, struct coverage_library *library)
{
    const struct coverage_known *known = coverage_find_library(library->name);

    if (!known)
        return;
    library->kind = known->kind;
    library->hint = coverage_find_hint(library->name);
    library->is_entered = known->is_entered;
    library->is_caller = known->other_hint && calls_kernels(session, library);
    if (library->is_caller)
        library->hint = known->other_hint;
}

/* Returns: the index, or SESSION_NONE. */
static uint32_t find_library(const struct coverage *coverage, const struct session_module *module)
{
    const struct coverage_library *library = coverage->libraries.items;

    for (size_t i = 0; module && module->path && i < coverage->libraries.count; i++)
        if (is_same_file(library[i].module, module))
            return (uint32_t)i;
    return SESSION_NONE;
}

static void add_libraries(struct coverage *coverage)
{
    const struct session *session = coverage->session;

    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);
        struct coverage_library *library;

        if (!module->path || find_library(coverage, module) != SESSION_NONE)
            continue;
        library = array_add(&coverage->libraries);
        *library = (struct coverage_library){.module = module,
                                             .name = text_base_name(module->path),
                                             .exported = module->fact.known_symbols,
                                             .inner = SESSION_UNKNOWN,
                                             .is_program = i == 0};
        set_hint(session, library);
    }
}

static struct coverage_row *add_row(struct coverage *coverage, uint32_t library, const char *symbol)
{
    struct coverage_row *row = array_add(&coverage->rows);

    *row = (struct coverage_row){
        .library = library, .symbol = symbol, .state = COVERAGE_NOT_REACHABLE};
    return row;
}

static const char *outcome_text(enum trace_hook_outcome outcome)
{
    static const char *const texts[] = {
#define HOOK_OUTCOME(outcome, text) text,
#include "spec/outcomes.def"
#undef HOOK_OUTCOME
    };

    return (size_t)outcome < sizeof texts / sizeof *texts ? texts[outcome] : NULL;
}

static void add_hook(struct coverage *coverage, const struct session_hook *hook)
{
    const struct session_binding *binding = hook->binding;
    struct coverage_row *row =
        add_row(coverage, find_library(coverage, binding ? binding->module : NULL), hook->symbol);

    row->caller = hook->module;
    row->slots = hook->slots;
    row->state = binding ? COVERAGE_NOT_USED : COVERAGE_NOT_HOOKED;
    row->hooked = binding ? hook->slots : 0;
    row->kernel = binding ? binding->kernel : NULL;
    row->reason = binding ? NULL : outcome_text(hook->outcome);
}

static void add_binding(struct coverage *coverage, const struct session_binding *binding,
                        uint64_t time_ns)
{
    struct coverage_row *row =
        add_row(coverage, find_library(coverage, binding->module), binding->symbol);

    row->state = COVERAGE_NOT_USED;
    row->kernel = binding->kernel;
    row->calls = binding->calls;
    row->time_ns = time_ns;
}

/* Returns: the time in each binding. */
static uint64_t *sum_binding_times(const struct session *session)
{
    uint64_t *times = pool_get_zeros(session->bindings.count + 1, sizeof *times);

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        times[slot->binding] += slots_times(session, slot).self_ns;
    }
    return times;
}

static void add_bindings(struct coverage *coverage)
{
    const struct session *session = coverage->session;
    uint64_t *times = sum_binding_times(session);

    for (size_t i = 0; i < session->bindings.count; i++)
        add_binding(coverage, session_binding_at(session, i), times[i]);
}

static void add_trace(struct coverage *coverage)
{
    const struct session *session = coverage->session;

    for (size_t i = 0; i < session->hooks.count; i++)
        add_hook(coverage, session_hook_at(session, i));
    add_bindings(coverage);
}

/* A file being read. */
struct reading {
    struct coverage *coverage;
    const struct coverage_names *names;
    uint32_t library;
};

static struct coverage_library *library_at(const struct coverage *coverage, uint32_t index)
{
    return array_at(&coverage->libraries, index);
}

static const char *keep_name(struct coverage *coverage, const char *name)
{
    char **place = array_add(&coverage->names);

    *place = pool_copy(name);
    return *place;
}

/* Exported functions are visited first. */
static void see_engine(struct coverage_library *library, const char *function, bool is_exported)
{
    if (library->engine)
        return;
    library->engine = coverage_find_engine(function);
    library->exports_engine = is_exported;
}

/* A library's name says more than its functions. */
static void hint_at_engine(struct coverage_library *library)
{
    bool has_slots = library->exports_engine && !library->is_symbolic && !library->is_program;

    if (!library->engine || library->kind)
        return;
    library->kind = library->engine->kind;
    library->hint = has_slots ? library->engine->hint : library->engine->other_hint;
}

static void see_function(void *of, const char *function, bool is_exported)
{
    const struct reading *reading = of;
    struct coverage *coverage = reading->coverage;
    struct coverage_library *library = library_at(coverage, reading->library);
    bool is_meant;
    const struct coverage_name *known =
        coverage_names_find(reading->names, function, library->name, &is_meant);
    struct coverage_row *row;

    see_engine(library, function, is_exported);
    if (!known)
        return;
    function = keep_name(coverage, function);
    row = function ? add_row(coverage, reading->library, function) : NULL;
    row->kernel = known->kernel;
    row->state = is_meant ? COVERAGE_NOT_REACHABLE : COVERAGE_NOT_MEANT;
    row->reason = is_exported ? NULL : reach_inside_text.words;
}

static bool is_file(const struct coverage_library *library)
{
    return strchr(library->module->path, '/') != NULL;
}

/* For a missing file: visits the symbols stored by tprof pack.
 * Returns: STATUS_NOT_FOUND when there are none. */
static enum status visit_stored(const struct reading *reading, const struct symbols_module *file,
                                struct module_symbols *symbols)
{
    struct symbols *of = reading->coverage->session->symbols;
    const struct stored_file *stored =
        of ? stored_symbols_find(symbols_stored(of), file->build_id, file->path) : NULL;

    if (!stored || !stored->is_read)
        return STATUS_NOT_FOUND;
    *symbols = (struct module_symbols){stored->has_inner, stored->is_symbolic};
    for (size_t i = 0; i < stored->functions.count; i++) {
        const struct stored_function *function = array_at(&stored->functions, i);

        see_function((void *)reading, function->name, function->is_exported);
    }
    return STATUS_OK;
}

static void read_file(const struct reading *reading)
{
    struct coverage *coverage = reading->coverage;
    struct coverage_library *library = library_at(coverage, reading->library);
    const struct symbols_module file = {library->module->path, library->module->build_id, 0};
    struct module_symbols symbols;
    enum status status = module_symbols_visit(&file, symbols_root(coverage->session->symbols),
                                              see_function, (void *)reading, &symbols);

    if (status)
        status = visit_stored(reading, &file, &symbols);
    library->is_read = status == STATUS_OK;
    library->has_inner = library->is_read && symbols.has_inner;
    library->is_symbolic = library->is_read && symbols.is_symbolic;
    if (library->is_read)
        library->exported = 0; /* counted again, in the libraries that the catalog means */
    if (library->has_inner)
        library->inner = 0;
    hint_at_engine(library);
    coverage->unread += !library->is_read;
}

static void read_files(struct coverage *coverage)
{
    struct coverage_names names;

    coverage_names_init(&names, session_read_catalog(coverage->session));
    for (uint32_t i = 0; i < coverage->libraries.count; i++) {
        struct reading reading = {coverage, &names, i};

        if (is_file(library_at(coverage, i)))
            read_file(&reading);
    }
}

/* Symbols without a definition differ by the asking object and the reason. */
static int compare_keys(const struct coverage_row *a, const struct coverage_row *b)
{
    int order = strcmp(a->symbol, b->symbol);

    if (a->library != b->library)
        return a->library < b->library ? -1 : 1;
    if (order == 0 && a->library == SESSION_NONE)
        return strcmp(a->reason ? a->reason : "", b->reason ? b->reason : "");
    return order;
}

static int compare(const void *left, const void *right)
{
    const struct coverage_row *a = left;
    const struct coverage_row *b = right;
    int order = compare_keys(a, b);

    if (order == 0 && a->caller != b->caller)
        order = a->caller < b->caller ? -1 : 1;
    if (order == 0 && a->state != b->state)
        order = a->state < b->state ? -1 : 1;
    return order;
}

/* States that say more have lower numbers, so the lower one stays.  An exported function is in both
 * tables of the file, and the first gives no reason. */
static void add_up(struct coverage_row *sum, const struct coverage_row *row)
{
    if (row->caller && row->caller != sum->caller) {
        sum->callers++;
        sum->caller = row->caller;
    }
    sum->slots += row->slots;
    sum->hooked += row->hooked;
    sum->calls += row->calls;
    sum->time_ns += row->time_ns;
    sum->kernel = sum->kernel ? sum->kernel : row->kernel;
    if (!row->reason && row->state == sum->state)
        sum->reason = NULL;
    else if (row->state < sum->state)
        sum->reason = row->reason;
    if (row->state < sum->state)
        sum->state = row->state;
}

static void merge_rows(struct array *array)
{
    struct coverage_row *rows = array->items;
    size_t kept = 0;

    if (array->count > 0)
        qsort(rows, array->count, sizeof *rows, compare);
    for (size_t i = 0; i < array->count; i++) {
        struct coverage_row *last = kept > 0 ? &rows[kept - 1] : NULL;

        if (last && compare_keys(last, &rows[i]) == 0) {
            add_up(last, &rows[i]);
            continue;
        }
        rows[kept] = rows[i];
        rows[kept++].callers = rows[i].caller != NULL;
    }
    array_truncate(array, kept);
}

/* Why no slot leads to a function. */
static const char *reach_reason(const struct coverage_library *library, bool is_exported)
{
    if (library->is_program)
        return reach_program_text.words;
    if (!is_exported)
        return reach_inside_text.words;
    return library->is_symbolic ? reach_symbolic_text.words : reach_nobody_text.words;
}

/* The reason that a function has slots but no calls. */
static const char *use_reason(const struct coverage *coverage, const struct coverage_row *row)
{
    if (row->slots == 0)
        return use_no_slot_text.words;
    return coverage->session->losses.unmatched > 0 ? use_unended_text.words : use_never_text.words;
}

static void judge(const struct coverage *coverage, struct coverage_row *row)
{
    if (row->state == COVERAGE_NOT_USED && row->calls > 0)
        row->state = COVERAGE_CALLED;
    if (row->callers != 1)
        row->caller = NULL;
    if (row->state == COVERAGE_NOT_USED)
        row->reason = use_reason(coverage, row);
    if (row->state == COVERAGE_NOT_MEANT)
        row->reason = reach_meant_text.words;
    if (row->state == COVERAGE_NOT_REACHABLE)
        row->reason = reach_reason(library_at(coverage, row->library),
                                   row->reason != reach_inside_text.words);
}

static void count_row(struct coverage *coverage, const struct coverage_row *row)
{
    struct coverage_library *library;

    coverage->slots += row->hooked;
    coverage->missed += row->slots - row->hooked;
    if (row->library == SESSION_NONE)
        return;
    library = library_at(coverage, row->library);
    library->hooked += row->hooked > 0;
    library->called += row->calls > 0;
    library->calls += row->calls;
    library->time_ns += row->time_ns;
}

/* A symbol known only from the trace is exported, because others are bound to it. */
static void count_known(const struct coverage *coverage, const struct coverage_row *row)
{
    bool is_inner = row->state == COVERAGE_NOT_REACHABLE && row->reason == reach_inside_text.words;
    struct coverage_library *library;

    if (row->library == SESSION_NONE || row->state == COVERAGE_NOT_MEANT)
        return;
    library = library_at(coverage, row->library);
    if (library->is_read)
        *(is_inner ? &library->inner : &library->exported) += 1;
}

static void sum_up(struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->rows.count; i++) {
        struct coverage_row *row = array_at(&coverage->rows, i);

        count_known(coverage, row);
        judge(coverage, row);
        count_row(coverage, row);
    }
}

void coverage_init(struct coverage *coverage, const struct session *session, bool reads_files)
{
    *coverage = (struct coverage){.session = session};
    array_init(&coverage->libraries, sizeof(struct coverage_library));
    array_init(&coverage->rows, sizeof(struct coverage_row));
    array_init(&coverage->names, sizeof(char *));
    add_libraries(coverage);
    add_trace(coverage);
    if (reads_files)
        read_files(coverage);
    merge_rows(&coverage->rows);
    sum_up(coverage);
    coverage_sum_times(coverage);
}

const char *coverage_state_name(enum coverage_state state)
{
    static const char *const names[] = {"called", "not used", "not hooked", "not reachable",
                                        "not meant"};

    return names[state];
}

const struct coverage_library *coverage_library_of(const struct coverage *coverage,
                                                   const struct coverage_row *row)
{
    return row->library == SESSION_NONE ? NULL : library_at(coverage, row->library);
}
