/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the arguments of options.
 */
#include "options/readers.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/units.h"
#include "render/render.h"
#include "render/terminal.h"

enum status option_yes(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(bool *)value->field = true;
    return STATUS_OK;
}

enum status option_text(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(const char **)value->field = value->text;
    return STATUS_OK;
}

enum status option_texts(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char **text = array_add(value->field);

    (void)diagnostic;
    *text = value->text;
    return STATUS_OK;
}

enum status option_read_count(const char *name, const char *text, size_t *count,
                       struct diagnostic *diagnostic)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number > 1000000000)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s %.40s: expected a whole number", name,
                              text);
    *count = (size_t)number;
    return STATUS_OK;
}

static enum status read_own_count(const struct option_value *value, size_t *count,
                                  struct diagnostic *diagnostic)
{
    char name[40];

    (void)snprintf(name, sizeof name, "--%s", value->row->name);
    return option_read_count(name, value->text, count, diagnostic);
}

enum status option_count(const struct option_value *value, struct diagnostic *diagnostic)
{
    return read_own_count(value, value->field, diagnostic);
}

enum status option_rows(const struct option_value *value, struct diagnostic *diagnostic)
{
    size_t *count = value->field;
    enum status status = read_own_count(value, count, diagnostic);

    if (!status && *count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--%s 0: there is nothing to show",
                              value->row->name);
    return status;
}

enum status option_positive(const struct option_value *value, struct diagnostic *diagnostic)
{
    size_t count;

    if (read_own_count(value, &count, diagnostic) || count < 1 || (double)count > value->row->most)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--%s %.40s: expected a whole number from 1 to %.0f",
                              value->row->name, value->text, value->row->most);
    *(unsigned *)value->field = (unsigned)count;
    return STATUS_OK;
}

/* Returns: whether a text is a number; infinities and NaN are none. */
static bool is_number(const char *text, double *number)
{
    char *end;

    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

enum status option_number(const struct option_value *value, struct diagnostic *diagnostic)
{
    double number;

    if (!is_number(value->text, &number) || !(number > 0 && number < value->row->most))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--%s %.40s: expected a number between 0 and %g", value->row->name,
                              value->text, value->row->most);
    *(double *)value->field = number;
    return STATUS_OK;
}

enum status option_above_0(const struct option_value *value, struct diagnostic *diagnostic)
{
    double number;

    if (!is_number(value->text, &number) || number <= 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--%s %.40s: expected a number above 0",
                              value->row->name, value->text);
    *(double *)value->field = number;
    return STATUS_OK;
}

enum status option_percent(const struct option_value *value, struct diagnostic *diagnostic)
{
    enum status status = option_number(value, diagnostic);

    if (!status)
        *(double *)value->field /= 100;
    return status;
}

enum status option_duration(const struct option_value *value, struct diagnostic *diagnostic)
{
    return units_parse_duration(value->text, value->field, diagnostic);
}

/* 0 needs no unit. */
enum status option_read_duration_or_0(const char *text, uint64_t *ns, struct diagnostic *diagnostic)
{
    return units_parse_duration(strcmp(text, "0") == 0 ? "0s" : text, ns, diagnostic);
}

enum status option_duration_or_0(const struct option_value *value, struct diagnostic *diagnostic)
{
    return option_read_duration_or_0(value->text, value->field, diagnostic);
}

enum status option_size(const struct option_value *value, struct diagnostic *diagnostic)
{
    return units_parse_size(value->text, value->field, diagnostic);
}

enum status option_flop_rate(const struct option_value *value, struct diagnostic *diagnostic)
{
    return units_parse_per_second(value->text, "FLOP/s", value->field, diagnostic);
}

enum status option_byte_rate(const struct option_value *value, struct diagnostic *diagnostic)
{
    return units_parse_per_second(value->text, "B/s", value->field, diagnostic);
}

enum status option_folder(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct stat facts;

    if (stat(value->text, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--%s %.200s: expected a folder with the files of the system that "
                              "the trace is of",
                              value->row->name, value->text);
    return option_text(value, diagnostic);
}

enum status option_format(const struct option_value *value, struct diagnostic *diagnostic)
{
    return render_find(value->text, value->field, diagnostic);
}

enum status option_json(const struct option_value *value, struct diagnostic *diagnostic)
{
    return render_find("json", value->field, diagnostic);
}

enum status option_colour(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(enum terminal_choice *)value->field = TERMINAL_YES;
    return STATUS_OK;
}

enum status option_no_colour(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(enum terminal_choice *)value->field = TERMINAL_NO;
    return STATUS_OK;
}
