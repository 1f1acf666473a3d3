/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof alerts: when a resource was short, how much, and what the program did then.
 *
 * The rows are the alerts; programs also read each measure, with its reason where it is unknown.
 */
#include <limits.h>
#include <math.h>

#include "alerts/alert_row.h"
#include "alerts/alerts_options.h"
#include "alerts/texts.h"
#include "analysis/analysis.h"
#include "base/pool.h"
#include "document/document.h"
#include "model/session.h"
#include "model/session_process.h"
#include "options/readers.h"

static const struct column columns[ALERT_COLUMNS] = {
#define ALERT_COLUMN(column, key, title, help, unit, priority) {key, title, help, unit, priority},
#include "alerts/columns.def"
#undef ALERT_COLUMN
};

static const struct table_schema schema = {"alerts", "Alerts", columns, ALERT_COLUMNS, NULL};

static const struct column measure_columns[] = {
    {"measure", "measure", "its name", UNIT_TEXT, 0},
    {"unit", "unit", "of its numbers", UNIT_TEXT, 0},
    {"last", "last", "its last value", UNIT_REAL, 0},
    {"lowest", "lowest", "its lowest value", UNIT_REAL, 0},
    {"highest", "highest", "its highest value", UNIT_REAL, 0},
    {"reason", "reason", "why it is unknown", UNIT_TEXT, 0},
    {"help", "meaning", "what it measures", UNIT_TEXT, 0},
};

static const struct table_schema measure_schema = {"measures", "Measures", measure_columns,
                                                   sizeof measure_columns / sizeof *measure_columns,
                                                   NULL};

/* ---- rows ------------------------------------------------------------------------------ */

static void add_rows(struct table *table, const struct alerts *alerts,
                     const struct session *session, const struct analysis_options *options)
{
    const struct alert_row_source source = {alerts, session,
                                            places_new(session, options->find_frames)};

    for (size_t i = 0; i < alerts->rows.count; i++)
        alert_row_fill(table_add_row(table), &source, array_at(&alerts->rows, i));
}

/* ---- notes ----------------------------------------------------------------------------- */

static size_t list_unread(struct text *text, const struct alerts *alerts)
{
    size_t read = 0;

    for (int i = 0; i < ALERT_MEASURES; i++) {
        if (alerts->summaries[i].is_read) {
            read++;
            continue;
        }
        if (text->size > 0)
            text_append(text, ", ");
        text_append(text, alert_measures[i].key);
    }
    return read;
}

static void say_notes(struct table *table, const struct alerts *alerts,
                      const struct session *session)
{
    struct text unread;
    size_t read;

    text_init(&unread);
    read = list_unread(&unread, alerts);
    if (alerts->rows.count == 0)
        table_say(table, alerts_none_text, said_count(read), said_count(ALERT_MEASURES),
                  said_time((double)session->process.wall_ns));
    if (unread.size > 0)
        table_say(table, alerts_unread_text, said_words(unread.bytes));
}

static void fill(struct table *table, const struct alerts *alerts, const struct session *session,
                 const struct analysis_options *options)
{
    table_init(table, &schema);
    add_rows(table, alerts, session, options);
    say_notes(table, alerts, session);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    struct alerts alerts;
    struct pool pool;

    pool_enter(&pool);
    alerts_find(&alerts, session);
    fill(table, &alerts, session, options);
    pool_leave(&pool);
}

/* ---- the document ---------------------------------------------------------------------- */

static void add_measures(struct document *document, const struct alerts *alerts,
                         const struct session *session)
{
    struct table *table =
        document_start_table(document, "measures", SECTION_IN_JSON, &measure_schema);

    for (int i = 0; i < ALERT_MEASURES; i++) {
        const struct alert_summary *summary = &alerts->summaries[i];
        struct value *row = table_add_row(table);
        struct text reason;

        text_init(&reason);
        alerts_append_reason(&reason, alerts, session, (enum alert_measure)i);
        value_set_text(&row[0], alert_measures[i].key);
        value_set_text(&row[1], alert_unit_key(alert_measures[i].unit));
        value_set_real(&row[2], summary->last);
        value_set_real(&row[3], summary->lowest);
        value_set_real(&row[4], summary->highest);
        value_take_text(&row[5], &reason);
        value_set_text(&row[6], alert_measures[i].help);
    }
}

static bool has_failed(const struct alerts *alerts)
{
    for (size_t i = 0; i < alerts->rows.count; i++)
        if (alert_rules[((const struct alert *)array_at(&alerts->rows, i))->id].severity >
            ALERT_LOW)
            return true;
    return false;
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct alerts alerts;
    struct pool pool;

    pool_enter(&pool);
    document_init(document);
    document->name = "alerts";
    document->main = "rows";
    alerts_find(&alerts, session);
    fill(document_add_table(document, "rows", SECTION_IN_BOTH), &alerts, session, options);
    add_measures(document, &alerts, session);
    if (options->alerts->fails && has_failed(&alerts))
        document->verdict = STATUS_POLICY_FAILED;
    pool_leave(&pool);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct alerts_options, field, __VA_ARGS__),
#include "alerts/alerts_options.def"
#undef OPTION
};

static const struct alerts_options defaults = {0};

const struct analysis analysis_alerts = {
    .name = "alerts",
    .help = "Processors, memory, disks or the network were short: when, and what ran then.",
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
    .long_rows = 0,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
