/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading code objects and the texts that they refer to.
 */
#include "spec/python_code.h"

#include <string.h>

/* A text in CPython's form. */
struct python_text {
    uint64_t characters;
    uint64_t length;
    unsigned width; /* bytes of a character: 1, 2, 4 */
};

/* A copy in progress. */
struct copying {
    const struct python_memory *memory;
    const struct python_layout *layout;
    char *to;
};

static bool read_bytes(const struct copying *copying, uint64_t address, void *bytes, size_t size)
{
    return copying->memory->read(copying->memory->of, address, bytes, size);
}

static bool read_word(const struct copying *copying, uint64_t address, uint64_t *word)
{
    return address % sizeof *word == 0 && read_bytes(copying, address, word, sizeof *word);
}

/* The word of the state has the width after two bits, or from 3.14 on after 16; only two of these
 * 16 are used. */
static bool read_text(const struct copying *copying, uint64_t object, struct python_text *text)
{
    enum { WIDTH_SHIFT = 2, WIDTH_MASK = 7, COMPACT = 8, ASCII = 16, USED = 3, LATE_SHIFT = 16 };
    const struct python_layout *layout = copying->layout;
    uint32_t state;

    if (object == 0 || !read_word(copying, object + PYTHON_SIZE, &text->length) ||
        !read_bytes(copying, object + PYTHON_TEXT_STATE, &state, sizeof state))
        return false;
    state = (state & ~(uint32_t)USED & 0xffff) != 0 ? state >> WIDTH_SHIFT : state >> LATE_SHIFT;
    text->width = state & WIDTH_MASK;
    text->characters = object + (state & ASCII ? layout->text_size : layout->wide_size);
    return (state & COMPACT) && (text->width == 1 || text->width == 2 || text->width == 4);
}

static void put_character(struct copying *copying, uint32_t character)
{
    enum { REPLACEMENT = 0xfffd };
    char *to = copying->to;

    if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
        character = REPLACEMENT;
    if (character < 0x80) {
        *to++ = (char)character;
    } else if (character < 0x800) {
        *to++ = (char)(0xc0 | character >> 6);
        *to++ = (char)(0x80 | (character & 0x3f));
    } else {
        if (character >= 0x10000) {
            *to++ = (char)(0xf0 | character >> 18);
            *to++ = (char)(0x80 | (character >> 12 & 0x3f));
        } else {
            *to++ = (char)(0xe0 | character >> 12);
        }
        *to++ = (char)(0x80 | (character >> 6 & 0x3f));
        *to++ = (char)(0x80 | (character & 0x3f));
    }
    copying->to = to;
}

/* Reads several characters at once (little-endian). */
static bool put_characters(struct copying *copying, const struct python_text *text, uint64_t first,
                           uint64_t last)
{
    enum { PIECE = 64 };
    unsigned char piece[PIECE * PYTHON_CODE_CHARACTER];

    for (uint64_t count; first < last; first += count) {
        count = last - first < PIECE ? last - first : PIECE;
        if (!read_bytes(copying, text->characters + first * text->width, piece,
                        count * text->width))
            return false;
        for (uint64_t i = 0; i < count; i++) {
            uint32_t character = 0;

            memcpy(&character, piece + i * text->width, text->width);
            put_character(copying, character);
        }
    }
    return true;
}

/* Copy a text, or the start or end of a long one; nothing if it cannot be read. */
static void put_text(struct copying *copying, uint64_t object, uint64_t most, bool keeps_end)
{
    enum { ELLIPSIS = 0x2026 };
    char *start = copying->to;
    struct python_text text;
    uint64_t first, last;

    if (!read_text(copying, object, &text))
        return;
    first = keeps_end && text.length > most ? text.length - most : 0;
    last = text.length - first < most ? text.length : first + most;
    if (first > 0)
        put_character(copying, ELLIPSIS);
    if (!put_characters(copying, &text, first, last))
        copying->to = start;
    else if (last < text.length)
        put_character(copying, ELLIPSIS);
}

static void put_lines(struct copying *copying, uint64_t object)
{
    uint64_t size;

    if (object == 0 || !read_word(copying, object + PYTHON_SIZE, &size))
        return;
    size = size < PYTHON_CODE_LINES ? size : PYTHON_CODE_LINES;
    if (read_bytes(copying, object + PYTHON_BYTES, copying->to, size))
        copying->to += size;
}

size_t python_code_copy(const struct python_memory *memory, const struct python_layout *layout,
                        uint64_t code, struct trace_code *record)
{
    char *start = (char *)(record + 1);
    struct copying copying = {memory, layout, start};
    uint64_t name, file, lines;
    char *file_start, *lines_start;

    memset(record, 0, sizeof *record);
    if (!read_word(&copying, code + layout->code_name, &name) ||
        !read_word(&copying, code + layout->code_file, &file) ||
        !read_word(&copying, code + layout->code_lines, &lines) ||
        !read_bytes(&copying, code + layout->code_first_line, &record->first_line,
                    sizeof record->first_line))
        return 0;
    put_text(&copying, name, PYTHON_CODE_NAME, false);
    file_start = copying.to;
    put_text(&copying, file, PYTHON_CODE_FILE, true);
    lines_start = copying.to;
    put_lines(&copying, lines);
    record->name_size = (uint32_t)(file_start - start);
    record->file_size = (uint32_t)(lines_start - file_start);
    record->lines_size = (uint32_t)(copying.to - lines_start);
    return (size_t)(copying.to - (char *)record);
}

size_t python_text_copy(const struct python_memory *memory, const struct python_layout *layout,
                        uint64_t object, char *to, size_t size)
{
    struct copying copying = {memory, layout, to};

    put_text(&copying, object, size / PYTHON_CODE_CHARACTER - 1, false);
    return (size_t)(copying.to - to);
}
