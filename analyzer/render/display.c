/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text from foreign traces, made safe and measured for display.
 *
 * Called by the renderers for every text they print.  Pure but for the locale,
 * which wcwidth reads.
 *
 * To read: RFC 3629 (UTF-8); Unicode TR 36 (text that deceives readers).
 */
/* wcwidth is part of XSI, which -std=gnu11 alone does not declare. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "render/display.h"

#include <stdint.h>
#include <string.h>
#include <wchar.h>

#include "base/utf8.h"

/* Inclusive ranges of code points that act instead of being shown. */
struct display_range {
    uint32_t first;
    uint32_t last;
};

static const struct display_range acting_ranges[] = {
    {0x00, 0x1f},     /* C0 controls */
    {0x7f, 0x9f},     /* delete, and the C1 controls, which also hold CSI */
    {0x061c, 0x061c}, /* the Arabic letter mark */
    {0x200e, 0x200f}, /* direction marks */
    {0x2028, 0x202e}, /* line ends; direction embeddings and overrides */
    {0x2066, 0x2069}, /* direction isolates */
    {0xfeff, 0xfeff}, /* byte order mark */
};

static bool is_acting(uint32_t code_point)
{
    size_t count = sizeof acting_ranges / sizeof *acting_ranges;

    for (size_t i = 0; i < count; i++) {
        if (code_point >= acting_ranges[i].first && code_point <= acting_ranges[i].last)
            return true;
    }
    return false;
}

/* Our own characters beyond ASCII are spelled in ASCII; quoted ones are escaped. */
static void append_escape(struct text *out, uint32_t code_point)
{
    enum { PLUS_OR_MINUS = 0xb1 };

    if (code_point == PLUS_OR_MINUS)
        text_append(out, "+/-");
    else if (code_point < 0x80)
        text_appendf(out, "\\x%02x", (unsigned int)code_point);
    else if (code_point <= 0xffff)
        text_appendf(out, "\\u%04x", (unsigned int)code_point);
    else
        text_appendf(out, "\\U%08x", (unsigned int)code_point);
}

void display_append_safe(struct text *out, const char *string, bool unicode)
{
    while (*string) {
        uint32_t code_point;
        size_t size = utf8_decode_or_escape(out, string, &code_point);
        if (size == 0) {
            string++;
            continue;
        }
        if (is_acting(code_point) || (code_point >= 0x80 && !unicode))
            append_escape(out, code_point);
        else
            text_append_bytes(out, string, size);
        string += size;
    }
}

/* Reads one character; a broken byte counts as one column.
 * Returns: its columns; its bytes in `size`. */
static size_t character_width(const char *string, size_t *size)
{
    uint32_t code_point = 0;
    *size = utf8_decode(string, &code_point);

    if (*size == 0) {
        *size = 1;
        return 1;
    }
    int width = wcwidth((wchar_t)code_point);
    return width < 0 ? 1 : (size_t)width;
}

/* Returns: the bytes at the start of a string that fit `width` columns. */
static size_t fit(const char *string, size_t width)
{
    size_t fitting = 0;

    while (string[fitting]) {
        size_t size;
        size_t columns = character_width(string + fitting, &size);
        if (columns > width)
            break;
        width -= columns;
        fitting += size;
    }
    return fitting;
}

static size_t width_of(const char *string, size_t size)
{
    size_t width = 0;

    for (size_t i = 0, step; i < size; i += step)
        width += character_width(string + i, &step);
    return width;
}

size_t display_width(const char *string)
{
    return width_of(string, strlen(string));
}

/* The space for a string that may be cut. */
struct display_room {
    size_t width;
    bool unicode;
};

static void append_head(struct text *out, const char *string, size_t size, struct display_room room)
{
    const char *ellipsis = room.unicode ? "…" : "...";
    size_t ellipsis_width = room.unicode ? 1 : 3;

    if (width_of(string, size) <= room.width) {
        text_append_bytes(out, string, size);
        return;
    }
    if (room.width < ellipsis_width) {
        display_append_spaces(out, room.width);
        return;
    }
    text_append_bytes(out, string, fit(string, room.width - ellipsis_width));
    text_append(out, ellipsis);
}

void display_append_shortened(struct text *out, const char *string, size_t width, bool unicode)
{
    append_head(out, string, strlen(string), (struct display_room){width, unicode});
}

/* Returns: where the end of a string starts that fits `width` columns. */
static const char *fit_end(const char *string, size_t width)
{
    size_t whole = display_width(string);

    while (whole > width) {
        size_t size;

        whole -= character_width(string, &size);
        string += size;
    }
    return string;
}

