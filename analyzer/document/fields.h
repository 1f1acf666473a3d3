/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Filling a record field by field, remembering the first failure: the caller
 * asks once, at the end.
 */
#ifndef DOCUMENT_FIELDS_H
#define DOCUMENT_FIELDS_H

#include "document/document.h"

/* A column that people do not see: a key and its unit. */
#define FIELD(key, unit)                                                                           \
    {                                                                                              \
        key, NULL, NULL, unit, 0                                                                   \
    }

struct fields {
    struct record *record;
    const struct column *columns; /* of the record, in the order of use */
    size_t used;
    enum status status;
};

/* Begin to fill; a NULL record is a failure already. */
struct fields fields_begin(struct record *record, const struct column *columns);

/* Add the next column's field.  SESSION_UNKNOWN and NAN give null. */
void fields_add_count(struct fields *fields, uint64_t count);
void fields_add_signed(struct fields *fields, int64_t number);
void fields_add_real(struct fields *fields, double real);
void fields_add_rounded(struct fields *fields, double real); /* what is whole by nature */
void fields_add_large(struct fields *fields, long double count);
void fields_add_text(struct fields *fields, const char *text);
void fields_add_bool(struct fields *fields, bool boolean);
void fields_add_null(struct fields *fields);
void fields_add_list(struct fields *fields, const struct text_list *list);

/* Add the next column's field as a nested record of `columns`. */
struct fields fields_add_record(struct fields *fields, const struct column *columns);

#endif
