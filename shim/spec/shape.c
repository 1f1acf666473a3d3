/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes in records, and shapes as text.
 */
#include <stdio.h>
#include <string.h>

#include "catalog.h"

unsigned catalog_count_words(const struct catalog_kernel *kernel)
{
    unsigned flags = 0;

    for (unsigned i = 0; i < kernel->shape_count; i++)
        flags += kernel->shape[i].is_flag;
    return kernel->shape_count - flags + (flags > 0);
}

static int64_t flag_at(uint64_t flags, unsigned index)
{
    if (flags >> (CATALOG_FLAGS_WITHOUT_VALUE + index) & 1)
        return CATALOG_NO_VALUE;
    return (int64_t)(flags >> index & 1);
}

void catalog_unpack(const struct catalog_kernel *kernel, const int64_t *words, int64_t *values)
{
    unsigned count = catalog_count_words(kernel);
    uint64_t flags = count > 0 ? (uint64_t)words[count - 1] : 0; /* flags share the last word */
    unsigned word = 0, flag = 0;

    for (unsigned i = 0; i < kernel->shape_count; i++) {
        if (kernel->shape[i].is_flag)
            values[i] = flag_at(flags, flag++);
        else
            values[i] = words[word++];
    }
}

int64_t catalog_pack_text(const char *text)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < sizeof word && text[i] != '\0'; i++)
        word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return (int64_t)word;
}

/* A trace may hold anything, so a character that cannot be printed becomes '?'. */
static void unpack_text(int64_t value, char text[sizeof value + 1])
{
    unsigned length = 0;

    for (uint64_t word = (uint64_t)value; word != 0; word >>= 8)
        text[length++] = (char)((word & 0xff) >= ' ' && (word & 0xff) < 0x7f ? word & 0xff : '?');
    text[length] = '\0';
}

static bool term_is_shown(const struct catalog_term *term, int64_t value)
{
    if (term->is_hidden || (term->is_flag && value != 0 && value != CATALOG_NO_VALUE))
        return false;
    return !term->has_usual || value != term->usual;
}

static int format_term(const struct catalog_term *term, int64_t value, char *text, size_t size)
{
    char letters[sizeof value + 1];

    if (!term_is_shown(term, value))
        return 0;
    if (value == CATALOG_NO_VALUE)
        return snprintf(text, size, "%s=? ", term->name);
    if (term->is_unsigned)
        return snprintf(text, size, "%s=%llu ", term->name, (unsigned long long)value);
    if (!term->is_letter)
        return snprintf(text, size, "%s=%lld ", term->name, (long long)value);
    unpack_text(value, letters);
    return snprintf(text, size, "%s=%s ", term->name, letters);
}

void catalog_format_shape(const struct catalog_kernel *kernel, const int64_t *values, char *text,
                          size_t size)
{
    size_t used = 0;

    if (size > 0)
        text[0] = '\0';
    for (unsigned i = 0; i < kernel->shape_count && used < size; i++) {
        int length = format_term(&kernel->shape[i], values[i], text + used, size - used);

        used += length > 0 ? (size_t)length : 0;
    }
    if (used > 0 && used < size)
        text[used - 1] = '\0';
}
