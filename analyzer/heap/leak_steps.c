/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Growth by step: the live heap at the ends of a region's calls, such as the epochs of a training,
 * and at the program's snapshots.
 */
#include "base/text_index.h"
#include "document/table.h"
#include "heap/growth_note.h"
#include "heap/leaks_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

enum step_column { LABEL, STEP, TIME, BEGIN, END, CHANGE, GROWTH, RESIDENT };

static const struct column columns[] = {
    [LABEL] = {"label", "step", "the region or snapshot", UNIT_TEXT, 0},
    [STEP] = {"step", "#", "its number among those of the label, from 1", UNIT_COUNT, 0},
    [TIME] = {"time_ns", "time", "of its end", UNIT_NS, 1},
    [BEGIN] = {"begin_heap_bytes", "begin", "live heap when it began; null for a snapshot",
               UNIT_BYTES, 3},
    [END] = {"end_heap_bytes", "live heap", "at its end", UNIT_BYTES, 0},
    [CHANGE] = {"change_bytes", "change", "from its begin to its end", UNIT_BYTES, 2},
    [GROWTH] = {"growth_bytes", "growth", "since the step of that label before it", UNIT_BYTES, 0},
    [RESIDENT] = {"rss_bytes", "resident", "resident memory at its end", UNIT_BYTES, 4},
};

static const struct table_schema schema = {"leaks", "Memory by step", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* The steps of one label. */
struct label {
    const char *name;
    struct array bytes;   /* double: live at the end of each */
};

struct labels {
    struct array items; /* of struct label, by their numbers in the index */
    struct text_index index;
    struct text key;
};

static void labels_init(struct labels *labels)
{
    text_index_init(&labels->index);
    array_init(&labels->items, sizeof(struct label));
    text_init(&labels->key);
}

static struct label *get_label(struct labels *labels, const char *name)
{
    struct label *label;
    long number;

    text_clear(&labels->key);
    text_append(&labels->key, name);
    number = text_index_add(&labels->index, &labels->key);
    if ((size_t)number < labels->items.count)
        return array_at(&labels->items, (size_t)number);
    label = array_add(&labels->items);
    *label = (struct label){.name = name};
    array_init(&label->bytes, sizeof(double));
    return label;
}

static void count_step(struct label *label, uint64_t live_bytes)
{
    double *bytes = array_add(&label->bytes);

    *bytes = (double)live_bytes;
}

/* The label must have steps. */
static double last_bytes(const struct label *label)
{
    return ((const double *)label->bytes.items)[label->bytes.count - 1];
}

static void add_step(struct table *table, struct label *label,
                     const struct session_reading *reading)
{
    struct value *row = table_add_row(table);
    uint64_t live = reading->live_heap_bytes;

    if (label->bytes.count > 0)
        value_set_integer(&row[GROWTH], (int64_t)((double)live - last_bytes(label)));
    if (reading->begin_heap_bytes != SESSION_UNKNOWN) {
        value_set_unsigned(&row[BEGIN], reading->begin_heap_bytes);
        value_set_integer(&row[CHANGE], (int64_t)(live - reading->begin_heap_bytes));
    }
    value_set_unsigned(&row[TIME], reading->time_ns);
    value_set_unsigned(&row[END], live);
    value_set_known(&row[RESIDENT], reading->values.rss_bytes);
    count_step(label, live);
    value_set_unsigned(&row[STEP], label->bytes.count);
    value_set_text(&row[LABEL], label->name);
}

static void take_reading(struct table *table, struct labels *labels,
                         const struct session_reading *reading)
{
    struct label *label;

    if (reading->kind == SESSION_READING_PERIODIC || reading->kind == SESSION_READING_BEGIN ||
        !reading->label || reading->live_heap_bytes == SESSION_UNKNOWN)
        return;
    label = get_label(labels, reading->label);
    add_step(table, label, reading);
}

static void add_notes(struct table *table, const struct session *session,
                      const struct array *labels, const struct analysis_options *options)
{
    const struct label *label = labels->items;

    for (size_t i = 0; i < labels->count; i++)
        growth_add_note(table, label[i].name, &label[i].bytes, options);
    if (labels->count > 0)
        return;
    if (!memory_is_known(&session->heap)) {
        table_say(table, memory_unknown_sentence(), said_words(memory_why_unknown(&session->heap)));
        return;
    }
    table_say(table, step_none_text);
}

void leak_build_steps(const struct session *session, const struct analysis_options *options,
                      struct table *table)
{
    struct labels labels;

    table_init(table, &schema);
    labels_init(&labels);
    for (size_t i = 0; i < session->readings.count; i++)
        take_reading(table, &labels, session_reading_at(session, i));
    add_notes(table, session, &labels.items, options);
}
