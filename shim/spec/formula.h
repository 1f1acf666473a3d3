/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of the catalog: a cursor over one line, and the expressions on it.
 * Used by catalog.c alone; separate because parsing of expressions is a
 * subject of its own (precedence climbing, Richards 1979).
 */
#ifndef SPEC_FORMULA_H
#define SPEC_FORMULA_H

#include "catalog.h"

/* One line after its {a,b} groups were replaced, with the column that every
 * character has in the file. */
struct catalog_line {
    char text[CATALOG_LINE_MAX];
    unsigned short column[CATALOG_LINE_MAX];
    unsigned number;
    unsigned position; /* of the next character to read */
    struct catalog_error *error;
};

enum { FORMULA_STEPS_MAX = 96 };

enum formula_operation {
    NUMBER,
    VALUE,
    UNSIGNED, /* a value whose word has no sign */
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    NEGATE,
    EQUAL,
    UNEQUAL,
    LESS,
    GREATER,
    AT_MOST,
    AT_LEAST,
    SELECT,
    MINIMUM,
    MAXIMUM,
    LOG2,
    ELEMENT, /* of the array that argument `operand` points to */
    BEHIND   /* the same, of the array that an element before it points to */
};

/* Names that a formula may use. */
struct formula_scope {
    unsigned count;
    const char *(*name)(const void *of, unsigned index);
    bool (*is_unsigned)(const void *of, unsigned index); /* NULL: none is */
    const void *of;
    bool has_arrays; /* NAME[FORMULA] is an element of what NAME points to */
};

/* State the mistake at the cursor, or `back` characters before it.
 * Returns: false, so that a reader may return it. */
bool line_fail(struct catalog_line *line, unsigned back, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void line_skip_space(struct catalog_line *line);
bool line_is_at_end(struct catalog_line *line);

/* Accept this punctuation if it comes next. */
bool line_accept(struct catalog_line *line, const char *punctuation);

/* Read an identifier into `word`.  Returns: its length, 0 if none is next. */
unsigned line_word(struct catalog_line *line, char *word, unsigned size);

/* Read a text behind its opening quote, with the closing one, as a word. */
bool line_read_text(struct catalog_line *line, int64_t *value);

/* Read a formula up to where it cannot go on, allocating its steps. */
bool formula_read(struct catalog_line *line, struct catalog_arena *arena,
                  const struct formula_scope *scope, struct catalog_formula *formula);

/* The same, but the formula becomes one that has no value where the read one is
 * not 0, and is 0 where that is. */
bool formula_read_unknown(struct catalog_line *line, struct catalog_arena *arena,
                          const struct formula_scope *scope, struct catalog_formula *formula);

/* Read NAME, one of `names`, or CONDITION ? NAME : ..., a formula that gives the place among
 * the names.  `names` ends with NULL. */
bool formula_read_name(struct catalog_line *line, struct catalog_arena *arena,
                       const struct formula_scope *scope, const char *const *names,
                       struct catalog_formula *formula);

/* Take `size` bytes of an arena, aligned for any type; NULL when it is full. */
void *arena_take(struct catalog_arena *arena, size_t size);
char *arena_copy(struct catalog_arena *arena, const char *text, size_t length);

#endif
