/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of an alert, by columns.def.
 */
#ifndef ALERTS_ALERT_ROW_H
#define ALERTS_ALERT_ROW_H

#include "alerts/alert_find.h"
#include "document/table.h"
#include "places/places.h"

enum alert_column {
#define ALERT_COLUMN(column, key, title, help, unit, priority) ALERT_COLUMN_##column,
#include "alerts/columns.def"
#undef ALERT_COLUMN
    ALERT_COLUMNS
};

/* The alerts of a session, and the places of its calls. */
struct alert_row_source {
    const struct alerts *alerts;
    const struct session *session;
    struct places *places;
};

/* Fill the values of an alert.  Shape: `row` has ALERT_COLUMNS values, and may be a part of a
 * longer one. */
void alert_row_fill(struct value *row, const struct alert_row_source *source,
                    const struct alert *alert);

#endif
