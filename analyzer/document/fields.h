/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fields that programs read: each is put with its key and its unit.
 */
#ifndef DOCUMENT_FIELDS_H
#define DOCUMENT_FIELDS_H

#include <stdint.h>

#include "document/document.h"

/* A column that people do not see. */
#define FIELD(key, unit)                                                                           \
    {                                                                                              \
        key, NULL, NULL, unit, 0                                                                   \
    }

/* Put a field; the key is kept, not copied.  SESSION_UNKNOWN, NAN and a NULL text become null. */
void fields_put_count(struct record *record, const char *key, enum unit unit, uint64_t count);
void fields_put_signed(struct record *record, const char *key, enum unit unit, int64_t number);
void fields_put_real(struct record *record, const char *key, enum unit unit, double real);
void fields_put_large(struct record *record, const char *key, enum unit unit, long double count);
void fields_put_text(struct record *record, const char *key, const char *text);
void fields_put_bool(struct record *record, const char *key, bool boolean);
void fields_put_null(struct record *record, const char *key);
void fields_put_list(struct record *record, const char *key, const struct text_list *list);

/* Put an interval. */
void fields_put_interval(struct record *record, const char *key, enum unit unit, double low,
                         double high);

/* Put a number that is whole by nature. */
void fields_put_rounded(struct record *record, const char *key, enum unit unit, double real);

/* Put an empty record.  Returns: this record. */
struct record *fields_put_record(struct record *record, const char *key);

/* Show the last put field to people, too, with a title; the title is kept. */
void fields_title(struct record *record, const char *title);

#endif
