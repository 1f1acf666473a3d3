/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line of a catalog and its tokens, for the readers of the language.
 */
#ifndef SPEC_LINE_H
#define SPEC_LINE_H

#include "catalog.h"

enum { CATALOG_WORD_MAX = 96 };

/* One line after its {a,b} groups were replaced, with the column of each character in the file. */
struct catalog_line {
    char text[CATALOG_LINE_MAX];
    unsigned short column[CATALOG_LINE_MAX];
    unsigned number;
    unsigned position; /* position of the next character to read */
    struct catalog_error *error;
};

/* State a mistake at the cursor, or `back` characters before it.
 * Returns: false, for the reader to return. */
bool line_fail(struct catalog_line *line, unsigned back, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void line_skip_space(struct catalog_line *line);
bool line_is_at_end(struct catalog_line *line);

/* Accept this punctuation if it comes next. */
bool line_accept(struct catalog_line *line, const char *punctuation);

/* Ask whether a character is allowed in an identifier. */
bool line_is_word_character(char c, bool is_first);

/* Read an identifier into `word`.  Returns: its length, 0 if none is next. */
unsigned line_word(struct catalog_line *line, char *word, unsigned size);

/* Read a text behind its opening quote, with the closing one, as a word. */
bool line_read_text(struct catalog_line *line, int64_t *value);

/* Read a word that ends at a blank: a name, a pattern, a glob.
 * Returns: its length. */
unsigned line_token(struct catalog_line *line, char *token, unsigned size);

/* The same into CATALOG_WORD_MAX characters.  `what` names the missing word in the error. */
bool line_expect_token(struct catalog_line *line, char *token, const char *what);
bool line_expect_end(struct catalog_line *line);

#endif
