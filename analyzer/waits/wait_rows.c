/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits to rows.  What no hook saw is a row of its own, and so are idle workers.
 */
#include "waits/wait_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "symbols/symbols.h"
#include "waits/texts.h"
#include "waits/wait_holders.h"
#include "waits/wait_place.h"
#include "waits/wait_split.h"

static const char *const class_keys[TRACE_WAIT_CLASSES] = {
#define WAIT_CLASS(class, key, help) [TRACE_WAIT_CLASS_##class] = key,
#include "spec/wait_classes.def"
#undef WAIT_CLASS
};

static const char unhooked_key[] = "unhooked";

/* What a row is made of, before it is known to be new. */
struct draft {
    struct text name;
    struct text place;
    const char *kind;
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

/* Condition variables and semaphores come and go with the objects that hold them: their function
 * and their place say more than an address. */
static bool has_object(const struct session_wait *wait)
{
    return wait->name || wait->class == TRACE_WAIT_CLASS_LOCK;
}

/* Nobody calls a function to wait for the interpreter's lock. */
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

/* Functions of headers, as std::mutex::lock, are in the way of who called them. */
static const struct symbols_frame *find_own_frame(const struct symbols_frame *frames, size_t count)
{
    size_t own = 0;

    while (own + 1 < count && frames[own].is_inlined && symbols_is_system_header(frames[own].file))
        own++;
    return count > 0 ? &frames[own] : NULL;
}

/* "function  file:line", or "library+0x1234". */
static void append_site(struct text *text, const struct session *session, uint64_t site)
{
    const struct session_module *module = session_find_module(session, site);
    const struct symbols_frame *frames = NULL, *own;
    const char *where;
    size_t count = 0;

    session_find_site_frames(session, site, &frames, &count);
    own = find_own_frame(frames, count);
    where = text_base_name(own && own->file ? own->file : module ? module->path : "");
    if (!own || !own->function)
        text_appendf(text, module ? "%s+0x%llx" : "%s0x%llx", where,
                     (unsigned long long)(module ? site - module->fact.base : site));
    else if (own->line > 0)
        text_appendf(text, "%s  %s:%u", own->function, where, own->line);
    else
        text_appendf(text, "%s  %s", own->function, where);
}

/* "function  file.py"; the place where no Python code waits. */
static void append_python(struct text *text, const struct session *session, uint64_t site)
{
    const struct symbols_frame *frame;

    session_find_site_python(session, site, &frame);
    if (!frame || !frame->function) {
        append_site(text, session, site);
        return;
    }
    text_appendf(text, "%s  %s", frame->function, frame->file ? text_base_name(frame->file) : "?");
}

static void draft_wait(struct draft *draft, const struct session *session,
                       const struct session_wait *wait, enum analysis_by by)
{
    draft->kind = class_keys[wait->class];
    if (by == ANALYSIS_BY_KIND) {
        text_append(&draft->name, draft->kind);
    } else if (by == ANALYSIS_BY_THREAD) {
        text_appendf(&draft->name, "%u", session_thread_at(session, wait->thread)->id);
    } else if (by == ANALYSIS_BY_PYTHON) {
        append_python(&draft->name, session, wait->site);
        return;
    } else if (by == ANALYSIS_BY_PLACE || by == ANALYSIS_BY_LINE) {
        append_site(&draft->name, session, wait->site);
        return;
    } else if (by == ANALYSIS_BY_FILE) {
        append_object(&draft->name, wait);
        if (draft->name.size == 0)
            text_append(&draft->name, wait->function);
    } else {
        wait_append_call(&draft->name, wait);
        wait_place_append_own(&draft->place, session, wait);
        if (draft->place.size == 0) {
            append_site(&draft->place, session, wait->site);
            return;
        }
    }
}

static char *copy_text(struct text *text)
{
    return text->size == 0 ? NULL : memory_copy(text->bytes);
}

static struct wait_row *find_row(struct wait_rows *rows, struct draft *draft)
{
    struct text key;
    struct wait_row *row;
    long number;

