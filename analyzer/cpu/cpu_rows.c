/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assigns a sample, a kernel or a call to a row of processor time, by the most specific name known.
 */
#include "cpu/cpu_rows.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/wildcard.h"
#include "cpu/python_split.h"
#include "cpu/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "ops/op_frames.h"
#include "rows/dimensions.h"
#include "symbols/storage.h"

enum { MOST_PATTERNS = 8 };

void cpu_rows_init(struct cpu_rows *rows, struct cpu_time *time, enum cpu_by by)
{
    *rows = (struct cpu_rows){.time = time, .by = by};
    array_init(&rows->indices, sizeof(uint32_t));
    fold_init(&rows->fold, &time->rows);
    fold_init(&rows->known, &rows->indices);
}

static const char *keep(struct cpu_time *time, const char *words)
{
    return words ? storage_keep(time->texts, words, strlen(words)) : NULL;
}

/* `like`: the row to add if it is new; its texts are copied. */
static uint32_t find_row(struct cpu_rows *rows, const struct cpu_row *like)
{
    const struct cpu_row of_kind = {.kind = like->kind, .name = cpu_kind_word(like->kind)};
    struct cpu_row *row;
    uint32_t index;

    if (rows->by == CPU_BY_KIND)
        like = &of_kind;
    fold_by_number(&rows->fold, like->kind);
    fold_by_text(&rows->fold, like->name);
    fold_by_text(&rows->fold, like->library);
    fold_by_text(&rows->fold, like->place);
    if (!fold_find(&rows->fold, &index))
        return index;
    row = array_at(&rows->time->rows, index);
    *row = *like;
    row->name = keep(rows->time, like->name);
    row->library = keep(rows->time, like->library);
    row->place = keep(rows->time, like->place);
    return index;
}

/* The same for a composed name. */
static uint32_t find_said(struct cpu_rows *rows, struct cpu_row *like, struct text *name)
{
    uint32_t row;

    like->name = name->bytes;
    row = find_row(rows, like);
    return row;
}

uint32_t cpu_rows_find(struct cpu_rows *rows, enum cpu_kind kind, const char *name)
{
    return find_row(rows, &(struct cpu_row){.kind = kind,
                                            .name = name,
                                            .is_placed = kind != CPU_UNNAMED,
                                            .is_named = kind != CPU_UNNAMED});
}

/* ---- rows that do not depend on a place ---- */

static bool is_without_places(const struct cpu_rows *rows)
{
    return rows->by == CPU_BY_THREAD || rows->by == CPU_BY_REGION || rows->by == CPU_BY_MODULE;
}

static void append_thread(struct text *name, const struct session *session, uint32_t thread)
{
    if (thread == SESSION_NONE) {
        text_append(name, "unknown");
        return;
    }
    const uint32_t id = session_thread_at(session, thread)->id;
    const char *told = session_find_thread_name(session, id);

    text_appendf(name, "thread %u", (unsigned)id);
    if (told)
        text_appendf(name, " (%.64s)", told);
    else if (thread == 0)
        text_append(name, " (first)");
}

static uint32_t find_without_place(struct cpu_rows *rows, const struct fact *fact)
{
    const struct session *session = rows->time->session;
    struct cpu_row like = {.kind = CPU_FUNCTION};
    struct text name;

    text_init(&name);
    if (rows->by == CPU_BY_THREAD)
        append_thread(&name, session, fact->thread);
    else if (rows->by == CPU_BY_REGION)
        dimension_append_region(&name, session, fact);
    else
        dimension_append_layer(&name, session, fact);
    return find_said(rows, &like, &name);
}

static uint32_t find_sample_without_place(struct cpu_rows *rows,
                                          const struct session_sample *sample)
{
    const struct fact fact = {.thread = sample->thread,
                              .region = sample->region,
                              .layer = fact_layer(rows->time->session, sample->op)};

    return find_without_place(rows, &fact);
}

uint32_t cpu_rows_of_op(struct cpu_rows *rows, uint32_t op)
{
    return cpu_rows_find(rows, CPU_OP, session_op_at(rows->time->session, op)->name);
}

/* ---- places ---- */

static bool has_name(const struct place *place)
{
    return place->function->has_name;
}

