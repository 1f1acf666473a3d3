/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alerts as state machines.
 */
#include "alerts/alert_rules.h"

#include <math.h>

#include "base/units.h"
#include "spec/trace.h"

static const char *const unit_keys[] = {
    [ALERT_UNIT_FRACTION] = "fraction", [ALERT_UNIT_BYTES] = "bytes", [ALERT_UNIT_NS] = "ns",
    [ALERT_UNIT_RATE] = "per_second",   [ALERT_UNIT_COUNT] = "count", [ALERT_UNIT_RATIO] = "ratio",
};

const char *alert_unit_key(enum alert_unit unit)
{
    return unit_keys[unit];
}

const struct alert_measure_row alert_measures[ALERT_MEASURES] = {
#define ALERT_MEASURE(measure, key, unit, source, help) {key, ALERT_UNIT_##unit, source, help},
#include "alerts/measures.def"
#undef ALERT_MEASURE
};

const struct alert_rule alert_rules[ALERTS] = {
#define ALERT(id, name, measure, raise, clear, seconds, severity, what, advice)                    \
    {name, ALERT_MEASURE_##measure, raise, clear, seconds, ALERT_##severity, what, advice},
#include "alerts/rules.def"
#undef ALERT
};

const char *alert_severity_word(enum alert_severity severity)
{
    static const char *const words[] = {
        [ALERT_LOW] = "low", [ALERT_MEDIUM] = "medium", [ALERT_HIGH] = "high"};

    return words[severity];
}

void alert_append_value(struct text *text, enum alert_unit unit, double value)
{
    char buffer[UNITS_SIZE];

    switch (unit) {
    case ALERT_UNIT_FRACTION: text_append(text, units_format_percent(buffer, value)); return;
    case ALERT_UNIT_BYTES: text_append(text, units_format_bytes(buffer, value)); return;
    case ALERT_UNIT_NS: text_append(text, units_format_time(buffer, value)); return;
    case ALERT_UNIT_RATE: text_append(text, units_format_rate(buffer, value)); return;
    case ALERT_UNIT_COUNT: text_append(text, units_format_count(buffer, (int64_t)value)); return;
    case ALERT_UNIT_RATIO: text_append(text, units_format_ratio(buffer, value)); return;
    }
}

static bool is_low(const struct alert_rule *rule)
{
    return rule->raise < rule->clear;
}

static bool is_beyond(const struct alert_rule *rule, double value, double limit)
{
    return is_low(rule) ? value <= limit : value >= limit;
}

static bool is_worse(const struct alert_rule *rule, double value, double than)
{
    return is_low(rule) ? value < than : value > than;
}

static void begin(struct alert_state *state, enum alert_id id, const struct alert_point *point)
{
    *state = (struct alert_state){
        .is_beyond = true, .alert = {.id = id, .from_ns = point->from_ns, .worst = (double)NAN}};
}

static void note(struct alert_state *state, const struct alert_rule *rule,
                 const struct alert_point *point)
{
    struct alert *alert = &state->alert;

    alert->to_ns = point->to_ns;
    if (!isnan(alert->worst) && !is_worse(rule, point->value, alert->worst))
        return;
    alert->worst = point->value;
    alert->worst_from_ns = point->from_ns;
    alert->worst_ns = point->to_ns;
    alert->worst_sample = point->sample;
    alert->low = point->low;
    alert->high = point->high;
}

static void add(struct alert_state *state, struct array *over)
{
    if (state->is_raised && over)
        *(struct alert *)array_add(over) = state->alert;
    *state = (struct alert_state){0};
}

/* An unknown number neither raises nor ends an alert. */
bool alert_state_feed(struct alert_state *state, enum alert_id id, const struct alert_point *point,
                      struct array *over)
{
    const struct alert_rule *rule = &alert_rules[id];

    if (isnan(point->value))
        return state->is_raised;
    if (!state->is_beyond && is_beyond(rule, point->value, rule->raise))
        begin(state, id, point);
    if (!state->is_beyond)
        return false;
    /* Before it is raised, it has to stay beyond the first limit. */
    if (!is_beyond(rule, point->value, state->is_raised ? rule->clear : rule->raise)) {
        state->alert.is_over = true;
        state->alert.cleared_ns = point->to_ns;
        add(state, over);
        return false;
    }
    note(state, rule, point);
    if (!state->is_raised && (double)(point->to_ns - state->alert.from_ns) >= rule->seconds * 1e9) {
        state->is_raised = true;
        state->alert.raised_ns = point->to_ns;
    }
    return state->is_raised;
}

void alert_state_end(struct alert_state *state, struct array *over)
{
    add(state, over);
}
