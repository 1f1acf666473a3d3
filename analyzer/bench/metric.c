/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding numbers in what a program printed.
 */
#include "bench/metric.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status metric_init(struct metric *metric, const char *name, const char *pattern,
                        struct diagnostic *diagnostic)
{
    int error = regcomp(&metric->pattern, pattern, REG_EXTENDED | REG_NEWLINE);
    char why[128];

    metric->name = NULL;
    if (error == 0) {
        metric->name = strdup(name);
        if (metric->name)
            return STATUS_OK;
        regfree(&metric->pattern);
        return diagnostic_set_out_of_memory(diagnostic);
    }
    regerror(error, &metric->pattern, why, sizeof why);
    return diagnostic_set(diagnostic, STATUS_USAGE, "metric %.60s: '%.100s': %s", name, pattern,
                          why);
}

/* The name ends at the '=': what comes before must be a word. */
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

/* Numbers may be followed by a unit: what strtod can read of the match counts. */
static double read_match(const char *output, const regmatch_t *match)
{
    char number[64];
    size_t length = (size_t)(match->rm_eo - match->rm_so);
    char *end;
    double value;

    if (length >= sizeof number)
        return (double)NAN;
    memcpy(number, output + match->rm_so, length);
    number[length] = '\0';
    value = strtod(number, &end);
    return end != number && isfinite(value) ? value : (double)NAN;
}

double metric_find(const struct metric *metric, const char *output)
{
    regmatch_t matches[2];
    double value = (double)NAN;
    int flags = 0;

    while (regexec(&metric->pattern, output, 2, matches, flags) == 0) {
        const regmatch_t *match = matches[1].rm_so >= 0 ? &matches[1] : &matches[0];

        value = read_match(output, match);
        flags = matches[0].rm_eo > 0 && output[matches[0].rm_eo - 1] == '\n' ? 0 : REG_NOTBOL;
        output += matches[0].rm_eo;
        if (matches[0].rm_eo == matches[0].rm_so && *output++ == '\0')
            break; /* an empty match at the end */
    }
    return value;
}
