/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas: read into postfix steps, which evaluate.c runs.
 * Precedence from low to high: ?:  == != < > <= >=  + -  * /  unary -.
 */
#include "formula.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

enum { NAME_MAX_LENGTH = 64, NESTING_MAX = 16 };

/* Steps are gathered here and copied to the arena when their number is known. */
struct builder {
    struct catalog_line *line;
    const struct formula_scope *scope;
    struct catalog_step steps[FORMULA_STEPS_MAX];
    unsigned count;
    unsigned nesting;
};

static bool read_choice(struct builder *builder);

static bool emit(struct builder *builder, enum formula_operation operation, unsigned operand,
                 long double number)
{
    struct catalog_step step = {(unsigned char)operation, (unsigned char)operand, number};

    if (builder->count == FORMULA_STEPS_MAX)
        return line_fail(builder->line, 0, "the formula is too long");
    builder->steps[builder->count++] = step;
    return true;
}

static bool read_number(struct builder *builder)
{
    const char *start = builder->line->text + builder->line->position;
    char *end;
    double number = strtod(start, &end);

    builder->line->position += (unsigned)(end - start);
    return emit(builder, NUMBER, 0, number);
}

static bool expect(struct builder *builder, const char *punctuation)
{
    return line_accept(builder->line, punctuation) ||
           line_fail(builder->line, 0, "expected '%s'", punctuation);
}

static bool read_call(struct builder *builder, const char *name, unsigned length)
{
    static const struct {
        const char *name;
        enum formula_operation operation;
        unsigned arguments;
    } functions[] = {{"min", MINIMUM, 2}, {"max", MAXIMUM, 2}, {"log2", LOG2, 1}};

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(name, functions[i].name) != 0)
            continue;
        if (!expect(builder, "(") || !read_choice(builder))
            return false;
        if (functions[i].arguments == 2 && (!expect(builder, ",") || !read_choice(builder)))
            return false;
        return expect(builder, ")") && emit(builder, functions[i].operation, 0, 0);
    }
    return line_fail(builder->line, length, "'%s' is neither in the shape nor a function", name);
}

/* Read behind a '[': an index, and further indices where the elements point to arrays. */
static bool read_element(struct builder *builder, unsigned index)
{
    unsigned stars = 0;

    do {
        if (!read_choice(builder) || !expect(builder, "]") ||
            !emit(builder, stars == 0 ? ELEMENT : BEHIND, index, stars + 1))
            return false;
        stars++;
    } while (line_accept(builder->line, "["));
    return true;
}

/* A name of the scope; or, with an index after it, an element of an array. */
static bool read_value(struct builder *builder, unsigned index)
{
    const struct formula_scope *scope = builder->scope;
    bool is_unsigned = scope->is_unsigned && scope->is_unsigned(scope->of, index);

    if (scope->has_arrays && line_accept(builder->line, "["))
        return read_element(builder, index);
    return emit(builder, is_unsigned ? UNSIGNED : VALUE, index, 0);
}

/* Returns: the index of a name in the scope; -1 when it is not there. */
static int find_value(const struct formula_scope *scope, const char *name)
{
    for (unsigned i = 0; i < scope->count; i++)
        if (strcmp(scope->name(scope->of, i), name) == 0)
            return (int)i;
    return -1;
}

static bool read_name(struct builder *builder)
{
    char name[NAME_MAX_LENGTH];
    unsigned length = line_word(builder->line, name, sizeof name);
    int index = find_value(builder->scope, name);

    return index >= 0 ? read_value(builder, (unsigned)index) : read_call(builder, name, length);
}

static bool read_text(struct builder *builder)
{
    int64_t value = 0;

    return line_read_text(builder->line, &value) && emit(builder, NUMBER, 0, value);
}

static bool read_primary(struct builder *builder)
{
    struct catalog_line *line = builder->line;

    line_skip_space(line);
    if (isdigit((unsigned char)line->text[line->position]))
        return read_number(builder);
    if (line_is_word_character(line->text[line->position], true))
        return read_name(builder);
    if (line_accept(line, "'"))
        return read_text(builder);
    if (line_accept(line, "("))
        return read_choice(builder) && expect(builder, ")");
    return line_fail(line, 0, "expected a number, a name or '('");
}

static bool read_unary(struct builder *builder)
{
    if (line_accept(builder->line, "-"))
        return read_unary(builder) && emit(builder, NEGATE, 0, 0);
    return read_primary(builder);
}

