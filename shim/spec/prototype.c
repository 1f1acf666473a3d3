/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prototypes of the catalog, and the shapes that are made of their arguments.
 */
#include "prototype.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "decimal.h"
#include "formula.h"

static const struct {
    const char *name;
    enum catalog_access access;
} types[] = {
    {"void", CATALOG_NONE},
    {"char", CATALOG_LETTER},
    {"int", CATALOG_INT32},
    {"int8_t", CATALOG_INT8},
    {"uint8_t", CATALOG_UINT8},
    {"bool", CATALOG_UINT8},
    {"_Bool", CATALOG_UINT8},
    {"int16_t", CATALOG_INT16},
    {"uint16_t", CATALOG_UINT16},
    {"int32_t", CATALOG_INT32},
    {"uint32_t", CATALOG_UINT32},
    {"int64_t", CATALOG_INT64},
    {"uint64_t", CATALOG_UINT64},
    {"size_t", CATALOG_UINT64},
    {"ssize_t", CATALOG_INT64},
    {"ptrdiff_t", CATALOG_INT64},
    {"intptr_t", CATALOG_INT64},
    {"uintptr_t", CATALOG_UINT64},
    {"integer", CATALOG_INTEGER},
    {"cblas_enum", CATALOG_CBLAS},
    {"float", CATALOG_FLOAT},
    {"double", CATALOG_DOUBLE},
    {"float_complex", CATALOG_FLOAT_COMPLEX},
    {"double_complex", CATALOG_DOUBLE_COMPLEX},
};

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static bool is_qualifier(const char *word)
{
    static const char *const words[] = {"const",      "volatile",     "restrict",
                                        "__restrict", "__restrict__", NULL};

    return is_one_of(word, words);
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

/* The words of a type in C: "unsigned long int", "enum e", "float complex". */
struct type_words {
    char last[CATALOG_WORD_MAX]; /* the type's name; empty after only "unsigned" */
    unsigned length;             /* length of the name */
    unsigned longs;
    bool is_short;
    bool is_signed;
    bool is_unsigned;
    bool is_enum;
    bool is_struct;
};

static bool is_sized(const struct type_words *words)
{
    return words->longs > 0 || words->is_short || words->is_signed || words->is_unsigned;
}

static bool take_size(struct type_words *words, const char *word)
{
    if (strcmp(word, "long") == 0)
        words->longs++;
    else if (strcmp(word, "short") == 0)
        words->is_short = true;
    else if (strcmp(word, "signed") == 0)
        words->is_signed = true;
    else if (strcmp(word, "unsigned") == 0)
        words->is_unsigned = true;
    else
        return false;
    return true;
}

/* Take the next word if it belongs to the type, and not to the argument's name. */
static bool take_word(struct type_words *words, const char *word, unsigned length)
{
    static const char *const sized[] = {"int", "char", "double", NULL};
    static const char *const floating[] = {"float", "double", NULL};
    bool has_name = words->last[0] != '\0';

    if (is_qualifier(word) || (!has_name && take_size(words, word)))
        return true;
    if (is_one_of(words->last, floating) &&
        (strcmp(word, "complex") == 0 || strcmp(word, "_Complex") == 0)) {
        snprintf(words->last + strlen(words->last), CATALOG_WORD_MAX - strlen(words->last),
                 "_complex");
        return true;
    }
    if (has_name || (is_sized(words) && !is_one_of(word, sized)))
        return false;
    if (strcmp(word, "enum") == 0 || strcmp(word, "struct") == 0 || strcmp(word, "union") == 0) {
        words->is_enum |= word[0] == 'e';
        words->is_struct |= word[0] != 'e';
        return true;
    }
    memcpy(words->last, word, length + 1);
    words->length = length;
    return true;
}

/* Returns: whether there was a word. */
static bool read_words(struct catalog_line *line, struct type_words *words)
{
    char word[CATALOG_WORD_MAX];

    for (;;) {
        unsigned start = line->position;
        unsigned length = line_word(line, word, sizeof word);

        if (length > 0 && take_word(words, word, length))
            continue;
        line->position = start;
        return is_sized(words) || words->last[0] != '\0';
    }
}

static enum catalog_access sized_access(const struct type_words *words)
{
    if (strcmp(words->last, "char") == 0)
        return words->is_unsigned ? CATALOG_UINT8 : CATALOG_INT8;
    if (words->is_short)
        return words->is_unsigned ? CATALOG_UINT16 : CATALOG_INT16;
    if (words->longs > 0)
        return words->is_unsigned ? CATALOG_UINT64 : CATALOG_INT64;
    return words->is_unsigned ? CATALOG_UINT32 : CATALOG_INT32;
}

/* Returns: whether a value of the type has a size that is known. */
static bool find_access(const struct type_words *words, enum catalog_access *access)
{
    if (words->is_struct)
        return false;
    if (words->is_enum) {
        *access = CATALOG_INT32;
        return true;
    }
    if (!is_sized(words))
        return find_type(words->last, access);
    if (strcmp(words->last, "double") == 0)
        return false; /* long double: no other type is passed like it */
    *access = sized_access(words);
    return true;
}

/* Stars, and qualifiers between them.  Returns: how many stars there were. */
static unsigned read_stars(struct catalog_line *line)
{
    char word[CATALOG_WORD_MAX];
    unsigned stars = 0;

    for (;;) {
        unsigned start;

        while (line_accept(line, "*"))
            stars++;
        start = line->position;
        if (line_word(line, word, sizeof word) > 0 && is_qualifier(word))
            continue;
        line->position = start;
        return stars;
    }
}

/* A pointer to a pointer leads to elements, and not to a value. */
static void point(struct catalog_argument *argument, unsigned stars)
{
    argument->stars += stars;
    argument->is_pointer = argument->stars > 0;
    if (argument->stars > 1)
        argument->access = CATALOG_NONE;
}

/* A type with its stars; `is_result`: the function's type. */
static bool read_type(struct catalog_reader *reader, struct catalog_argument *argument,
                      bool is_result)
{
    struct catalog_line *line = &reader->line;
    struct type_words words = {0};
    bool is_known;
    unsigned end;

    if (!read_words(line, &words))
        return line_fail(line, 0, "expected a type");
    end = line->position;
    argument->access = CATALOG_NONE;
    is_known = find_access(&words, &argument->access);
    argument->element = argument->access;
    point(argument, read_stars(line));
    if (is_known || argument->is_pointer)
        return true;
    if (is_result)
        return line_fail(line, line->position - end + words.length,
                         "the size of the result is not known; write void for up to 16 bytes, for "
                         "more void and on x86-64 a first argument void *result");
    return line_fail(line, line->position - end + words.length,
                     "the type '%s' is not known; a pointer to it would be", words.last);
}

/* Up to the parenthesis that closes the last one. */
static bool skip_parentheses(struct catalog_line *line)
{
    unsigned open = 1;

    while (open > 0 && line->text[line->position] != '\0') {
        open += line->text[line->position] == '(';
        open -= line->text[line->position] == ')';
        line->position++;
    }
    return open == 0 || line_fail(line, 0, "expected ')'");
}

/* Extents: an array is a pointer. */
static bool read_extents(struct catalog_line *line, struct catalog_argument *argument)
{
    while (line_accept(line, "[")) {
        line->position += (unsigned)strcspn(line->text + line->position, "]");
        if (!line_accept(line, "]"))
            return line_fail(line, 0, "expected ']'");
        point(argument, 1);
    }
    return true;
}

static bool name_argument(struct catalog_reader *reader, struct catalog_kernel *kernel,
                          struct catalog_argument *argument)
{
    char name[CATALOG_WORD_MAX];
    unsigned length = line_word(&reader->line, name, sizeof name);

    if (length == 0)
        return line_fail(&reader->line, 0, "expected the argument's name");
    for (unsigned i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, name) == 0)
            return line_fail(&reader->line, length, "there is an argument '%s' before this", name);
    argument->name = arena_copy(reader->arena, name, strlen(name));
    return argument->name || reader_out_of_memory(reader);
}

