/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prototypes of the catalog, and the shapes that are made of their arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

static const struct {
    const char *name;
    enum catalog_access access;
} types[] = {
    {"void", CATALOG_NONE},
    {"char", CATALOG_LETTER},
    {"int", CATALOG_INT32},
    {"unsigned", CATALOG_UINT32},
    {"int32_t", CATALOG_INT32},
    {"uint32_t", CATALOG_UINT32},
    {"long", CATALOG_INT64},
    {"int64_t", CATALOG_INT64},
    {"uint64_t", CATALOG_UINT64},
    {"size_t", CATALOG_UINT64},
    {"ptrdiff_t", CATALOG_INT64},
    {"integer", CATALOG_INTEGER},
    {"cblas_enum", CATALOG_CBLAS},
    {"float", CATALOG_FLOAT},
    {"double", CATALOG_DOUBLE},
    {"float_complex", CATALOG_FLOAT_COMPLEX},
    {"double_complex", CATALOG_DOUBLE_COMPLEX},
};

static bool is_qualifier(const char *word)
{
    return strcmp(word, "const") == 0 || strcmp(word, "restrict") == 0 ||
           strcmp(word, "struct") == 0 || strcmp(word, "enum") == 0;
}

static bool find_type(const char *word, enum catalog_access *access)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, word) != 0)
            continue;
        *access = types[i].access;
        return true;
    }
    return false;
}

/* TYPE [*...]: qualifiers, one type word, stars. */
static bool read_type(struct catalog_reader *reader, struct catalog_argument *argument)
{
    struct catalog_line *line = &reader->line;
    char word[CATALOG_WORD_MAX];
    unsigned length;
    unsigned end;
    bool is_known;

    do
        length = line_word(line, word, sizeof word);
    while (is_qualifier(word));
    end = line->position;
    if (length == 0)
        return line_fail(line, 0, "expected a type");
    argument->access = CATALOG_NONE;
    is_known = find_type(word, &argument->access);
    while (line_accept(line, "*"))
        argument->is_pointer = true;
    if (!is_known && !argument->is_pointer)
        return line_fail(line, line->position - end + length,
                         "the type '%s' is not known; a pointer to it would be", word);
    return true;
}

static bool read_argument(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_argument *argument = &kernel->arguments[kernel->argument_count];
    char name[CATALOG_WORD_MAX];

    if (kernel->argument_count == CATALOG_ARGUMENTS_MAX)
        return line_fail(&reader->line, 0, "a kernel has at most %d arguments",
                         CATALOG_ARGUMENTS_MAX);
    if (!read_type(reader, argument))
        return false;
    if (line_word(&reader->line, name, sizeof name) == 0)
        return line_fail(&reader->line, 0, "expected the argument's name");
    argument->name = arena_copy(reader->arena, name, strlen(name));
    kernel->argument_count++;
    return argument->name || reader_out_of_memory(reader);
}

/* proto RESULT [NAME] ( ARGUMENT, ... ) */
bool prototype_read(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    struct catalog_argument result = {0};
    char word[CATALOG_WORD_MAX];

    kernel->has_proto = true;
    if (!read_type(reader, &result))
        return false;
    kernel->result = result.is_pointer ? CATALOG_NONE : result.access;
    line_word(line, word, sizeof word);
    if (!line_accept(line, "("))
        return line_fail(line, 0, "expected '('");
    if (line_accept(line, "void)") || line_accept(line, ")"))
        return line_expect_end(line);
    do
        if (!read_argument(reader, kernel))
            return false;
    while (line_accept(line, ","));
    if (!line_accept(line, ")"))
        return line_fail(line, 0, "expected ',' or ')'");
    return line_expect_end(line);
}

/* ---- shapes ------------------------------------------------------------ */

static const char *argument_name(const void *of, unsigned index)
{
    return ((const struct catalog_kernel *)of)->arguments[index].name;
}

static int find_argument(const struct catalog_kernel *kernel, const char *name)
{
    for (unsigned i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, name) == 0)
            return (int)i;
    return -1;
}

static bool is_integer(enum catalog_access access)
{
    return access >= CATALOG_INT32 && access <= CATALOG_INTEGER;
}

static bool is_letter(enum catalog_access access)
{
    return access == CATALOG_LETTER || access == CATALOG_CBLAS;
}

static bool term_of_argument(struct catalog_reader *reader, struct catalog_kernel *kernel,
                             struct catalog_term *term, unsigned length)
{
    enum catalog_access access;

