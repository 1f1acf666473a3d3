/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables that all threads of a profile of Firefox share: strings, functions, frames and stacks.
 */
#ifndef EXPORT_FIREFOX_TABLES_H
#define EXPORT_FIREFOX_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "base/text_index.h"

struct place;

enum { FIREFOX_COLUMNS = 4 };

/* Unique rows, stored column by column as JSON. */
struct firefox_table {
    struct text_index index;
    struct text columns[FIREFOX_COLUMNS];
    const char *none[FIREFOX_COLUMNS]; /* the words for no number; NULL: "null" */
    long count;
};

struct firefox_tables {
    struct firefox_table strings, sources, resources, functions, frames, stacks;
    struct text key;
    bool has_no_memory;
};

void firefox_tables_init(struct firefox_tables *tables);
void firefox_tables_fini(struct firefox_tables *tables);

/* Give the number of a string. */
long firefox_find_string(struct firefox_tables *tables, const char *string);

/* Give the number of the stack that has a place inside another stack; -1: there is no other. */
long firefox_find_stack(struct firefox_tables *tables, long around, const struct place *place);

/* Append a number to a column; `none` replaces -1. */
void firefox_append(struct text *column, long number, const char *none);

/* Write the tables as the value of "shared". */
void firefox_tables_write(const struct firefox_tables *tables, FILE *out);

#endif
