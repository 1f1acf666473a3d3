/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Strings of JSON, by jansson.
 */
#include "export/json_string.h"

#include <jansson.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/utf8.h"

void json_append_string(struct text *text, const char *string)
{
    struct text valid;
    json_t *json;
    char *encoded;

    text_init(&valid);
    utf8_append_valid(&valid, string);
    json = json_string(valid.bytes);
    encoded = memory_have(json_dumps(json, JSON_ENCODE_ANY));
    text_append(text, encoded);
    json_decref(json);
    text_fini(&valid);
    free(encoded);
}

void json_write_string(FILE *out, const char *string)
{
    struct text text;

    text_init(&text);
    json_append_string(&text, string);
    fputs(text.bytes, out);
    text_fini(&text);
}
