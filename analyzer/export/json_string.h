/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strings of JSON.  Bytes that are no UTF-8 become escapes.
 */
#ifndef EXPORT_JSON_STRING_H
#define EXPORT_JSON_STRING_H

#include <stdio.h>

#include "base/status.h"
#include "base/text.h"

/* Append a string with its quotes; a failure stays in the text. */
void json_append_string(struct text *text, const char *string);

/* Write one. */
void json_write_string(FILE *out, const char *string);

#endif
