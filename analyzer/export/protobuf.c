/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two kinds of fields that are needed: numbers of variable size, and bytes.
 */
#include "export/protobuf.h"

enum { VARIABLE = 0, SIZED = 2, KIND_BITS = 3, PART_BITS = 7, MORE = 1 << PART_BITS };

static void append_number(struct text *message, uint64_t number)
{
    char bytes[10];
    size_t size = 0;

    do {
        bytes[size] = (char)(number % MORE);
        number >>= PART_BITS;
        if (number > 0)
            bytes[size] = (char)(bytes[size] | MORE);
        size++;
    } while (number > 0);
    text_append_bytes(message, bytes, size);
}

static void append_key(struct text *message, unsigned field, unsigned kind)
{
    append_number(message, field << KIND_BITS | kind);
}

void protobuf_present(struct text *message, unsigned field, uint64_t number)
{
    append_key(message, field, VARIABLE);
    append_number(message, number);
}

void protobuf_number(struct text *message, unsigned field, uint64_t number)
{
    if (number != 0)
        protobuf_present(message, field, number);
}

void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size)
{
    append_key(message, field, SIZED);
    append_number(message, size);
    text_append_bytes(message, bytes, size);
}

void protobuf_message(struct text *message, unsigned field, const struct text *inner)
{
    protobuf_bytes(message, field, inner->bytes, inner->size);
}

void protobuf_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count)
{
    struct text piece;

    text_init(&piece);
    for (size_t i = 0; i < count; i++)
        append_number(&piece, numbers[i]);
    protobuf_message(message, field, &piece);
    text_fini(&piece);
}
