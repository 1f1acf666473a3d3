/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Holders of locks.
 *
 * The shim records which thread held a lock when a wait started.  The interpreter's lock goes from
 * thread to thread, and each change ends a wait, so its holder is the same for most of a wait.
 * Frames of another thread cannot be read while it runs.  But the holder is sampled, and its own
 * waits are known, so the lines of both held the lock, each for the time of its sample or wait.
 */
#include "waits/wait_holders.h"

#include <stdlib.h>

#include "base/text.h"
#include "model/python.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/places.h"
#include "symbols/symbols.h"

/* A row's time that one thread held the lock. */
struct owned {
    uint32_t row, owner;
    double ns;
};

/* A row's time that a line held it. */
struct held {
    uint32_t row;
    const char *place;
    double ns;
};

/* A call of a thread that waited for something else. */
struct own_wait {
    uint32_t thread, call;
    uint64_t start_ns;
};

struct holders {
    struct wait_rows *rows;
    const struct session *session;
    const uint32_t *row_of;
    struct array held;      /* of struct held */
    struct array own_waits; /* of struct own_wait, by thread and time */
    struct fold fold;       /* fold of `held` */
};

/* ---- threads ----------------------------------------------------------------------- */

static int compare_owned(const void *left, const void *right)
{
    const struct owned *a = left, *b = right;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    return (a->owner > b->owner) - (a->owner < b->owner);
}

static void note_owner(struct wait_rows *rows, const struct owned *owned)
{
    struct wait_row *row = array_at(&rows->rows, owned->row);

    if (owned->ns <= row->owner_ns)
        return;
    row->owner = owned->owner;
    row->owner_ns = owned->ns;
}

static void note_owners(struct wait_rows *rows, struct array *owned)
{
    struct owned *at = owned->items;

    if (owned->count > 0)
        qsort(at, owned->count, sizeof *at, compare_owned);
    for (size_t i = 0; i < owned->count; i++) {
        if (i > 0 && compare_owned(&at[i - 1], &at[i]) == 0)
            at[i].ns += at[i - 1].ns;
        note_owner(rows, &at[i]);
    }
}

static void fill_owners(const struct holders *holders)
{
    const struct session *session = holders->session;
    struct array owned;

    array_init(&owned, sizeof(struct owned));
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);
        struct owned *of = wait->owner == 0 ? NULL : array_add(&owned);

        if (of)
            *of = (struct owned){holders->row_of[i], wait->owner, (double)wait->waiting_ns};
    }
    note_owners(holders->rows, &owned);
}

/* ---- lines ------------------------------------------------------------------------- */

static void hold(struct holders *holders, uint32_t row, const struct text *place, double ns)
{
    uint32_t index;

    fold_by_number(&holders->fold, row);
    fold_by_text(&holders->fold, place->bytes);
    bool is_new = fold_find(&holders->fold, &index);
    struct held *held = array_at(&holders->held, index);
    if (is_new)
        *held = (struct held){row, fold_keep(&holders->fold, place->bytes), 0};
    held->ns += ns;
}

/* Appends the place of Python code; nothing for other code. */
static void append_frame(struct text *text, const struct symbols_frame *frame)
{
    if (!frame || !frame->function)
        return;
    if (frame->file)
        places_append_spelled(text, frame->file, frame->line, frame->function);
    else
        text_append(text, frame->function);
}

static void hold_frame(struct holders *holders, uint32_t row, const struct symbols_frame *frame,
                       double ns)
{
    struct text place;

    text_init(&place);
    append_frame(&place, frame);
    if (place.size > 0)
        hold(holders, row, &place, ns);
}

static void find_chain_python(const struct session *session, uint32_t call,
                              const struct symbols_frame **frame)
{
    size_t count = 0;

    while (call != 0 && !python_is_call(session_call_at(session, call)->address))
        call = session_call_at(session, call)->parent;
    *frame = NULL;
    if (call != 0)
        session_find_frames(session, call, frame, &count);
}

static uint32_t find_thread(const struct session *session, uint32_t id)
{
    for (uint32_t i = 0; i < session->threads.count; i++)
        if (session_thread_at(session, i)->id == id)
            return i;
    return SESSION_NONE;
}