static const char *line_of(const struct cpu_rows *rows, const struct place *place, char *line,
                           size_t size)
{
    if (rows->by != CPU_BY_LINE || !place->file || place->line == 0)
        return NULL;
    snprintf(line, size, "%s:%u", text_base_name(place->file), (unsigned)place->line);
    return line;
}

static enum cpu_kind kind_of(const struct place *place)
{
    if (place->function->is_python)
        return CPU_PYTHON;
    if (has_name(place))
        return CPU_FUNCTION;
    return place->function->module ? CPU_RANGE : CPU_GENERATED;
}

/* Rows of files have code, and no functions. */
static bool is_of_files(const struct cpu_rows *rows)
{
    return rows->by == CPU_BY_LIBRARY || rows->by == CPU_BY_FILE;
}

static uint32_t find_library(struct cpu_rows *rows, const char *library)
{
    return find_row(rows, &(struct cpu_row){.kind = library ? CPU_FUNCTION : CPU_GENERATED,
                                            .name = library ? library : cpu_generated_text.words});
}

/* Code without a known file counts for its library; `place` may be NULL: unknown. */
static uint32_t find_file(struct cpu_rows *rows, const struct place *place, const char *library)
{
    if (!place || !place->file)
        return find_library(rows, library);
    return find_row(rows, &(struct cpu_row){.kind = CPU_FUNCTION,
                                            .name = text_base_name(place->file),
                                            .library = place->function->module});
}

static uint32_t add_place(struct cpu_rows *rows, const struct place *place)
{
    char line[256];
    struct cpu_row like = {.kind = kind_of(place),
                           .library = place->function->module,
                           .place = line_of(rows, place, line, sizeof line),
                           .is_placed = place->function->has_place,
                           .is_named = has_name(place)};
    struct text name;

    if (rows->by == CPU_BY_LIBRARY)
        return find_library(rows, like.library);
    if (rows->by == CPU_BY_FILE)
        return find_file(rows, place, like.library);
    text_init(&name);
    places_append_function(&name, place->function, false);
    return find_said(rows, &like, &name);
}

/* An op that was not recorded, by its function. */
static uint32_t add_op_frame(struct cpu_rows *rows, const struct place *place)
{
    char name[OP_FRAMES_NAME];

    op_frames_name(name, rows->time->session, place);
    return cpu_rows_find(rows, CPU_OP, name);
}

/* Many samples are in few functions: each function is named once. */
static uint32_t find_known(struct cpu_rows *rows, const struct place *place, bool is_op,
                           uint32_t (*add)(struct cpu_rows *rows, const struct place *place))
{
    bool has_file = (rows->by == CPU_BY_LINE || rows->by == CPU_BY_FILE) && !is_op;
    bool has_line = has_file && rows->by == CPU_BY_LINE;
    uint32_t index, *known;

    fold_by_number(&rows->known, (uint64_t)place->function->id << 1 | is_op);
    fold_by_address(&rows->known, has_file ? place->file : NULL);
    fold_by_number(&rows->known, has_line ? place->line : 0);
    bool is_new = fold_find(&rows->known, &index);
    known = array_at(&rows->indices, index);
    if (is_new)
        *known = add(rows, place);
    return *known;
}

static uint32_t find_place(struct cpu_rows *rows, const struct place *place)
{
    return find_known(rows, place, false, add_place);
}

static uint32_t find_op_frame(struct cpu_rows *rows, const struct place *place)
{
    return find_known(rows, place, true, add_op_frame);
}

/* Whether native code belongs to the Python function that called it. */
static bool has_python_rows(const struct cpu_rows *rows)
{
    return rows->by == CPU_BY_PYTHON || rows->by == CPU_BY_OP;
}

uint32_t cpu_rows_of_place(struct cpu_rows *rows, const struct place *place)
{
    if (rows->by == CPU_BY_OP && place_is_op(place) && !place_is_engine(place))
        return find_op_frame(rows, place);
    if (is_without_places(rows) || rows->by == CPU_BY_KIND ||
        (has_python_rows(rows) && !place->function->is_python))
        return SESSION_NONE;
    return find_place(rows, place);
}

/* ---- kernels ---- */

