/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads calibrations.  A file may have been edited or written by hand: a figure that is no positive
 * number is a mistake, and reported with its place; a missing figure or null is unknown.
 */
#include "model/machine_file.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MAX = 4096, THREADS_MAX = 1 << 20 };

enum status machine_file_path(char *path, size_t size, const char *host)
{
    const char *config = getenv("XDG_CONFIG_HOME");
    const char *home = getenv("HOME");
    int length;

    if (config && config[0] == '/')
        length = snprintf(path, size, "%s/tprof/machine-%s.json", config, host);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.config/tprof/machine-%s.json", home, host);
    else
        return STATUS_NOT_FOUND;
    return length < (int)size && !strchr(host, '/') ? STATUS_OK : STATUS_NOT_FOUND;
}

struct parser {
    struct machine *machine;
    const char *path;
    const char *list; /* the present list, or NULL */
    size_t index;
    struct diagnostic *diagnostic;
};

static enum status refuse(struct parser *parser, const char *key, const char *expected)
{
    char place[128] = "";

    if (parser->list)
        snprintf(place, sizeof place, "%s[%zu].", parser->list, parser->index);
    return diagnostic_set(parser->diagnostic, STATUS_CORRUPT,
                          "%.200s: %s%s: expected %s; make the file anew with: tprof calibrate",
                          parser->path, place, key, expected);
}

static enum status get_text(struct parser *parser, const json_t *object, const char *key,
                            char *text)
{
    const json_t *value = json_object_get(object, key);

    text[0] = '\0';
    if (!value || json_is_null(value))
        return STATUS_OK;
    if (!json_is_string(value))
        return refuse(parser, key, "a text or null");
    snprintf(text, MACHINE_TEXT_SIZE, "%s", json_string_value(value));
    return STATUS_OK;
}

static enum status get_number(struct parser *parser, const json_t *object, const char *key,
                              double *number)
{
    const json_t *value = json_object_get(object, key);

    *number = (double)NAN;
    if (!value || json_is_null(value))
        return STATUS_OK;
    if (!json_is_number(value) || json_number_value(value) < 0)
        return refuse(parser, key, "a number that is not below 0, or null");
    *number = json_number_value(value);
    return STATUS_OK;
}

static enum status get_rate(struct parser *parser, const json_t *object, const char *key,
                            double *rate)
{
    enum status status = get_number(parser, object, key, rate);

    return !status && *rate == 0 ? refuse(parser, key, "a number above 0, or null") : status;
}

static enum status get_count(struct parser *parser, const json_t *object, const char *key,
                             uint32_t *count)
{
    const json_t *value = json_object_get(object, key);

    if (!json_is_integer(value) || json_integer_value(value) < 1 ||
        json_integer_value(value) > THREADS_MAX)
        return refuse(parser, key, "a whole number above 0");
    *count = (uint32_t)json_integer_value(value);
    return STATUS_OK;
}

static enum status get_level(struct parser *parser, const json_t *object, enum machine_level *level)
{
    const char *name = json_string_value(json_object_get(object, "level"));

    *level = name ? machine_find_level(name) : MACHINE_LEVELS;
    return *level < MACHINE_LEVELS ? STATUS_OK : refuse(parser, "level", "L1, L2, L3 or DRAM");
}

static enum status read_cache(struct parser *parser, const json_t *object)
{
    struct machine_cache *cache = array_add(&parser->machine->caches);
    double size = 0;
    enum status status;

    status = get_level(parser, object, &cache->level);
    if (!status)
        status = get_count(parser, object, "sharers", &cache->sharers);
    if (!status)
        status = get_number(parser, object, "size_bytes", &size);
    if (!status && !(size > 0 && size < 0x1p60))
        status = refuse(parser, "size_bytes", "a size");
    if (!status)
        cache->size_bytes = (uint64_t)size;
    return status;
}

static enum status fill_peak(struct parser *parser, const json_t *object, struct machine_peak *peak)
{
    char set[MACHINE_TEXT_SIZE];
    enum status status = get_count(parser, object, "threads", &peak->threads);

    if (!status)
        status = get_rate(parser, object, "flops_per_second", &peak->flops_per_second);
    if (!status)
        status = get_rate(parser, object, "gemm_flops_per_second", &peak->gemm_flops_per_second);
    if (!status)
        status = get_number(parser, object, "spread", &peak->spread);
    if (!status)
        status = get_text(parser, object, "instruction_set", set);
    if (!status)
        snprintf(peak->instruction_set, sizeof peak->instruction_set, "%.15s", set);
    return status;
}

/* A precision without a peak has its reason in the file for people. */
static enum status read_peak(struct parser *parser, const json_t *object)
{
    const char *name = json_string_value(json_object_get(object, "precision"));
    enum machine_precision precision = name ? machine_find_precision(name) : MACHINE_PRECISIONS;
    struct machine_peak *peak;

