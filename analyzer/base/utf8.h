/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading UTF-8 that may be broken, and making it whole.
 *
 * Paths and labels come from foreign traces and may contain any bytes.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

/* Read the first code point of a terminated, non-empty string.
 *
 * Returns: its size in bytes; 0 when the first byte starts no valid sequence
 * (overlong forms, surrogates and numbers past U+10FFFF are not valid).
 * Source: RFC 3629, section 4.
 */
size_t utf8_decode(const char *string, uint32_t *code_point);

/* Do the same; if the first byte starts no valid sequence, append it as an escape, such as \xff. */
size_t utf8_decode_or_escape(struct text *out, const char *string, uint32_t *code_point);

/* Returns: the size of the longest prefix of at most `most` bytes that ends behind a whole code
 * point; bytes that are not UTF-8 may end anywhere. */
size_t utf8_cut(const char *string, size_t most);

/* Append a string as valid UTF-8: bytes that are none become escapes, the rest stays. */
void utf8_append_valid(struct text *out, const char *string);

#endif
