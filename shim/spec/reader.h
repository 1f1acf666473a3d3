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
    size_t start;      /* of the line that is read */
    unsigned number;   /* of that line, from 1 */
    unsigned variant;  /* of the paragraph that is read */
    unsigned variants; /* 0 until a group was seen */
    struct catalog_line line;
    struct catalog_kernel kernel; /* that is read, with room for the most it may have */
    struct catalog_argument arguments[CATALOG_ARGUMENTS_MAX];
    struct catalog_term shape[CATALOG_SHAPE_MAX];
};

bool reader_is_at_end(const struct catalog_reader *reader);
void reader_next_line(struct catalog_reader *reader);

/* A line that begins in its first column opens a paragraph; blank lines and
 * comments belong to none. */
bool reader_is_at_blank(const struct catalog_reader *reader);
bool reader_is_indented(const struct catalog_reader *reader);

/* Bring the current line, for the current variant, into reader->line.
 * Returns: false at a mistake, which is told. */
bool reader_load_line(struct catalog_reader *reader);

/* State that the arena is full.  Returns: false. */
bool reader_out_of_memory(struct catalog_reader *reader);

#endif
