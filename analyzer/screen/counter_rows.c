/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of the processor and of the kernel.
 */
#include "screen/counter_rows.h"
#include "screen/texts.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "model/session.h"
#include "model/session_process.h"

static const struct {
    const char *key;
    const char *one;
    const char *title;
} counters[] = {
#define COUNTER(id, key, one, title, help) {key, one, title},
#include "spec/counters.def"
#undef COUNTER
};

enum column_index { NAME, VALUE, RUNNING, REASON };

static const struct column columns[] = {
    [NAME] = {"name", "counter", "what was counted", UNIT_TEXT, 0},
    [VALUE] = {"value", "value",
               "of the process and those it started; of the whole machine where the name says so",
               UNIT_COUNT, 0},
    [RUNNING] = {"running_fraction", "counted",
                 "part of the time in which the event had a counter; the value is scaled",
                 UNIT_FRACTION, 1},
    [REASON] = {"reason", "why not", "why there is no value", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"counters", "Counters", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* Only for known counters. */
static const struct table_schema known_schema = {"counters", "Counters", columns, REASON, NULL};

static const char *reason_of(const struct session_counter *counter)
{
    return counter->reason ? counter->reason : counters_nobody_text.words;
}

static void set_row(struct value *row, const struct session_counter *counter, const char *name)
{
    value_set_text(&row[NAME], name);

    if (!counter->is_known) {
        value_set_text(&row[REASON], reason_of(counter));
        return;
    }
    value_set_unsigned(&row[VALUE], (uint64_t)llround(counter->value));
    value_set_real(&row[RUNNING], counter->running_fraction);
}

static void add_rows(struct table *table, const struct session *session, bool is_all)
{
    for (int i = 0; i < TRACE_COUNTERS; i++) {
        struct value *row;

        if (!is_all && !session->counters[i].is_known)
            continue;
        row = table_add_row(table);
        set_row(row, &session->counters[i], counters[i].key);
    }
}

void counter_rows_add(struct document *document, const struct session *session)
{
    struct table *table = document_add_table(document, "counters", SECTION_IN_JSON);

    table_init(table, &schema);
    add_rows(table, session, true);
}

static bool has_reason(const struct session *session, int counter, const char *reason)
{
    return !session->counters[counter].is_known &&
           strcmp(reason_of(&session->counters[counter]), reason) == 0;
}

/* "cycles, instructions: not known, the reason", if no earlier counter has this reason. */
static void append_unknown(struct text *line, const struct session *session, int counter)
{
    const char *reason = reason_of(&session->counters[counter]);

    if (session->counters[counter].is_known)
        return;
    for (int i = 0; i < counter; i++)
        if (has_reason(session, i, reason))
            return;
    for (int i = counter; i < TRACE_COUNTERS; i++)
        if (has_reason(session, i, reason))
            text_appendf(line, "%s%s", line->size ? ", " : "  ", counters[i].key);
    text_appendf(line, ": not known, %s", reason);
}

static void add_unknown(struct document *document, const struct session *session, const char *title)
{
    struct text_list *lines = document_add_lines(document, title);
    struct text line;

    text_init(&line);
    for (int i = 0; i < TRACE_COUNTERS; i++) {
        append_unknown(&line, session, i);
        text_list_take(lines, &line);
    }
}

void counter_rows_add_text(struct document *document, const struct session *session)
{
    struct table *table;
    unsigned known = 0;

    for (int i = 0; i < TRACE_COUNTERS; i++)
        known += session->counters[i].is_known;
    if (known > 0) {
        table = document_add_table(document, "known_counters", SECTION_IN_TEXT);
        table_init(table, &known_schema);
        add_rows(table, session, false);
    }
    if (known == TRACE_COUNTERS)
        return;
    add_unknown(document, session, known > 0 ? NULL : schema.title);
}

static double value_of(const struct session *session, enum trace_counter_id counter)
{
    return session->counters[counter].is_known ? session->counters[counter].value : (double)NAN;
}

/* A quotient of two counters, if both are known. */
static void append_ratio(struct text *line, double dividend, double divisor, const char *what)
{
    if (isfinite(dividend / divisor))
        text_appendf(line, "%s%.2f %s", line->size ? ", " : "", dividend / divisor, what);
}

static void append_counts(struct text *line, const struct session *session)
{
    for (int i = 0; i < TRACE_COUNTERS; i++) {
        char count[UNITS_SIZE];

        if (!session->counters[i].is_known || i == TRACE_COUNTER_TASK_CLOCK)
            continue;
        units_format_count(count, (int64_t)llround(session->counters[i].value));
        text_appendf(line, "%s%s %s", line->size ? ", " : "", count,
                     units_choose((uint64_t)llround(session->counters[i].value), counters[i].one,
                                  counters[i].title));
    }
}

/* The first reason is printed for all: usually there is only one. */
static void append_reason(struct text *line, const struct session *session)
{
    unsigned unknown = 0;
    const char *reason = NULL;

    for (int i = 0; i < TRACE_COUNTERS; i++)
        if (!session->counters[i].is_known && session->counters[i].reason) {
            reason = reason ? reason : session->counters[i].reason;
            unknown++;
        }
    if (reason)
        text_appendf(line, "%s%u of %d unknown: %s", line->size ? "; " : "", unknown,
                     TRACE_COUNTERS, reason);
}

void counter_rows_append(struct text *line, const struct session *session)
{
    append_ratio(line, value_of(session, TRACE_COUNTER_INSTRUCTIONS),
                 value_of(session, TRACE_COUNTER_CYCLES), "instructions a cycle");
    append_counts(line, session);
    append_reason(line, session);
}