    term->argument = find_argument(kernel, term->name);
    if (term->argument < 0)
        return line_fail(&reader->line, length, "'%s' is no argument of the proto above",
                         term->name);
    access = kernel->arguments[term->argument].access;
    term->is_flag = line_accept(&reader->line, "?");
    term->is_letter = !term->is_flag && is_letter(access);
    term->is_unsigned = !term->is_flag && access == CATALOG_UINT64;
    if (term->is_flag && access == CATALOG_NONE)
        return line_fail(&reader->line, length + 1, "'%s' points to nothing that could be zero",
                         term->name);
    if (!term->is_flag && !is_integer(access) && !is_letter(access))
        return line_fail(&reader->line, length, "'%s' is not an integer", term->name);
    return true;
}

/* Does a plan hold it as it is? */
static bool is_number_of_plan(long double number)
{
    return number >= INT32_MIN && number <= INT32_MAX && number == (long double)(int32_t)number;
}

/* Everything that a formula takes from the arguments must be an integer, and so
 * must its numbers. */
static bool check_term_formula(struct catalog_reader *reader, const struct catalog_kernel *kernel,
                               const struct catalog_formula *formula)
{
    for (unsigned i = 0; i < formula->count; i++) {
        const struct catalog_step *step = &formula->steps[i];
        const struct catalog_argument *argument = &kernel->arguments[step->operand];

        if (step->operation == LOG2)
            return line_fail(&reader->line, 0, "log2 has no place in a shape");
        if (step->operation == NUMBER && !is_number_of_plan(step->number))
            return line_fail(&reader->line, 0,
                             "a number in a shape is whole and fits 32 bits, a text has four "
                             "letters at most");
        if (step->operation == VALUE && !is_integer(argument->access) &&
            !is_letter(argument->access))
            return line_fail(&reader->line, 0, "'%s' is not an integer", argument->name);
        if (step->operation == ELEMENT && (!argument->is_pointer || !is_integer(argument->access)))
            return line_fail(&reader->line, 0, "'%s' is no array of integers", argument->name);
    }
    return true;
}

/* What follows the name of an adapter's term: nothing, :text, or its usual value. */
static bool read_usual(struct catalog_line *line, struct catalog_term *term)
{
    char word[CATALOG_WORD_MAX];
    char *end;

    if (!line_accept(line, ":"))
        return true;
    line_word(line, word, sizeof word);
    term->is_letter = strcmp(word, "text") == 0;
    if (term->is_letter)
        return true;
    term->usual = strtoll(line->text + line->position, &end, 10);
    if (end == line->text + line->position)
        return line_fail(line, (unsigned)strlen(word), "expected 'text' or a number");
    line->position = (unsigned)(end - line->text);
    term->has_usual = true;
    return true;
}

/* NAME, NAME?, NAME=FORMULA or NAME?=FORMULA; of an adapter NAME, NAME:text or NAME:USUAL */
static bool read_term(struct catalog_reader *reader, struct catalog_kernel *kernel,
                      struct catalog_term *term)
{
    struct catalog_line *line = &reader->line;
    struct formula_scope scope = {kernel->argument_count, argument_name, NULL, kernel, true};
    char name[CATALOG_WORD_MAX];
    unsigned length = line_word(line, name, sizeof name);

    if (length == 0)
        return line_fail(line, 0, "expected a name");
    term->argument = -1;
    term->name = arena_copy(reader->arena, name, length);
    if (!term->name)
        return reader_out_of_memory(reader);
    if (kernel->adapter)
        return read_usual(line, term);
    term->is_flag = line_accept(line, "?=");
    if (!term->is_flag && !line_accept(line, "="))
        return term_of_argument(reader, kernel, term, length);
    return formula_read(line, reader->arena, &scope, &term->formula) &&
           check_term_formula(reader, kernel, &term->formula);
}

static bool add_term(struct catalog_reader *reader, struct catalog_kernel *kernel, bool is_hidden)
{
    struct catalog_line *line = &reader->line;
    struct catalog_term *term = &kernel->shape[kernel->shape_count];

    if (kernel->shape_count == CATALOG_SHAPE_MAX)
        return line_fail(line, 0, "a shape has at most %d terms", CATALOG_SHAPE_MAX);
    if (!read_term(reader, kernel, term))
        return false;
    term->is_hidden = is_hidden;
    kernel->shape_count++;
    if (!kernel->adapter && catalog_count_words(kernel) > CATALOG_WORDS_MAX)
        return line_fail(line, 0, "a shape has at most %d values, of which all flags are one",
                         CATALOG_WORDS_MAX);
    return true;
}

/* shape TERM ... ( TERM ... ) ... ; those in parentheses are not shown */
bool prototype_read_shape(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    bool is_hidden = false;

    while (!line_is_at_end(line)) {
        if (line_accept(line, is_hidden ? ")" : "("))
            is_hidden = !is_hidden;
        else if (!add_term(reader, kernel, is_hidden))
            return false;
    }
    return !is_hidden || line_fail(line, 0, "expected ')'");
}
