/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits to rows.  Waits that no hook saw are a row of their own, and so are idle workers.
 */
#include "waits/wait_rows.h"

#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "rows/dimensions.h"
#include "rows/site.h"
#include "waits/texts.h"
#include "waits/wait_holders.h"
#include "waits/wait_parts.h"
#include "waits/wait_place.h"
#include "waits/wait_split.h"

static const char *const class_keys[TRACE_WAIT_CLASSES] = {
#define WAIT_CLASS(class, key, help) [TRACE_WAIT_CLASS_##class] = key,
#include "spec/wait_classes.def"
#undef WAIT_CLASS
};

static const char unhooked_key[] = "unhooked";

/* The state while rows are found. */
struct folding {
    struct wait_rows *rows;
    const struct session *session;
    enum analysis_by by;
    const struct wait_lines *lines;
    struct text name, place, line; /* texts of the current wait */
};

static void append_object(struct text *text, const struct session_wait *wait)
{
    if (wait->name)
        text_append(text, wait->name);
    else if (wait->class == TRACE_WAIT_CLASS_GIL)
        say(text, wait_gil_text);
    else if (wait->address != 0)
        text_appendf(text, "0x%llx", (unsigned long long)wait->address);
}

/* Condition variables and semaphores come and go with the objects that contain them: their function
 * and place say more than an address. */
static bool has_object(const struct session_wait *wait)
{
    return wait->name || wait->class == TRACE_WAIT_CLASS_LOCK;
}

/* Waits for the interpreter's lock have no called function. */
void wait_append_call(struct text *text, const struct session_wait *wait)
{
    if (wait->class == TRACE_WAIT_CLASS_GIL) {
        append_object(text, wait);
        return;
    }
    text_append(text, wait->function);
    if (has_object(wait)) {
        text_append(text, " ");
        append_object(text, wait);
    }
}

/* If lines are unknown, calls at several addresses of one function are one place. */
static void append_site(struct text *text, const struct session *session, uint64_t address)
{
    struct site site = site_find_own(session, address);

    site.offset = 0;
    site_append(text, &site);
}

static void append_thread(struct text *text, const struct session *session, uint32_t thread)
{
    text_appendf(text, "%u", (unsigned)session_thread_at(session, thread)->id);
}

/* The place where no Python code waits. */
static void append_python(struct text *text, const struct session *session, uint64_t site)
{
    if (!site_append_python(text, session, site))
        append_site(text, session, site);
}

static void append_file(struct text *text, const struct session_wait *wait)
{
    append_object(text, wait);
    if (text->size == 0)
        text_append(text, wait->function);
}

/* The library or the program that called. */
static void append_library(struct text *text, const struct session *session, uint64_t address)
{
    const struct site site = site_find(session, address);

    text_append(text, site.module ? site.module : wait_no_library_text.words);
}

/* Rows by call have a place, too. */
static void describe_call(struct folding *of, const struct session_wait *wait)
{
    wait_append_call(&of->name, wait);
    wait_place_append_own(&of->place, of->session, wait);
    if (of->place.size == 0)
        append_site(&of->place, of->session, wait->site);
}

static bool is_in_queue(const struct session *session, uint32_t chain)
{
    for (uint32_t i = chain == SESSION_NONE ? 0 : chain; i != 0;
         i = session_call_at(session, i)->parent) {
        uint32_t module = session_call_at(session, i)->module;

        if (module != SESSION_NONE && strstr(session_module_at(session, module)->path, "/_queue."))
            return true;
    }
    return false;
}

/* Python's locks are semaphores, as its queues, events and joins are.  Where the program's own line
 * waits, and no code of a library for it, the line takes a lock. */
static bool is_python_lock(const struct session *session, const struct session_wait *wait)
{
    const struct symbols_frame *frame;

    if (wait->class != TRACE_WAIT_CLASS_IDLE || !wait->function ||
        strncmp(wait->function, "sem_", strlen("sem_")) != 0)
        return false;
    session_find_site_python(session, wait->site, &frame);
    return frame && frame->file && place_file_is_own(frame->file) &&
           !is_in_queue(session, wait->chain);
}

static const char *find_class(const struct session *session, const struct session_wait *wait)
{
    return class_keys[is_python_lock(session, wait) ? TRACE_WAIT_CLASS_LOCK : wait->class];
}

static void describe(struct folding *of, const struct session_wait *wait)
{
    const struct fact fact = {wait->thread, wait->region, fact_layer(of->session, wait->op),
                              wait->site};
    enum analysis_by by = of->by;

    if (by == ANALYSIS_BY_KIND)
        text_append(&of->name, find_class(of->session, wait));
    else if (by == ANALYSIS_BY_THREAD)
        append_thread(&of->name, of->session, wait->thread);
    else if (by == ANALYSIS_BY_PYTHON)
        append_python(&of->name, of->session, wait->site);
    else if (by == ANALYSIS_BY_PLACE || by == ANALYSIS_BY_LINE)
        append_site(&of->name, of->session, wait->site);
    else if (by == ANALYSIS_BY_FILE)
        append_file(&of->name, wait);
    else if (by == ANALYSIS_BY_LIBRARY)
        append_library(&of->name, of->session, wait->site);
    else if (dimension_find(by))
        dimension_find(by)(&of->name, of->session, &fact);
    else
        describe_call(of, wait);
}

/* A thread, a function or a region may wait for several. */
static void check_kind(struct wait_row *row, const char *kind)
{
    if (row->kind && strcmp(row->kind, kind) != 0)
        row->kind = NULL;
}

