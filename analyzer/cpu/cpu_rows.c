/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a sample, a kernel or a call belongs to, as a row of processor time, by the most telling
 * name there is.
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
#include "symbols/storage.h"

enum { MOST_PATTERNS = 8 };

/* What a row is made of. */
struct made {
    enum cpu_kind kind;
    const char *name;
    const char *library; /* NULL: none */
    const char *place;   /* NULL: none */
    bool is_placed, is_named;
};

void cpu_rows_init(struct cpu_rows *rows, struct cpu_time *time, enum cpu_by by)
{
    *rows = (struct cpu_rows){.time = time, .by = by};
    text_init(&rows->key);
    array_init(&rows->of_functions, sizeof(uint32_t));
}

void cpu_rows_fini(struct cpu_rows *rows)
{
    text_index_fini(&rows->keys);
    text_fini(&rows->key);
    array_fini(&rows->of_functions);
}

static const char *keep(struct cpu_time *time, const char *words)
{
    return words ? storage_keep(time->texts, words, strlen(words)) : NULL;
}

static void add_row(struct cpu_time *time, const struct made *made)
{
    struct cpu_row *row = array_add(&time->rows);

    row->name = keep(time, made->name);
    row->library = keep(time, made->library);
    row->place = keep(time, made->place);
    row->kind = made->kind;
    row->is_placed = made->is_placed;
    row->is_named = made->is_named;
}

static void find_row(struct cpu_rows *rows, const struct made *made, uint32_t *index)
{
    const struct made of_kind = {.kind = made->kind, .name = cpu_kind_word(made->kind)};
    long number;

    if (rows->by == CPU_BY_KIND)
        made = &of_kind;
    text_clear(&rows->key);
    text_appendf(&rows->key, "%d", (int)made->kind);
    text_index_append_part(&rows->key, made->name);
    text_index_append_part(&rows->key, made->library);
    text_index_append_part(&rows->key, made->place);
    number = text_index_add(&rows->keys, &rows->key);
    *index = (uint32_t)number;
    if ((size_t)number == rows->time->rows.count)
        add_row(rows->time, made);
}

/* ---- rows that do not depend on a place ---- */

static void find_thread(struct cpu_rows *rows, uint32_t thread, uint32_t *index)
{
    const struct session *session = rows->time->session;
    char name[96] = "unknown";
    const struct made made = {.kind = CPU_FUNCTION, .name = name};

    if (thread != SESSION_NONE) {
        const uint32_t id = session_thread_at(session, thread)->id;
        const char *told = session_find_thread_name(session, id);

        snprintf(name, sizeof name, "thread %u%s%.64s%s", (unsigned)id, told ? " (" : "",
                 told ? told : thread == 0 ? " (first" : "", told || thread == 0 ? ")" : "");
    }
    find_row(rows, &made, index);
}

static void find_region(struct cpu_rows *rows, uint32_t region, uint32_t *index)
{
    const char *path = session_region_at(rows->time->session, region)->path;
    const struct made made = {.kind = CPU_FUNCTION,
                              .name = *path ? path : cpu_no_region_text.words};

    find_row(rows, &made, index);
}

void cpu_rows_find(struct cpu_rows *rows, enum cpu_kind kind, const char *name, uint32_t *index)
{
    const struct made made = {.kind = kind,
                              .name = name,
                              .is_placed = kind != CPU_UNNAMED,
                              .is_named = kind != CPU_UNNAMED};

    find_row(rows, &made, index);
}

