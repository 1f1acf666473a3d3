/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of times without complete records.
 */
#include "screen/timeline_gaps.h"

#include "analysis/gaps.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

enum { THREAD, FROM, LENGTH, KIND, WHAT };

static const struct column columns[] = {
    [THREAD] = {"thread", "thread", "its number in the operating system; null: all threads",
                UNIT_NUMBER, 0},
    [FROM] = {"from_ns", "from", "since the start", UNIT_NS, 0},
    [LENGTH] = {"length_ns", "for", "how long; null: the end is unknown", UNIT_NS, 0},
    [KIND] = {"kind", NULL,
              "hole: nothing is known; less: less was recorded; end: the end was not seen",
              UNIT_TEXT, 0},
    [WHAT] = {"what", "what is missing", "in words", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"gaps", "Gaps of the recording", columns,
                                           sizeof columns / sizeof *columns, NULL};

static void set_words(struct value *value, const struct session *session, const struct gap *gap)
{
    struct text text;

    text_init(&text);
    gap_append(&text, session, gap);
    value_take_text(value, &text);
}

static void add_row(struct table *table, const struct session *session, const struct gap *gap)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[KIND], gap_key(gap->kind));
    set_words(&row[WHAT], session, gap);
    if (gap->thread != SESSION_NONE)
        value_set_unsigned(&row[THREAD], session_thread_at(session, gap->thread)->id);
    value_set_unsigned(&row[FROM], gap->from_ns);
    if (gap->to_ns != SESSION_UNKNOWN)
        value_set_unsigned(&row[LENGTH], gap->to_ns - gap->from_ns);
}

void timeline_gaps_add(struct document *document, const struct session *session)
{
    struct array gaps;
    struct table *table = NULL;

    array_init(&gaps, sizeof(struct gap));
    gaps_find(&gaps, session);
    table = document_start_table(document, "gaps",
                                 gaps.count > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON, &schema);
    for (size_t i = 0; i < gaps.count; i++)
        add_row(table, session, array_at(&gaps, i));
}