    text_init(&key);
    text_index_append_part(&key, draft->name.bytes);
    text_index_append_part(&key, draft->place.bytes);
    number = text_index_add(&rows->index, &key);
    text_fini(&key);
    if ((size_t)number < rows->rows.count)
        return array_at(&rows->rows, (size_t)number);
    row = array_add(&rows->rows);
    *row = (struct wait_row){.name = copy_text(&draft->name),
                             .place = copy_text(&draft->place),
                             .kind = draft->kind,
                             .bytes = SESSION_UNKNOWN,
                             .chain = SESSION_NONE,
                             .last_thread = SESSION_NONE};
    return row->name ? row : NULL;
}

/* The chain of the longest call stands for the row. */
static void note_chain(struct wait_row *row, const struct session_wait *wait)
{
    if (wait->chain == SESSION_NONE || wait->chained_ns < row->chained_ns)
        return;
    row->chained_ns = wait->chained_ns;
    row->chain = wait->chain;
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
    note_chain(row, wait);
    count_thread(row, wait->thread);
}

static void start(struct draft *draft)
{
    draft->kind = NULL;
    text_init(&draft->name);
    text_init(&draft->place);
}

static void finish(struct draft *draft)
{
    text_fini(&draft->name);
    text_fini(&draft->place);
}

/* Returns: the index of its row. */
static uint32_t add_hooked(struct wait_rows *rows, const struct session *session,
                           const struct session_wait *wait, enum analysis_by by)
{
    struct wait_row *row = NULL;
    struct draft draft;

    start(&draft);
    draft_wait(&draft, session, wait, by);
    row = find_row(rows, &draft);
    finish(&draft);
    if (!row)
        return SESSION_NONE;
    add_wait(row, wait, wait->thread == wait_main_thread(session));
    return (uint32_t)(row - (struct wait_row *)rows->rows.items);
}

static void add_all_hooked(struct wait_rows *rows, const struct session *session,
                           enum analysis_by by)
{
    uint32_t *row_of = memory_get((session->waits.count + 1) * sizeof *row_of);

    rows->row_of = row_of;
    for (size_t i = 0; i < session->waits.count; i++)

        row_of[i] = add_hooked(rows, session, session_wait_at(session, i), by);
    wait_holders_fill(rows, session, row_of);
}

static void draft_unhooked(struct draft *draft, const struct session *session, uint32_t thread,
                           enum analysis_by by)
{
    draft->kind = unhooked_key;
    if (by == ANALYSIS_BY_THREAD)
        text_appendf(&draft->name, "%u", session_thread_at(session, thread)->id);
    else
        say(&draft->name,
            wait_is_idle_worker(session, thread) ? wait_idle_worker_text : wait_unhooked_text);
}

static void add_unhooked(struct wait_rows *rows, const struct session *session, uint32_t thread,
                         enum analysis_by by)
{
    double ns = wait_split_of(session, thread).unhooked_ns;
    struct wait_row *row;
    struct draft draft;

    if (!(ns > 0))
        return;
    start(&draft);
    draft_unhooked(&draft, session, thread, by);
    row = find_row(rows, &draft);
    finish(&draft);
    row->total_ns += ns;
    row->waiting_ns += ns;
    row->main_path_ns += thread == wait_main_thread(session) ? ns : 0;
    row->main_total_ns = row->main_path_ns;
    count_thread(row, thread);
}

void wait_rows_init(struct wait_rows *rows, const struct session *session, enum analysis_by by)
{
    *rows = (struct wait_rows){0};
    array_init(&rows->rows, sizeof(struct wait_row));
    add_all_hooked(rows, session, by);
    for (uint32_t i = 0; i < session->threads.count; i++)
        add_unhooked(rows, session, i, by);
}

void wait_rows_fini(struct wait_rows *rows)
{
    struct wait_row *row = rows->rows.items;

    for (size_t i = 0; i < rows->rows.count; i++) {
        free(row[i].name);
        free(row[i].place);
        free(row[i].holder);
    }
    free(rows->row_of);
    array_fini(&rows->rows);
    text_index_fini(&rows->index);
}
