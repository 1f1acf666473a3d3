/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An alert as values.
 */
#include "alerts/alert_row.h"

#include <math.h>

#include "alerts/alert_then.h"
#include "alerts/texts.h"

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

static void set_then(struct value *row, const struct alert_row_source *source,
                     const struct alert *alert)
{
    struct alert_then then;

    alert_then_find(&then, source->session, source->places, alert->from_ns, alert->to_ns);
    value_set_text(&row[ALERT_COLUMN_REGION], then.region);
    value_set_text(&row[ALERT_COLUMN_OP], then.op);
    value_take_text(&row[ALERT_COLUMN_PLACE], &then.place);
    value_take_text(&row[ALERT_COLUMN_WAITING], &then.waiting);
}

void alert_row_fill(struct value *row, const struct alert_row_source *source,
                    const struct alert *alert)
{
    const struct alert_rule *rule = &alert_rules[alert->id];
    struct text worst;

    text_init(&worst);
    append_worst(&worst, source->alerts, alert);
    value_set_text(&row[ALERT_COLUMN_NAME], rule->name);
    value_set_text(&row[ALERT_COLUMN_SEVERITY], alert_severity_word(rule->severity));
    value_set_unsigned(&row[ALERT_COLUMN_FROM], alert->from_ns);
    if (alert->is_over)
        value_set_unsigned(&row[ALERT_COLUMN_TO], alert->to_ns);
    value_set_text(&row[ALERT_COLUMN_WHAT], rule->what);
    value_take_text(&row[ALERT_COLUMN_WORST], &worst);
    value_set_real(&row[ALERT_COLUMN_VALUE], alert->worst);
    value_set_text(&row[ALERT_COLUMN_UNIT], alert_unit_key(alert_measures[rule->measure].unit));
    value_set_real(&row[ALERT_COLUMN_LOW], alert->low);
    value_set_real(&row[ALERT_COLUMN_HIGH], alert->high);
    value_set_text(&row[ALERT_COLUMN_CAUSE],
                   cause_words(alert_samples_judge(&source->alerts->samples, rule->measure,
                                                   alert->worst_sample)));
    value_set_text(&row[ALERT_COLUMN_ADVICE], rule->advice);
    set_then(row, source, alert);
}