static uint32_t find_kernel(struct cpu_rows *rows, const char *name, uint32_t binding,
                            const struct place *site)
{
    const struct session_module *module =
        session_binding_at(rows->time->session, binding)->module;
    const char *library = module ? text_base_name(module->path) : NULL;
    char line[256];

    if (rows->by == CPU_BY_LIBRARY)
        return find_library(rows, library ? library : name);
    if (rows->by == CPU_BY_FILE)
        return find_file(rows, site, library ? library : name);
    return find_row(rows,
                    &(struct cpu_row){.kind = CPU_KERNEL,
                                      .name = name,
                                      .library = library,
                                      .place = site ? line_of(rows, site, line, sizeof line) : NULL,
                                      .is_placed = true,
                                      .is_named = true});
}

/* The Python code that called a kernel, or the kernel itself. */
static uint32_t find_python_of_slot(struct cpu_rows *rows, const struct session_slot *slot)
{
    const struct session *session = rows->time->session;
    const struct symbols_frame *frame;

    session_find_site_python(session, slot->site, &frame);
    if (!frame)
        return find_kernel(rows, session_name_slot(session, slot), slot->binding, NULL);
    return find_row(rows, &(struct cpu_row){.kind = CPU_PYTHON,
                                            .name = frame->function,
                                            .library = places_python_file(frame),
                                            .is_placed = true,
                                            .is_named = true});
}

uint32_t cpu_rows_of_slot(struct cpu_rows *rows, const struct session_slot *slot)
{
    const struct session *session = rows->time->session;
    const struct place *site = NULL;

    if (is_without_places(rows))
        return find_without_place(rows, &(struct fact){.thread = slot->thread,
                                                       .region = slot->region,
                                                       .layer = fact_layer(session, slot->op)});
    if (rows->by == CPU_BY_PYTHON)
        return find_python_of_slot(rows, slot);
    if (rows->by == CPU_BY_OP && slot->op != 0)
        return cpu_rows_of_op(rows, slot->op);
    if (rows->by == CPU_BY_LINE || rows->by == CPU_BY_FILE)
        site = places_of_site(rows->time->places, slot->site);
    return find_kernel(rows, session_name_slot(session, slot), slot->binding, site);
}

uint32_t cpu_rows_of_binding(struct cpu_rows *rows, const struct session_sample *sample,
                             uint32_t binding)
{
    if (is_without_places(rows))
        return find_sample_without_place(rows, sample);
    if (rows->by == CPU_BY_OP && sample->op != 0)
        return cpu_rows_of_op(rows, sample->op);
    return find_kernel(rows, session_binding_at(rows->time->session, binding)->symbol, binding,
                       NULL);
}

/* ---- samples outside of kernels ---- */

static const struct {
    const char *name;
    const char *library;
    const char *functions[MOST_PATTERNS];
} spinning[] = {
#define SPINNING(name, library, ...) {name, library, {__VA_ARGS__}},
#include "cpu/spinning.def"
#undef SPINNING
};

/* A pool that waits for work. */
struct spinner {
    const char *name; /* NULL: none */
    uint32_t module;  /* the module with that name; SESSION_NONE if no library has it */
};

/* Returns: the pool that waits there for work, or NULL. `function`: NULL: any of the library. */
static const char *find_spinner(const struct place *place, const char *function)
{
    const char *library = place->function->module;

    for (size_t i = 0; i < sizeof spinning / sizeof *spinning && library; i++) {
        if (!wildcard_matches(spinning[i].library, library))
            continue;
        if (!function)
            return spinning[i].name;
        for (size_t j = 0; j < MOST_PATTERNS && spinning[i].functions[j]; j++)
            if (wildcard_matches(spinning[i].functions[j], function))
                return spinning[i].name;
    }
    return NULL;
}

/* Returns: the places of the innermost call that has places; NULL: none has. */
static const struct call_places *find_leaf(const struct cpu_time *time, uint32_t *call)
{
    while (*call != 0) {
        const struct call_places *places = places_known(time->places, *call);

        if (places && places->count > 0)
            return places;
        *call = session_call_at(time->session, *call)->parent;
    }
    return NULL;
}

/* Returns: the innermost place with a useful name, from a call outwards; NULL: none. */
static const struct place *find_named(const struct cpu_time *time, uint32_t call)
{
    const struct place *found = NULL;

    for (; call != 0; call = session_call_at(time->session, call)->parent) {
        const struct call_places *places = places_known(time->places, call);

        for (size_t i = 0; places && i < places->count; i++) {
            if (place_tells_more(&places->places[i], found))
                found = &places->places[i];
            if (found && !found->function->is_relay)
                return found;
        }
    }
    return found;
}

