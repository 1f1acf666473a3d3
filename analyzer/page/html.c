/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Markup, and foreign texts made harmless.
 *
 * To read: https://html.spec.whatwg.org/multipage/parsing.html; and in scripting.html next to it,
 * #restrictions-for-contents-of-script-elements.
 */
#include "page/html.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "page/texts.h"
#include "render/cell.h"
#include "render/display.h"

/* Bytes of a name, and of a sentence or an excerpt with names in it. */
enum { HTML_NAME = 300, HTML_PROSE = 3000 };

void html_init(struct html *html, FILE *out)
{
    *html = (struct html){.out = out, .how = {.unicode = true}};
    text_init(&html->text);
    text_init(&html->clipped);
}

void html_put(struct html *html, const char *markup)
{
    fputs(markup, html->out);
}

void html_putf(struct html *html, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    vfprintf(html->out, format, arguments);
    va_end(arguments);
}

static const char *entity(char character)
{
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    }
    return NULL;
}

static void put_escaped(struct html *html, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char *escape = entity(bytes[i]);

        if (escape)
            fputs(escape, html->out);
        else
            fputc(bytes[i], html->out);
    }
}

/* No character is parted. */
static size_t find_character(const char *bytes, size_t at)
{
    while (at > 0 && ((unsigned char)bytes[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* A name may have 64 KiB, so both ends are kept: they distinguish it from others.
 * Returns: html->text, or its shortened form, until the next one. */
static const char *clip(struct html *html, size_t most)
{
    const struct text *text = &html->text;
    size_t head = most / 3 * 2, tail = most / 6;

    if (text->size <= most)
        return text->bytes;
    text_clear(&html->clipped);
    text_append_bytes(&html->clipped, text->bytes, find_character(text->bytes, head));
    say(&html->clipped, page_clipped_text, said_count(text->size));
    text_append(&html->clipped, text->bytes + find_character(text->bytes, text->size - tail));
    return html->clipped.bytes;
}

/* Returns: the text without control characters, with at most `most` bytes, valid until the next
 * call. */
static const char *make_safe(struct html *html, const char *text, size_t most)
{
    text_clear(&html->text);
    display_append_safe(&html->text, text, true);
    return clip(html, most);
}

void html_text(struct html *html, const char *text)
{
    const char *safe = make_safe(html, text, HTML_NAME);

    put_escaped(html, safe, strlen(safe));
}

/* Find the analysis of a command at the start of a text: "tprof memory".
 * Returns: how many bytes name the command; 0: no command is named. */
static size_t find_command(const char *text, const struct analysis **analysis)
{
    static const char command[] = "tprof ";
    size_t size = sizeof command - 1;
    char name[24] = "";

    if (strncmp(text, command, size) != 0)
        return 0;
    for (size_t i = 0; i + 1 < sizeof name && islower((unsigned char)text[size]); i++)
        name[i] = text[size++];
    *analysis = analysis_find(name);
    return *analysis ? size : 0;
}

static void put_link(struct html *html, const char *text, size_t size, const char *name)
{
    fprintf(html->out, "<a href=\"#%s\">", name);
    put_escaped(html, text, size);
    fputs("</a>", html->out);
}

void html_prose(struct html *html, const char *text)
{
    const char *safe = make_safe(html, text, HTML_PROSE), *start = safe;
    const struct analysis *analysis = NULL;

    for (const char *at = safe; (at = strstr(at, "tprof ")); at++) {
        size_t size = html->has_analyses ? find_command(at, &analysis) : 0;

        if (size == 0)
            continue;
        put_escaped(html, start, (size_t)(at - start));
        put_link(html, at, size, analysis->name);
        start = at + size;
    }
    put_escaped(html, start, strlen(start));
}

void html_value(struct html *html, const struct value *value, enum unit unit)
{
    text_clear(&html->text);
    cell_append(&html->text, value, unit, &html->how);
    const char *shown = clip(html, HTML_NAME);
    put_escaped(html, shown, strlen(shown));
}

/* JSON strings are in a script element, where entities have no meaning: characters that could end
 * the element become code points. */
void html_string(struct html *html, const char *text)
{
    const char *safe = make_safe(html, text, HTML_NAME);

    fputc('"', html->out);
    for (; *safe; safe++)
        if (strchr("\"\\<>&", *safe) || (unsigned char)*safe < ' ')
            fprintf(html->out, "\\u%04x", (unsigned)(unsigned char)*safe);
        else
            fputc(*safe, html->out);
    fputc('"', html->out);
}

void html_number(struct html *html, double number)
{
    char buffer[UNITS_SIZE];

    fputs(isfinite(number) ? units_format_exact(buffer, number) : "null", html->out);
}
