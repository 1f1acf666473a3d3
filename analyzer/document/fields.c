/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields of records.
 */
#include "document/fields.h"

struct fields fields_begin(struct record *record, const struct column *columns)
{
    return (struct fields){record, columns, 0, STATUS_OK};
}

static const struct column *next_column(struct fields *fields)
{
    return &fields->columns[fields->used++];
}

static struct value *next_value(struct fields *fields)
{
    const struct column *column = next_column(fields);
    struct value *value = record_add_value(fields->record, column);

    return value;
}

void fields_add_null(struct fields *fields)
{
    next_value(fields);
}

/* The fields that are set from one number. */
#define FIELDS_ADD(kind, type, set)                                                                \
    void fields_add_##kind(struct fields *fields, type number)                                     \
    {                                                                                              \
        struct value *value = next_value(fields);                                                  \
                                                                                                   \
        if (value)                                                                                 \
            set(value, number);                                                                    \
    }
FIELDS_ADD(count, uint64_t, value_set_known)
FIELDS_ADD(signed, int64_t, value_set_integer)
FIELDS_ADD(real, double, value_set_real)
FIELDS_ADD(rounded, double, value_set_rounded)
FIELDS_ADD(large, long double, value_set_count)
FIELDS_ADD(bool, bool, value_set_bool)
#undef FIELDS_ADD

void fields_add_text(struct fields *fields, const char *text)
{
    struct value *value = next_value(fields);

    value_set_text(value, text);
}

void fields_add_list(struct fields *fields, const struct text_list *list)
{
    const struct column *column = next_column(fields);
    struct text_list *copy = record_add_list(fields->record, column);

    for (size_t i = 0; i < text_list_count(list); i++)
        text_list_add(copy, text_list_at(list, i));
}

struct fields fields_add_record(struct fields *fields, const struct column *columns)
{
    const struct column *column = next_column(fields);
    struct record *record = record_add_record(fields->record, column);

    return fields_begin(record, columns);
}
