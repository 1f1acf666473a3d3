/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writing calibrations: the other half of machine_file.h.
 */
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/whole_file.h"
#include "model/machine_file.h"
#include "model/texts.h"

enum { DIGITS = 6 }; /* for rates and similar figures: more digits would be invented */

/* Every failure sets the flag, which is checked once, at the end. */
struct writer {
    bool failed;
};

static void put(struct writer *writer, json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value) != 0)
        writer->failed = true;
}

static void put_text(struct writer *writer, json_t *object, const char *key, const char *text)
{
    json_t *value = text[0] != '\0' ? json_string(text) : json_null();

    put(writer, object, key, value ? value : json_null()); /* bytes that are no UTF-8 */
}

static void put_number(struct writer *writer, json_t *object, const char *key, double number)
{
    char digits[32];

    snprintf(digits, sizeof digits, "%.*g", DIGITS, number);
    if (!isfinite(number))
        put(writer, object, key, json_null());
    else if (number == rint(number) && fabs(number) < 1e15)
        put(writer, object, key, json_integer((json_int_t)number));
    else
        put(writer, object, key, json_real(strtod(digits, NULL)));
}

static json_t *put_list(struct writer *writer, json_t *object, const char *key)
{
    json_t *list = json_array();

    put(writer, object, key, list);
    return list;
}

static json_t *put_entry(struct writer *writer, json_t *list)
{
    json_t *entry = json_object();

    if (!entry || json_array_append_new(list, entry) != 0)
        writer->failed = true;
    return entry;
}

static void put_caches(struct writer *writer, json_t *whole, const struct machine *machine)
{
    json_t *list = put_list(writer, whole, "caches");

    for (size_t i = 0; i < machine->caches.count; i++) {
        const struct machine_cache *cache = array_at(&machine->caches, i);
        json_t *entry = put_entry(writer, list);

        put_text(writer, entry, "level", machine_level_name(cache->level));
        put_number(writer, entry, "size_bytes", (double)cache->size_bytes);
        put_number(writer, entry, "sharers", cache->sharers);
    }
}

static void put_unmeasured(struct writer *writer, json_t *list, const struct machine *machine)
{
    for (int i = 0; i < MACHINE_PRECISIONS; i++) {
        enum machine_precision precision = (enum machine_precision)i;
        const char *reason = machine_no_peak_reason(machine, precision);
        json_t *entry;

        if (!reason)
            continue;
        entry = put_entry(writer, list);
        put_text(writer, entry, "precision", machine_precision_name(precision));
        put(writer, entry, "flops_per_second", json_null());
        put_text(writer, entry, "reason", reason);
    }
}

static void put_peaks(struct writer *writer, json_t *whole, const struct machine *machine)
{
    json_t *list = put_list(writer, whole, "peaks");

    for (size_t i = 0; i < machine->peaks.count; i++) {
        const struct machine_peak *peak = array_at(&machine->peaks, i);
        json_t *entry = put_entry(writer, list);

        put_text(writer, entry, "precision", machine_precision_name(peak->precision));
        put_number(writer, entry, "threads", peak->threads);
        put_number(writer, entry, "flops_per_second", round(peak->flops_per_second));
        put_number(writer, entry, "spread", peak->spread);
        put_text(writer, entry, "instruction_set", peak->instruction_set);
        put_number(writer, entry, "gemm_flops_per_second", round(peak->gemm_flops_per_second));
    }
    put_unmeasured(writer, list, machine);
}

static void put_bandwidths(struct writer *writer, json_t *whole, const struct machine *machine)
{
    json_t *list = put_list(writer, whole, "bandwidths");

    for (size_t i = 0; i < machine->bandwidths.count; i++) {
        const struct machine_bandwidth *bandwidth = array_at(&machine->bandwidths, i);
        json_t *entry = put_entry(writer, list);

        put_text(writer, entry, "level", machine_level_name(bandwidth->level));
        put_number(writer, entry, "threads", bandwidth->threads);
        put_number(writer, entry, "working_set_bytes", (double)bandwidth->working_set_bytes);
        for (int j = 0; j < MACHINE_STREAMS; j++) {
            char key[64];

            snprintf(key, sizeof key, "%s_bytes_per_second",
                     machine_stream_name((enum machine_stream)j));
            put_number(writer, entry, key, round(bandwidth->bytes_per_second[j]));
        }
        put_number(writer, entry, "spread", bandwidth->spread);
    }
}

static void put_warnings(struct writer *writer, json_t *whole, const struct machine *machine)
{
    json_t *list = put_list(writer, whole, "warnings");

    for (size_t i = 0; i < text_list_count(&machine->warnings); i++)
        if (json_array_append_new(list, json_string(text_list_at(&machine->warnings, i))) != 0)
            writer->failed = true;
}

static json_t *make_json(const struct machine *machine)
{
    struct writer writer = {false};
    json_t *whole = json_object();

    put(&writer, whole, "schema_version", json_integer(MACHINE_FILE_VERSION));
    put(&writer, whole, "table", json_string("machine"));
#define MACHINE_TEXT(field, title, help) put_text(&writer, whole, #field, machine->field);
#define MACHINE_NUMBER(field, title, unit, help) put_number(&writer, whole, #field, machine->field);
#include "model/machine_facts.def"
#undef MACHINE_TEXT
#undef MACHINE_NUMBER
    put_caches(&writer, whole, machine);
    put_peaks(&writer, whole, machine);
    put_bandwidths(&writer, whole, machine);
    put(&writer, whole, "byte_counting", json_string(calibration_bytes_text.words));
    put_warnings(&writer, whole, machine);
    if (writer.failed)
        memory_ran_out();
    return whole;
}

void machine_file_append(const struct machine *machine, struct text *out)
{
    json_t *whole = make_json(machine);
    char *bytes = memory_have(json_dumps(whole, JSON_INDENT(2) | JSON_REAL_PRECISION(DIGITS)));

    text_append(out, bytes);
    text_append(out, "\n");
    free(bytes);
    json_decref(whole);
}

/* Returns: false, with errno, if the folder neither exists nor can be made. */
static bool make_folder(const char *path)
{
    struct stat status;
    int error = mkdir(path, 0777) == 0 ? 0 : errno;

    if (error == 0 || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)))
        return true;
    errno = error == EEXIST ? ENOTDIR : error;
    return false;
}

/* Make the folders above a file. */
static bool make_folders(const char *path)
{
    char folder[PATH_MAX];

    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (!make_folder(folder))
            return false;
    }
    return true;
}

static enum status fail_to_write(const char *path, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_IO, "cannot write %.200s: %s", path, strerror(errno));
}

enum status machine_file_prepare(const char *path, struct diagnostic *diagnostic)
{
    return make_folders(path) && whole_file_is_possible(path) ? STATUS_OK
                                                              : fail_to_write(path, diagnostic);
}

enum status machine_file_write(const struct machine *machine, const char *path,
                               struct diagnostic *diagnostic)
{
    struct text text;
    enum status status = STATUS_OK;

    text_init(&text);
    machine_file_append(machine, &text);
    if (!make_folders(path) || !whole_file_put(path, &text))
        status = fail_to_write(path, diagnostic);
    text_fini(&text);
    return status;
}
