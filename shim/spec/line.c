/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cursor over one line.
 */
#include "line.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool line_fail(struct catalog_line *line, unsigned back, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line->error->text, sizeof line->error->text, format, arguments);
    va_end(arguments);
    line->error->line = line->number;
    line->error->column = line->column[line->position - back];
    return false;
}

void line_skip_space(struct catalog_line *line)
{
    while (line->text[line->position] == ' ' || line->text[line->position] == '\t')
        line->position++;
}

bool line_is_at_end(struct catalog_line *line)
{
    line_skip_space(line);
    return line->text[line->position] == '\0';
}

bool line_accept(struct catalog_line *line, const char *punctuation)
{
    unsigned length = 0;

    line_skip_space(line);
    while (punctuation[length] != '\0') {
        if (line->text[line->position + length] != punctuation[length])
            return false;
        length++;
    }
    line->position += length;
    return true;
}

bool line_is_word_character(char c, bool is_first)
{
    return c == '_' || (is_first ? isalpha((unsigned char)c) : isalnum((unsigned char)c));
}

unsigned line_word(struct catalog_line *line, char *word, unsigned size)
{
    unsigned length = 0;

    line_skip_space(line);
    while (length + 1 < size && line_is_word_character(line->text[line->position], length == 0))
        word[length++] = line->text[line->position++];
    word[length] = '\0';
    return length;
}

bool line_read_text(struct catalog_line *line, int64_t *value)
{
    const char *from = line->text + line->position;
    size_t length = strcspn(from, "'");
    char text[sizeof *value + 1];

    if (length == 0 || length > sizeof *value || from[length] == '\0')
        return line_fail(line, 0, "expected 1 to 8 characters and a quote");
    snprintf(text, sizeof text, "%.*s", (int)length, from);
    *value = catalog_pack_text(text);
    line->position += (unsigned)length + 1;
    return true;
}

unsigned line_token(struct catalog_line *line, char *token, unsigned size)
{
    unsigned length = 0;

    line_skip_space(line);
    while (length + 1 < size && !strchr(" \t", line->text[line->position]))
        token[length++] = line->text[line->position++];
    token[length] = '\0';
    return length;
}

bool line_expect_token(struct catalog_line *line, char *token, const char *what)
{
    return line_token(line, token, CATALOG_WORD_MAX) > 0 || line_fail(line, 0, "expected %s", what);
}

bool line_expect_end(struct catalog_line *line)
{
    return line_is_at_end(line) || line_fail(line, 0, "expected the end of the line");
}