void cpu_rows_of_op(struct cpu_rows *rows, uint32_t op, uint32_t *index)
{
    cpu_rows_find(rows, CPU_OP, session_op_at(rows->time->session, op)->name, index);
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

static void find_said(struct cpu_rows *rows, struct made *made, struct text *name, uint32_t *index)
{
    made->name = name->bytes;
    find_row(rows, made, index);
    text_fini(name);
}

static enum cpu_kind kind_of(const struct place *place)
{
    if (place->function->is_python)
        return CPU_PYTHON;
    if (has_name(place))
        return CPU_FUNCTION;
    return place->function->module ? CPU_RANGE : CPU_GENERATED;
}

static void find_library(struct cpu_rows *rows, const char *library, uint32_t *index)
{
    const struct made made = {.kind = library ? CPU_FUNCTION : CPU_GENERATED,
                              .name = library ? library : cpu_generated_text.words};

    find_row(rows, &made, index);
}

static void find_place(struct cpu_rows *rows, const struct place *place, uint32_t *index)
{
    char line[256];
    struct made made = {.kind = kind_of(place),
                        .library = place->function->module,
                        .place = line_of(rows, place, line, sizeof line),
                        .is_placed = place->function->has_place,
                        .is_named = has_name(place)};
    struct text name;

    if (rows->by == CPU_BY_LIBRARY) {
        find_library(rows, made.library, index);
        return;
    }
    text_init(&name);
    places_append_function(&name, place->function, false);
    find_said(rows, &made, &name, index);
}

/* Whether native code belongs to the Python function that called it. */
static bool has_python_rows(const struct cpu_rows *rows)
{
    return rows->by == CPU_BY_PYTHON || rows->by == CPU_BY_OP;
}

/* An op that was not recorded, by its function. */
static void find_op_frame(struct cpu_rows *rows, const struct place *place, uint32_t *index)
{
    uint32_t *known, id = place->function->id;
    char name[OP_FRAMES_NAME];

    while (rows->of_functions.count <= id)
        array_add(&rows->of_functions);
    known = array_at(&rows->of_functions, id);
    *index = *known - 1;
    if (*known != 0)
        return;
    op_frames_name(name, rows->time->session, place);
    cpu_rows_find(rows, CPU_OP, name, index);
    *known = *index + 1;
}

void cpu_rows_of_place(struct cpu_rows *rows, const struct place *place, uint32_t *index)
{
    *index = SESSION_NONE;
    if (rows->by == CPU_BY_OP && place_is_op(place) && !place_is_engine(place)) {
        find_op_frame(rows, place, index);
        return;
    }
    if (rows->by == CPU_BY_THREAD || rows->by == CPU_BY_REGION || rows->by == CPU_BY_KIND ||
        (has_python_rows(rows) && !place->function->is_python))
        return;
    find_place(rows, place, index);
}

/* ---- kernels ---- */

static void find_kernel(struct cpu_rows *rows, const char *name, uint32_t binding,
                        const struct place *site, uint32_t *index)
{
    const struct session_module *module =
        session_binding_at(rows->time->session, binding)->module;
    const char *library = module ? text_base_name(module->path) : NULL;
    char line[256];
    struct made made = {.kind = CPU_KERNEL,
                        .name = name,
                        .library = library,
                        .is_placed = true,
                        .is_named = true};

    if (site)
        made.place = line_of(rows, site, line, sizeof line);
    if (rows->by == CPU_BY_LIBRARY) {
        find_library(rows, library ? library : name, index);
        return;
    }
    find_row(rows, &made, index);
}

static void find_site(struct cpu_rows *rows, const struct session_slot *slot, struct place *site)
{
    const struct symbols_frame *frames;
    size_t count = 0;

    session_find_site_frames(rows->time->session, slot->site, &frames, &count);
    *site = (struct place){0};
    if (count > 0) {
        site->file = frames[0].file;
        site->line = frames[0].line;
    }
}

/* The Python code that called a kernel; the kernel itself where there is none. */
static void find_python_of_slot(struct cpu_rows *rows, const struct session_slot *slot,
                                uint32_t *index)
{
    const struct session *session = rows->time->session;
    struct made made = {.kind = CPU_PYTHON, .is_placed = true, .is_named = true};
    const struct symbols_frame *frame;

    session_find_site_python(session, slot->site, &frame);
    if (!frame) {
        find_kernel(rows, session_name_slot(session, slot), slot->binding, NULL, index);
        return;
    }
    made.name = frame->function;
    made.library = places_python_file(frame);
    find_row(rows, &made, index);
}

void cpu_rows_of_slot(struct cpu_rows *rows, const struct session_slot *slot, uint32_t *index)
{
    const char *name = session_name_slot(rows->time->session, slot);
    struct place site = {0};

    switch (rows->by) {
    case CPU_BY_THREAD: find_thread(rows, slot->thread, index); return;
    case CPU_BY_REGION: find_region(rows, slot->region, index); return;
    case CPU_BY_KIND:
    case CPU_BY_FUNCTION:
    case CPU_BY_LIBRARY: find_kernel(rows, name, slot->binding, NULL, index); return;
    case CPU_BY_PYTHON: find_python_of_slot(rows, slot, index); return;
    case CPU_BY_OP:
        if (slot->op != 0)
            cpu_rows_of_op(rows, slot->op, index);
        else
            find_kernel(rows, name, slot->binding, NULL, index);
        return;
    case CPU_BY_LINE: break;
    }
    find_site(rows, slot, &site);
    find_kernel(rows, name, slot->binding, &site, index);
}

void cpu_rows_of_binding(struct cpu_rows *rows, const struct session_sample *sample,
                         uint32_t binding, uint32_t *index)
{
    const char *name = session_binding_at(rows->time->session, binding)->symbol;

    switch (rows->by) {
    case CPU_BY_THREAD: find_thread(rows, sample->thread, index); return;
    case CPU_BY_REGION: find_region(rows, sample->region, index); return;
    case CPU_BY_OP:
        if (sample->op != 0) {
            cpu_rows_of_op(rows, sample->op, index);
            return;
        }
        break;
    case CPU_BY_KIND:
    case CPU_BY_FUNCTION:
    case CPU_BY_LIBRARY:
    case CPU_BY_PYTHON:
    case CPU_BY_LINE: break;
    }
    find_kernel(rows, name, binding, NULL, index);
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

/* Who waits for work. */
struct spinner {
    const char *name; /* NULL: nobody */
    uint32_t module;  /* of that name; SESSION_NONE where it is no name of a library */
};

/* Returns: who waits there for work, or NULL.  `function`: NULL: any of the library. */
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

/* Returns: the places of the innermost call that has any; NULL: there are none. */
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

/* Returns: the nearest place with a telling name from a call outwards; NULL: there is none. */
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

/* Linux runs where the thread called it; the signal comes on the way back. */
static void find_linux(struct cpu_rows *rows, uint32_t call, uint32_t *index)
{
    const struct place *caller = find_named(rows->time, call);
    struct made made = {.kind = CPU_LINUX, .is_placed = true, .is_named = true};
    struct text name, function;

    if (rows->by == CPU_BY_LIBRARY || !caller) {
        cpu_rows_find(rows, CPU_LINUX, cpu_linux_text.words, index);
        return;
    }
    text_init(&name);
    text_init(&function);
    places_append_function(&function, caller->function, false);
    say(&name, cpu_linux_in_text, said_words(function.bytes));
    text_fini(&function);
    find_said(rows, &made, &name, index);
}

/* Is a file one of the libraries of that name? */
static bool is_library_of(const char *path, const char *name)
{
    for (size_t i = 0; i < sizeof spinning / sizeof *spinning; i++)
        if (strcmp(spinning[i].name, name) == 0 &&
            wildcard_matches(spinning[i].library, text_base_name(path)))
            return true;
    return false;
}

/* Returns: what tells a file from others with libraries of its name; NULL: there are no others. */
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
static void find_spin(struct cpu_rows *rows, const struct spinner *spinner, uint32_t *index)
{
    struct made made = {.kind = CPU_SPIN, .is_placed = true, .is_named = true};
    const char *file = spinner->module == SESSION_NONE
                           ? NULL
                           : find_distinct_file(rows->time->session, spinner);
    struct text name;

    text_init(&name);
    if (file)
        say(&name, cpu_spin_in_text, said_words(spinner->name), said_words(file));
    else
        say(&name, cpu_spin_text, said_words(spinner->name));
    find_said(rows, &made, &name, index);
}

/* Nobody knows what it is called: so say first who called it. */
static void find_nameless(struct cpu_rows *rows, const struct place *place, uint32_t call,
                          uint32_t *index)
{
    const struct place *caller = find_named(rows->time, call);
    struct made made = {.kind = kind_of(place),
                        .library = place->function->module,
                        .is_placed = place->function->has_place,
                        .is_named = caller != NULL};
    struct text name;

    text_init(&name);
    places_append_called(&name, place->function, caller ? caller->function : NULL, false);
    find_said(rows, &made, &name, index);
}

/* A thread that gives its processor up time and again waits without sleeping. */
static bool is_yield(const struct place *place)
{
    const char *name = place->function->name;

    return text_ends_with(name, strlen(name), "sched_yield");
}

/* What a library's thread does before anything has a name is to wait for work. */
static bool is_outermost(const struct cpu_time *time, uint32_t call)
{
    const struct call_places *places;

    call = session_call_at(time->session, call)->parent;
    places = find_leaf(time, &call);
    return !places || places->places[0].function->is_starter;
}

static struct spinner find_spinning_at(const struct cpu_time *time, const struct place *place,
                                       uint32_t call)
{
    const char *name = find_spinner(place, has_name(place) ? place->function->name : "");

    if (!name && !has_name(place) && is_outermost(time, call))
        name = find_spinner(place, NULL);
    return (struct spinner){name, session_call_at(time->session, call)->module};
}

/* Find who spins where a sample came, or around the yield that it came in. */
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
static void find_op(struct cpu_rows *rows, const struct session_sample *sample,
                    const struct place *frame, uint32_t *index)
{
    uint32_t call = sample->call;
    const struct call_places *leaf = find_leaf(rows->time, &call);
    struct spinner spinner = {0};

    if (leaf)
        spinner = find_spinning(rows->time, leaf, call);
    if (spinner.name) {
        find_spin(rows, &spinner, index);
        return;
    }
    if (frame)
        find_op_frame(rows, frame, index);
    else
        cpu_rows_of_op(rows, sample->op, index);
}

static void find_function(struct cpu_rows *rows, const struct session_sample *sample,
                          uint32_t *index)
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

    if (!leaf || session_call_at(rows->time->session, call)->kind != SESSION_CALL_PLAIN) {
        cpu_rows_find(rows, CPU_UNNAMED, cpu_no_chain_text.words, index);
        return;
    }
    if (python && rows->by == CPU_BY_OP && python_split_is_import(rows->time, call)) {
        cpu_rows_find(rows, CPU_PYTHON, cpu_imports_text.words, index);
        return;
    }
    if (op) {
        find_op(rows, sample, op, index);
        return;
    }
    if (python && !(rows->by == CPU_BY_OP && sample->flags & TRACE_SAMPLE_GARBAGE)) {
        find_place(rows, python, index);
        return;
    }
    if (sample->flags & TRACE_SAMPLE_GARBAGE && rows->by != CPU_BY_LIBRARY) {
        cpu_rows_find(rows, CPU_GARBAGE, cpu_garbage_text.words, index);
        return;
    }
    spinner = find_spinning(rows->time, leaf, call);
    if (spinner.name) {
        find_spin(rows, &spinner, index);
        return;
    }
    if (sample->flags & SESSION_SAMPLE_WORKER) {
        cpu_rows_of_slot(rows, session_slot_at(rows->time->session, sample->slot), index);
        return;
    }
    if (sample->flags & TRACE_SAMPLE_SYSCALL) {
        find_linux(rows, call, index);
        return;
    }
    if (sample->flags & TRACE_SAMPLE_FAULT) {
        cpu_rows_find(rows, CPU_LINUX,
                      rows->by == CPU_BY_LIBRARY ? cpu_linux_text.words : cpu_faults_text.words,
                      index);
        return;
    }
    if (rows->by == CPU_BY_LIBRARY || has_name(leaf->places)) {
        find_place(rows, leaf->places, index);
        return;
    }
    find_nameless(rows, leaf->places, call, index);
}

/* The innermost frame is ours where neither a kernel nor the allocator is inside. */
static bool is_tprof(const struct cpu_time *time, const struct session_sample *sample)
{
    return (sample->flags & TRACE_SAMPLE_TPROF) ||
           session_call_at(time->session, sample->call)->is_shim;
}

void cpu_rows_of_sample(struct cpu_rows *rows, const struct session_sample *sample, uint32_t *index)
{
    switch (rows->by) {
    case CPU_BY_THREAD: find_thread(rows, sample->thread, index); return;
    case CPU_BY_REGION: find_region(rows, sample->region, index); return;
    case CPU_BY_KIND:
    case CPU_BY_FUNCTION:
    case CPU_BY_LIBRARY:
    case CPU_BY_PYTHON:
    case CPU_BY_OP:
    case CPU_BY_LINE: break;
    }
    if (is_tprof(rows->time, sample)) {
        cpu_rows_find(rows, CPU_TPROF, cpu_tprof_text.words, index);
        return;
    }
    if (rows->by == CPU_BY_OP && sample->op != 0) {
        find_op(rows, sample, NULL, index);
        return;
    }
    find_function(rows, sample, index);
}
