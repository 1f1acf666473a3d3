/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of the catalog, read by precedence climbing (Richards 1979).
 */
#ifndef SPEC_FORMULA_H
#define SPEC_FORMULA_H

#include "line.h"

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
    ELEMENT, /* element of the array that argument `operand` points to */
    BEHIND   /* the same for the array that the previous element points to */
};

/* Names that a formula may use. */
struct formula_scope {
    unsigned count;
    const char *(*name)(const void *of, unsigned index);
    bool (*is_unsigned)(const void *of, unsigned index); /* NULL: none is */
    const void *of;
    bool has_arrays; /* NAME[FORMULA] is an element of the array that NAME points to */
};

/* Read a formula as far as possible, allocating its steps. */
bool formula_read(struct catalog_line *line, struct catalog_arena *arena,
                  const struct formula_scope *scope, struct catalog_formula *formula);

/* Read a formula, and make one that has no value if the read formula is not 0, and is 0
 * otherwise. */
bool formula_read_unknown(struct catalog_line *line, struct catalog_arena *arena,
                          const struct formula_scope *scope, struct catalog_formula *formula);

/* Read NAME, one of `names`, or CONDITION ? NAME : ..., as a formula that gives the index among the
 * names.  `names` ends with NULL. */
bool formula_read_name(struct catalog_line *line, struct catalog_arena *arena,
                       const struct formula_scope *scope, const char *const *names,
                       struct catalog_formula *formula);

#endif
