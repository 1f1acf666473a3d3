/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the catalog language: lines, paragraphs, properties.
 *
 * A paragraph that holds {a,b,c} groups is read once a variant, with the
 * groups replaced by their first, second, third word; every group of a
 * paragraph has the same number of words.
 */
#include "catalog.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"

enum { WORD_MAX = 96, FAMILY_PATTERNS_MAX = 32, FAMILIES_MAX = 16, CHECKS_MAX = 8 };

/* A family: the names a kernel goes by, as patterns in which % is its name. */
struct catalog_family {
    const char *name;
    unsigned pattern_count;
    struct catalog_symbol patterns[FAMILY_PATTERNS_MAX];
};

struct reader {
    struct catalog *catalog;
    struct catalog_arena *arena;
    const char *text;
    size_t size;
    size_t start;      /* of the line that is read */
    unsigned number;   /* of that line, from 1 */
    unsigned variant;  /* of the paragraph that is read */
    unsigned variants; /* 0 until a group was seen */
    struct catalog_line line;
};

typedef bool (*property_reader)(struct reader *reader, struct catalog_kernel *kernel);

struct property {
    const char *name;
    property_reader read;
};

/* ---- lines ------------------------------------------------------------- */

static size_t line_length(const struct reader *reader)
{
    const char *from = reader->text + reader->start;
    const char *newline = memchr(from, '\n', reader->size - reader->start);

    return newline ? (size_t)(newline - from) : reader->size - reader->start;
}

static bool reader_is_at_end(const struct reader *reader)
{
    return reader->start >= reader->size;
}

static void next_line(struct reader *reader)
{
    reader->start += line_length(reader) + 1;
    reader->number++;
}

/* A line that begins in its first column opens a paragraph; blank lines and
 * comments belong to none. */
static bool line_is_blank(const struct reader *reader)
{
    const char *from = reader->text + reader->start;
    size_t length = line_length(reader);
    size_t blanks = 0;

    while (blanks < length && strchr(" \t\r", from[blanks]) && from[blanks] != '\0')
        blanks++;
    return blanks == length || from[blanks] == '#';
}

static bool line_is_indented(const struct reader *reader)
{
    char first = reader->text[reader->start];

    return first == ' ' || first == '\t';
}

static bool put_character(struct catalog_line *line, unsigned *length, char c, size_t column)
{
    line->text[*length] = '\0';
    line->column[*length] = (unsigned short)(column + 1);
    line->position = *length;
    if (*length + 2 >= CATALOG_LINE_MAX)
        return line_fail(line, 0, "the line is longer than %d characters", CATALOG_LINE_MAX - 2);
    line->text[(*length)++] = c;
    line->text[*length] = '\0';
    line->column[*length] = (unsigned short)(column + 2);
    return true;
}

/* Copy the words of the group at `from` that this variant chooses; `*used` is
 * set to the characters of the whole group. */
static bool put_group(struct reader *reader, const char *from, size_t length, size_t column,
                      unsigned *out, size_t *used)
{
    unsigned index = 0;
    size_t i = 1;

    for (; i < length && from[i] != '}'; i++) {
        if (from[i] == ',')
            index++;
        else if (index == reader->variant &&
                 !put_character(&reader->line, out, from[i], column + i))
            return false;
    }
    reader->line.position = *out;
    reader->line.column[*out] = (unsigned short)(column + 1);
    if (i == length)
        return line_fail(&reader->line, 0, "expected '}' after '{'");
    if (index + 1 > CATALOG_VARIANTS_MAX)
        return line_fail(&reader->line, 0, "a group has at most %d words", CATALOG_VARIANTS_MAX);
    if (reader->variants != 0 && reader->variants != index + 1)
        return line_fail(&reader->line, 0,
                         "this group has %u words, the others of its paragraph have %u", index + 1,
                         reader->variants);
    reader->variants = index + 1;
    *used = i + 1;
    return true;
}