/* Binary operators; if two start alike, the longer comes first. */
static const struct {
    const char *text;
    enum formula_operation operation;
    unsigned precedence;
} binary_operators[] = {
    {"==", EQUAL, 1},   {"!=", UNEQUAL, 1}, {"<=", AT_MOST, 1}, {">=", AT_LEAST, 1},
    {"<", LESS, 1},     {">", GREATER, 1},  {"+", ADD, 2},      {"-", SUBTRACT, 2},
    {"*", MULTIPLY, 3}, {"/", DIVIDE, 3},
};

static int find_binary(struct builder *builder, unsigned lowest)
{
    for (size_t i = 0; i < sizeof binary_operators / sizeof *binary_operators; i++)
        if (binary_operators[i].precedence >= lowest &&
            line_accept(builder->line, binary_operators[i].text))
            return (int)i;
    return -1;
}

static bool read_binary(struct builder *builder, unsigned lowest)
{
    int found;

    if (!read_unary(builder))
        return false;
    while ((found = find_binary(builder, lowest)) >= 0)
        if (!read_binary(builder, binary_operators[found].precedence + 1) ||
            !emit(builder, binary_operators[found].operation, 0, 0))
            return false;
    return true;
}

static bool read_choice(struct builder *builder)
{
    if (++builder->nesting > NESTING_MAX)
        return line_fail(builder->line, 0, "the formula nests too deeply");
    if (!read_binary(builder, 1))
        return false;
    if (line_accept(builder->line, "?"))
        if (!read_choice(builder) || !expect(builder, ":") || !read_choice(builder) ||
            !emit(builder, SELECT, 0, 0))
            return false;
    builder->nesting--;
    return true;
}

static bool keep(const struct builder *builder, struct catalog_arena *arena,
                 struct catalog_formula *formula)
{
    struct catalog_step *steps = arena_take(arena, builder->count * sizeof *steps);

    if (!steps)
        return line_fail(builder->line, 0, "no memory is left for the catalog");
    memcpy(steps, builder->steps, builder->count * sizeof *steps);
    formula->steps = steps;
    formula->count = builder->count;
    return true;
}

bool formula_read(struct catalog_line *line, struct catalog_arena *arena,
                  const struct formula_scope *scope, struct catalog_formula *formula)
{
    struct builder builder = {.line = line, .scope = scope};

    return read_choice(&builder) && keep(&builder, arena, formula);
}

bool formula_read_unknown(struct catalog_line *line, struct catalog_arena *arena,
                          const struct formula_scope *scope, struct catalog_formula *formula)
{
    struct builder builder = {.line = line, .scope = scope};

    return read_choice(&builder) && emit(&builder, NUMBER, 0, (long double)NAN) &&
           emit(&builder, NUMBER, 0, 0) && emit(&builder, SELECT, 0, 0) &&
           keep(&builder, arena, formula);
}

/* States the expected names, `back` characters before the cursor. */
static bool fail_names(struct catalog_line *line, unsigned back, const char *const *names)
{
    char list[CATALOG_ERROR_MAX / 2] = "";

    for (size_t used = 0; *names && used < sizeof list; names++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", *names);
    return line_fail(line, back, "expected %s, or a condition of the shape and '?'", list);
}

static int find_text(const char *const *texts, const char *text)
{
    for (int i = 0; texts[i]; i++)
        if (strcmp(texts[i], text) == 0)
            return i;
    return -1;
}

static bool read_choice_of_names(struct builder *builder, const char *const *names)
{
    struct catalog_line *line = builder->line;
    unsigned start = line->position, length;
    char word[NAME_MAX_LENGTH];
    int place;

    if (line_is_at_end(line))
        return fail_names(line, 0, names);
    length = line_word(line, word, sizeof word);
    place = find_value(builder->scope, word) < 0 ? find_text(names, word) : -1;
    if (place >= 0)
        return emit(builder, NUMBER, 0, place);
    if (length > 0 && line_is_at_end(line))
        return fail_names(line, length, names);
    line->position = start;
    if (++builder->nesting > NESTING_MAX)
        return line_fail(line, 0, "the formula nests too deeply");
    if (!read_binary(builder, 1) || !expect(builder, "?") ||
        !read_choice_of_names(builder, names) || !expect(builder, ":") ||
        !read_choice_of_names(builder, names))
        return false;
    builder->nesting--;
    return emit(builder, SELECT, 0, 0);
}

bool formula_read_name(struct catalog_line *line, struct catalog_arena *arena,
                       const struct formula_scope *scope, const char *const *names,
                       struct catalog_formula *formula)
{
    struct builder builder = {.line = line, .scope = scope};

    return read_choice_of_names(&builder, names) && keep(&builder, arena, formula);
}
