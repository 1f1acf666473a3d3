/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks in a table, for the formats of builds.
 *
 * A document has checks when its main table has the columns "check", "outcome" (passed, failed or
 * skipped) and "message"; each row is a check.  The others may be missing.
 */
#ifndef RENDER_CHECKS_H
#define RENDER_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "document/table.h"

enum checks_column {
    CHECKS_NAME,
    CHECKS_OUTCOME,
    CHECKS_MESSAGE,
    CHECKS_LEVEL, /* error, warning or notice; none: nothing to tell */
    CHECKS_FILE,
    CHECKS_LINE,
    CHECKS_QUANTITY, /* its key, with the unit: "total_ns" */
    CHECKS_VALUE,    /* of the new runs */
    CHECKS_SUBJECT,
    CHECKS_PART,
    CHECKS_SHAPE,
    CHECKS_RESULT, /* in one word: "small" */
    CHECKS_SHARE,  /* of the wall time; only times have one */
    CHECKS_COLUMNS
};

struct checks {
    const struct table *table;
    size_t columns[CHECKS_COLUMNS]; /* SIZE_MAX: missing */
};

/* Find the columns of a table; NULL is no table.  `format` needs the checks.
 * Errors: STATUS_USAGE: the table has no checks. */
enum status checks_find(struct checks *checks, const struct table *table, const char *format,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Appends all checks to a page; `of`: data of the format. */
typedef void (*checks_writer)(struct text *page, const struct checks *checks, const void *of);

/* Write the checks of a table as a page.
 * Errors: as checks_find and render_finish. */
enum status checks_write(const struct table *table, const char *format, checks_writer append,
                         const void *of, FILE *out, struct diagnostic *diagnostic) MUST_CHECK;

/* Returns: the text of a check; "" if it is unknown. */
const char *checks_text(const struct checks *checks, size_t row, enum checks_column column);

/* Returns: a cell; NULL if its column is missing. */
const struct value *checks_cell(const struct checks *checks, size_t row, enum checks_column column);

/* Count the checks with a text in a column. */
size_t checks_count(const struct checks *checks, enum checks_column column, const char *text);

/* Find the place of a check in the sources of the project.  Returns: NULL: it is unknown, or
 * elsewhere, as its path is absolute. */
const char *checks_file(const struct checks *checks, size_t row, long *line);

#endif