/* Bring the current line, for the current variant, into reader->line. */
static bool load_line(struct reader *reader)
{
    const char *from = reader->text + reader->start;
    size_t length = line_length(reader);
    unsigned out = 0;

    reader->line.number = reader->number;
    reader->line.text[0] = '\0';
    reader->line.column[0] = 1;
    reader->line.position = 0;
    for (size_t i = 0; i < length && from[i] != '\0';) {
        size_t used = 1;

        if (from[i] == '#' || from[i] == '\r')
            break;
        if (from[i] == '{' ? !put_group(reader, from + i, length - i, i, &out, &used)
                           : !put_character(&reader->line, &out, from[i], i))
            return false;
        i += used;
    }
    reader->line.position = 0;
    return true;
}

static bool out_of_memory(struct reader *reader)
{
    return line_fail(&reader->line, 0, "no memory is left for the catalog");
}

/* A word that ends at a blank: names, patterns, globs. */
static unsigned read_token(struct catalog_line *line, char *token, unsigned size)
{
    unsigned length = 0;

    line_skip_space(line);
    while (length + 1 < size && !strchr(" \t", line->text[line->position]))
        token[length++] = line->text[line->position++];
    token[length] = '\0';
    return length;
}

static bool expect_token(struct catalog_line *line, char *token, const char *what)
{
    return read_token(line, token, WORD_MAX) > 0 || line_fail(line, 0, "expected %s", what);
}

static bool expect_end(struct catalog_line *line)
{
    return line_is_at_end(line) || line_fail(line, 0, "expected the end of the line");
}

/* ---- families ---------------------------------------------------------- */

static struct catalog_family *find_family(struct reader *reader, const char *name)
{
    for (unsigned i = 0; i < reader->catalog->family_count; i++)
        if (strcmp(reader->catalog->families[i].name, name) == 0)
            return &reader->catalog->families[i];
    return NULL;
}

static bool add_pattern(struct reader *reader, struct catalog_family *family, const char *pattern,
                        bool is_wide, const char *library)
{
    struct catalog_symbol *symbol;

    if (family->pattern_count == FAMILY_PATTERNS_MAX)
        return line_fail(&reader->line, 0, "a family has at most %d patterns", FAMILY_PATTERNS_MAX);
    symbol = &family->patterns[family->pattern_count++];
    symbol->name = arena_copy(reader->arena, pattern, strlen(pattern));
    symbol->is_wide = is_wide;
    symbol->library = library;
    return symbol->name || out_of_memory(reader);
}

/* symbols int32|int64 PATTERN... [in GLOB] */
static bool read_symbols(struct reader *reader, struct catalog_family *family)
{
    struct catalog_line *line = &reader->line;
    unsigned first = family->pattern_count;
    char word[WORD_MAX];
    unsigned length = read_token(line, word, sizeof word);
    bool is_wide = strcmp(word, "int64") == 0;

    if (!is_wide && strcmp(word, "int32") != 0)
        return line_fail(line, length, "expected int32 or int64");
    while (!line_is_at_end(line)) {
        length = read_token(line, word, sizeof word);
        if (strcmp(word, "in") == 0)
            break;
        if (!strchr(word, '%'))
            return line_fail(line, length, "expected a pattern with '%%' for the kernel's name");
        if (!add_pattern(reader, family, word, is_wide, NULL))
            return false;
    }
    if (strcmp(word, "in") != 0)
        return true;
    if (!expect_token(line, word, "a glob of library names after 'in'") || !expect_end(line))
        return false;
    for (unsigned i = first; i < family->pattern_count; i++)
        family->patterns[i].library = arena_copy(reader->arena, word, strlen(word));
    return true;
}

static bool read_family(struct reader *reader)
{
    struct catalog_line *line = &reader->line;
    struct catalog_family *family = &reader->catalog->families[reader->catalog->family_count];
    char word[WORD_MAX];

    if (reader->catalog->family_count == FAMILIES_MAX)
        return line_fail(line, 0, "a catalog has at most %d families", FAMILIES_MAX);
    if (!expect_token(line, word, "the family's name") || !expect_end(line))
        return false;
    memset(family, 0, sizeof *family);
    family->name = arena_copy(reader->arena, word, strlen(word));
    if (!family->name)
        return out_of_memory(reader);
    reader->catalog->family_count++;
    for (next_line(reader); !reader_is_at_end(reader); next_line(reader)) {
        if (line_is_blank(reader))
            continue;
        if (!line_is_indented(reader))
            return true;
        if (!load_line(reader))
            return false;
        if (line_word(line, word, sizeof word) == 0 || strcmp(word, "symbols") != 0)
            return line_fail(line, (unsigned)strlen(word), "expected 'symbols'");
        if (!read_symbols(reader, family))
            return false;
    }
    return true;
}

