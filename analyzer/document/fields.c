/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields of records.
 */
#include "document/fields.h"

static struct value *put(struct record *record, const char *key, enum unit unit)
{
    const struct column column = FIELD(key, unit);

    return record_add_value(record, &column);
}

void fields_put_count(struct record *record, const char *key, enum unit unit, uint64_t count)
{
    value_set_known(put(record, key, unit), count);
}

void fields_put_signed(struct record *record, const char *key, enum unit unit, int64_t number)
{
    value_set_integer(put(record, key, unit), number);
}

void fields_put_real(struct record *record, const char *key, enum unit unit, double real)
{
    value_set_real(put(record, key, unit), real);
}

void fields_put_rounded(struct record *record, const char *key, enum unit unit, double real)
{
    value_set_rounded(put(record, key, unit), real);
}

void fields_put_interval(struct record *record, const char *key, enum unit unit, double low,
                         double high)
{
    value_set_interval(put(record, key, unit), low, high);
}

void fields_put_large(struct record *record, const char *key, enum unit unit, long double count)
{
    value_set_count(put(record, key, unit), count);
}

void fields_put_text(struct record *record, const char *key, const char *text)
{
    value_set_text(put(record, key, UNIT_TEXT), text);
}

void fields_put_bool(struct record *record, const char *key, bool boolean)
{
    value_set_bool(put(record, key, UNIT_BOOL), boolean);
}

void fields_put_null(struct record *record, const char *key)
{
    put(record, key, UNIT_TEXT);
}

void fields_put_list(struct record *record, const char *key, const struct text_list *list)
{
    const struct column column = FIELD(key, UNIT_TEXT);
    struct text_list *copy = record_add_list(record, &column);

    for (size_t i = 0; i < text_list_count(list); i++)
        text_list_add(copy, text_list_at(list, i));
}

struct record *fields_put_record(struct record *record, const char *key)
{
    const struct column column = FIELD(key, UNIT_TEXT);

    return record_add_record(record, &column);
}

void fields_title(struct record *record, const char *title)
{
    struct field *const *last = array_at(&record->fields, record->fields.count - 1);

    (*last)->column.title = title;
}
