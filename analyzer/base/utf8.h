/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utf8.h: reading UTF-8 that may be broken.
 *
 * Paths and labels come from foreign traces; their bytes may be anything.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Read the first code point of a terminated, non-empty string.
 *
 * Returns: its size in bytes; 0 when the first byte starts no valid sequence
 * (overlong forms, surrogates and numbers past U+10FFFF are not valid).
 * Source: RFC 3629, section 4.
 */
size_t utf8_decode(const char *string, uint32_t *code_point);

#endif
