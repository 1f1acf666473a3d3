/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event loops, and the functions that held them longest.
 */
#include "requests/turns_table.h"

#include "base/text.h"
#include "document/document.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "requests/request_rows.h"
#include "requests/texts.h"
#include "requests/turns.h"

enum loop_column { LOOP_THREAD, LOOP_WAITS, LOOP_TURNS, LOOP_P50, LOOP_P99, LOOP_LONGEST };

static const struct column loop_columns[] = {
    [LOOP_THREAD] = {"thread", "thread", "that runs the loop", UNIT_NUMBER, 0},
    [LOOP_WAITS] = {"waits", "waits", "of the loop for events", UNIT_COUNT, 1},
    [LOOP_TURNS] = {"turns", "turns", "between two waits of 50 us or more", UNIT_COUNT, 0},
    [LOOP_P50] = {"p50_ns", "p50", "length of these turns, by the nearest rank", UNIT_NS, 0},
    [LOOP_P99] = {"p99_ns", "p99", "the same", UNIT_NS, 0},
    [LOOP_LONGEST] = {"longest_ns", "longest", "the same", UNIT_NS, 0},
};

static const struct table_schema loop_schema = {"loops", "Turns of event loops", loop_columns,
                                                sizeof loop_columns / sizeof *loop_columns, NULL};

enum column_index { NAME, LONGEST, START, LINE, TURNS, TIME, THREAD };

static const struct column columns[] = {
    [NAME] = {"handler", "handler", "function of the program that the loop called", UNIT_TEXT, 0},
    [LONGEST] = {"longest_ns", "longest", "that it ran in one turn, without giving the loop back",
                 UNIT_NS, 0},
    [START] = {"start_ns", "at", "when that began, since the start of recording", UNIT_NS, 2},
    [LINE] = {"place", "held by", "the program's own line with most of that", UNIT_PLACE, 0},
    [TURNS] = {"turns", "seen in", "turns with a sample or a long wait of it", UNIT_COUNT, 1},
    [TIME] = {"time_ns", "time", "in these turns", UNIT_NS, 1},
    [THREAD] = {"thread", "thread", "that runs the loop", UNIT_NUMBER, 3},
};

static const struct table_schema schema = {"handlers", "Handlers of event loops", columns,
                                           sizeof columns / sizeof *columns, NULL};

static uint32_t thread_id(const struct session *session, const struct turns_loop *loop)
{
    return session_thread_at(session, loop->thread)->id;
}

static void set_loop(struct value *row, const struct session *session,
                     const struct turns_loop *loop)
{
    value_set_unsigned(&row[LOOP_THREAD], thread_id(session, loop));
    value_set_unsigned(&row[LOOP_WAITS], loop->waits);
    value_set_unsigned(&row[LOOP_TURNS], loop->lengths_ns.count);
    value_set_rounded(&row[LOOP_P50], request_nearest(&loop->lengths_ns, 0.5));
    value_set_rounded(&row[LOOP_P99], request_nearest(&loop->lengths_ns, 0.99));
    value_set_rounded(&row[LOOP_LONGEST], request_nearest(&loop->lengths_ns, 1));
}

static void set_handler(struct value *row, const struct session *session, const struct turns *turns,
                        const struct turns_handler *handler)
{
    struct text line;

    value_set_text(&row[NAME], handler->name);
    value_set_unsigned(&row[LONGEST], handler->longest_ns);
    value_set_unsigned(&row[START], handler->longest_start_ns);
    value_set_unsigned(&row[TURNS], handler->turns);
    value_set_unsigned(&row[TIME], handler->ns);
    value_set_unsigned(&row[THREAD], thread_id(session, array_at(&turns->loops, handler->loop)));
    if (!handler->line.function)
        return;
    text_init(&line);
    place_append(&line, &handler->line);
    value_take_text(&row[LINE], &line);
}

static void say_joined(struct table *table, const struct turns *turns)
{
    uint64_t waits = 0, told = 0;

    for (size_t i = 0; i < turns->loops.count; i++) {
        const struct turns_loop *loop = array_at(&turns->loops, i);

        waits += loop->waits;
        told += loop->lengths_ns.count + 1;
    }
    if (waits > told)
        table_say(table, turns_joined_text, said_count(waits - told), said_count(waits));
}

void turns_tables_add(struct document *document, const struct session *session, places_finder find)
{
    enum section_place format;
    struct turns turns;
    struct table *table;

    turns_find(&turns, session, find);
    format = turns.loops.count > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON;
    table = document_start_table(document, "loops", format, &loop_schema);
    for (size_t i = 0; i < turns.loops.count; i++)
        set_loop(table_add_row(table), session, array_at(&turns.loops, i));
    if (turns.loops.count > 0)
        table_say(table, turns_meaning_text);
    say_joined(table, &turns);
    format = turns.handlers.count > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON;
    table = document_start_table(document, "handlers", format, &schema);
    for (size_t i = 0; i < turns.handlers.count; i++)
        set_handler(table_add_row(table), session, &turns, array_at(&turns.handlers, i));
}