static int compare_tick(const void *item, const void *key)
{
    uint64_t time_ns = ((const struct session_tick *)item)->time_ns, other = *(const uint64_t *)key;

    return (time_ns > other) - (time_ns < other);
}

static void hold_samples(struct holders *holders, uint32_t row,
                         const struct session_wait_call *call, uint32_t thread)
{
    const struct session *session = holders->session;
    const struct session_tick *ticks = session->ticks.items;
    double period_ns = (double)session->sampling.period_ns * session->sampling.ticks_of;
    size_t i = array_first_from(&session->ticks, &call->start_ns, compare_tick);

    for (; i < session->ticks.count && ticks[i].time_ns <= call->end_ns; i++) {
        const struct session_sample *sample = session_sample_at(session, ticks[i].sample);
        const struct symbols_frame *frame = NULL;

        if (sample->thread != thread)
            continue;
        find_chain_python(session, sample->call, &frame);
        hold_frame(holders, row, frame, period_ns * ticks[i].periods);
    }
}

static int compare_own_waits(const void *left, const void *right)
{
    const struct own_wait *a = left, *b = right;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static void gather_own_waits(struct holders *holders)
{
    const struct session *session = holders->session;

    for (uint32_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        struct own_wait *own = NULL;

        if (wait->class == TRACE_WAIT_CLASS_GIL)
            continue;
        own = array_add(&holders->own_waits);
        *own = (struct own_wait){wait->thread, i, call->start_ns};
    }
    if (holders->own_waits.count > 0)
        qsort(holders->own_waits.items, holders->own_waits.count, sizeof(struct own_wait),
              compare_own_waits);
}

/* Most waiting calls release the lock before, and then the wait for it is over at once. */
static void hold_own_waits(struct holders *holders, uint32_t row,
                           const struct session_wait_call *call, uint32_t thread)
{
    const struct session *session = holders->session;
    const struct own_wait *all = holders->own_waits.items, end = {thread, 0, call->end_ns};
    size_t i = array_first_from(&holders->own_waits, &end, compare_own_waits);

    for (; i > 0; i--) {
        const struct session_wait_call *own = session_wait_call_at(session, all[i - 1].call);
        uint64_t from = own->start_ns > call->start_ns ? own->start_ns : call->start_ns;
        uint64_t to = own->end_ns < call->end_ns ? own->end_ns : call->end_ns;
        const struct symbols_frame *frame;

        if (all[i - 1].thread != thread || to <= from)
            break;
        session_find_site_python(session, session_wait_at(session, own->wait)->site, &frame);
        hold_frame(holders, row, frame, (double)(to - from));
    }
}

/* Give each row the line that held its lock for most of the known time. */
static void note_lines(struct holders *holders)
{
    const struct held *held = holders->held.items;

    for (size_t i = 0; i < holders->held.count; i++) {
        struct wait_row *row = array_at(&holders->rows->rows, held[i].row);

        row->held_ns += held[i].ns;
        if (held[i].ns <= row->holder_ns)
            continue;
        row->holder = fold_keep(&holders->rows->fold, held[i].place);
        row->holder_ns = held[i].ns;
    }
}

static void fill_lines(struct holders *holders)
{
    const struct session *session = holders->session;

    gather_own_waits(holders);
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        uint32_t thread, row = holders->row_of[call->wait];

        if (wait->class != TRACE_WAIT_CLASS_GIL || wait->owner == 0)
            continue;
        thread = find_thread(session, wait->owner);
        if (thread == SESSION_NONE)
            continue;
        hold_samples(holders, row, call, thread);
        hold_own_waits(holders, row, call, thread);
    }
    note_lines(holders);
}

void wait_holders_fill(struct wait_rows *rows, const struct session *session,
                       const uint32_t *row_of)
{
    struct holders holders = {.rows = rows, .session = session, .row_of = row_of};

    array_init(&holders.held, sizeof(struct held));
    array_init(&holders.own_waits, sizeof(struct own_wait));
    fold_init(&holders.fold, &holders.held);
    fill_owners(&holders);
    fill_lines(&holders);
}
