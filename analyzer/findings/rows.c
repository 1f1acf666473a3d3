/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Findings as rows.
 */
#include "findings/rows.h"

#include <string.h>

#include <math.h>

#include "document/document.h"
#include "document/table.h"
#include "findings/finding.h"
#include "findings/texts.h"
#include "model/session.h"

enum row_column {
    ROW_ID,
    ROW_SEVERITY,
    ROW_CEILING,
    ROW_CONFIDENCE,
    ROW_FRACTION,
    ROW_FIRST_TEXT,
    ROW_BEFORE_NUMBERS = ROW_FIRST_TEXT
#define FINDING_PART(field, key, heading, help) +1
#include "findings/parts.def"
#undef FINDING_PART
    ,
    ROW_NUMBERS = ROW_BEFORE_NUMBERS,
    ROW_LIMIT,
    ROW_KIND
};

static const struct column columns[] = {
    [ROW_ID] = {"id", "finding", "its rule", UNIT_TEXT, 0},
    [ROW_SEVERITY] = {"severity", "severity",
                      "by the ceiling: high from 1.25x, medium from 1.05x, low below or where "
                      "the confidence is low, info without a repair",
                      UNIT_TEXT, 0},
    [ROW_CEILING] = {"ceiling", "gain",
                     "times as fast after the repair, by Amdahl's law; null without a repair "
                     "that saves time",
                     UNIT_SPEEDUP, 0},
    [ROW_CONFIDENCE] = {"confidence", "confidence", "0 to 1: that so much can be saved", UNIT_REAL,
                        0},
    [ROW_FRACTION] = {"fraction", "share", "of the wall time", UNIT_FRACTION, 1},
#define FINDING_PART(field, key, heading, help) {key, key, help, UNIT_TEXT, 2},
#include "findings/parts.def"
#undef FINDING_PART
    [ROW_NUMBERS] = {"numbers", NULL, "the figures behind it", UNIT_ROWS, 0},
    [ROW_LIMIT] = {"is_limit", NULL, "nothing says that the ceiling can be reached", UNIT_BOOL, 0},
    [ROW_KIND] = {"ceiling_kind", NULL,
                  "prediction: the repair gives about the ceiling; bound: at most; null "
                  "without a ceiling",
                  UNIT_TEXT, 0},
};

const struct table_schema finding_rows_schema = {"findings", "Bottlenecks", columns,
                                                 sizeof columns / sizeof *columns, NULL};

static const struct column number_columns[] = {
    {"name", NULL, "with its unit", UNIT_TEXT, 0},
    {"value", NULL, "null when unknown", UNIT_REAL, 0},
};
static const struct table_schema number_schema = {"numbers", NULL, number_columns, 2, NULL};

const struct finding *findings_at(const struct findings *findings, size_t index)
{
    return *(struct finding *const *)array_at(&findings->found, index);
}

/* A known repair is sure even where its confidence is low. */
static bool is_sure(const struct finding *finding)
{
    return finding_is_advice(finding) &&
           (finding->gain != FINDING_BOUNDS || !finding_is_unlikely(finding));
}

enum findings_verdict findings_judge(const struct findings *findings)
{
    enum findings_verdict verdict = FINDINGS_NOTHING;

    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (is_sure(finding))
            return FINDINGS_SURE;
        if (finding_is_advice(finding))
            verdict = FINDINGS_UNSURE;
    }
    return verdict;
}

/* ---- where to begin -------------------------------------------------------------------- */

static const double covered_share = 0.5; /* of a line's time: a repair that saves it says more */

/* A repair at the line itself says more, too. */
static bool is_covered(const struct findings *findings, const struct finding *begin)
{
    double least_ns = covered_share * begin->fraction * findings->wall_ns;

    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding_is_advice(finding) && (finding->saved_ns >= least_ns ||
                                           (finding->rule == FINDING_RULE_known_cost &&
                                            strcmp(finding->place.bytes, begin->place.bytes) == 0)))
            return true;
    }
    return false;
}

/* Returns: the line with the most time or waiting, if no advice covers it and the program is not in
 * kernels; NULL.  Libraries below no line come behind, and where a program sleeps last. */
