/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable buffer that composes a string.  `bytes` is a terminated string at any moment.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct pool;

struct text {
    const char *bytes;
    size_t size;  /* without the terminating zero */
    char *memory; /* the memory of `bytes`; NULL at first */
    size_t capacity;
    struct pool *pool; /* of the bytes; NULL: they belong to the text */
};

/* Start with the empty string, in the pool in use, if there is one; no memory is taken yet. */
void text_init(struct text *text);

/* Free the bytes.  Those of a pool go with the pool. */
void text_fini(struct text *text);

/* Make the text empty again, keeping the memory. */
void text_clear(struct text *text);

/* Leave the first `size` bytes; nothing happens when there are fewer. */
void text_truncate(struct text *text, size_t size);

/* Append a string. */
void text_append(struct text *text, const char *string);

/* Append `size` bytes, which need no terminating zero. */
void text_append_bytes(struct text *text, const char *bytes, size_t size);

/* Append a word of a list such as "a, b or c": the `index`-th, from 0 on. */
void text_append_choice(struct text *text, const char *word, size_t index, bool is_last);

/* Append an address: "0x1a2b". */
void text_append_address(struct text *text, uint64_t address);

/* Append as printf prints. */
void text_appendf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Append the way from one folder to another, both absolute: from /usr/local/bin to /usr/lib
 * "../../lib"; to itself ".".  Neither folder is looked for, and links are not followed. */
void text_append_way(struct text *text, const char *from, const char *to);

/* Ask whether the last of `size` bytes are those of `end`. */
bool text_ends_with(const char *bytes, size_t size, const char *end);

/* Give the last part of a path; NULL for NULL. */
const char *text_base_name(const char *path);

#endif