void display_append_abridged(struct text *out, const char *string, size_t width, bool unicode)
{
    const char *ellipsis = unicode ? "…" : "...";
    size_t ellipsis_width = unicode ? 1 : 3;

    if (display_width(string) <= width || width < 3 * ellipsis_width) {
        display_append_shortened(out, string, width, unicode);
        return;
    }
    size_t end = (width - ellipsis_width) / 2;
    text_append_bytes(out, string, fit(string, width - ellipsis_width - end));
    text_append(out, ellipsis);
    text_append(out, fit_end(string, end));
}

/* Returns: the length of the offset that starts here and ends at a blank or the end; 0 when none
 * starts here. */
static size_t offset_size(const char *string)
{
    static const char start[] = "+0x";
    size_t digits;

    if (strncmp(string, start, strlen(start)) != 0)
        return 0;
    digits = strspn(string + strlen(start), "0123456789abcdef");
    string += strlen(start) + digits;
    return digits > 0 && (*string == ' ' || *string == '\0') ? strlen(start) + digits : 0;
}

/* Returns: the width of a function.  A wide one gets half of the room, and more if the location is
 * short. */
static size_t share_room(size_t function, size_t location, size_t room)
{
    size_t half = room / 2;

    if (function <= room - half)
        return function;
    return location < half ? room - location : room - half;
}

/* Returns: the bytes of the line at the start of a place, "nn.c:52 "; 0: there is none. */
static size_t line_size(const char *string)
{
    size_t word = strcspn(string, " "), digits = 0;

    while (digits < word && string[word - 1 - digits] >= '0' && string[word - 1 - digits] <= '9')
        digits++;
    if (digits == 0 || digits == word || string[word - 1 - digits] != ':')
        return 0;
    return word + (string[word] == ' ');
}

/* A line keeps its space unless it needs more than half; the function after it is shortened. */
static void append_line_first(struct text *out, const char *string, size_t line,
                              struct display_room room)
{
    size_t width = width_of(string, line);

    if (width > room.width / 2) {
        display_append_abridged(out, string, room.width, room.unicode);
        return;
    }
    text_append_bytes(out, string, line);
    display_append_abridged(out, string + line, room.width - width, room.unicode);
}

void display_append_place(struct text *out, const char *string, size_t width, bool unicode)
{
    const char *offset = string;
    size_t size = 0;

    if (display_width(string) > width && line_size(string) > 0) {
        append_line_first(out, string, line_size(string), (struct display_room){width, unicode});
        return;
    }
    while (*offset && (size = offset_size(offset)) == 0)
        offset++;
    if (size == 0 || display_width(string) <= width) {
        display_append_abridged(out, string, width, unicode);
        return;
    }
    size_t function_size = (size_t)(offset - string);
    size_t room = width > size ? width - size : 0;
    size_t share = share_room(width_of(string, function_size), display_width(offset + size), room);
    append_head(out, string, function_size, (struct display_room){share, unicode});
    text_append_bytes(out, offset, size);
    display_append_abridged(out, offset + size, room - share, unicode);
}

/* Returns: the bytes of the next word; a percent sign stays with its number. */
static size_t word_size(const char *string)
{
    size_t size = strcspn(string, " ");

    if (string[size] == ' ' && string[size + 1] == '%')
        size += 1 + strcspn(string + size + 1, " ");
    return size;
}

/* Returns: the bytes of a word that fit a line of its own; a path is never broken. */
static size_t fitting_size(const char *word, size_t size, size_t room)
{
    size_t fitting = size;

    if (room == 0 || memchr(word, '/', size))
        return size;
    while (width_of(word, fitting) > room)
        do
            fitting--;
        while (((unsigned char)word[fitting] & 0xc0) == 0x80); /* inside a character */
    return fitting > 0 ? fitting : size;
}

void display_append_wrapped(struct text *out, const char *string, struct display_margins margins)
{
    size_t column = margins.start;
    bool at_line_start = true;

    while (*(string += strspn(string, " "))) {
        size_t size = word_size(string);
        size_t width = width_of(string, size);
        if (!at_line_start && margins.width > 0 && column + 1 + width > margins.width) {
            text_append(out, "\n");
            display_append_spaces(out, margins.indent);
            column = margins.indent;
            at_line_start = true;
        }
        if (at_line_start && margins.width > column)
            size = fitting_size(string, size, margins.width - column);
        width = width_of(string, size);
        text_append(out, at_line_start ? "" : " ");
        text_append_bytes(out, string, size);
        column += width + (at_line_start ? 0 : 1);
        at_line_start = false;
        string += size;
    }
    text_append(out, "\n");
}

void display_append_spaces(struct text *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text_append_bytes(out, " ", 1);
}

void display_append_key(struct text *out, const char *mark, const char *label,
                        struct display_margins margins)
{
    display_append_spaces(out, margins.start);
    if (mark) {
        text_appendf(out, "%s  ", mark);
        margins.start += display_width(mark) + 2;
    }
    margins.indent = margins.start;
    display_append_wrapped(out, label, margins);
}
