/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading parameters, and putting their values into texts.
 */
#include "bench/parameter.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

static bool is_name_byte(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.';
}

static size_t name_length(const char *text)
{
    size_t length = 0;

    while (is_name_byte(text[length]))
        length++;
    return length;
}

enum status parameter_init(struct parameter *parameter, const char *name, size_t length,
                           struct diagnostic *diagnostic)
{
    *parameter = (struct parameter){.is_numeric = true};
    text_list_init(&parameter->values);
    text_list_init(&parameter->shown);
    if (length == 0 || name_length(name) < length)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "'%.60s': the name of a parameter has letters, digits, _ - and .",
                              name);
    parameter->name = memory_copy_part(name, length);
    return STATUS_OK;
}

void parameter_fini(struct parameter *parameter)
{
    free(parameter->name);
    text_list_fini(&parameter->values);
    text_list_fini(&parameter->shown);
}

double parameter_number(const char *value)
{
    char *end;
    double number = strtod(value, &end);

    return end != value && *end == '\0' && isfinite(number) ? number : (double)NAN;
}

static bool has_value(const struct parameter *parameter, const char *value)
{
    for (size_t i = 0; i < text_list_count(&parameter->values); i++)
        if (strcmp(text_list_at(&parameter->values, i), value) == 0)
            return true;
    return false;
}

enum status parameter_add_shown(struct parameter *parameter, const char *value, const char *shown,
                                struct diagnostic *diagnostic)
{
    if (has_value(parameter, value))
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s: the value '%.60s' is given twice",
                              parameter->name, value);
    if (text_list_count(&parameter->values) == PARAMETER_MAX_VALUES)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s: more than %d values", parameter->name,
                              PARAMETER_MAX_VALUES);
    if (isnan(parameter_number(value)))
        parameter->is_numeric = false;
    text_list_add(&parameter->values, value);
    text_list_add(&parameter->shown, shown);
    return STATUS_OK;
}

/* "1..64x2": from, to, and how to get from one to the next. */
struct range {
    double from;
    double to;
    double step;
    bool is_factor;
};

/* Returns: false when the text is a plain value. */
static bool read_range(const char *text, struct range *range)
{
    char *end;

    *range = (struct range){.from = strtod(text, &end), .step = 1};
    if (end == text || strncmp(end, "..", 2) != 0) {
        /* strtod takes the first dot of "1..8" for a decimal point. */
        if (end == text || end[-1] != '.' || end[0] != '.')
            return false;
        end--;
    }
    text = end + 2;
    range->to = strtod(text, &end);
    if (end == text)
        return false;
    if (*end == 'x' || *end == '+') {
        range->is_factor = *end == 'x';
        text = end + 1;
        range->step = strtod(text, &end);
    }
    return end != text && *end == '\0';
}

static bool range_ends(const struct range *range)
{
    if (!isfinite(range->from) || !isfinite(range->to) || range->from > range->to)
        return false;
    return range->is_factor ? range->step > 1 && range->from > 0 : range->step > 0;
}

static enum status add_range(struct parameter *parameter, const struct range *range,
                             struct diagnostic *diagnostic)
{
    const double slack = 1e-9; /* as a part of a step: 0.1 is no binary number */
    double last = range->to + slack * (range->is_factor ? range->to : range->step);
    double number = range->from;
    enum status status = STATUS_OK;

    for (unsigned i = 1; number <= last && !status; i++) {
        char text[UNITS_SIZE];

        snprintf(text, sizeof text, "%.12g", number);
        status = parameter_add_shown(parameter, text, text, diagnostic);
        number = range->is_factor ? number * range->step : range->from + i * range->step;
    }
    return status;
}

enum status parameter_add(struct parameter *parameter, const char *value,
                          struct diagnostic *diagnostic)
{
    struct range range;

    if (!read_range(value, &range))
        return parameter_add_shown(parameter, value, value, diagnostic);
    if (!range_ends(&range))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s: the range %.60s does not end: expected FROM..TO, FROM..TO+STEP "
                              "or FROM..TOxFACTOR",
                              parameter->name, value);
    return add_range(parameter, &range, diagnostic);
}

/* Append up to the next comma that is no part of the value.
 * Returns: the text behind the comma, or NULL at the end. */
static const char *take_value(struct text *value, const char *text)
{
    text_clear(value);
    for (; *text && *text != ','; text++) {
        if (*text == '\\' && text[1] == ',')
            text++;
        text_append_bytes(value, text, 1);
    }
    return *text == ',' ? text + 1 : NULL;
}

enum status parameter_add_list(struct parameter *parameter, const char *text,
                               struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    struct text value;

    text_init(&value);
    while (text && !status) {
        text = take_value(&value, text);
        status = parameter_add(parameter, value.bytes, diagnostic);
    }
    text_fini(&value);
    return status;
}

enum status parameter_read(struct parameter *parameter, const char *text,
                           struct diagnostic *diagnostic)
{
    size_t length = name_length(text);
    enum status status;

    if (length == 0 || text[length] != '=' || text[length + 1] == '\0') {
        *parameter = (struct parameter){0};
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench -L %.60s: expected NAME=VALUE,VALUE,... or NAME=FROM..TO",
                              text);
    }
    status = parameter_init(parameter, text, length, diagnostic);
    if (!status)
        status = parameter_add_list(parameter, text + length + 1, diagnostic);
    if (status)
        parameter_fini(parameter);
    return status;
}

/* Returns: the value of the {name} that begins here, or NULL. */
static const struct parameter_value *find_value(const char *text, const struct array *values)
{
    const struct parameter_value *value = values->items;
    size_t length = *text == '{' ? name_length(text + 1) : 0;

    if (length == 0 || text[length + 1] != '}')
        return NULL;
    for (size_t i = 0; i < values->count; i++)
        if (strlen(value[i].name) == length && strncmp(value[i].name, text + 1, length) == 0)
            return &value[i];
    return NULL;
}

void parameter_substitute(struct text *out, const char *text, const struct array *values)
{
    while (*text) {
        const struct parameter_value *value = find_value(text, values);

        if (value) {
            text_append(out, value->text);
            text += strlen(value->name) + 2;
        } else {
            text_append_bytes(out, text++, 1);
        }
    }
}

bool parameter_is_used(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *brace = text ? strchr(text, '{') : NULL; brace; brace = strchr(brace + 1, '{'))
        if (strncmp(brace + 1, name, length) == 0 && brace[length + 1] == '}')
            return true;
    return false;
}
