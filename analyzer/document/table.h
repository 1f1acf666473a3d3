/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables: the one type that analyses hand to renderers.
 *
 * An analysis fills a table and never prints; a renderer prints it and never
 * computes.  The schema (the columns and their units) is a constant of the
 * analysis; rows, values and notes belong to the table.  A table belongs to one
 * thread at a time.
 */
#ifndef DOCUMENT_TABLE_H
#define DOCUMENT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/say.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_list.h"

enum value_kind {
    VALUE_NULL, /* unknown; never the same as 0 */
    VALUE_INTEGER,
    VALUE_REAL, /* always finite */
    VALUE_TEXT,
    VALUE_BOOL,
    VALUE_INTERVAL, /* for example a confidence interval */
    VALUE_TABLE     /* rows of its own, such as a chain of calls */
};

struct table;

/* A bound that is not a number is an unknown bound. */
struct value_interval {
    double low;
    double high;
};

/* One cell.  All bytes zero is the null value. */
struct value {
    enum value_kind kind;
    bool is_estimate; /* a number: people see a mark before it */
    union {
        int64_t integer;
        double real;
        char *text; /* owned, terminated, any bytes */
        bool boolean;
        struct value_interval interval;
        struct table *table; /* owned */
    };
};

enum unit {
    UNIT_TEXT,
    UNIT_COUNT,
    UNIT_NS,
    UNIT_BYTES,
    UNIT_FLOPS,
    UNIT_FLOPS_PER_SECOND,
    UNIT_BYTES_PER_SECOND,
    UNIT_FRACTION, /* a share of 1; people see percent */
    UNIT_RATIO,
    UNIT_SPEEDUP, /* a ratio that bounds one: people see no number beyond 1000 */
    UNIT_PER_SECOND,
    UNIT_REAL,
    UNIT_BOOL,
    UNIT_ADDRESS,
    UNIT_NUMBER, /* an identifier, such as a thread; not to be added up */
    UNIT_PLACE,  /* a text that is shortened in the middle, but keeps an offset: "nn.c:52
                    nn_multiply", "parse+0x1f libxml.so" */
    UNIT_ROWS    /* a nested table: people see some of its rows below the row */
};

/* The meaning of a number: a column of a table or a field of a record. */
struct column {
    const char *key;   /* in JSON and CSV, with its unit: "total_ns" */
    const char *title; /* for people: "total" */
    const char *help;  /* one sentence for the manual */
    enum unit unit;
    int priority; /* a narrow terminal drops the highest first; 0 is never
                     dropped */
};

/* The constant part of an analysis's tables. */
struct table_schema {
    const char *name;  /* name of the analysis: "timing" */
    const char *title; /* the heading for people; NULL for none */
    const struct column *columns;
    size_t column_count;
    const char *bar_key; /* the column of fractions that text also draws as a
                            bar; NULL for none */
};

struct table {
    const struct table_schema *schema;
    struct array rows; /* of struct value *, one a row */
    struct text_list notes;
    const char *title; /* for people, replaces the schema's title; kept; NULL: the schema's */
    size_t rows_cut;   /* rows removed by table_truncate */
    double bar_whole;  /* the fraction that fills a bar; 0: 1 */
    size_t bar_width;  /* in characters; 0: 10 */
    /* For a nested table: the rows that people see. */
    size_t shown_from;
    size_t shown_count;
};

/* Set a whole number. */
void value_set_integer(struct value *value, int64_t integer);

/* Set a whole number that may not fit int64_t, such as a count of FLOPs; above INT64_MAX it is
 * stored as a real, which is close enough. */
void value_set_unsigned(struct value *value, uint64_t number);

/* Set a number; one that is not finite is unknown. */
void value_set_real(struct value *value, double real);

/* Set a real, rounded to a whole number, for units that are whole by nature, such as
 * nanoseconds. */
void value_set_rounded(struct value *value, double real);

