/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a catalog by lines, with the {a,b} groups of a paragraph replaced.
 */
#ifndef SPEC_READER_H
#define SPEC_READER_H

#include "line.h"

struct catalog_reader {
    struct catalog *catalog;
    struct catalog_arena *arena;
    const char *text;
    size_t size;
    size_t start;      /* start of the current line */
    unsigned number;   /* number of that line, from 1 */
    unsigned variant;  /* variant of the current paragraph */
    unsigned variants; /* 0 until a group was seen */
    struct catalog_line line;
    struct catalog_kernel kernel; /* the present one, with room for the largest */
    struct catalog_argument arguments[CATALOG_ARGUMENTS_MAX];
    struct catalog_term shape[CATALOG_SHAPE_MAX];
};

bool reader_is_at_end(const struct catalog_reader *reader);
void reader_next_line(struct catalog_reader *reader);

/* A line that starts in its first column opens a paragraph; blank lines and comments belong to
 * none. */
bool reader_is_at_blank(const struct catalog_reader *reader);
bool reader_is_indented(const struct catalog_reader *reader);

/* Load the current line, for the current variant, into reader->line.
 * Returns: false at a mistake, stated in the error. */
bool reader_load_line(struct catalog_reader *reader);

/* State that the arena is full.  Returns: false. */
bool reader_out_of_memory(struct catalog_reader *reader);

#endif
