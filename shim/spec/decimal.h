/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whole numbers in texts of the system, of users and of catalogs.
 *
 * New libcs replace strtoull and sscanf by C23 variants, and a shim built there could not be loaded
 * with an older libc.
 */
#ifndef SPEC_DECIMAL_H
#define SPEC_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Read the number at the start of a text, after blanks; UINT64_MAX represents all larger ones.
 * Returns: the text after it; NULL without a number; `number` is then unchanged. */
static inline const char *decimal_read(const char *text, uint64_t *number)
{
    const char *start;
    uint64_t value = 0;

    while (*text == ' ' || *text == '\t')
        text++;
    for (start = text; *text >= '0' && *text <= '9'; text++) {
        unsigned digit = (unsigned)(*text - '0');

        value = value > (UINT64_MAX - digit) / 10 ? UINT64_MAX : value * 10 + digit;
    }
    if (text == start)
        return NULL;
    *number = value;
    return text;
}

/* Returns: the number at the start of a text, or `otherwise`.  The text may be NULL. */
static inline uint64_t decimal_at(const char *text, uint64_t otherwise)
{
    uint64_t number = otherwise;

    return text && decimal_read(text, &number) ? number : otherwise;
}

#endif
