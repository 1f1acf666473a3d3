/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of the processor and of the kernel.
 */
#include "analysis/counter_rows.h"

#include <math.h>
#include <string.h>

#include "base/units.h"

static const char nobody_counted[] = "tprof run counts, and it did not start this process";

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

static enum status set_row(struct value *row, const struct session_counter *counter,
                           const char *name)
{
    enum status status = value_set_text(&row[NAME], name);

    if (!counter->is_known)
        return status ? status
                      : value_set_text(&row[REASON],
                                       counter->reason ? counter->reason : nobody_counted);
    value_set_unsigned(&row[VALUE], (uint64_t)llround(counter->value));
    value_set_real(&row[RUNNING], counter->running_fraction);
    return status;
}

enum status counter_rows_add(struct document *document, const struct session *session,
                             enum section_place place)
{
    struct table *table = document_add_table(document, "counters", place);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (!status)
        table_init(table, &schema);
    for (int i = 0; i < TRACE_COUNTERS && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, &session->counters[i], counters[i].key) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

/* ---- in one line --------------------------------------------------------- */

static double value_of(const struct session *session, enum trace_counter_id counter)
{
    return session->counters[counter].is_known ? session->counters[counter].value : (double)NAN;
}

/* A quotient of two counters, where both are known. */
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

/* The first reason stands for all: most often there is one. */
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
