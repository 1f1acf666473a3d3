/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window of a session, for tables and documents.
 */
#include "analysis/window_words.h"

#include "analysis/texts.h"
#include "document/fields.h"
#include "model/session.h"

static void add_line(struct text_list *list, const struct session *session)
{
    const struct session_window *window = &session->window;

    text_list_say(list, window_part_text, said_time((double)window->from_ns),
                  said_time((double)window->to_ns), said_time((double)window->whole_ns));
}

void window_words_add_note(struct table *table, const struct session *session)
{
    if (session->window.is_cut)
        add_line(&table->notes, session);
}

void window_words_add_record(struct document *document, const struct session *session)
{
    const struct session_window *window = &session->window;
    struct record *record;

    if (!window->is_cut)
        return;
    record = document_add_record(document, "window", NULL, SECTION_IN_JSON);
    fields_put_count(record, "from_ns", UNIT_NS, window->from_ns);
    fields_put_count(record, "to_ns", UNIT_NS, window->to_ns);
    fields_put_count(record, "recorded_ns", UNIT_NS, window->whole_ns);
}

void window_words_add(struct document *document, const struct session *session)
{
    struct table *table = document_main_table(document);
    struct text_list *lines;

    window_words_add_record(document, session);
    if (!session->window.is_cut)
        return;
    if (table) {
        add_line(&table->notes, session);
        return;
    }
    lines = document_add_lines(document, NULL);
    add_line(lines, session);
}
