/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collecting checks, and making a document of them.
 */
#include "screen/checks.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/fields.h"

static const struct {
    const char *area;
    const char *action;
    struct column column; /* columns of the line for people */
} rows[] = {
#define CHECK(id, area, key, title, action) {area, action, {key, title, NULL, UNIT_TEXT, 0}},
#include "screen/checks.def"
#undef CHECK
};

static const char *const state_names[] = {"ok", "warn", "unknown"};

void checks_init(struct checks *checks)
{
    array_init(&checks->items, sizeof(struct check));
}

void checks_report_all(struct checks *checks, enum check_id id, enum check_state state,
                       const struct said *said)
{
    struct text text;

    text_init(&text);
    say_all(&text, said);
    checks_say(checks, id, state, "%s", text.bytes);
}

void checks_say(struct checks *checks, enum check_id id, enum check_state state, const char *format,
                ...)
{
    struct check *check = array_add(&checks->items);
    va_list arguments;

    check->id = id;
    check->state = state;
    va_start(arguments, format);
    vsnprintf(check->found, sizeof check->found, format, arguments);
    va_end(arguments);
}

enum column_index { AREA, KEY, STATE, FOUND, ACTION };

static const struct column columns[] = {
    [AREA] = {"area", "area", "machine, recording, libraries, program or trace", UNIT_TEXT, 0},
    [KEY] = {"check", "check", "what was looked at", UNIT_TEXT, 0},
    [STATE] = {"state", "state", "ok, warn or unknown", UNIT_TEXT, 0},
    [FOUND] = {"found", "found", "what it is, or why that is unknown", UNIT_TEXT, 0},
    [ACTION] = {"action", "do", "what to do about a warning", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"checks", NULL, columns,
                                           sizeof columns / sizeof *columns, NULL};

static void set_row(struct value *cells, const struct check *check)
{
    const char *action = check->state == CHECK_WARN ? rows[check->id].action : "";

    value_set_text(&cells[AREA], rows[check->id].area);
    value_set_text(&cells[KEY], rows[check->id].column.key);
    value_set_text(&cells[STATE], state_names[check->state]);
    value_set_text(&cells[FOUND], check->found);
    value_set_text(&cells[ACTION], action[0] ? action : NULL);
}

static void add_table(struct document *document, const struct checks *checks)
{
    struct table *table = document_add_table(document, "checks", SECTION_IN_JSON);

    table_init(table, &schema);
    for (size_t i = 0; i < checks->items.count; i++) {
        struct value *cells = table_add_row(table);

        set_row(cells, array_at(&checks->items, i));
    }
}

static void add_summary(struct document *document, const struct checks *checks)
{
    uint64_t counts[CHECK_UNKNOWN + 1] = {0};
    struct record *fields = document_add_record(document, "summary", NULL, SECTION_IN_JSON);

    for (size_t i = 0; i < checks->items.count; i++)
        counts[((const struct check *)array_at(&checks->items, i))->state]++;
    fields_put_count(fields, "ok", UNIT_COUNT, counts[CHECK_OK]);
    fields_put_count(fields, "warn", UNIT_COUNT, counts[CHECK_WARN]);
    fields_put_count(fields, "unknown", UNIT_COUNT, counts[CHECK_UNKNOWN]);
}

static const struct {
    const char *area;
    const char *title;
} areas[] = {{"machine", "Machine"},
             {"recording", "Recording"},
             {"libraries", "Libraries"},
             {"program", "Program"},
             {"trace", "Trace"}};

static void add_line(struct record *record, const struct check *check)
{
    const char *action = rows[check->id].action;
    struct text line;

    text_init(&line);
    text_appendf(&line, "%s: %s", state_names[check->state], check->found);
    if (check->state == CHECK_WARN && action[0])
        text_appendf(&line, ".  Do: %s", action);
    record_add_line(record, &rows[check->id].column, &line);
}

static void add_area(struct document *document, const struct checks *checks, size_t area)
{
    struct record *record = NULL;

    for (size_t i = 0; i < checks->items.count; i++) {
        const struct check *check = array_at(&checks->items, i);

        if (strcmp(rows[check->id].area, areas[area].area) != 0)
            continue;
        if (!record)
            record =
                document_add_record(document, areas[area].area, areas[area].title, SECTION_IN_TEXT);
        add_line(record, check);
    }
}

void checks_report_build(const struct checks *checks, struct document *document)
{
    document_init(document);
    document->name = "doctor";
    document->main = "checks";
    for (size_t i = 0; i < sizeof areas / sizeof *areas; i++)
        add_area(document, checks, i);
    add_summary(document, checks);
    add_table(document, checks);
}
