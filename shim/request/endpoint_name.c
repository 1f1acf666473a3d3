/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folding of paths.
 */
#include "request/endpoint_name.h"

#include <stdbool.h>

enum {
    READ_MAX = 128,   /* bytes of a request that are looked at */
    SEGMENTS_MAX = 2, /* of a path */
    SEGMENT_MAX = 32, /* a longer one is an id */
    HEX_MIN = 8,      /* digits of an id */
    FUNCTION_MAX = 48 /* characters of a function's name, before an argument */
};

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static bool is_hex(char character)
{
    return is_digit(character) || (character >= 'a' && character <= 'f') ||
           (character >= 'A' && character <= 'F');
}

static bool is_plain(char character)
{
    return character > ' ' && character < 0x7f && character != '?' && character != '#';
}

/* Numbers, hexadecimal digits of 8 or more with a decimal one, and such in groups (a UUID); and
 * whatever is too long for a name. */
static bool is_id(const char *segment, size_t size)
{
    size_t digits = 0, hex = 0, dashes = 0;

    for (size_t i = 0; i < size; i++) {
        digits += is_digit(segment[i]);
        hex += is_hex(segment[i]);
        dashes += segment[i] == '-';
    }
    return size > SEGMENT_MAX || (size > 0 && digits == size) ||
           (digits > 0 && hex >= HEX_MIN && hex + dashes == size);
}

/* A number is none here: the program chose it as a name. */
static bool is_word_id(const char *word, size_t size)
{
    size_t digits = 0;

    for (size_t i = 0; i < size; i++)
        digits += is_digit(word[i]);
    return digits < size && is_id(word, size);
}

static size_t put(char *text, size_t used, const char *from, size_t size)
{
    for (size_t i = 0; i < size && used + 1 < ENDPOINT_NAME_SIZE; i++)
        text[used++] = from[i];
    return used;
}

/* A segment ends with the next slash, or where the path ends. */
static size_t segment_size(const char *at, const char *end)
{
    const char *from = at;

    while (at < end && is_plain(*at) && *at != '/')
        at++;
    return (size_t)(at - from);
}

static size_t put_path(char *text, size_t used, const char *at, const char *end)
{
    for (unsigned i = 0; i < SEGMENTS_MAX && at < end && *at == '/'; i++) {
        size_t size = segment_size(at + 1, end);

        used = put(text, used, "/", 1);
        used = is_id(at + 1, size) ? put(text, used, "*", 1) : put(text, used, at + 1, size);
        at += 1 + size;
    }
    return used;
}

size_t endpoint_name_compose(struct first_bytes bytes, char text[ENDPOINT_NAME_SIZE])
{
    const char *end = bytes.text + (bytes.size < READ_MAX ? bytes.size : READ_MAX);
    const char *at = bytes.text;
    size_t used;

    if (!bytes.text || !first_bytes_are_method(bytes))
        return 0;
    while (at < end && *at >= 'A' && *at <= 'Z')
        at++;
    if (at == end || *at != ' ')
        return 0;
    used = put(text, 0, bytes.text, (size_t)(at + 1 - bytes.text));
    used = put_path(text, used, at + 1, end);
    text[used] = '\0';
    return used;
}

/* Returns: the size of a word, which ends where the text does. */
static size_t word_size(struct first_bytes of)
{
    size_t size = 0;

    while (size < of.size && size < READ_MAX && is_plain(of.text[size]))
        size++;
    return size;
}

static size_t put_argument(char *text, size_t used, struct first_bytes argument)
{
    size_t size = word_size(argument);

    if (size == 0)
        return used;
    used = put(text, used, " ", 1);
    if (*argument.text == '/')
        return put_path(text, used, argument.text, argument.text + size);
    return is_word_id(argument.text, size) ? put(text, used, "*", 1)
                                           : put(text, used, argument.text, size);
}

size_t endpoint_name_of_call(const char *function, struct first_bytes argument,
                             char text[ENDPOINT_NAME_SIZE])
{
    char composed[ENDPOINT_NAME_SIZE];
    size_t used = 0, size = endpoint_name_compose(argument, composed);

    while (function[used] != '\0' && used < FUNCTION_MAX) {
        text[used] = function[used];
        used++;
    }
    if (size > 0) {
        used = put(text, used, " ", 1);
        used = put(text, used, composed, size);
    } else {
        used = put_argument(text, used, argument);
    }
    text[used] = '\0';
    return used;
}
