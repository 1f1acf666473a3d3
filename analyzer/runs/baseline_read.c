/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads baselines.  A file may have been edited or written by hand, or be no baseline at all: each
 * error is reported with its place.
 */
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "runs/baseline.h"
#include "runs/json_file.h"

struct parser {
    struct run_side *side;
    const char *path;
    struct run *run;  /* the run that is being read, or NULL */
    size_t run_index; /* and its row */
    size_t row_index;
    struct diagnostic *diagnostic;
};

static enum status refuse(struct parser *parser, const char *key, const char *expected)
{
    char place[64] = "";

    if (parser->run)
        snprintf(place, sizeof place, "runs[%zu].rows[%zu].", parser->run_index, parser->row_index);
    return diagnostic_set(parser->diagnostic, STATUS_CORRUPT,
                          "%.200s: %s%.60s: expected %s; make a baseline with: tprof baseline "
                          "-o FILE TRACE...",
                          parser->path, place, key, expected);
}

static enum status read_values(struct parser *parser, const json_t *object, struct run_row *row)
{
    for (int i = 0; i < RUN_QUANTITIES; i++) {
        const char *key = run_quantity_at((enum run_quantity)i)->key;
        const json_t *value = json_object_get(object, key);

        if (!value || json_is_null(value))
            continue;
        if (!json_is_number(value))
            return refuse(parser, key, "a number");
        row->values[i] = json_number_value(value);
    }
    return STATUS_OK;
}

static enum status read_errors(struct parser *parser, const json_t *errors, struct run_row *row)
{
    for (int i = 0; errors && i < RUN_QUANTITIES; i++) {
        const json_t *error = json_object_get(errors, run_quantity_at((enum run_quantity)i)->key);

        if (!error)
            continue;
        if (!json_is_null(error) && !(json_is_number(error) && json_number_value(error) >= 0))
            return refuse(parser, "errors", "numbers of 0 or more, or null");
        row->errors[i] = json_is_null(error) ? (double)INFINITY : json_number_value(error);
    }
    return STATUS_OK;
}

static enum status read_row(struct parser *parser, const json_t *object)
{
    const char *subject = json_string_value(json_object_get(object, "subject"));
    const char *name = json_string_value(json_object_get(object, "name"));
    const char *shape = json_string_value(json_object_get(object, "shape"));
    enum run_subject kind;
    enum status status;
    struct run_row *row;

    if (!subject || !run_subject_find(subject, &kind))
        return refuse(parser, "subject", "whole, kernel, region or metric");
    if (!name)
        return refuse(parser, "name", "a text");
    row = run_add_row(parser->run, kind, name, shape ? shape : "");
    status = read_values(parser, object, row);
    return status ? status : read_errors(parser, json_object_get(object, "errors"), row);
}

static void read_facts(struct run *run, json_t *facts)
{
    const char *name;
    json_t *value;

    json_object_foreach(facts, name, value) if (json_is_string(value))
        run_add_fact(run, name, json_string_value(value));
}

static enum status read_rows(struct parser *parser, const json_t *rows)
{
    enum status status = STATUS_OK;

    if (!json_is_array(rows))
        return refuse(parser, "rows", "a list");
    for (size_t i = 0; i < json_array_size(rows) && !status; i++) {
        parser->row_index = i;
        status = read_row(parser, json_array_get(rows, i));
    }
    return status;
}

static enum status read_run(struct parser *parser, const json_t *object)
{
    const char *label = json_string_value(json_object_get(object, "label"));
    const json_t *start = json_object_get(object, "start_realtime_ns");
    enum status status;

    parser->run = array_add(&parser->side->runs);
    run_init(parser->run, label ? label : "", parser->path);
    if (json_is_number(start))
        parser->run->realtime_start_ns =
            json_is_integer(start) ? json_integer_value(start) : (int64_t)json_real_value(start);
    parser->run->pid = (uint32_t)json_integer_value(json_object_get(object, "pid"));
    parser->run->is_drawn = json_is_true(json_object_get(object, "drawn"));
    parser->run->is_whole = !json_is_false(json_object_get(object, "complete"));
    read_facts(parser->run, json_object_get(object, "facts"));
    status = read_rows(parser, json_object_get(object, "rows"));
    parser->run = NULL;
    return status;
}

static enum status read_runs(struct parser *parser, const json_t *root)
{
    const json_t *version = json_object_get(root, "schema_version");
    const json_t *runs = json_object_get(root, "runs");
    enum status status = STATUS_OK;

    if (!json_is_integer(version))
        return refuse(parser, "schema_version", "a whole number");
    if (json_integer_value(version) > BASELINE_VERSION)
        return diagnostic_set(parser->diagnostic, STATUS_UNSUPPORTED,
                              "%.200s: made by a later tprof (schema_version %lld, known up to %d)",
                              parser->path, (long long)json_integer_value(version),
                              BASELINE_VERSION);
    if (!json_is_array(runs) || json_array_size(runs) == 0)
        return refuse(parser, "runs", "a list of runs");
    for (size_t i = 0; i < json_array_size(runs) && !status; i++) {
        parser->run_index = i;
        status = read_run(parser, json_array_get(runs, i));
    }
    return status;
}

static enum status read_operation(struct parser *parser, struct run *run, const char *name,
                                  const json_t *of)
{
    const json_t *seconds = json_object_get(of, "wall_time_s");
    struct run_row *row;

    if (seconds && json_is_null(seconds))
        return STATUS_OK;
    if (!json_is_number(seconds) || !(json_number_value(seconds) > 0))
        return refuse(parser, name,
                      "an operation with \"wall_time_s\", a number above 0 (or a baseline of "
                      "tprof)");
    row = run_add_row(run, RUN_OPERATION, name, "");
    row->values[RUN_CALL] = 1e9 * json_number_value(seconds);
    return STATUS_OK;
}

static enum status read_minimal(struct parser *parser, json_t *root)
{
    struct run *run = array_add(&parser->side->runs);
    enum status status = STATUS_OK;

    run_init(run, "", parser->path);
    const char *name;
    json_t *value;

    json_object_foreach(root, name, value) if (!status) status =
        read_operation(parser, run, name, value);
    if (!status && run->rows.count == 0)
        return refuse(parser, "", "at least one operation with a time");
    return status;
}

bool baseline_is_at(const char *path)
{
    FILE *file = fopen(path, "re");
    int next = file ? getc(file) : EOF;

    while (file && isspace(next))
        next = getc(file);
    if (file)
        fclose(file);
    return next == '{' || next == '[';
}

enum status baseline_read(struct run_side *side, bool *is_minimal, const char *path,
                          struct diagnostic *diagnostic)
{
    struct parser parser = {.side = side, .path = path, .diagnostic = diagnostic};
    const char *table;
    json_t *root;
    enum status status = json_file_load(&root, path, "the JSON of a baseline", diagnostic);

    if (status)
        return status;
    table = json_string_value(json_object_get(root, "table"));
    *is_minimal = !table;
    if (!json_is_object(root) || (table && strcmp(table, "baseline") != 0))
        status = refuse(&parser, "table", "\"baseline\": this is something else");
    else
        status = table ? read_runs(&parser, root) : read_minimal(&parser, root);
    json_decref(root);
    return status;
}
