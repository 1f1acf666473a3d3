/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable buffer that composes a string.
 *
 * Used wherever the length of a string is unknown before.  Each text belongs to
 * one thread at a time.
 */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

enum { TEXT_FIRST_CAPACITY = 64 };

/* Returns: the place for `size` more bytes and a zero. */
static char *reserve(struct text *text, size_t size)
{
    if (text->capacity - text->size > size)
        return text->memory + text->size;

    size_t capacity = text->capacity ? text->capacity : TEXT_FIRST_CAPACITY;
    while (capacity - text->size <= size && capacity <= SIZE_MAX / 2)
        capacity *= 2;
    if (capacity - text->size <= size)
        memory_ran_out();
    text->bytes = text->memory = pool_resize(text->pool, text->memory, capacity);
    text->capacity = capacity;
    return text->memory + text->size;
}

void text_init(struct text *text)
{
    *text = (struct text){.bytes = "", .pool = pool_in_use()};
}

void text_fini(struct text *text)
{
    pool_free(text->pool, text->memory);
    *text = (struct text){.bytes = "", .pool = text->pool};
}

void text_clear(struct text *text)
{
    text->size = 0;
    if (text->memory)
        text->memory[0] = '\0';
}

void text_truncate(struct text *text, size_t size)
{
    if (text->size <= size)
        return;
    text->size = size;
    text->memory[size] = '\0';
}

void text_append(struct text *text, const char *string)
{
    text_append_bytes(text, string, strlen(string));
}

void text_append_bytes(struct text *text, const char *bytes, size_t size)
{
    char *place = reserve(text, size);

    if (size > 0) /* for size 0 the pointer may be NULL, which memcpy does not allow */
        memcpy(place, bytes, size);
    place[size] = '\0';
    text->size += size;
}

/* printf takes 1300 instructions for one. */
void text_append_choice(struct text *text, const char *word, size_t index, bool is_last)
{
    text_append(text, index == 0 ? "" : is_last ? " or " : ", ");
    text_append(text, word);
}

void text_append_address(struct text *text, uint64_t address)
{
    enum { DIGITS = 16, DIGIT_BITS = 4 };
    char digits[DIGITS];
    size_t at = DIGITS;

    do {
        digits[--at] = "0123456789abcdef"[address % DIGITS];
        address >>= DIGIT_BITS;
    } while (address > 0);
    text_append(text, "0x");
    text_append_bytes(text, digits + at, DIGITS - at);
}

void text_appendf(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int size = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (size < 0) /* longer than INT_MAX */
        memory_ran_out();

    char *place = reserve(text, (size_t)size);
    va_start(arguments, format);
    vsnprintf(place, (size_t)size + 1, format, arguments);
    va_end(arguments);
    text->size += (size_t)size;
}

/* The next part of a path, behind any slashes; its size is 0 at the end. */
static const char *next_part(const char *path, size_t *size)
{
    path += strspn(path, "/");
    *size = strcspn(path, "/");
    return path;
}

static void append_part(struct text *text, size_t start, const char *part, size_t size)
{
    if (text->size > start)
        text_append(text, "/");
    text_append_bytes(text, part, size);
}

void text_append_way(struct text *text, const char *from, const char *to)
{
    size_t start = text->size, left, right;

    from = next_part(from, &left);
    to = next_part(to, &right);
    while (left > 0 && left == right && strncmp(from, to, left) == 0) {
        from = next_part(from + left, &left);
        to = next_part(to + right, &right);
    }
    for (; left > 0; from = next_part(from + left, &left))
        append_part(text, start, "..", 2);
    for (; right > 0; to = next_part(to + right, &right))
        append_part(text, start, to, right);
    if (text->size == start)
        text_append(text, ".");
}

bool text_ends_with(const char *bytes, size_t size, const char *end)
{
    size_t end_size = strlen(end);

    return size >= end_size && memcmp(bytes + size - end_size, end, end_size) == 0;
}

const char *text_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path;
}
