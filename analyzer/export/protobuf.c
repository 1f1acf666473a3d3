/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two kinds of fields that are needed: numbers of variable size, and bytes.
 */
#include "export/protobuf.h"

static void append_number(struct text *message, uint64_t number)
{
    char bytes[10];

    text_append_bytes(message, bytes, (size_t)(protobuf_put(bytes, number) - bytes));
}

static void append_key(struct text *message, unsigned field, unsigned kind)
{
    append_number(message, field << PROTOBUF_KIND_BITS | kind);
}

void protobuf_present(struct text *message, unsigned field, uint64_t number)
{
    append_key(message, field, PROTOBUF_VARIABLE);
    append_number(message, number);
}

void protobuf_number(struct text *message, unsigned field, uint64_t number)
{
    if (number != 0)
        protobuf_present(message, field, number);
}

void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size)
{
    append_key(message, field, PROTOBUF_SIZED);
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
