/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of a catalog, and their {a,b} groups.
 *
 * Decision: doc/decisions/users-catalog.
 */
#include "reader.h"

#include <stdio.h>
#include <string.h>

static size_t line_length(const struct catalog_reader *reader)
{
    const char *from = reader->text + reader->start;
    const char *newline = memchr(from, '\n', reader->size - reader->start);

    return newline ? (size_t)(newline - from) : reader->size - reader->start;
}

bool reader_is_at_end(const struct catalog_reader *reader)
{
    return reader->start >= reader->size;
}

void reader_next_line(struct catalog_reader *reader)
{
    reader->start += line_length(reader) + 1;
    reader->number++;
}

bool reader_is_at_blank(const struct catalog_reader *reader)
{
    const char *from = reader->text + reader->start;
    size_t length = line_length(reader);
    size_t blanks = 0;

    while (blanks < length && strchr(" \t\r", from[blanks]) && from[blanks] != '\0')
        blanks++;
    return blanks == length || from[blanks] == '#';
}

bool reader_is_indented(const struct catalog_reader *reader)
{
    char first = reader->text[reader->start];

    return first == ' ' || first == '\t';
}

static bool put_character(struct catalog_line *line, unsigned *length, char c, size_t column)
{
    line->text[*length] = '\0';
    line->column[*length] = (unsigned short)(column + 1);
    line->position = *length;
    if (*length + 2 >= CATALOG_LINE_MAX)
        return line_fail(line, 0, "the line is longer than %d characters", CATALOG_LINE_MAX - 2);
    line->text[(*length)++] = c;
    line->text[*length] = '\0';
    line->column[*length] = (unsigned short)(column + 2);
    return true;
}

/* Copy the words of the group at `from` that this variant chooses; `*used` becomes the number of
 * characters of the whole group. */
static bool put_group(struct catalog_reader *reader, const char *from, size_t length, size_t column,
                      unsigned *out, size_t *used)
{
    unsigned index = 0;
    size_t i = 1;

    for (; i < length && from[i] != '}'; i++) {
        if (from[i] == ',')
            index++;
        else if (index == reader->variant &&
                 !put_character(&reader->line, out, from[i], column + i))
            return false;
    }
    reader->line.position = *out;
    reader->line.column[*out] = (unsigned short)(column + 1);
    if (i == length)
        return line_fail(&reader->line, 0, "expected '}' after '{'");
    if (index + 1 > CATALOG_VARIANTS_MAX)
        return line_fail(&reader->line, 0, "a group has at most %d words", CATALOG_VARIANTS_MAX);
    if (reader->variants != 0 && reader->variants != index + 1)
        return line_fail(&reader->line, 0,
                         "this group has %u words, the others of its paragraph have %u", index + 1,
                         reader->variants);
    reader->variants = index + 1;
    *used = i + 1;
    return true;
}

bool reader_load_line(struct catalog_reader *reader)
{
    const char *from = reader->text + reader->start;
    size_t length = line_length(reader);
    unsigned out = 0;

    reader->line.number = reader->number;
    reader->line.text[0] = '\0';
    reader->line.column[0] = 1;
    reader->line.position = 0;
    for (size_t i = 0; i < length && from[i] != '\0';) {
        size_t used = 1;

        if (from[i] == '#' || from[i] == '\r')
            break;
        if (from[i] == '{' ? !put_group(reader, from + i, length - i, i, &out, &used)
                           : !put_character(&reader->line, &out, from[i], i))
            return false;
        i += used;
    }
    reader->line.position = 0;
    return true;
}

bool reader_out_of_memory(struct catalog_reader *reader)
{
    return line_fail(&reader->line, 0, "no memory is left for the catalog");
}