/* Read behind the type of a pointer to a function: *NAME)(ARGUMENTS) */
static bool read_function_pointer(struct catalog_reader *reader, struct catalog_kernel *kernel,
                                  struct catalog_argument *argument)
{
    struct catalog_line *line = &reader->line;

    argument->access = CATALOG_NONE;
    argument->element = CATALOG_NONE;
    argument->is_pointer = true;
    if (read_stars(line) == 0)
        return line_fail(line, 0, "expected '*'");
    if (!name_argument(reader, kernel, argument))
        return false;
    if (!line_accept(line, ")") || !line_accept(line, "("))
        return line_fail(line, 0, "expected ')(' and the arguments of the function");
    return skip_parentheses(line);
}

static bool read_argument(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_argument *argument = &kernel->arguments[kernel->argument_count];
    struct catalog_line *line = &reader->line;

    if (kernel->argument_count == CATALOG_ARGUMENTS_MAX)
        return line_fail(line, 0, "a kernel has at most %d arguments", CATALOG_ARGUMENTS_MAX);
    if (!read_type(reader, argument, false))
        return false;
    if (line_accept(line, "(") ? !read_function_pointer(reader, kernel, argument)
                               : !name_argument(reader, kernel, argument))
        return false;
    kernel->argument_count++;
    return read_extents(line, argument);
}