    if (precision == MACHINE_PRECISIONS)
        return refuse(parser, "precision", "f32, f64, bf16, f16 or i8");
    if (json_is_null(json_object_get(object, "flops_per_second")))
        return STATUS_OK;
    peak = array_add(&parser->machine->peaks);
    peak->precision = precision;
    return fill_peak(parser, object, peak);
}

static enum status read_bandwidth(struct parser *parser, const json_t *object)
{
    struct machine_bandwidth *bandwidth = array_add(&parser->machine->bandwidths);
    double size = 0;
    enum status status;

    status = get_level(parser, object, &bandwidth->level);
    if (!status)
        status = get_count(parser, object, "threads", &bandwidth->threads);
    if (!status)
        status = get_number(parser, object, "working_set_bytes", &size);
    if (!status)
        status = get_number(parser, object, "spread", &bandwidth->spread);
    bandwidth->working_set_bytes = size < 0x1p60 ? (uint64_t)size : 0;
    for (int i = 0; i < MACHINE_STREAMS && !status; i++) {
        char key[64];

        snprintf(key, sizeof key, "%s_bytes_per_second",
                 machine_stream_name((enum machine_stream)i));
        status = get_rate(parser, object, key, &bandwidth->bytes_per_second[i]);
    }
    return status;
}

static enum status read_warning(struct parser *parser, const json_t *value)
{
    if (!json_is_string(value))
        return refuse(parser, "", "a text");
    text_list_add(&parser->machine->warnings, json_string_value(value));
    return STATUS_OK;
}

static enum status read_list(struct parser *parser, const json_t *whole, const char *key,
                             enum status (*read)(struct parser *, const json_t *))
{
    const json_t *list = json_object_get(whole, key);
    enum status status = STATUS_OK;

    if (!json_is_array(list) || json_array_size(list) > ENTRIES_MAX)
        return refuse(parser, key, "a list");
    parser->list = key;
    for (parser->index = 0; parser->index < json_array_size(list) && !status; parser->index++)
        status = read(parser, json_array_get(list, parser->index));
    parser->list = NULL;
    return status;
}

static enum status read_facts(struct parser *parser, const json_t *whole)
{
    struct machine *machine = parser->machine;
    enum status status = STATUS_OK;

#define MACHINE_TEXT(field, title, help)                                                           \
    if (!status)                                                                                   \
        status = get_text(parser, whole, #field, machine->field);
#define MACHINE_NUMBER(field, title, unit, help)                                                   \
    if (!status)                                                                                   \
        status = get_number(parser, whole, #field, &machine->field);
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
    return status;
}

static enum status check_version(struct parser *parser, const json_t *whole)
{
    const char *table = json_string_value(json_object_get(whole, "table"));
    const json_t *version = json_object_get(whole, "schema_version");

    if (!table || strcmp(table, "machine") != 0 || !json_is_integer(version))
        return refuse(parser, "table", "\"machine\" and a schema_version: this is no calibration");
    if (json_integer_value(version) > MACHINE_FILE_VERSION)
        return diagnostic_set(parser->diagnostic, STATUS_UNSUPPORTED,
                              "%.200s: made by a later tprof (schema_version %lld, known up to %d)",
                              parser->path, (long long)json_integer_value(version),
                              MACHINE_FILE_VERSION);
    return STATUS_OK;
}

static enum status read_whole(struct parser *parser, const json_t *whole)
{
    enum status status = check_version(parser, whole);

    if (!status)
        status = read_facts(parser, whole);
    if (!status)
        status = read_list(parser, whole, "caches", read_cache);
    if (!status)
        status = read_list(parser, whole, "peaks", read_peak);
    if (!status)
        status = read_list(parser, whole, "bandwidths", read_bandwidth);
    if (!status)
        status = read_list(parser, whole, "warnings", read_warning);
    return status;
}

static enum status load(json_t **whole, const char *path, struct diagnostic *diagnostic)
{
    json_error_t error;
    FILE *file = fopen(path, "re");

    if (!file)
        return diagnostic_set(diagnostic, errno == ENOENT ? STATUS_NOT_FOUND : STATUS_IO,
                              "cannot read %.200s: %s", path, strerror(errno));
    *whole = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (*whole)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_CORRUPT,
                          "%.200s:%d:%d: expected the JSON of a calibration: %.150s", path,
                          error.line, error.column, error.text);
}

enum status machine_file_read(struct machine *machine, const char *path,
                              struct diagnostic *diagnostic)
{
    struct parser parser = {.machine = machine, .path = path, .diagnostic = diagnostic};
    json_t *whole;
    enum status status = load(&whole, path, diagnostic);

    if (status)
        return status;
    machine_init(machine);
    status = read_whole(&parser, whole);
    json_decref(whole);
    if (status)
        machine_fini(machine);
    else
        snprintf(machine->source, sizeof machine->source, "%.255s", path);
    return status;
}