/* Linux ran there on behalf of the thread; the signal arrives on the way back. */
static uint32_t find_linux(struct cpu_rows *rows, uint32_t call)
{
    const struct place *caller = find_named(rows->time, call);
    struct cpu_row like = {.kind = CPU_LINUX, .is_placed = true, .is_named = true};
    struct text name, function;

    if (is_of_files(rows) || !caller)
        return cpu_rows_find(rows, CPU_LINUX, cpu_linux_text.words);
    text_init(&name);
    text_init(&function);
    places_append_function(&function, caller->function, false);
    say(&name, cpu_linux_in_text, said_words(function.bytes));
    return find_said(rows, &like, &name);
}

/* Ask whether a file is one of the libraries with that name. */
static bool is_library_of(const char *path, const char *name)
{
    for (size_t i = 0; i < sizeof spinning / sizeof *spinning; i++)
        if (strcmp(spinning[i].name, name) == 0 &&
            wildcard_matches(spinning[i].library, text_base_name(path)))
            return true;
    return false;
}

/* Returns: the words that distinguish a file from others with libraries of the same name; NULL:
 * there are no others. */
static const char *find_distinct_file(const struct session *session, const struct spinner *spinner)
{
    const char *path = session_module_at(session, spinner->module)->path;
    const char *base = text_base_name(path), *found = NULL;

    for (size_t i = 0; i < session->modules.count && found != path; i++) {
        const char *other = session_module_at(session, i)->path;

        if (strcmp(other, path) != 0 && is_library_of(other, spinner->name))
            found = strcmp(text_base_name(other), base) == 0 ? path : base;
    }
    return found;
}

/* Each copy of a library has threads of its own. */
static uint32_t find_spin(struct cpu_rows *rows, const struct spinner *spinner)
{
    struct cpu_row like = {.kind = CPU_SPIN, .is_placed = true, .is_named = true};
    const char *file = spinner->module == SESSION_NONE
                           ? NULL
                           : find_distinct_file(rows->time->session, spinner);
    struct text library, name;

    text_init(&library);
    places_append_module(&library, spinner->name); /* a file without a better name */
    text_init(&name);
    if (file)
        say(&name, cpu_spin_in_text, said_words(spinner->name), said_words(file));
    else
        say(&name, cpu_spin_text, said_words(library.bytes));
    text_fini(&library);
    return find_said(rows, &like, &name);
}

/* The function has no name, so its caller comes first. */
static uint32_t find_nameless(struct cpu_rows *rows, const struct place *place, uint32_t call)
{
    const struct place *caller = find_named(rows->time, call);
    struct cpu_row like = {.kind = kind_of(place),
                           .library = place->function->module,
                           .is_placed = place->function->has_place,
                           .is_named = caller != NULL};
    struct text name;

    text_init(&name);
    places_append_called(&name, place->function, caller ? caller->function : NULL, false);
    return find_said(rows, &like, &name);
}

/* A thread that gives its processor up time and again waits without sleeping. */
static bool is_yield(const struct place *place)
{
    const char *name = place->function->name;

    return text_ends_with(name, strlen(name), "sched_yield");
}

/* An outermost function without a name in a library's thread waits for work. */
static bool is_outermost(const struct cpu_time *time, uint32_t call)
{
    const struct call_places *places;

    call = session_call_at(time->session, call)->parent;
    places = find_leaf(time, &call);
    return !places || places->places[0].function->is_starter;
}

/* Ask whether a library's code waits there in a loop, but not for a lock: the name of such a
 * function, or the C library, tells that. */
static bool pauses(const struct cpu_time *time, const struct place *place)
{
    const char *module = place->function->module, *program = places_own_module(time->session);

    if (!place->is_pausing || !module || places_is_c_library(module))
        return false;
    if (has_name(place) && (wildcard_matches("lock", place->function->name) ||
                            wildcard_matches("Lock", place->function->name)))
        return false;
    return !program || strcmp(module, program) != 0;
}

static struct spinner find_spinning_at(const struct cpu_time *time, const struct place *place,
                                       uint32_t call)
{
    const char *name = find_spinner(place, has_name(place) ? place->function->name : "");

    if (!name && ((!has_name(place) && is_outermost(time, call)) || pauses(time, place)))
        name = find_spinner(place, NULL);
    if (!name && pauses(time, place))
        return (struct spinner){.name = place->function->module, .module = SESSION_NONE};
    return (struct spinner){name, session_call_at(time->session, call)->module};
}

