/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof alerts: when a resource was short, how much, and what the program did then.
 *
 * The rows are the alerts; programs also read each measure, with its reason where it is unknown.
 */
#include <limits.h>
#include <math.h>

#include "alerts/alert_find.h"
#include "alerts/alert_then.h"
#include "alerts/alerts_options.h"
#include "alerts/texts.h"
#include "analysis/analysis.h"
#include "base/pool.h"
#include "document/document.h"
#include "model/session.h"
#include "model/session_process.h"
#include "options/readers.h"

enum column_index {
    ALERT_COLUMN,
    SEVERITY,
    FROM,
    TO,
    WHAT,
    WORST,
    VALUE,
    UNIT,
    LOW,
    HIGH,
    CAUSE,
    REGION,
    OP,
    PLACE,
    WAITING,
    ADVICE,
    COLUMNS
};

static const struct column columns[COLUMNS] = {
    [ALERT_COLUMN] = {"alert", "alert", "its name", UNIT_TEXT, 0},
    [SEVERITY] = {"severity", "severity", "low, medium or high", UNIT_TEXT, 5},
    [FROM] = {"from_ns", "from", "since the start, when the limit was passed", UNIT_NS, 0},
    [TO] = {"to_ns", "to", "when it was over; unknown if it lasted to the last reading", UNIT_NS,
            0},
    [WHAT] = {"what", "what", "the alert in words", UNIT_TEXT, 4},
    [WORST] = {"worst_text", "worst", "the worst value", UNIT_TEXT, 0},
    [VALUE] = {"worst", NULL, "the same as a number", UNIT_REAL, 0},
    [UNIT] = {"unit", NULL, "of that: fraction, bytes, ns, per_second, count, ratio", UNIT_TEXT, 0},
    [LOW] = {"worst_low", NULL, "lower bound of the worst value, if it is an estimate", UNIT_REAL,
             0},
    [HIGH] = {"worst_high", NULL, "its upper bound", UNIT_REAL, 0},
    [CAUSE] = {"cause", "cause", "whether the program or others used the resource", UNIT_TEXT, 3},
    [REGION] = {"region", "region", "that had most samples then, or was open", UNIT_TEXT, 2},
    [OP] = {"op", "op", "of a framework, that had most samples then", UNIT_TEXT, 2},
    [PLACE] = {"place", "where", "the line that had most samples then", UNIT_PLACE, 1},
    [WAITING] = {"waiting", "waited for", "that threads waited for longest then", UNIT_TEXT, 2},
    [ADVICE] = {"advice", "do", "what to do", UNIT_TEXT, 6},
};

static const struct table_schema schema = {"alerts", "Alerts", columns, COLUMNS, NULL};

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

static const char *cause_words(enum alert_cause cause)
{
    switch (cause) {
    case ALERT_CAUSE_PROGRAM: return alerts_cause_program_text.words;
    case ALERT_CAUSE_OTHERS: return alerts_cause_others_text.words;
    case ALERT_CAUSE_UNKNOWN: break;
    }
    return NULL;
}

static void append_interval(struct text *text, enum alert_unit unit, const struct alert *alert)
{
    struct text low, high;

    text_init(&low);
    text_init(&high);
    alert_append_value(&low, unit, alert->low);
    alert_append_value(&high, unit, alert->high);
    text_append(text, " (");
    say_part(text, alerts_interval_text, said_words(low.bytes), said_words(high.bytes));
    text_append(text, ")");
}

/* "97.2 %: 1.94 of 2 processors" */
static void append_used(struct text *text, const struct alerts *alerts, const struct alert *alert)
{
    double used = alert_samples_used(&alerts->samples, alert->worst_sample);
    double allowed = alert_samples_allowed(&alerts->samples, alert->worst_sample);

    if (isnan(used) || isnan(allowed))
        return;
    text_append(text, ": ");
    say_part(text, alerts_used_text, said_real(round(100 * used) / 100),
             said_real(round(100 * allowed) / 100));
}

static void append_worst(struct text *text, const struct alerts *alerts, const struct alert *alert)
{
    enum alert_measure measure = alert_rules[alert->id].measure;
    enum alert_unit unit = alert_measures[measure].unit;

    if (measure == ALERT_MEASURE_STEP) {
        say(text, alerts_stalled_text, said_time((double)(alert->worst_ns - alert->worst_from_ns)),
            said_ratio(alert->worst));
        return;
    }
    alert_append_value(text, unit, alert->worst);
    if (measure == ALERT_MEASURE_CPU || measure == ALERT_MEASURE_THROTTLED)
        append_used(text, alerts, alert);
    if (!isnan(alert->low))
        append_interval(text, unit, alert);
}

static void set_then(struct value *row, const struct session *session, struct places *places,
                     const struct alert *alert)
{
    struct alert_then then;

    alert_then_find(&then, session, places, alert->from_ns, alert->to_ns);
    value_set_text(&row[REGION], then.region);
    value_set_text(&row[OP], then.op);
    value_take_text(&row[PLACE], &then.place);
    value_take_text(&row[WAITING], &then.waiting);
}

static void add_row(struct table *table, const struct alerts *alerts, const struct session *session,
                    struct places *places, const struct alert *alert)
{
    const struct alert_rule *rule = &alert_rules[alert->id];
    struct value *row = table_add_row(table);
    struct text worst;

    text_init(&worst);
    append_worst(&worst, alerts, alert);
    value_set_text(&row[ALERT_COLUMN], rule->name);
    value_set_text(&row[SEVERITY], alert_severity_word(rule->severity));
    value_set_unsigned(&row[FROM], alert->from_ns);
    if (alert->is_over)
        value_set_unsigned(&row[TO], alert->to_ns);
    value_set_text(&row[WHAT], rule->what);
    value_take_text(&row[WORST], &worst);
    value_set_real(&row[VALUE], alert->worst);
    value_set_text(&row[UNIT], alert_unit_key(alert_measures[rule->measure].unit));
    value_set_real(&row[LOW], alert->low);
    value_set_real(&row[HIGH], alert->high);
    value_set_text(&row[CAUSE], cause_words(alert_samples_judge(&alerts->samples, rule->measure,
                                                                alert->worst_sample)));
    value_set_text(&row[ADVICE], rule->advice);
    set_then(row, session, places, alert);
}

static void add_rows(struct table *table, const struct alerts *alerts,
                     const struct session *session, const struct analysis_options *options)
{
    struct places *places = places_new(session, options->find_frames);

    for (size_t i = 0; i < alerts->rows.count; i++)
        add_row(table, alerts, session, places, array_at(&alerts->rows, i));
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
