/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of wakers.
 */
#include "waits/waker_table.h"

#include "base/pool.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/texts.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"
#include "waits/wakers.h"

enum column_index { NAME, PLACE, WAKER, WAITS, SHARE };

static const struct column columns[] = {
    [NAME] = {"name", "what", "the call that waited", UNIT_TEXT, 1},
    [PLACE] = {"place", "where", "the place that waited for work", UNIT_PLACE, 0},
    [WAKER] = {"waker", "woken by", "line of the program that ended the wait", UNIT_PLACE, 0},
    [WAITS] = {"waits", "waits", "of 50 us or more that it ended", UNIT_COUNT, 0},
    [SHARE] = {"share", "share",
               "of the waits there that a wake ended; not those that a library's own code ended",
               UNIT_FRACTION, 0},
};

const struct table_schema waker_table_schema = {"wakers", "Woken by", columns,
                                                sizeof columns / sizeof *columns, NULL};

/* Other places of a group with this share are named in words, too. */
static const double other_least = 0.1;

/* The wakers of each group of waits. */
struct woken {
    struct wakers wakers;
    struct array shares; /* of struct waker_share */
};

static void start(struct woken *woken, const struct session *session, places_finder find,
                  const uint32_t *group_of)
{
    wakers_init(&woken->wakers, session, find);
    array_init(&woken->shares, sizeof(struct waker_share));
    wakers_share(&woken->shares, &woken->wakers, session, group_of);
}

static void set_row(struct value *row, const struct waker_share *share,
                    const struct wait_row *waited)
{
    value_set_unsigned(&row[WAITS], share->waits);
    value_set_ratio(&row[SHARE], share->waits, (double)share->all);
    value_set_text(&row[NAME], waited->name);
    value_set_text(&row[WAKER], share->place);
    if (waited->place)
        value_set_text(&row[PLACE], waited->place);
}

static void add_rows(struct table *table, const struct woken *woken, const struct wait_rows *rows)
{
    const struct waker_share *share = woken->shares.items;

    for (size_t i = 0; i < woken->shares.count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, &share[i], array_at(&rows->rows, share[i].group));
    }
}

void waker_table_fill(struct table *table, const struct session *session,
                             places_finder find)
{
    struct wait_rows rows;
    struct woken woken;

    if (session->wakes.count == 0)
        return;
    wait_rows_init(&rows, session, ANALYSIS_BY_DEFAULT);
    start(&woken, session, find, rows.row_of);
    add_rows(table, &woken, &rows);
}

/* "train.py:33 main (66.7 %), train.py:40 feed (33.3 %)". */
static void append_words(struct text *text, const struct waker_share *share, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double part = (double)share[i].waits / (double)share[i].all;

        if (i > 0 && (part < other_least || share[i].group != share->group))
            return;
        if (i > 0)
            text_append(text, ", ");
        say(text, waker_text, said_words(share[i].place), said_share(part));
    }
}

static void set_words(struct value *value, const struct waker_share *share, size_t count)
{
    struct text text;

    text_init(&text);
    append_words(&text, share, count);
    value_take_text(value, &text);
}

static void set_threads(struct table *table, size_t column, const struct woken *woken)
{
    const struct waker_share *share = woken->shares.items;
    size_t count = woken->shares.count;

    for (size_t i = 0; i < count; i++)
        if ((i == 0 || share[i].group != share[i - 1].group) &&
            share[i].group < table_row_count(table))
            set_words(&table_row(table, share[i].group)[column], &share[i], count - i);
}

static void say_words(struct table *table, size_t column, const struct woken *woken)
{
    const struct waker_share *share = woken->shares.items;
    struct text text;

    (void)column;
    if (woken->shares.count == 0)
        return;
    text_init(&text);
    append_words(&text, share, woken->shares.count);
    table_say(table, wakers_text, said_count(share->all), said_words(text.bytes));
}

/* How to show the wakers of each thread, or of all threads but the first as one group. */
struct telling {
    void (*tell)(struct table *table, size_t column, const struct woken *woken);
    size_t column;
    bool is_one_group;
};

/* Returns: the group of each wait, its thread, or 0 of all threads but the first; NULL. */
static uint32_t *group_by_thread(const struct session *session, bool is_one_group)
{
    uint32_t *group_of = pool_get((session->waits.count + 1) * sizeof *group_of);

    for (size_t i = 0; i < session->waits.count; i++) {
        uint32_t thread = session_wait_at(session, i)->thread;

        group_of[i] = thread;
        if (is_one_group)
            group_of[i] = thread == wait_main_thread(session) ? SESSION_NONE : 0;
    }
    return group_of;
}

static void tell_threads(struct table *table, const struct telling *telling,
                         const struct session *session, places_finder find)
{
    struct woken woken;
    uint32_t *group_of;

    if (session->wakes.count == 0)
        return;
    group_of = group_by_thread(session, telling->is_one_group);
    start(&woken, session, find, group_of);
    telling->tell(table, telling->column, &woken);
}

void waker_table_fill_threads(struct table *table, size_t column,
                                     const struct session *session, places_finder find)
{
    tell_threads(table, &(struct telling){set_threads, column, false}, session, find);
}

void waker_table_say(struct table *table, const struct session *session, places_finder find)
{
    tell_threads(table, &(struct telling){say_words, 0, true}, session, find);
}