/* Set a quotient, unknown when the divisor is 0 or unknown. */
void value_set_ratio(struct value *value, long double dividend, long double divisor);

/* Set a count, unknown when it is UINT64_MAX. */
void value_set_known(struct value *value, uint64_t count);

/* Set a count that may be unknown or beyond 63 bits. */
void value_set_count(struct value *value, long double count);

/* Set a copy of a string; NULL is unknown.
 */
void value_set_text(struct value *value, const char *string);

/* Set a composed text, and end the text; an empty one is unknown. */
void value_take_text(struct value *value, struct text *text);

/* Set yes or no. */
void value_set_bool(struct value *value, bool boolean);

/* Set an interval.  A bound that is not finite is unknown; an interval without any bound is
 * unknown, too. */
void value_set_interval(struct value *value, double low, double high);

/* Mark a set value as an estimate, or as none; setting the value again removes the mark. */
void value_mark_estimate(struct value *value, bool is_estimate);

/* Mark several values of a row as estimates.  Shape: `count` numbers of columns. */
void values_mark_estimates(struct value *row, const unsigned char *columns, size_t count);

/* Set an empty table of a schema; the schema is kept, not copied.
 *
 * Returns: the table, to be filled.
 */
struct table *value_set_table(struct value *value, const struct table_schema *schema) MUST_CHECK;

/* Give an integer or a real as a number.
 *
 * Returns: NAN for the other kinds.
 */
double value_number(const struct value *value);

/* Free the memory of the value and make it null. */
void value_fini(struct value *value);

/* Order two values: numbers, then intervals by their lower bound, then no before yes, then texts by
 * their bytes, then tables (all equal), then nulls.
 *
 * Returns: below, at or above 0, as strcmp.
 */
int value_compare(const struct value *left, const struct value *right);

/* Start an empty table; the schema is kept, not copied. */
void table_init(struct table *table, const struct table_schema *schema);

/* Free rows, values and notes. */
void table_fini(struct table *table);

/* Add a row of nulls.
 *
 * Shape: one value for each column, in the order of the schema.
 * Returns: the row; its address stays valid until it is cut or the table ends.
 */
struct value *table_add_row(struct table *table) MUST_CHECK;

/* Add a row of another table with the same schema.  The row lasts until both tables are gone, and
 * must not be changed meanwhile.  So a hundred thousand chains store their shared calls once.
 */
void table_share_row(struct table *table, struct value *row);

/* Give the heading for people; NULL for none. */
const char *table_title(const struct table *table);

/* Count the rows. */
size_t table_row_count(const struct table *table);

/* Give row `index`, which must exist.
 *
 * Shape: one value for each column.
 */
struct value *table_row(const struct table *table, size_t index);

/* Let a page without room for all leave out the last row, as text_list_rank does with lines. */
void table_rank_row(struct table *table, unsigned char rank);

/* Give the rank of row `index`; 0: it stays. */
unsigned char table_rank_at(const struct table *table, size_t index);

/* Find a column by its key.
 *
 * Returns: the index; the number of columns when no column has the key.
 */
size_t table_find_column(const struct table *table, const char *key);

/* Add a sentence under the table: the whole of the percentages, losses, doubts. */
void table_add_note(struct table *table, const char *format, ...) PRINTF_LIKE(2, 3);

/* The same for a row of a table of texts: see say. */
#define table_say(table, ...) text_list_say(&(table)->notes, __VA_ARGS__)

/* Sort the rows by one column.  Equal rows keep their order; unknown values come last in either
 * direction.
 */
void table_sort(struct table *table, size_t column, bool descending);

/* Keep the wanted rows, in their order; the removed rows do not count as cut. */
typedef bool (*table_wants)(const struct table *table, const struct value *row, const void *of);
void table_keep_rows(struct table *table, table_wants wants, const void *of);

/* Keep the first `count` rows.  The cut rows add up in `rows_cut`, and renderers print their
 * number. */
void table_truncate(struct table *table, size_t count);

#endif
