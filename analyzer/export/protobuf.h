/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of protocol buffers, field by field.
 *
 * Source: https://protobuf.dev/programming-guides/encoding.
 */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { PROTOBUF_VARIABLE = 0, PROTOBUF_SIZED = 2, PROTOBUF_KIND_BITS = 3, PROTOBUF_PART_BITS = 7 };

/* Append a field of a number, of bytes, of a message that is complete, and of numbers in one
 * piece.  A number 0 is the default, and is left out, except in a piece. */
void protobuf_number(struct text *message, unsigned field, uint64_t number);
void protobuf_present(struct text *message, unsigned field, uint64_t number); /* 0, too */
void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size);
void protobuf_message(struct text *message, unsigned field, const struct text *inner);
void protobuf_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count);

/* Frequent messages are composed in place.  Their fields are below 16, so a key is one byte.
 * Returns: the bytes of a number; the other functions return the address behind the written
 * bytes. */
static inline size_t protobuf_size(uint64_t number)
{
    size_t size = 1;

    for (; number >> PROTOBUF_PART_BITS; number >>= PROTOBUF_PART_BITS)
        size++;
    return size;
}

static inline char *protobuf_put(char *place, uint64_t number)
{
    const uint64_t more = UINT64_C(1) << PROTOBUF_PART_BITS;

    for (; number >= more; number >>= PROTOBUF_PART_BITS)
        *place++ = (char)(number % more | more);
    *place++ = (char)number;
    return place;
}

static inline char *protobuf_put_number(char *place, unsigned field, uint64_t number)
{
    *place++ = (char)(field << PROTOBUF_KIND_BITS | PROTOBUF_VARIABLE);
    return protobuf_put(place, number);
}

static inline char *protobuf_put_size(char *place, unsigned field, size_t size)
{
    *place++ = (char)(field << PROTOBUF_KIND_BITS | PROTOBUF_SIZED);
    return protobuf_put(place, size);
}

#endif
