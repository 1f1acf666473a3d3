/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a header, and the unit of a time by its size.
 */
#include "request/proxy_start.h"

#include <stdbool.h>

enum { READ_MAX = 4096, DIGITS_MAX = 16, FRACTION_DIGITS = 6 };

/* A time of today in seconds is below the first, and in milliseconds below the second. */
static const uint64_t least_ms = UINT64_C(100000000000);
static const uint64_t least_us = UINT64_C(100000000000000);

struct cursor {
    const char *at;
    const char *end;
};

static bool is_like(char character, char lower)
{
    return character == lower || (lower >= 'a' && lower <= 'z' && character == lower - 'a' + 'A');
}

/* Move behind a name of a header, in lower case, if it stands here. */
static bool accept(struct cursor *cursor, const char *name)
{
    const char *at = cursor->at;

    for (; *name != '\0'; name++, at++)
        if (at == cursor->end || !is_like(*at, *name))
            return false;
    cursor->at = at;
    return true;
}

static void skip_space(struct cursor *cursor)
{
    while (cursor->at < cursor->end && (*cursor->at == ' ' || *cursor->at == '\t'))
        cursor->at++;
}

static bool is_digit(const struct cursor *cursor)
{
    return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

/* Units: millionths of the written unit.  The whole part is below 10^16, so the result may be cut;
 * that does not matter where it is in microseconds. */
static uint64_t read_number(struct cursor *cursor, uint64_t *fraction)
{
    uint64_t whole = 0, scale = 1000000;

    for (unsigned i = 0; i < DIGITS_MAX && is_digit(cursor); i++)
        whole = whole * 10 + (uint64_t)(*cursor->at++ - '0');
    *fraction = 0;
    if (is_digit(cursor) || cursor->at == cursor->end || *cursor->at != '.')
        return whole;
    cursor->at++;
    for (unsigned i = 0; i < FRACTION_DIGITS && is_digit(cursor); i++) {
        scale /= 10;
        *fraction += (uint64_t)(*cursor->at++ - '0') * scale;
    }
    return whole;
}

static uint64_t read_value(struct cursor cursor)
{
    uint64_t whole, fraction;

    skip_space(&cursor);
    accept(&cursor, "t=");
    whole = read_number(&cursor, &fraction);
    if (cursor.at == cursor.end) /* the rest of it was not read yet */
        return 0;
    if (whole >= least_us)
        return whole;
    return whole >= least_ms ? whole * 1000 + fraction / 1000 : whole * 1000000 + fraction;
}

static bool skip_line(struct cursor *cursor)
{
    while (cursor->at < cursor->end && *cursor->at != '\n')
        cursor->at++;
    if (cursor->at == cursor->end)
        return false;
    cursor->at++;
    return cursor->at < cursor->end && *cursor->at != '\r' && *cursor->at != '\n';
}

uint64_t proxy_start_find(struct first_bytes bytes)
{
    struct cursor cursor = {bytes.text, bytes.text};

    if (!bytes.text)
        return 0;
    cursor.end += bytes.size < READ_MAX ? bytes.size : READ_MAX;
    while (skip_line(&cursor))
        if (accept(&cursor, "x-request-start:") || accept(&cursor, "x-queue-start:"))
            return read_value(cursor);
    return 0;
}
