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

/* Append a field of a number, of bytes, of a message that is complete, and of numbers in one
 * piece.  A number 0 is the default, and is left out but in a piece. */
void protobuf_number(struct text *message, unsigned field, uint64_t number);
void protobuf_present(struct text *message, unsigned field, uint64_t number); /* 0, too */
void protobuf_bytes(struct text *message, unsigned field, const char *bytes, size_t size);
void protobuf_message(struct text *message, unsigned field, const struct text *inner);
void protobuf_numbers(struct text *message, unsigned field, const uint64_t *numbers, size_t count);

#endif