/* Find the pool that was spinning at a sample, or that called yield there. */
static struct spinner find_spinning(const struct cpu_time *time, const struct call_places *leaf,
                                    uint32_t call)
{
    const struct place *place = &leaf->places[leaf->count - 1];
    const char *name;

    if (!is_yield(place))
        return find_spinning_at(time, place, call);
    call = session_call_at(time->session, call)->parent;
    leaf = find_leaf(time, &call);
    if (!leaf)
        return (struct spinner){cpu_yield_text.words, SESSION_NONE};
    place = &leaf->places[leaf->count - 1];
    name = find_spinner(place, NULL);
    if (name)
        return (struct spinner){name, session_call_at(time->session, call)->module};
    return (struct spinner){has_name(place) ? place->function->name : cpu_yield_text.words,
                            SESSION_NONE};
}

/* Threads that wait for work do not work for the op that is open.  `frame`: its function; NULL: the
 * op was recorded. */
static uint32_t find_op(struct cpu_rows *rows, const struct session_sample *sample,
                    const struct place *frame)
{
    uint32_t call = sample->call;
    const struct call_places *leaf = find_leaf(rows->time, &call);
    struct spinner spinner = {0};

    if (leaf)
        spinner = find_spinning(rows->time, leaf, call);
    if (spinner.name)
        return find_spin(rows, &spinner);
    return frame ? find_op_frame(rows, frame) : cpu_rows_of_op(rows, sample->op);
}

static uint32_t find_function(struct cpu_rows *rows, const struct session_sample *sample)
{
    uint32_t call = sample->call;
    const struct call_places *leaf = find_leaf(rows->time, &call);
    const struct place *python =
        has_python_rows(rows) ? places_find_known(rows->time->places, call, place_is_python)
                              : NULL;
    const struct place *op = rows->by == CPU_BY_OP
                                 ? places_find_known(rows->time->places, call, place_is_op)
                                 : NULL;
    struct spinner spinner;

    if (!leaf || session_call_at(rows->time->session, call)->kind != SESSION_CALL_PLAIN)
        return cpu_rows_find(rows, CPU_UNNAMED, cpu_no_chain_text.words);
    if (python && rows->by == CPU_BY_OP && python_split_is_import(rows->time, call))
        return cpu_rows_find(rows, CPU_PYTHON, cpu_imports_text.words);
    if (op)
        return find_op(rows, sample, op);
    if (python && !(rows->by == CPU_BY_OP && sample->flags & TRACE_SAMPLE_GARBAGE))
        return find_place(rows, python);
    if (sample->flags & TRACE_SAMPLE_GARBAGE && !is_of_files(rows))
        return cpu_rows_find(rows, CPU_GARBAGE, cpu_garbage_text.words);
    spinner = find_spinning(rows->time, leaf, call);
    if (spinner.name)
        return find_spin(rows, &spinner);
    if (sample->flags & SESSION_SAMPLE_WORKER)
        return cpu_rows_of_slot(rows, session_slot_at(rows->time->session, sample->slot));
    if (sample->flags & TRACE_SAMPLE_SYSCALL)
        return find_linux(rows, call);
    if (sample->flags & TRACE_SAMPLE_FAULT)
        return cpu_rows_find(rows, CPU_LINUX,
                             is_of_files(rows) ? cpu_linux_text.words : cpu_faults_text.words);
    if (is_of_files(rows) || has_name(leaf->places))
        return find_place(rows, leaf->places);
    return find_nameless(rows, leaf->places, call);
}

/* The innermost frame is tprof's own, unless a kernel or the allocator is inside. */
static bool is_tprof(const struct cpu_time *time, const struct session_sample *sample)
{
    return (sample->flags & TRACE_SAMPLE_TPROF) ||
           session_call_at(time->session, sample->call)->is_shim;
}

uint32_t cpu_rows_of_sample(struct cpu_rows *rows, const struct session_sample *sample)
{
    if (is_without_places(rows))
        return find_sample_without_place(rows, sample);
    if (is_tprof(rows->time, sample))
        return cpu_rows_find(rows, CPU_TPROF, cpu_tprof_text.words);
    if (rows->by == CPU_BY_OP && sample->op != 0)
        return find_op(rows, sample, NULL);
    return find_function(rows, sample);
}
