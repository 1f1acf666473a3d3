/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The alerts of a session, and why a measure is unknown.
 */
#ifndef ALERTS_ALERT_FIND_H
#define ALERTS_ALERT_FIND_H

#include <stdbool.h>

#include "alerts/alert_rules.h"
#include "alerts/alert_samples.h"
#include "base/array.h"

struct session;

struct alert_summary {
    bool is_read;   /* a number is known, though it may be infinite */
    double last;    /* the last finite one; NAN: there was none */
    double highest; /* NAN */
    double lowest;
};

struct alerts {
    struct alert_samples samples;
    struct array rows; /* of struct alert, by their begin */
    struct alert_summary summaries[ALERT_MEASURES];
    double step_ns; /* median of the steps; NAN: unknown */
};

/* Find all; the arrays are of the pool in use. */
void alerts_find(struct alerts *alerts, const struct session *session);

/* Append why a measure has no number; nothing where it has one. */
void alerts_append_reason(struct text *text, const struct alerts *alerts,
                          const struct session *session, enum alert_measure measure);

#endif
