/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing baselines, by jansson.  Unknown values are left out.
 */
#include <jansson.h>
#include <math.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "runs/baseline.h"

/* Failures are checked once, at the end. */
struct writer {
    bool failed;
};

static void put(struct writer *writer, json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value) != 0)
        writer->failed = true;
}

static json_t *put_item(struct writer *writer, json_t *list)
{
    json_t *item = json_object();

    if (!item || json_array_append_new(list, item) != 0)
        writer->failed = true;
    return item;
}

static void put_text(struct writer *writer, json_t *object, const char *key, const char *text)
{
    struct text valid;

    if (!text)
        return;
    text_init(&valid);
    utf8_append_valid(&valid, text);
    put(writer, object, key, json_string(valid.bytes));
    text_fini(&valid);
}

static void put_number(struct writer *writer, json_t *object, const char *key, double number)
{
    if (!isfinite(number))
        return;
    if (number == rint(number) && fabs(number) < 0x1p53)
        put(writer, object, key, json_integer((json_int_t)number));
    else
        put(writer, object, key, json_real(number));
}

/* The error of an estimate is null if it is unknown. */
static void put_errors(struct writer *writer, json_t *item, const struct run_row *row)
{
    json_t *errors = NULL;

    for (int i = 0; i < RUN_QUANTITIES; i++) {
        const char *key = run_quantity_at((enum run_quantity)i)->key;

        if (!(row->errors[i] > 0))
            continue;
        if (!errors)
            put(writer, item, "errors", errors = json_object());
        put(writer, errors, key,
            isfinite(row->errors[i]) ? json_real(row->errors[i]) : json_null());
    }
}

static void put_row(struct writer *writer, json_t *list, const struct run_row *row)
{
    json_t *item = put_item(writer, list);

    put_text(writer, item, "subject", run_subject_name(row->subject));
    put_text(writer, item, "name", row->name);
    if (row->shape[0] != '\0')
        put_text(writer, item, "shape", row->shape);
    for (int i = 0; i < RUN_QUANTITIES; i++)
        put_number(writer, item, run_quantity_at((enum run_quantity)i)->key, row->values[i]);
    put_errors(writer, item, row);
}

static void put_facts(struct writer *writer, json_t *object, const struct run *run)
{
    json_t *facts = json_object();

    put(writer, object, "facts", facts);
    for (size_t i = 0; i < run->facts.count; i++) {
        const struct run_fact *fact = array_at(&run->facts, i);

        put_text(writer, facts, fact->name, fact->value);
    }
}

static void put_run(struct writer *writer, json_t *list, const struct run *run)
{
    json_t *item = put_item(writer, list), *rows = json_array();

    put_text(writer, item, "label", run->label);
    put_text(writer, item, "trace", run->path);
    if (run->realtime_start_ns >= 0)
        put(writer, item, "start_realtime_ns", json_integer(run->realtime_start_ns));
    if (run->pid > 0)
        put(writer, item, "pid", json_integer(run->pid));
    put(writer, item, "complete", json_boolean(run->is_whole));
    if (run->is_drawn)
        put(writer, item, "drawn", json_true());
    put_facts(writer, item, run);
    put(writer, item, "rows", rows);
    for (size_t i = 0; i < run->rows.count; i++)
        put_row(writer, rows, array_at(&run->rows, i));
}

void baseline_append(const struct run_side *side, struct text *text)
{
    struct writer writer = {0};
    json_t *root = json_object(), *runs = json_array();
    char *dump;

    put(&writer, root, "schema_version", json_integer(BASELINE_VERSION));
    put_text(&writer, root, "table", "baseline");
    put(&writer, root, "runs", runs);
    for (size_t i = 0; i < side->runs.count; i++)
        put_run(&writer, runs, array_at(&side->runs, i));
    if (writer.failed)
        memory_ran_out();
    dump = memory_have(json_dumps(root, JSON_INDENT(1) | JSON_ENSURE_ASCII));
    json_decref(root);
    text_append(text, dump);
    text_append(text, "\n");
    free(dump);
}
