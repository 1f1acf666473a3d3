/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The properties of a kernel, each a line of its paragraph; their table is below.
 */
#include "property.h"

#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "formula.h"
#include "prototype.h"
#include "symbols.h"

typedef bool (*property_reader)(struct catalog_reader *reader, struct catalog_kernel *kernel);

struct property {
    const char *name;
    property_reader read;
};

static bool read_hidden(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;

    line_skip_space(line);
    if (line->text[line->position] < '0' || line->text[line->position] > '9')
        return line_fail(line, 0, "expected the number of hidden string lengths");
    kernel->hidden = (unsigned)(line->text[line->position++] - '0');
    return line_expect_end(line);
}

static const char *term_name(const void *of, unsigned index)
{
    return ((const struct catalog_kernel *)of)->shape[index].name;
}

static bool term_is_unsigned(const void *of, unsigned index)
{
    return ((const struct catalog_kernel *)of)->shape[index].is_unsigned;
}

static struct formula_scope scope_of(const struct catalog_kernel *kernel)
{
    return (struct formula_scope){kernel->shape_count, term_name, term_is_unsigned, kernel, false};
}

static bool read_accuracy(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    static const char *const names[] = {"unknown", "exact", "nominal", "upper"};
    char word[CATALOG_WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    for (unsigned i = CATALOG_EXACT; i <= CATALOG_UPPER; i++) {
        if (strcmp(word, names[i]) != 0)
            continue;
        kernel->accuracy = (enum catalog_accuracy)i;
        return line_expect_end(&reader->line);
    }
    return line_fail(&reader->line, length, "expected exact, nominal or upper after the formula");
}

/* flops unknown [if FORMULA] */
static bool read_unknown(struct catalog_reader *reader, struct catalog_kernel *kernel,
                         const struct formula_scope *scope)
{
    struct catalog_line *line = &reader->line;

    if (line_is_at_end(line))
        return true;
    if (!line_accept(line, "if"))
        return line_fail(line, 0, "expected 'if' and a formula, or nothing more");
    return formula_read_unknown(line, reader->arena, scope, &kernel->flops) &&
           line_expect_end(line);
}

/* flops FORMULA exact|nominal|upper, or: flops unknown */
static bool read_flops(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct formula_scope scope = scope_of(kernel);

    if (line_accept(&reader->line, "unknown"))
        return read_unknown(reader, kernel, &scope);
    return formula_read(&reader->line, reader->arena, &scope, &kernel->flops) &&
           read_accuracy(reader, kernel);
}

static bool read_bytes(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct formula_scope scope = scope_of(kernel);

    return formula_read(&reader->line, reader->arena, &scope, &kernel->bytes) &&
           line_expect_end(&reader->line);
}

/* precision NAME, or CONDITION ? NAME : ... */
static bool read_precision(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    static const char *const names[] = {
#define PRECISION(id, name, bytes, reason) name,
#include "precisions.def"
#undef PRECISION
        "unknown", NULL};
    struct formula_scope scope = scope_of(kernel);

    return formula_read_name(&reader->line, reader->arena, &scope, names, &kernel->precision) &&
           line_expect_end(&reader->line);
}

static bool read_class(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    static const char *const names[] = {"other", "matmul", "elementwise", "movement"};
    char word[CATALOG_WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(word, names[i]) != 0)
            continue;
        kernel->class = (enum catalog_class)i;
        return line_expect_end(&reader->line);
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

static bool read_check_term(struct catalog_reader *reader, const struct catalog_kernel *kernel,
                            struct catalog_check *check)
{
    struct catalog_line *line = &reader->line;
    char name[CATALOG_WORD_MAX];
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
static bool read_check(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;
    struct catalog_check *checks =
        arena_take(reader->arena, (kernel->check_count + 1) * sizeof *checks);

    if (!checks)
        return reader_out_of_memory(reader);
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
    return line_expect_end(line);
}

static bool read_source(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_line *line = &reader->line;

    line_skip_space(line);
    kernel->source =
        arena_copy(reader->arena, line->text + line->position, strlen(line->text + line->position));
    return kernel->source || reader_out_of_memory(reader);
}

static bool read_library(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];

    if (!line_expect_token(&reader->line, word, "a glob of library names") ||
        !line_expect_end(&reader->line))
        return false;
    kernel->library = arena_copy(reader->arena, word, strlen(word));
    return kernel->library || reader_out_of_memory(reader);
}

/* A property with a single possible word. */
static bool read_only_word(struct catalog_reader *reader, const char *only, bool *is_set)
{
    char word[CATALOG_WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    if (strcmp(word, only) != 0)
        return line_fail(&reader->line, length, "expected %s", only);
    *is_set = true;
    return line_expect_end(&reader->line);
}

static bool read_timing(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    return read_only_word(reader, "sampled", &kernel->is_sampled);
}

static bool read_wrapper(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    return read_only_word(reader, "compiled", &kernel->is_compiled);
}

/* adapter NAME: the kernel is not called by its name, but through an object that was made
 * before. */
static bool read_adapter(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];

    if (reader->catalog->refuses_adapters)
        return line_fail(&reader->line, 0, "adapters are of the built-in catalog alone");
    if (!line_expect_token(&reader->line, word, "an adapter's name") ||
        !line_expect_end(&reader->line))
        return false;
    kernel->adapter = arena_copy(reader->arena, word, strlen(word));
    return kernel->adapter || reader_out_of_memory(reader);
}

static bool may_name(const struct catalog_argument *argument)
{
    if (argument->is_pointer)
        return argument->access == CATALOG_LETTER;
    return argument->access >= CATALOG_INT8 && argument->access <= CATALOG_INTEGER;
}

static bool read_request_argument(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];
    unsigned length = line_word(&reader->line, word, sizeof word);

    for (unsigned i = 0; i < kernel->argument_count; i++) {
        if (strcmp(kernel->arguments[i].name, word) != 0)
            continue;
        if (!may_name(&kernel->arguments[i]))
            return line_fail(&reader->line, length, "'%s' is no integer and no char *", word);
        kernel->request_argument = (int)i;
        return line_expect_end(&reader->line);
    }
    return line_fail(&reader->line, length, "'%s' is no argument of the prototype above", word);
}

/* request [ARGUMENT]: a call answers a request */
static bool read_request(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    kernel->is_request = true;
    return line_is_at_end(&reader->line) || read_request_argument(reader, kernel);
}

static const struct property properties[] = {
    {"family", symbols_read_family_name},
    {"library", read_library},
    {"proto", prototype_read},
    {"hidden", read_hidden},
    {"shape", prototype_read_shape},
    {"flops", read_flops},
    {"bytes", read_bytes},
    {"class", read_class},
    {"check", read_check},
    {"source", read_source},
    {"symbol", symbols_read_names},
    {"timing", read_timing},
    {"wrapper", read_wrapper},
    {"adapter", read_adapter},
    {"precision", read_precision},
    {"request", read_request},
};

bool property_read(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];
    unsigned length;

    if (!reader_load_line(reader))
        return false;
    length = line_word(&reader->line, word, sizeof word);
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++)
        if (strcmp(properties[i].name, word) == 0)
            return properties[i].read(reader, kernel);
    return line_fail(&reader->line, length,
                     "expected family, symbol, library, proto, hidden, shape, flops, bytes, "
                     "precision, class, timing, request, check or source");
}
