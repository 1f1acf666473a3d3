/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds numbers in a program's output.
 */
#include "bench/metric.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum status metric_init(struct metric *metric, const char *name, const char *pattern,
                        struct diagnostic *diagnostic)
{
    int error = regcomp(&metric->pattern, pattern, REG_EXTENDED | REG_NEWLINE);
    char why[128];

    metric->name = NULL;
    if (error == 0) {
        metric->name = memory_copy(name);
        return STATUS_OK;
    }
    regerror(error, &metric->pattern, why, sizeof why);
    return diagnostic_set(diagnostic, STATUS_USAGE, "metric %.60s: '%.100s': %s", name, pattern,
                          why);
}

/* The name ends at the '=' and must be a word. */
enum status metric_read(struct metric *metric, const char *text, struct diagnostic *diagnostic)
{
    char name[64] = "metric";
    size_t length = 0;

    while (isalnum((unsigned char)text[length]) || (text[length] && strchr("_-./", text[length])))
        length++;
    if (length > 0 && length < sizeof name && text[length] == '=') {
        memcpy(name, text, length);
        name[length] = '\0';
        text += length + 1;
    }
    return metric_init(metric, name, text, diagnostic);
}

void metric_fini(struct metric *metric)
{
    if (metric->name)
        regfree(&metric->pattern);
    free(metric->name);
}

/* A unit has no digits: a word with digits behind the number is part of a malformed number. */
static bool is_unit(const char *text)
{
    size_t word = strcspn(text, " \t\n");

    return strcspn(text, "0123456789") >= word;
}

static enum status read_number(const struct metric *metric, const char *text, double *value,
                               struct diagnostic *diagnostic)
{
    char *end;
    double number = strtod(text, &end);

    if (end == text || !isfinite(number))
        return STATUS_OK;
    if (!is_unit(end))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "bench: metric %.60s matched '%.60s', not a number", metric->name,
                              text);
    *value = number;
    return STATUS_OK;
}

/* Returns: the position of the last match in the output; rm_so is -1 when nothing matches. */
static regmatch_t find_last(const struct metric *metric, const char *output)
{
    regmatch_t matches[2], last = {.rm_so = -1, .rm_eo = -1};
    const char *rest = output;
    int flags = 0;

    while (regexec(&metric->pattern, rest, 2, matches, flags) == 0) {
        regoff_t before = (regoff_t)(rest - output);

        last = matches[1].rm_so >= 0 ? matches[1] : matches[0];
        last.rm_so += before;
        last.rm_eo += before;
        flags = matches[0].rm_eo > 0 && rest[matches[0].rm_eo - 1] == '\n' ? 0 : REG_NOTBOL;
        rest += matches[0].rm_eo;
        if (matches[0].rm_eo == matches[0].rm_so && *rest++ == '\0')
            break; /* an empty match at the end */
    }
    return last;
}

enum status metric_find(const struct metric *metric, const char *output, double *value,
                        struct diagnostic *diagnostic)
{
    regmatch_t match = find_last(metric, output);
    size_t length = (size_t)(match.rm_eo - match.rm_so);
    char text[64];

    *value = (double)NAN;
    if (match.rm_so < 0 || length >= sizeof text)
        return STATUS_OK;
    memcpy(text, output + match.rm_so, length);
    text[length] = '\0';
    return read_number(metric, text, value, diagnostic);
}