/* proto RESULT [NAME] ( ARGUMENT, ... ) */
bool prototype_read(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    struct catalog_argument result = {0};
    char word[CATALOG_WORD_MAX];

    kernel->has_proto = true;
    if (!read_type(reader, &result, true))
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
    return access >= CATALOG_INT8 && access <= CATALOG_INTEGER;
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

/* Does a plan hold this number exactly? */
static bool is_number_of_plan(long double number)
{
    return number >= INT32_MIN && number <= INT32_MAX && number == (long double)(int32_t)number;
}

/* The last of all pointers must lead to an integer; those before it lead to addresses. */
static bool check_element(struct catalog_reader *reader, const struct catalog_argument *argument,
                          unsigned pointers)
{
    if (pointers < argument->stars ||
        (pointers == argument->stars && is_integer(argument->element)))
        return true;
    if (pointers > 1)
        return line_fail(&reader->line, 0, "what '%s' leads to there is no array of integers",
                         argument->name);
    return line_fail(&reader->line, 0, "'%s' is no array of integers", argument->name);
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
        if ((step->operation == ELEMENT || step->operation == BEHIND) &&
            !check_element(reader, argument, (unsigned)step->number))
            return false;
    }
    return true;
}

/* Read behind the name of an adapter's term: nothing, :text, or its usual value. */
static bool read_usual(struct catalog_line *line, struct catalog_term *term)
{
    char word[CATALOG_WORD_MAX];
    const char *rest, *end;
    uint64_t usual;
    bool is_negative;

    if (!line_accept(line, ":"))
        return true;
    line_word(line, word, sizeof word);
    term->is_letter = strcmp(word, "text") == 0;
    if (term->is_letter)
        return true;
    rest = line->text + line->position;
    is_negative = *rest == '-';
    end = decimal_read(rest + is_negative, &usual);
    if (!end || usual > INT64_MAX)
        return line_fail(line, (unsigned)strlen(word), "expected 'text' or a number");
    term->usual = is_negative ? -(int64_t)usual : (int64_t)usual;
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

/* shape TERM ... ( TERM ... ) ... ( TERM ... ) ... ; those in parentheses are not shown */
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
