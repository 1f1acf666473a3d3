/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of wakers.
 */
#include "figures/waker_table.h"

#include <stdlib.h>

#include "figures/texts.h"
#include "figures/wait_rows.h"
#include "figures/wait_split.h"
#include "figures/wakers.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

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

/* Others of a group that are named in words, too. */
static const double other_least = 0.1;

/* Who woke each group of waits. */
struct woken {
    struct wakers wakers;
    struct array shares; /* of struct waker_share */
};

static enum status start(struct woken *woken, const struct session *session, places_finder find,
                         const uint32_t *group_of)
{
    enum status status = wakers_init(&woken->wakers, session, find);

    array_init(&woken->shares, sizeof(struct waker_share));
    return status ? status : wakers_share(&woken->shares, &woken->wakers, session, group_of);
}

static void finish(struct woken *woken)
{
    array_fini(&woken->shares);
    wakers_fini(&woken->wakers);
}

static enum status set_row(struct value *row, const struct waker_share *share,
                           const struct wait_row *waited)
{
    value_set_unsigned(&row[WAITS], share->waits);
    value_set_ratio(&row[SHARE], share->waits, (double)share->all);
    if (value_set_text(&row[NAME], waited->name) || value_set_text(&row[WAKER], share->place))
        return STATUS_OUT_OF_MEMORY;
    return waited->place ? value_set_text(&row[PLACE], waited->place) : STATUS_OK;
}

static enum status add_rows(struct table *table, const struct woken *woken,
                            const struct wait_rows *rows)
{
    const struct waker_share *share = woken->shares.items;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < woken->shares.count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, &share[i], array_at(&rows->rows, share[i].group))
                     : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

enum status waker_table_fill(struct table *table, const struct session *session,
                             places_finder find)
{
    struct wait_rows rows;
    struct woken woken;
    enum status status;

    if (session->wakes.count == 0)
        return STATUS_OK;
    status = wait_rows_init(&rows, session, ANALYSIS_BY_DEFAULT);
    if (!status) {
        status = start(&woken, session, find, rows.row_of);
        if (!status)
            status = add_rows(table, &woken, &rows);
        finish(&woken);
    }
    wait_rows_fini(&rows);
    return status;
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

static enum status set_words(struct value *value, const struct waker_share *share, size_t count)
{
    struct text text;

    text_init(&text);
    append_words(&text, share, count);
    return value_take_text(value, &text);
}

static enum status set_threads(struct table *table, size_t column, const struct woken *woken)
{
    const struct waker_share *share = woken->shares.items;
    size_t count = woken->shares.count;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < count && !status; i++)
        if ((i == 0 || share[i].group != share[i - 1].group) &&
            share[i].group < table_row_count(table))
            status = set_words(&table_row(table, share[i].group)[column], &share[i], count - i);
    return status;
}

static enum status say_words(struct table *table, size_t column, const struct woken *woken)
{
    const struct waker_share *share = woken->shares.items;
    enum status status;
    struct text text;

    (void)column;
    if (woken->shares.count == 0)
        return STATUS_OK;
    text_init(&text);
    append_words(&text, share, woken->shares.count);
    status = text_status(&text);
    if (!status)
        status = table_say(table, wakers_text, said_count(share->all), said_words(text.bytes));
    text_fini(&text);
    return status;
}

/* What becomes of who woke each thread, or all threads but the first as one group. */
struct telling {
    enum status (*tell)(struct table *table, size_t column, const struct woken *woken);
    size_t column;
    bool is_one_group;
};

/* Returns: the group of each wait, its thread, or 0 of all threads but the first; NULL. */
static uint32_t *group_by_thread(const struct session *session, bool is_one_group)
{
    uint32_t *group_of = malloc((session->waits.count + 1) * sizeof *group_of);

    for (size_t i = 0; group_of && i < session->waits.count; i++) {
        uint32_t thread = session_wait_at(session, i)->thread;

        group_of[i] = thread;
        if (is_one_group)
            group_of[i] = thread == wait_main_thread(session) ? SESSION_NONE : 0;
    }
    return group_of;
}

static enum status tell_threads(struct table *table, const struct telling *telling,
                                const struct session *session, places_finder find)
{
    struct woken woken;
    uint32_t *group_of;
    enum status status = STATUS_OUT_OF_MEMORY;

    if (session->wakes.count == 0)
        return STATUS_OK;
    group_of = group_by_thread(session, telling->is_one_group);
    if (group_of) {
        status = start(&woken, session, find, group_of);
        if (!status)
            status = telling->tell(table, telling->column, &woken);
        finish(&woken);
    }
    free(group_of);
    return status;
}

enum status waker_table_fill_threads(struct table *table, size_t column,
                                     const struct session *session, places_finder find)
{
    return tell_threads(table, &(struct telling){set_threads, column, false}, session, find);
}

enum status waker_table_say(struct table *table, const struct session *session, places_finder find)
{
    return tell_threads(table, &(struct telling){say_words, 0, true}, session, find);
}