/* ---- prototypes -------------------------------------------------------- */

static const struct {
    const char *name;
    enum catalog_access access;
} types[] = {
    {"void", CATALOG_NONE},
    {"char", CATALOG_LETTER},
    {"int", CATALOG_INT32},
    {"unsigned", CATALOG_INT32},
    {"int32_t", CATALOG_INT32},
    {"uint32_t", CATALOG_INT32},
    {"long", CATALOG_INT64},
    {"int64_t", CATALOG_INT64},
    {"uint64_t", CATALOG_INT64},
    {"size_t", CATALOG_INT64},
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
static bool read_type(struct reader *reader, struct catalog_argument *argument)
{
    struct catalog_line *line = &reader->line;
    char word[WORD_MAX];
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

static bool read_argument(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_argument *argument = &kernel->arguments[kernel->argument_count];
    char name[WORD_MAX];

    if (kernel->argument_count == CATALOG_ARGUMENTS_MAX)
        return line_fail(&reader->line, 0, "a kernel has at most %d arguments",
                         CATALOG_ARGUMENTS_MAX);
    if (!read_type(reader, argument))
        return false;
    if (line_word(&reader->line, name, sizeof name) == 0)
        return line_fail(&reader->line, 0, "expected the argument's name");
    argument->name = arena_copy(reader->arena, name, strlen(name));
    kernel->argument_count++;
    return argument->name || out_of_memory(reader);
}

/* proto RESULT [NAME] ( ARGUMENT, ... ) */
static bool read_proto(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    struct catalog_argument result = {0};
    char word[WORD_MAX];

    kernel->has_proto = true;
    if (!read_type(reader, &result))
        return false;
    kernel->result = result.is_pointer ? CATALOG_NONE : result.access;
    line_word(line, word, sizeof word);
    if (!line_accept(line, "("))
        return line_fail(line, 0, "expected '('");
    if (line_accept(line, "void)") || line_accept(line, ")"))
        return expect_end(line);
    do
        if (!read_argument(reader, kernel))
            return false;
    while (line_accept(line, ","));
    if (!line_accept(line, ")"))
        return line_fail(line, 0, "expected ',' or ')'");
    return expect_end(line);
}

/* ---- the other properties ---------------------------------------------- */

static bool read_hidden(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;

    line_skip_space(line);
    if (line->text[line->position] < '0' || line->text[line->position] > '9')
        return line_fail(line, 0, "expected the number of hidden string lengths");
    kernel->hidden = (unsigned)(line->text[line->position++] - '0');
    return expect_end(line);
}

static const char *argument_name(const void *of, unsigned index)
{
    return ((const struct catalog_kernel *)of)->arguments[index].name;
}

static const char *term_name(const void *of, unsigned index)
{
    return ((const struct catalog_kernel *)of)->shape[index].name;
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
    return access == CATALOG_INT32 || access == CATALOG_INT64 || access == CATALOG_INTEGER;
}

static bool is_letter(enum catalog_access access)
{
    return access == CATALOG_LETTER || access == CATALOG_CBLAS;
}

static bool term_of_argument(struct reader *reader, struct catalog_kernel *kernel,
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
    if (term->is_flag && access == CATALOG_NONE)
        return line_fail(&reader->line, length + 1, "'%s' points to nothing that could be zero",
                         term->name);
    if (!term->is_flag && !is_integer(access) && !is_letter(access))
        return line_fail(&reader->line, length, "'%s' is not an integer", term->name);
    return true;
}

/* Everything that a formula takes from the arguments must be an integer. */
static bool check_term_formula(struct reader *reader, const struct catalog_kernel *kernel,
                               const struct catalog_formula *formula)
{
    for (unsigned i = 0; i < formula->count; i++) {
        const struct catalog_step *step = &formula->steps[i];
        const struct catalog_argument *argument = &kernel->arguments[step->operand];

        if (step->operation == LOG2)
            return line_fail(&reader->line, 0, "log2 has no place in a shape");
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
    char word[WORD_MAX];
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
static bool read_term(struct reader *reader, struct catalog_kernel *kernel,
                      struct catalog_term *term)
{
    struct catalog_line *line = &reader->line;
    struct formula_scope scope = {kernel->argument_count, argument_name, kernel, true};
    char name[WORD_MAX];
    unsigned length = line_word(line, name, sizeof name);

    if (length == 0)
        return line_fail(line, 0, "expected a name");
    term->argument = -1;
    term->name = arena_copy(reader->arena, name, length);
    if (!term->name)
        return out_of_memory(reader);
    if (kernel->adapter)
        return read_usual(line, term);
    term->is_flag = line_accept(line, "?=");
    if (!term->is_flag && !line_accept(line, "="))
        return term_of_argument(reader, kernel, term, length);
    return formula_read(line, reader->arena, &scope, &term->formula) &&
           check_term_formula(reader, kernel, &term->formula);
}

static bool add_term(struct reader *reader, struct catalog_kernel *kernel, bool is_hidden)
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
static bool read_shape(struct reader *reader, struct catalog_kernel *kernel)
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

static bool read_accuracy(struct reader *reader, struct catalog_kernel *kernel)
{
    static const char *const names[] = {"unknown", "exact", "nominal", "upper"};
    char word[WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    for (unsigned i = CATALOG_EXACT; i <= CATALOG_UPPER; i++) {
        if (strcmp(word, names[i]) != 0)
            continue;
        kernel->accuracy = (enum catalog_accuracy)i;
        return expect_end(&reader->line);
    }
    return line_fail(&reader->line, length, "expected exact, nominal or upper after the formula");
}

/* flops FORMULA exact|nominal|upper, or: flops unknown */
static bool read_flops(struct reader *reader, struct catalog_kernel *kernel)
{
    struct formula_scope scope = {kernel->shape_count, term_name, kernel, false};

    if (line_accept(&reader->line, "unknown"))
        return expect_end(&reader->line);
    return formula_read(&reader->line, reader->arena, &scope, &kernel->flops) &&
           read_accuracy(reader, kernel);
}

static bool read_bytes(struct reader *reader, struct catalog_kernel *kernel)
{
    struct formula_scope scope = {kernel->shape_count, term_name, kernel, false};

    return formula_read(&reader->line, reader->arena, &scope, &kernel->bytes) &&
           expect_end(&reader->line);
}

static bool read_class(struct reader *reader, struct catalog_kernel *kernel)
{
    static const char *const names[] = {"other", "matmul", "elementwise", "movement"};
    char word[WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) != 0)
            continue;
        kernel->class = (enum catalog_class)i;
        return expect_end(&reader->line);
    }
    return line_fail(&reader->line, length, "expected matmul, elementwise, movement or other");
}

static bool read_check_value(struct catalog_line *line, double *value)
{
    char *end;

    line_skip_space(line);
    *value = strtod(line->text + line->position, &end);
    if (end == line->text + line->position)
        return line_fail(line, 0, "expected a number");
    line->position = (unsigned)(end - line->text);
    return true;
}

static bool read_check_term(struct reader *reader, const struct catalog_kernel *kernel,
                            struct catalog_check *check)
{
    struct catalog_line *line = &reader->line;
    char name[WORD_MAX];
    unsigned length = line_word(line, name, sizeof name);
    double value;

    for (unsigned i = 0; i < kernel->shape_count; i++) {
        if (strcmp(kernel->shape[i].name, name) != 0)
            continue;
        if (!line_accept(line, "="))
            return line_fail(line, 0, "expected '='");
        if (line_accept(line, "'"))
            return line_read_text(line, &check->shape[i]);
        if (!read_check_value(line, &value))
            return false;
        check->shape[i] = (int64_t)value;
        return true;
    }
    return line_fail(line, length, "'%s' is not in the shape", name);
}

/* check NAME=VALUE ... = FLOPS */
static bool read_check(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    struct catalog_check *checks =
        arena_take(reader->arena, (kernel->check_count + 1) * sizeof *checks);

    if (!checks)
        return out_of_memory(reader);
    if (kernel->check_count > 0)
        memcpy(checks, kernel->checks, kernel->check_count * sizeof *checks);
    for (unsigned i = 0; i < kernel->shape_count; i++)
        checks[kernel->check_count].shape[i] =
            kernel->shape[i].is_flag ? 1 : kernel->shape[i].usual;
    while (!line_accept(line, "="))
        if (!read_check_term(reader, kernel, &checks[kernel->check_count]))
            return false;
    if (!read_check_value(line, &checks[kernel->check_count].flops))
        return false;
    kernel->checks = checks;
    kernel->check_count++;
    return expect_end(line);
}

static bool read_source(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;

    line_skip_space(line);
    kernel->source =
        arena_copy(reader->arena, line->text + line->position, strlen(line->text + line->position));
    return kernel->source || out_of_memory(reader);
}

/* Add one symbol: the kernel's name put in place of the pattern's %. */
static bool add_symbol(struct reader *reader, struct catalog_kernel *kernel,
                       struct catalog_symbol *symbol, const struct catalog_symbol *pattern)
{
    char name[2 * WORD_MAX];
    const char *percent = strchr(pattern->name, '%');

    snprintf(name, sizeof name, "%.*s%s%s", (int)(percent - pattern->name), pattern->name,
             kernel->name, percent + 1);
    *symbol = *pattern;
    symbol->name = arena_copy(reader->arena, name, strlen(name));
    return symbol->name || out_of_memory(reader);
}

static bool read_kernel_family(struct reader *reader, struct catalog_kernel *kernel)
{
    char word[WORD_MAX];
    struct catalog_symbol *symbols;
    const struct catalog_family *family;

    if (!expect_token(&reader->line, word, "a family's name") || !expect_end(&reader->line))
        return false;
    family = find_family(reader, word);
    if (!family)
        return line_fail(&reader->line, (unsigned)strlen(word), "there is no family '%s' above",
                         word);
    symbols = arena_take(reader->arena, family->pattern_count * sizeof *symbols);
    if (!symbols)
        return out_of_memory(reader);
    for (unsigned i = 0; i < family->pattern_count; i++)
        if (!add_symbol(reader, kernel, &symbols[i], &family->patterns[i]))
            return false;
    kernel->symbols = symbols;
    kernel->symbol_count = family->pattern_count;
    return true;
}

static bool read_library(struct reader *reader, struct catalog_kernel *kernel)
{
    char word[WORD_MAX];

    if (!expect_token(&reader->line, word, "a glob of library names") || !expect_end(&reader->line))
        return false;
    kernel->library = arena_copy(reader->arena, word, strlen(word));
    return kernel->library || out_of_memory(reader);
}

static unsigned count_tokens(struct catalog_line *line)
{
    unsigned position = line->position;
    unsigned count = 0;
    char word[WORD_MAX];

    while (!line_is_at_end(line))
        count += read_token(line, word, sizeof word) > 0;
    line->position = position;
    return count;
}

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static bool name_symbol(struct reader *reader, struct catalog_symbol *symbol, const char *name)
{
    symbol->name = arena_copy(reader->arena, name, strlen(name));
    symbol->is_glob = is_glob(name);
    return symbol->name || out_of_memory(reader);
}

/* symbol NAME|GLOB ... */
static bool read_symbol(struct reader *reader, struct catalog_kernel *kernel)
{
    unsigned count = count_tokens(&reader->line);
    struct catalog_symbol *symbols = arena_take(reader->arena, count * sizeof *symbols);
    char word[WORD_MAX];

    if (count == 0)
        return line_fail(&reader->line, 0, "expected a symbol or a glob of symbols");
    if (!symbols)
        return out_of_memory(reader);
    for (unsigned i = 0; i < count; i++)
        if (!expect_token(&reader->line, word, "a symbol") ||
            !name_symbol(reader, &symbols[i], word))
            return false;
    kernel->symbols = symbols;
    kernel->symbol_count = count;
    return true;
}

/* A property that is a single word, of which there is one. */
static bool read_only_word(struct reader *reader, const char *only, bool *is_set)
{
    char word[WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    if (strcmp(word, only) != 0)
        return line_fail(&reader->line, length, "expected %s", only);
    *is_set = true;
    return expect_end(&reader->line);
}

static bool read_timing(struct reader *reader, struct catalog_kernel *kernel)
{
    return read_only_word(reader, "sampled", &kernel->is_sampled);
}

static bool read_wrapper(struct reader *reader, struct catalog_kernel *kernel)
{
    return read_only_word(reader, "compiled", &kernel->is_compiled);
}

/* adapter NAME: the kernel is not called by its name; an object that was made
 * before stands for it. */
static bool read_adapter(struct reader *reader, struct catalog_kernel *kernel)
{
    char word[WORD_MAX];

    if (!expect_token(&reader->line, word, "an adapter's name") || !expect_end(&reader->line))
        return false;
    kernel->adapter = arena_copy(reader->arena, word, strlen(word));
    return kernel->adapter || out_of_memory(reader);
}

static const struct property properties[] = {
    {"family", read_kernel_family}, {"library", read_library}, {"proto", read_proto},
    {"hidden", read_hidden},        {"shape", read_shape},     {"flops", read_flops},
    {"bytes", read_bytes},          {"class", read_class},     {"check", read_check},
    {"source", read_source},        {"symbol", read_symbol},   {"timing", read_timing},
    {"wrapper", read_wrapper},      {"adapter", read_adapter},
};

/* ---- kernels ----------------------------------------------------------- */

static bool read_property(struct reader *reader, struct catalog_kernel *kernel)
{
    char word[WORD_MAX];
    unsigned length;

    if (!load_line(reader))
        return false;
    length = line_word(&reader->line, word, sizeof word);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (strcmp(properties[i].name, word) == 0)
            return properties[i].read(reader, kernel);
    return line_fail(&reader->line, length,
                     "expected family, symbol, library, proto, hidden, shape, flops, bytes, class, "
                     "timing, check or source");
}

/* A kernel without family and symbols goes by its own name. */
static bool finish_kernel(struct reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_symbol *symbols = arena_take(reader->arena, sizeof *symbols);

    if (!symbols)
        return out_of_memory(reader);
    if (kernel->symbol_count == 0 && !kernel->adapter) {
        if (!name_symbol(reader, symbols, kernel->name))
            return false;
        kernel->symbols = symbols;
        kernel->symbol_count = 1;
    }
    if (!kernel->library)
        return true;
    symbols = arena_take(reader->arena, kernel->symbol_count * sizeof *symbols);
    if (!symbols)
        return out_of_memory(reader);
    memcpy(symbols, kernel->symbols, kernel->symbol_count * sizeof *symbols);
    for (unsigned i = 0; i < kernel->symbol_count; i++)
        symbols[i].library = kernel->library;
    kernel->symbols = symbols;
    return true;
}

/* Kernels are one array in the arena; it is moved when it is full. */
static struct catalog_kernel *new_kernel(struct catalog *catalog, struct catalog_arena *arena)
{
    unsigned count = catalog->kernel_count;

    if ((count & (count - 1)) == 0) {
        struct catalog_kernel *moved = arena_take(arena, (count ? 2 * count : 1) * sizeof *moved);

        if (!moved)
            return NULL;
        if (count > 0)
            memcpy(moved, catalog->kernels, count * sizeof *moved);
        catalog->kernels = moved;
    }
    return &catalog->kernels[count];
}

/* Read the paragraph at the cursor once, for one variant. */
static bool read_variant(struct reader *reader)
{
    struct catalog_kernel *kernel = new_kernel(reader->catalog, reader->arena);
    char word[WORD_MAX];

    if (!load_line(reader))
        return false;
    line_word(&reader->line, word, sizeof word);
    if (!expect_token(&reader->line, word, "the kernel's name") || !expect_end(&reader->line))
        return false;
    if (!kernel)
        return out_of_memory(reader);
    kernel->name = arena_copy(reader->arena, word, strlen(word));
    if (!kernel->name)
        return out_of_memory(reader);
    for (next_line(reader); !reader_is_at_end(reader); next_line(reader)) {
        if (line_is_blank(reader))
            continue;
        if (!line_is_indented(reader))
            break;
        if (!read_property(reader, kernel))
            return false;
    }
    if (!finish_kernel(reader, kernel))
        return false;
    reader->catalog->kernel_count++;
    return true;
}

static bool read_kernel(struct reader *reader)
{
    size_t start = reader->start;
    unsigned number = reader->number;

    reader->variants = 0;
    reader->variant = 0;
    do {
        reader->start = start;
        reader->number = number;
        if (!read_variant(reader))
            return false;
    } while (++reader->variant < reader->variants);
    reader->variant = 0;
    return true;
}

static bool read_paragraph(struct reader *reader)
{
    char word[WORD_MAX];
    unsigned length;

    reader->variants = 0;
    if (!load_line(reader))
        return false;
    length = line_word(&reader->line, word, sizeof word);
    if (!line_is_indented(reader) && strcmp(word, "family") == 0)
        return read_family(reader);
    if (!line_is_indented(reader) && strcmp(word, "kernel") == 0)
        return read_kernel(reader);
    return line_fail(&reader->line, length, "expected 'family' or 'kernel' in the first column");
}

bool catalog_read(struct catalog *catalog, struct catalog_arena *arena, const char *text,
                  size_t size, struct catalog_error *error)
{
    struct reader *reader = arena_take(arena, sizeof *reader);

    memset(error, 0, sizeof *error);
    if (!catalog->families)
        catalog->families = arena_take(arena, FAMILIES_MAX * sizeof *catalog->families);
    if (!reader || !catalog->families) {
        snprintf(error->text, sizeof error->text, "no memory is left for the catalog");
        return false;
    }
    reader->catalog = catalog;
    reader->arena = arena;
    reader->text = text;
    reader->size = size;
    reader->number = 1;
    reader->line.error = error;
    while (!reader_is_at_end(reader)) {
        if (line_is_blank(reader))
            next_line(reader);
        else if (!read_paragraph(reader))
            return false;
    }
    return true;
}

unsigned catalog_count_words(const struct catalog_kernel *kernel)
{
    unsigned flags = 0;

    for (unsigned i = 0; i < kernel->shape_count; i++)
        flags += kernel->shape[i].is_flag;
    return kernel->shape_count - flags + (flags > 0);
}

void catalog_unpack(const struct catalog_kernel *kernel, const int64_t *words, int64_t *values)
{
    unsigned count = catalog_count_words(kernel);
    int64_t flags = count > 0 ? words[count - 1] : 0; /* they share the last word */
    unsigned word = 0;

    for (unsigned i = 0; i < kernel->shape_count; i++) {
        if (!kernel->shape[i].is_flag) {
            values[i] = words[word++];
            continue;
        }
        values[i] = flags & 1;
        flags >>= 1;
    }
}

int64_t catalog_pack_text(const char *text)
{
    uint64_t word = 0;

    for (unsigned i = 0; i < sizeof word && text[i] != '\0'; i++)
        word |= (uint64_t)(unsigned char)text[i] << 8 * i;
    return (int64_t)word;
}

/* A trace may hold anything: what is no printing character is a '?'. */
static void unpack_text(int64_t value, char text[sizeof value + 1])
{
    unsigned length = 0;

    for (uint64_t word = (uint64_t)value; word != 0; word >>= 8)
        text[length++] = (char)((word & 0xff) >= ' ' && (word & 0xff) < 0x7f ? word & 0xff : '?');
    text[length] = '\0';
}

static bool term_is_shown(const struct catalog_term *term, int64_t value)
{
    if (term->is_hidden || (term->is_flag && value != 0))
        return false;
    return !term->has_usual || value != term->usual;
}

static int format_term(const struct catalog_term *term, int64_t value, char *text, size_t size)
{
    char letters[sizeof value + 1];

    if (!term_is_shown(term, value))
        return 0;
    if (!term->is_letter)
        return snprintf(text, size, "%s=%lld ", term->name, (long long)value);
    unpack_text(value, letters);
    return snprintf(text, size, "%s=%s ", term->name, letters);
}

void catalog_format_shape(const struct catalog_kernel *kernel, const int64_t *values, char *text,
                          size_t size)
{
    size_t used = 0;

    if (size > 0)
        text[0] = '\0';
    for (unsigned i = 0; i < kernel->shape_count && used < size; i++) {
        int length = format_term(&kernel->shape[i], values[i], text + used, size - used);

        used += length > 0 ? (size_t)length : 0;
    }
    if (used > 0 && used < size)
        text[used - 1] = '\0';
}
