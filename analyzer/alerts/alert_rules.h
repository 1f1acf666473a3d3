/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of alerts, and the state of one while its measure goes on.
 *
 * A measure that swings around one limit would raise an alert again and again, so each has a second
 * limit that ends it (hysteresis), and a least duration.
 */
#ifndef ALERTS_ALERT_RULES_H
#define ALERTS_ALERT_RULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/text.h"

enum alert_measure {
#define ALERT_MEASURE(measure, key, unit, source, help) ALERT_MEASURE_##measure,
#include "alerts/measures.def"
#undef ALERT_MEASURE
    ALERT_MEASURES
};

enum alert_id {
#define ALERT(id, name, measure, raise, clear, seconds, severity, what, advice) ALERT_##id,
#include "alerts/rules.def"
#undef ALERT
    ALERTS
};

/* How a measure is written. */
enum alert_unit {
    ALERT_UNIT_FRACTION,
    ALERT_UNIT_BYTES,
    ALERT_UNIT_NS,
    ALERT_UNIT_RATE,
    ALERT_UNIT_COUNT,
    ALERT_UNIT_RATIO
};

enum alert_severity { ALERT_LOW, ALERT_MEDIUM, ALERT_HIGH };

struct alert_measure_row {
    const char *key;
    enum alert_unit unit;
    unsigned source; /* enum trace_source; TRACE_SOURCES: none of these */
    const char *help;
};

struct alert_rule {
    const char *name;
    enum alert_measure measure;
    double raise;
    double clear;
    double seconds;
    enum alert_severity severity;
    const char *what;
    const char *advice;
};

extern const struct alert_measure_row alert_measures[ALERT_MEASURES];
extern const struct alert_rule alert_rules[ALERTS];

/* "medium" */
const char *alert_severity_word(enum alert_severity severity);

/* In JSON: "fraction". */
const char *alert_unit_key(enum alert_unit unit);

/* Append a measured number: "97.2 %", "1.2 GiB", "3.1 min". */
void alert_append_value(struct text *text, enum alert_unit unit, double value);

/* A raised alert. */
struct alert {
    enum alert_id id;
    uint64_t from_ns; /* when the measure went beyond `raise` */
    uint64_t to_ns;   /* when it came back; the last reading if it did not */
    bool is_over;     /* it came back */
    uint64_t raised_ns;  /* the reading that raised it: its least duration had passed */
    uint64_t cleared_ns; /* the reading that showed that it was over */
    double worst;
    uint64_t worst_from_ns; /* between the two readings of the worst */
    uint64_t worst_ns;
    size_t worst_sample; /* index of the second of them */
    double low, high;    /* interval of the worst; NAN: none */
};

/* The state of a rule. */
struct alert_state {
    bool is_beyond;
    bool is_raised;
    struct alert alert;
};

/* A measured number, between two readings; NAN: unknown. */
struct alert_point {
    double value;
    double low, high; /* its interval; NAN: none */
    uint64_t from_ns;
    uint64_t to_ns;
    size_t sample;
};

/* Go on with the next number of the rule's measure.  An alert that ends is added to `over`, unless
 * that is NULL.
 * Returns: whether the alert is raised now. */
bool alert_state_feed(struct alert_state *state, enum alert_id id, const struct alert_point *point,
                      struct array *over);

/* The measure has ended: add an alert that is still raised. */
void alert_state_end(struct alert_state *state, struct array *over);

#endif