/* Returns: the row of the name and the place; both texts are then empty again. */
static uint32_t find_row(struct folding *of, const char *kind)
{
    struct fold *fold = &of->rows->fold;
    const char *place = of->place.size > 0 ? of->place.bytes : NULL;
    uint32_t index;

    fold_by_text(fold, of->name.bytes);
    fold_by_text(fold, place);
    fold_by_text(fold, of->line.bytes);
    if (fold_find(fold, &index))
        *(struct wait_row *)array_at(&of->rows->rows, index) =
            (struct wait_row){.name = fold_keep(fold, of->name.bytes),
                              .place = fold_keep(fold, place),
                              .kind = kind,
                              .bytes = SESSION_UNKNOWN,
                              .chain = SESSION_NONE,
                              .main_chain = SESSION_NONE,
                              .last_thread = SESSION_NONE};
    else if (of->by != ANALYSIS_BY_DEFAULT)
        check_kind(array_at(&of->rows->rows, index), kind);
    text_clear(&of->name);
    text_clear(&of->place);
    text_clear(&of->line);
    return index;
}

/* The chain of the longest call represents the row.  Threads may come to the same call from several
 * lines. */
static void note_chain(struct wait_row *row, const struct session_wait *wait, bool is_main)
{
    if (wait->chain == SESSION_NONE)
        return;
    if (wait->chained_ns >= row->chained_ns) {
        row->chained_ns = wait->chained_ns;
        row->chain = wait->chain;
    }
    if (is_main && wait->chained_ns >= row->main_chained_ns) {
        row->main_chained_ns = wait->chained_ns;
        row->main_chain = wait->chain;
    }
}

static void count_thread(struct wait_row *row, uint32_t thread)
{
    row->threads += row->last_thread != thread;
    row->last_thread = thread;
}

static void add_wait(struct wait_row *row, const struct session_wait *wait, bool is_main)
{
    row->calls += wait->calls;
    if (wait->has_bytes)
        row->bytes = (row->bytes == SESSION_UNKNOWN ? 0 : row->bytes) + wait->bytes;
    row->total_ns += (double)wait->total_ns;
    row->waiting_ns += (double)wait->waiting_ns;
    row->main_path_ns += is_main ? (double)wait->waiting_ns : 0;
    row->main_total_ns += is_main ? (double)wait->total_ns : 0;
    row->waited = wait->kind;
    if (wait->max_ns > row->max_ns)
        row->max_ns = wait->max_ns;
    note_chain(row, wait, is_main);
    count_thread(row, wait->thread);
}

/* Returns: the row's index. */
static uint32_t add_part(struct folding *of, const struct session_wait *part)
{
    const struct session *session = of->session;
    struct wait_row *row;
    uint32_t index;

    describe(of, part);
    if (of->lines && part->chain != SESSION_NONE)
        of->lines->append(&of->line, of->lines->of, part->chain);
    index = find_row(of, find_class(session, part));
    row = array_at(&of->rows->rows, index);
    row->is_own = session_region_is_own(session_region_at(session, part->region));
    add_wait(row, part, part->thread == wait_main_thread(session));
    return index;
}

static void add_all_hooked(struct folding *of)
{
    const struct session *session = of->session;
    struct wait_rows *rows = of->rows;
    struct wait_parts parts;

    rows->row_of = pool_get((session->waits.count + 1) * sizeof *rows->row_of);
    wait_parts_init(&parts, session);
    for (size_t i = 0; i < session->waits.count; i++) {
        struct array of_wait;

        wait_parts_of(&parts, i, &of_wait);
        rows->row_of[i] = add_part(of, array_at(&of_wait, 0));
        for (size_t k = 1; k < of_wait.count; k++)
            add_part(of, array_at(&of_wait, k));
    }
    wait_holders_fill(rows, session, rows->row_of);
}

static void add_unhooked(struct folding *of, uint32_t thread)
{
    const struct session *session = of->session;
    double ns = wait_split_of(session, thread).unhooked_ns;
    struct wait_row *row;

    if (!(ns > 0))
        return;
    if (of->by == ANALYSIS_BY_THREAD)
        append_thread(&of->name, session, thread);
    else
        say(&of->name,
            wait_is_idle_worker(session, thread) ? wait_idle_worker_text : wait_unhooked_text);
    row = array_at(&of->rows->rows, find_row(of, unhooked_key));
    row->total_ns += ns;
    row->waiting_ns += ns;
    row->main_path_ns += thread == wait_main_thread(session) ? ns : 0;
    row->main_total_ns = row->main_path_ns;
    count_thread(row, thread);
}

static void make_rows(struct wait_rows *rows, const struct session *session, enum analysis_by by,
                      const struct wait_lines *lines)
{
    struct folding folding = {.rows = rows, .session = session, .by = by, .lines = lines};

    *rows = (struct wait_rows){0};
    array_init(&rows->rows, sizeof(struct wait_row));
    fold_init(&rows->fold, &rows->rows);
    text_init(&folding.name);
    text_init(&folding.place);
    text_init(&folding.line);
    add_all_hooked(&folding);
    for (uint32_t i = 0; i < session->threads.count; i++)
        add_unhooked(&folding, i);
}

void wait_rows_init(struct wait_rows *rows, const struct session *session, enum analysis_by by)
{
    make_rows(rows, session, by, NULL);
}

void wait_rows_init_by_line(struct wait_rows *rows, const struct session *session,
                            const struct wait_lines *lines)
{
    make_rows(rows, session, ANALYSIS_BY_DEFAULT, lines);
}
