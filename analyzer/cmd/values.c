/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the values of options, those of an analysis as its rows say.
 */
#include "cmd/values.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

enum status values_read_count(const char *name, const char *text, size_t *count,
                              struct diagnostic *diagnostic)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > 1000000000)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s %.40s: expected a whole number", name,
                              text);
    *count = (size_t)value;
    return STATUS_OK;
}

enum status values_read_positive(const char *name, const char *text,
                                 const struct values_positive *positive,
                                 struct diagnostic *diagnostic)
{
    size_t count;

    if (values_read_count(name, text, &count, diagnostic) || count < 1 || count > positive->most)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s %.40s: expected a whole number from 1 to %u", name, text,
                              positive->most);
    *positive->value = (unsigned)count;
    return STATUS_OK;
}

enum status values_read_number(const char *name, const char *text,
                               const struct values_number *number, struct diagnostic *diagnostic)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value > 0 && value < number->most))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s %.40s: expected a number between 0 and %g", name, text,
                              number->most);
    *number->value = value;
    return STATUS_OK;
}

static enum status read_rows(const char *name, const char *text, size_t *count,
                             struct diagnostic *diagnostic)
{
    enum status status = values_read_count(name, text, count, diagnostic);

    if (!status && *count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s 0: there is nothing to show", name);
    return status;
}

/* No time is none in any unit. */
static enum status read_duration_or_0(const char *text, uint64_t *ns, struct diagnostic *diagnostic)
{
    return units_parse_duration(strcmp(text, "0") == 0 ? "0s" : text, ns, diagnostic);
}

/* One border, of `size` bytes; where nothing stands, it stays as it is.  Runs that have windows
 * last so long that m is minutes. */
static enum status read_border(const char *text, size_t size, uint64_t *ns,
                               struct diagnostic *diagnostic)
{
    char border[32];
    size_t shown = size < sizeof border ? size : sizeof border - 1;

    if (size == 0)
        return STATUS_OK;
    snprintf(border, sizeof border, "%.*s%s", (int)shown, text, text[size - 1] == 'm' ? "in" : "");
    return read_duration_or_0(border, ns, diagnostic);
}

enum status values_read_window(const char *text, struct session_window *window,
                               struct diagnostic *diagnostic)
{
    const char *dots = strstr(text, "..");
    enum status status;

    if (!dots || strcmp(text, "..") == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--window %.40s: expected a part of the run, such as 10min..20min, "
                              "90s.. or ..2h",
                              text);
    *window = (struct session_window){.is_cut = true, .to_ns = UINT64_MAX};
    status = read_border(text, (size_t)(dots - text), &window->from_ns, diagnostic);
    if (!status)
        status = read_border(dots + 2, strlen(dots + 2), &window->to_ns, diagnostic);
    if (!status && window->from_ns >= window->to_ns)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--window %.40s: expected an end behind the begin", text);
    return status;
}

/* A value of any kind. */
union value {
    bool yes;
    size_t count;
    double number;
    uint64_t amount;
};

static enum status read_value(const struct analysis_option *option, const char *text,
                              union value *value, struct diagnostic *diagnostic)
{
    const struct values_number number = {option->most, &value->number};
    enum status status;
    char name[40];

    (void)snprintf(name, sizeof name, "--%s", option->name);
    switch (option->kind) {
    case ANALYSIS_OPTION_YES: value->yes = true; break;
    case ANALYSIS_OPTION_COUNT: return values_read_count(name, text, &value->count, diagnostic);
    case ANALYSIS_OPTION_ROWS: return read_rows(name, text, &value->count, diagnostic);
    case ANALYSIS_OPTION_NUMBER: return values_read_number(name, text, &number, diagnostic);
    case ANALYSIS_OPTION_PERCENT:
        status = values_read_number(name, text, &number, diagnostic);
        value->number /= 100;
        return status;
    case ANALYSIS_OPTION_DURATION: return units_parse_duration(text, &value->amount, diagnostic);
    case ANALYSIS_OPTION_DURATION_OR_0: return read_duration_or_0(text, &value->amount, diagnostic);
    case ANALYSIS_OPTION_SIZE: return units_parse_size(text, &value->amount, diagnostic);
    }
    return STATUS_OK;
}

enum status values_read_own(const struct analysis_option *option, unsigned char *own,
                            const char *text, struct diagnostic *diagnostic)
{
    union value value = {.amount = 0};
    enum status status = read_value(option, text, &value, diagnostic);

    assert(option->size <= sizeof value);
    if (!status)
        memcpy(own + option->place, &value, option->size);
    return status;
}
