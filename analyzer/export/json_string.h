/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strings of JSON.  Bytes that are no UTF-8 become escapes.
 */
#ifndef EXPORT_JSON_STRING_H
#define EXPORT_JSON_STRING_H

#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

/* Append a string with its quotes; a failure stays in the text. */
void json_append_string(struct text *text, const char *string);

/* Write one.  Errors: STATUS_OUT_OF_MEMORY. */
enum status json_write_string(FILE *out, const char *string) MUST_CHECK;

#endif
