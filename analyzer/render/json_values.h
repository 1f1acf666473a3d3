/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values, rows and records as trees of jansson, for json.c and jsonl.c.
 */
#ifndef RENDER_JSON_VALUES_H
#define RENDER_JSON_VALUES_H

#include <jansson.h>

#include "base/text_list.h"
#include "document/table.h"
#include "render/render.h"

/* The flags for jansson.  Fifteen digits keep short decimal numbers unchanged, such as 0.1;
 * seventeen keep every double, at the price of 0.10000000000000001.  Only ASCII is written, because
 * a terminal also obeys control characters beyond it. */
size_t json_flags(const struct render_options *options);

/* Set a member.  Takes over `value`, also when it fails or is NULL.  A failure frees the object:
 * the whole tree is then lost, and the caller needs one check.
 * Returns: the object or NULL. */
json_t *json_add_member(json_t *object, const char *key, json_t *value);

/* Bytes that are no UTF-8 are escaped. */
json_t *json_from_text(const char *string);

json_t *json_from_row(const struct table_schema *schema, const struct value *row);
json_t *json_from_record(const struct record *record);
json_t *json_from_list(const struct text_list *list);

/* Append the texts of a list to an array; takes over the array. */
json_t *json_with_list(json_t *array, const struct text_list *list);

#endif
