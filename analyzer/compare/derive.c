/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expressions by recursive descent, computed while they are read.
 */
#include "compare/derive.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 64 };

struct reading {
    const char *expression;
    const char *next;
    derive_finder find;
    const void *of;
    unsigned depth; /* depth of parentheses and signs */
    struct diagnostic *diagnostic;
    enum status status;
};

static double fail(struct reading *reading, const char *expected)
{
    if (!reading->status)
        reading->status = diagnostic_set(
            reading->diagnostic, STATUS_USAGE, "--derive %.200s: at character %d: expected %s",
            reading->expression, (int)(reading->next - reading->expression) + 1, expected);
    return (double)NAN;
}

static char peek(struct reading *reading)
{
    while (isspace((unsigned char)*reading->next))
        reading->next++;
    return *reading->next;
}

static bool accept(struct reading *reading, char character)
{
    if (reading->status || peek(reading) != character)
        return false;
    reading->next++;
    return true;
}

static double read_sum(struct reading *reading);

static bool is_of_name(char character)
{
    return isalnum((unsigned char)character) || character == '_' || character == '.';
}

static double read_name(struct reading *reading)
{
    const char *name = reading->next;
    size_t size = 0;
    double value = (double)NAN;

    while (is_of_name(name[size]))
        size++;
    if (!reading->find(reading->of, name, size, &value))
        return fail(reading, "a metric, a quantity of the whole run such as wall_s, flops or "
                             "peak_rss_bytes, or a number");
    reading->next += size;
    return value;
}

static double read_number(struct reading *reading)
{
    char *end;
    double value = strtod(reading->next, &end);

    reading->next = end;
    return value;
}

static double read_nested(struct reading *reading)
{
    double value;

    if (++reading->depth > DEPTH_MAX)
        return fail(reading, "fewer parentheses and signs");
    if (accept(reading, '-')) {
        value = -read_nested(reading);
    } else if (accept(reading, '(')) {
        value = read_sum(reading);
        if (!accept(reading, ')'))
            return fail(reading, "')'");
    } else if (isdigit((unsigned char)peek(reading))) {
        value = read_number(reading);
    } else {
        value = is_of_name(peek(reading)) ? read_name(reading)
                                          : fail(reading, "a number, a name or '('");
    }
    reading->depth--;
    return value;
}

static double read_product(struct reading *reading)
{
    double value = read_nested(reading);

    while (!reading->status) {
        if (accept(reading, '*')) {
            value *= read_nested(reading);
        } else if (accept(reading, '/')) {
            double divisor = read_nested(reading);

            value = divisor == 0 ? (double)NAN : value / divisor;
        } else {
            break;
        }
    }
    return value;
}

static double read_sum(struct reading *reading)
{
    double value = read_product(reading);

    while (!reading->status) {
        if (accept(reading, '+'))
            value += read_product(reading);
        else if (accept(reading, '-'))
            value -= read_product(reading);
        else
            break;
    }
    return value;
}

enum status derive_evaluate(const char *expression, derive_finder find, const void *of,
                            double *value, struct diagnostic *diagnostic)
{
    struct reading reading = {.expression = expression,
                              .next = expression,
                              .find = find,
                              .of = of,
                              .diagnostic = diagnostic};

    *value = read_sum(&reading);
    if (!reading.status && peek(&reading) != '\0')
        fail(&reading, "+, -, *, / or the end");
    return reading.status;
}