static const struct finding *find_begin(const struct findings *findings)
{
    const struct finding *most = NULL, *library = NULL, *sleep = NULL;

    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if ((finding->rule == FINDING_RULE_hot_line || finding->rule == FINDING_RULE_hot_wait) &&
            (!most || finding->fraction > most->fraction))
            most = finding;
        if (finding->rule == FINDING_RULE_hot_library)
            library = finding;
        if (finding->rule == FINDING_RULE_sleep && !finding_is_advice(finding))
            sleep = finding;
    }
    most = most ? most : library ? library : sleep;
    return !most || findings->is_in_kernels || is_covered(findings, most) ? NULL : most;
}

static void say_begin(struct text *text, const struct finding *begin)
{
    say(text, begin_line_text, said_words(begin->place.bytes), said_words(begin->evidence.bytes),
        said_words(begin->see.bytes));
}

void findings_add_begin(struct text_list *lines, const struct findings *findings,
                        const char *indent)
{
    const struct finding *begin = find_begin(findings);
    struct text text;

    if (!begin || begin->rule == FINDING_RULE_sleep)
        return;
    text_init(&text);
    say_begin(&text, begin);
    text_list_say(lines, verdict_also_text, said_words(indent), said_words(text.bytes));
    text_fini(&text);
}

static void say_nothing(struct text_list *lines, const struct findings *findings,
                        const char *indent)
{
    const struct finding *begin = find_begin(findings);
    struct text text;

    text_init(&text);
    if (begin) {
        say_begin(&text, begin);
        text_list_say(lines, verdict_begin_text, said_words(indent), said_words(text.bytes));
    } else
        text_list_say(lines, verdict_nothing_text, said_words(indent),
                      said_words(findings->where.bytes));
    text_fini(&text);
}

void findings_add_verdict(struct text_list *lines, const struct findings *findings,
                          const char *indent)
{
    switch (findings_judge(findings)) {
    case FINDINGS_NOTHING: say_nothing(lines, findings, indent); return;
    case FINDINGS_UNSURE: text_list_say(lines, verdict_unsure_text, said_words(indent)); return;
    case FINDINGS_SURE: break;
    }
}

const struct finding_note *findings_note_at(const struct findings *findings, size_t index)
{
    return *(struct finding_note *const *)array_at(&findings->notes, index);
}

static void set_numbers(struct value *value, const struct finding *finding)
{
    struct table *table = value_set_table(value, &number_schema);

    for (size_t i = 0; i < finding->numbers.count; i++) {
        const struct finding_number *number = array_at(&finding->numbers, i);
        struct value *row = table_add_row(table);

        value_set_text(&row[0], number->name);
        value_set_real(&row[1], number->value);
    }
}

static void set_texts(struct value *row, const struct finding *finding)
{
    int column = ROW_FIRST_TEXT;

#define FINDING_PART(field, key, heading, help)                                                    \
    if (finding->field.size > 0)                                                                   \
        value_set_text(&row[column], finding->field.bytes);                                        \
    column++;
#include "findings/parts.def"
#undef FINDING_PART
}

static void add_row(struct table *table, const struct finding *finding)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[ROW_ID], finding_id(finding->rule));
    value_set_text(&row[ROW_KIND], finding_ceiling_kind(finding));
    value_set_text(&row[ROW_SEVERITY], finding_severity_name(finding->severity));
    set_texts(row, finding);
    value_set_real(&row[ROW_CEILING], finding->ceiling);
    value_set_real(&row[ROW_CONFIDENCE], finding->confidence);
    value_set_real(&row[ROW_FRACTION], finding->fraction);
    value_set_bool(&row[ROW_LIMIT], finding_is_limit(finding));
    set_numbers(&row[ROW_NUMBERS], finding);
}

void finding_rows_fill(struct table *table, const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++)
        add_row(table, findings_at(findings, i));
}

void finding_rows_add(struct document *document, const struct findings *findings)
{
    struct table *table = document_add_table(document, "findings", SECTION_IN_JSON);

    table_init(table, &finding_rows_schema);
    finding_rows_fill(table, findings);
}
