/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole report, as an ordered list of sections.
 *
 * A section is a record (JSON object), a table (JSON array of objects), lines of prose or a plot
 * (both for people only).  JSON and text need not show the same sections: each section says where
 * it is shown.  Records may nest, so they can express the JSON contract of the manual.  A document
 * belongs to one thread at a time.
 *
 * The results of the add functions stay valid until the document ends.
 */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/attributes.h"
#include "base/say.h"
#include "base/text.h"
#include "base/text_list.h"
#include "document/plot.h"
#include "document/table.h"

/* Fields in the order they were added. */
struct record {
    struct array fields; /* void *, each to a struct field */
};

enum field_kind { FIELD_VALUE, FIELD_LIST, FIELD_RECORD };

struct field {
    struct column column; /* its texts are kept, not copied; a column without a title is for JSON
                             only */
    enum field_kind kind;
    union {
        struct value value;
        struct text_list list;
        struct record record;
    };
};

/* Where a section is shown; "text" means every format for people. */
enum section_place {
    SECTION_IN_TEXT = 1,
    SECTION_IN_JSON = 2,
    SECTION_IN_BOTH = SECTION_IN_TEXT | SECTION_IN_JSON
};

enum section_kind { SECTION_RECORD, SECTION_TABLE, SECTION_LINES, SECTION_PLOT };

struct section {
    const char *key;   /* the key in JSON; kept, not copied */
    const char *title; /* for people, in records and lines; kept; NULL: none */
    char *heading;     /* owned; replaces any title; NULL: none */
    char *hint;        /* owned: a hint where to read on, at the right of the heading; NULL: none */
    enum section_place place;
    enum section_kind kind;
    bool is_folded; /* details: a terminal hides them; a page shows plots, and the other details on
                       a click */
    union {
        struct record record;
        struct table table; /* brings its title in its schema */
        struct text_list lines;
        struct plot plot;
    };
};

struct document {
    struct array sections; /* void *, each to a struct section */
    const char *name;      /* the name of "table" in JSON; kept; NULL: none */
    const char *main;      /* key of the table for formats of a single table; NULL: none */
    enum status verdict;   /* the command's status when all else succeeded */
    /* Text of more lines leaves out ranked lines and rows, and says which command has all; 0: it
     * has any number of lines. */
    size_t most_lines;
    const char *whole; /* that command; kept; NULL: it is not named */
};

/* Add a field holding a null, for one of the value_set functions.
 *
 * Returns: the value.
 */
struct value *record_add_value(struct record *record, const struct column *column) MUST_CHECK;

/* Add a field with a composed line, unless the line is empty, and empty the line for the next. */
void record_add_line(struct record *record, const struct column *column, struct text *line);

/* A line for people that `append` composes from the caller's `of`; an empty one is left out. */
struct record_line {
    struct column column;
    void (*append)(struct text *line, const void *of);
};

/* Add composed lines as fields, in their order; a NULL record is a failure already.
 *
 * Errors: as above.
 */
void record_add_lines(struct record *record, const struct record_line *lines, size_t count,
                      const void *of);

/* Add each doubt about the figures as a line for people, titled "Doubt". */
void record_add_doubts(struct record *record, const struct text_list *doubts);

/* Add a field holding an empty list of strings.
 *
 * Returns: the list.
 */
struct text_list *record_add_list(struct record *record, const struct column *column) MUST_CHECK;

/* Add a field holding an empty record.
 *
 * Returns: the nested record.
 */
struct record *record_add_record(struct record *record, const struct column *column) MUST_CHECK;

/* Count the fields. */
size_t record_field_count(const struct record *record);

/* Give field `index`, which must exist. */
const struct field *record_field(const struct record *record, size_t index);

/* Start an empty document. */
void document_init(struct document *document);

/* Free the sections and all they hold. */
void document_fini(struct document *document);

/* Add a section of fields.
 *
 * Returns: its empty record.
 */
struct record *document_add_record(struct document *document, const char *key, const char *title,
                                   enum section_place place) MUST_CHECK;

/* Add a section for the table of an analysis, which will call table_init.
 *
 * Returns: a table without columns.
 */
struct table *document_add_table(struct document *document, const char *key,
                                 enum section_place place) MUST_CHECK;

/* The same with an empty table of a schema; the schema is kept, not copied. */
struct table *document_start_table(struct document *document, const char *key,
                                   enum section_place place,
                                   const struct table_schema *schema) MUST_CHECK;

/* Add a section of prose, for people only.
 *
 * Returns: its empty list of lines.
 */
struct text_list *document_add_lines(struct document *document, const char *title);

/* Add a plot, for people only.
 *
 * Returns: the empty plot, which keeps its title.
 */
struct plot *document_add_plot(struct document *document, const char *title) MUST_CHECK;

/* Give the last added section a composed heading and, on its right, a hint where to read on; the
 * hint may be NULL.  The heading is emptied, for the next use.
 */
void document_head(struct document *document, struct text *heading, const char *hint);

/* The same with a sentence: a row of texts, and a value for each of its places. */
#define document_say_head(document, hint, ...)                                                     \
    document_say_head_all(document, hint, SAID_LIST(__VA_ARGS__))
void document_say_head_all(struct document *document, const char *hint, const struct said *said);

/* Move the sections for people from another document; the first gets the hint, unless it has
 * one. */
void document_take(struct document *document, struct document *other, const char *hint);

/* Fold the last section. */
void document_fold(struct document *document);

/* Count the sections. */
size_t document_section_count(const struct document *document);

/* Give section `index`, which must exist. */
const struct section *document_section(const struct document *document, size_t index);

/* Find the table of a key, which may be NULL.  Returns: NULL when there is none. */
struct table *document_find_table(const struct document *document, const char *key);

/* Find the table for formats of a single table.  Returns: the table, or NULL when there is none. */
struct table *document_main_table(const struct document *document);

/* Give the line above a section: its heading, or else its title.  Returns: NULL for none. */
const char *section_heading(const struct section *section);

/* Ask whether a section is shown in a place. */
bool section_is_in(const struct section *section, enum section_place place);

#endif
