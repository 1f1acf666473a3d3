/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text of a catalog by lines and tokens, for its readers: catalog.c the
 * paragraphs, prototype.c what stands behind proto and shape.
 */
#ifndef SPEC_READER_H
#define SPEC_READER_H

#include "formula.h"

enum { CATALOG_WORD_MAX = 96 };

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

/* Read a word that ends at a blank: a name, a pattern, a glob.
 * Returns: its length. */
unsigned line_token(struct catalog_line *line, char *token, unsigned size);

/* The same into CATALOG_WORD_MAX characters; it is a mistake when there is
 * none, and `what` says what was expected. */
bool line_expect_token(struct catalog_line *line, char *token, const char *what);
bool line_expect_end(struct catalog_line *line);

/* proto RESULT [NAME] ( ARGUMENT, ... ) */
bool prototype_read(struct catalog_reader *reader, struct catalog_kernel *kernel);

/* shape TERM ... ( TERM ... ) ... */
bool prototype_read_shape(struct catalog_reader *reader, struct catalog_kernel *kernel);

#endif
