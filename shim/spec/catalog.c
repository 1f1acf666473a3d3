/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the catalog language: lines, paragraphs, properties.
 *
 * A paragraph that holds {a,b,c} groups is read once a variant, with the
 * groups replaced by their first, second, third word; every group of a
 * paragraph has the same number of words.
 */
#include "catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

enum { FAMILY_PATTERNS_MAX = 32, FAMILIES_MAX = 16 };

/* A family: the names a kernel goes by, as patterns in which % is its name. */
struct catalog_family {
    const char *name;
    unsigned pattern_count;
    struct catalog_symbol patterns[FAMILY_PATTERNS_MAX];
};

typedef bool (*property_reader)(struct catalog_reader *reader, struct catalog_kernel *kernel);

struct property {
    const char *name;
    property_reader read;
};

/* ---- symbols ----------------------------------------------------------- */

/* FNV-1a (Fowler, Noll and Vo). */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

/* ---- families ---------------------------------------------------------- */

static struct catalog_family *find_family(struct catalog_reader *reader, const char *name)
{
    for (unsigned i = 0; i < reader->catalog->family_count; i++)
        if (strcmp(reader->catalog->families[i].name, name) == 0)
            return &reader->catalog->families[i];
    return NULL;
}

static bool add_pattern(struct catalog_reader *reader, struct catalog_family *family,
                        const char *pattern, bool is_wide, const char *library)
{
    struct catalog_symbol *symbol;

    if (family->pattern_count == FAMILY_PATTERNS_MAX)
        return line_fail(&reader->line, 0, "a family has at most %d patterns", FAMILY_PATTERNS_MAX);
    symbol = &family->patterns[family->pattern_count++];
    symbol->name = arena_copy(reader->arena, pattern, strlen(pattern));
    symbol->is_wide = is_wide;
    symbol->library = library;
    return symbol->name || reader_out_of_memory(reader);
}

/* symbols int32|int64 PATTERN... [in GLOB] */
static bool read_symbols(struct catalog_reader *reader, struct catalog_family *family)
{
    struct catalog_line *line = &reader->line;
    unsigned first = family->pattern_count;
    char word[CATALOG_WORD_MAX];
    unsigned length = line_token(line, word, sizeof word);
    bool is_wide = strcmp(word, "int64") == 0;

    if (!is_wide && strcmp(word, "int32") != 0)
        return line_fail(line, length, "expected int32 or int64");
    while (!line_is_at_end(line)) {
        length = line_token(line, word, sizeof word);
        if (strcmp(word, "in") == 0)
            break;
        if (!strchr(word, '%'))
            return line_fail(line, length, "expected a pattern with '%%' for the kernel's name");
        if (!add_pattern(reader, family, word, is_wide, NULL))
            return false;
    }
    if (strcmp(word, "in") != 0)
        return true;
    if (!line_expect_token(line, word, "a glob of library names after 'in'") ||
        !line_expect_end(line))
        return false;
    for (unsigned i = first; i < family->pattern_count; i++)
        family->patterns[i].library = arena_copy(reader->arena, word, strlen(word));
    return true;
}

static bool read_family(struct catalog_reader *reader)
{
    struct catalog_line *line = &reader->line;
    struct catalog_family *family = &reader->catalog->families[reader->catalog->family_count];
    char word[CATALOG_WORD_MAX];

    if (reader->catalog->family_count == FAMILIES_MAX)
        return line_fail(line, 0, "a catalog has at most %d families", FAMILIES_MAX);
    if (!line_expect_token(line, word, "the family's name") || !line_expect_end(line))
        return false;
    memset(family, 0, sizeof *family);
    family->name = arena_copy(reader->arena, word, strlen(word));
    if (!family->name)
        return reader_out_of_memory(reader);
    reader->catalog->family_count++;
    for (reader_next_line(reader); !reader_is_at_end(reader); reader_next_line(reader)) {
        if (reader_is_at_blank(reader))
            continue;
        if (!reader_is_indented(reader))
            return true;
        if (!reader_load_line(reader))
            return false;
        if (line_word(line, word, sizeof word) == 0 || strcmp(word, "symbols") != 0)
            return line_fail(line, (unsigned)strlen(word), "expected 'symbols'");
        if (!read_symbols(reader, family))
            return false;
    }
    return true;
}

/* ---- properties -------------------------------------------------------- */

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

/* Add one symbol: the kernel's name put in place of the pattern's %. */
static bool add_symbol(struct catalog_reader *reader, struct catalog_kernel *kernel,
                       struct catalog_symbol *symbol, const struct catalog_symbol *pattern)
{
    char name[2 * CATALOG_WORD_MAX];
    const char *percent = strchr(pattern->name, '%');

    snprintf(name, sizeof name, "%.*s%s%s", (int)(percent - pattern->name), pattern->name,
             kernel->name, percent + 1);
    *symbol = *pattern;
    symbol->name = arena_copy(reader->arena, name, strlen(name));
    symbol->hash = hash_name(name);
    return symbol->name || reader_out_of_memory(reader);
}

static bool read_kernel_family(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];
    struct catalog_symbol *symbols;
    const struct catalog_family *family;

    if (!line_expect_token(&reader->line, word, "a family's name") ||
        !line_expect_end(&reader->line))
        return false;
    family = find_family(reader, word);
    if (!family)
        return line_fail(&reader->line, (unsigned)strlen(word), "there is no family '%s' above",
                         word);
    symbols = arena_take(reader->arena, family->pattern_count * sizeof *symbols);
    if (!symbols)
        return reader_out_of_memory(reader);
    for (unsigned i = 0; i < family->pattern_count; i++)
        if (!add_symbol(reader, kernel, &symbols[i], &family->patterns[i]))
            return false;
    kernel->family = family->name;
    kernel->symbols = symbols;
    kernel->symbol_count = family->pattern_count;
    return true;
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

static unsigned count_tokens(struct catalog_line *line)
{
    unsigned position = line->position;
    unsigned count = 0;
    char word[CATALOG_WORD_MAX];

    while (!line_is_at_end(line))
        count += line_token(line, word, sizeof word) > 0;
    line->position = position;
    return count;
}

static bool is_glob(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

static bool name_symbol(struct catalog_reader *reader, struct catalog_symbol *symbol,
                        const char *name)
{
    const char *set = strchr(name, '[');

    if (set && !strchr(set, ']'))
        return line_fail(&reader->line, 0, "expected ']' after '['");
    symbol->name = arena_copy(reader->arena, name, strlen(name));
    symbol->is_glob = is_glob(name);
    symbol->hash = hash_name(name);
    return symbol->name || reader_out_of_memory(reader);
}

/* symbol NAME|GLOB ... */
static bool read_symbol(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    unsigned count = count_tokens(&reader->line);
    struct catalog_symbol *symbols = arena_take(reader->arena, count * sizeof *symbols);
    char word[CATALOG_WORD_MAX];

    if (count == 0)
        return line_fail(&reader->line, 0, "expected a symbol or a glob of symbols");
    if (!symbols)
        return reader_out_of_memory(reader);
    for (unsigned i = 0; i < count; i++)
        if (!line_expect_token(&reader->line, word, "a symbol") ||
            !name_symbol(reader, &symbols[i], word))
            return false;
    kernel->symbols = symbols;
    kernel->symbol_count = count;
    return true;
}

/* A property that is a single word, of which there is one. */
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

/* adapter NAME: the kernel is not called by its name; an object that was made
 * before stands for it. */
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

static const struct property properties[] = {
    {"family", read_kernel_family}, {"library", read_library},       {"proto", prototype_read},
    {"hidden", read_hidden},        {"shape", prototype_read_shape}, {"flops", read_flops},
    {"bytes", read_bytes},          {"class", read_class},           {"check", read_check},
    {"source", read_source},        {"symbol", read_symbol},         {"timing", read_timing},
    {"wrapper", read_wrapper},      {"adapter", read_adapter},       {"precision", read_precision},
};

/* ---- kernels ----------------------------------------------------------- */

static bool read_property(struct catalog_reader *reader, struct catalog_kernel *kernel)
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
                     "precision, class, timing, check or source");
}

/* A kernel without family and symbols goes by its own name. */
static bool finish_kernel(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_symbol *symbols = arena_take(reader->arena, sizeof *symbols);

    if (!symbols)
        return reader_out_of_memory(reader);
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
        return reader_out_of_memory(reader);
    memcpy(symbols, kernel->symbols, kernel->symbol_count * sizeof *symbols);
    for (unsigned i = 0; i < kernel->symbol_count; i++)
        symbols[i].library = kernel->library;
    kernel->symbols = symbols;
    return true;
}

static bool is_same_symbol(const struct catalog_symbol *a, const struct catalog_symbol *b)
{
    if (a->hash != b->hash || strcmp(a->name, b->name) != 0 || !a->library != !b->library)
        return false;
    return !a->library || strcmp(a->library, b->library) == 0;
}

/* Returns: the symbol of the kernel that a user's kernel before it has, too, or NULL. */
static const char *find_twice(const struct catalog *catalog, const struct catalog_kernel *kernel)
{
    for (unsigned i = catalog->unique_from; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            for (unsigned k = 0; k < kernel->symbol_count; k++)
                if (is_same_symbol(&catalog->kernels[i].symbols[j], &kernel->symbols[k]))
                    return kernel->symbols[k].name;
    return NULL;
}

/* Of two paragraphs for one symbol a user meant one: the mistake stands where the
 * second begins. */
static bool check_twice(struct catalog_reader *reader, const struct catalog_kernel *kernel,
                        size_t start, unsigned number)
{
    const char *name = reader->catalog->refuses_twice ? find_twice(reader->catalog, kernel) : NULL;

    if (!name)
        return true;
    reader->start = start;
    reader->number = number;
    return reader_load_line(reader) &&
           line_fail(&reader->line, 0, "'%.60s' has a paragraph before this", name);
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

static void *arena_keep(struct catalog_arena *arena, const void *from, size_t size)
{
    void *kept = arena_take(arena, size);

    return kept && size > 0 ? memcpy(kept, from, size) : kept;
}

/* Put what was read into the catalog, with no more arguments and terms than it has: a user's
 * catalog is read in each process. */
static bool keep_kernel(struct catalog_reader *reader)
{
    struct catalog_arena *arena = reader->arena;
    struct catalog_kernel *kernel = new_kernel(reader->catalog, arena);
    const struct catalog_kernel *read = &reader->kernel;

    if (!kernel)
        return reader_out_of_memory(reader);
    *kernel = *read;
    kernel->arguments =
        arena_keep(arena, read->arguments, read->argument_count * sizeof *read->arguments);
    kernel->shape = arena_keep(arena, read->shape, read->shape_count * sizeof *read->shape);
    if (!kernel->arguments || !kernel->shape)
        return reader_out_of_memory(reader);
    reader->catalog->kernel_count++;
    return true;
}

static struct catalog_kernel *clear_kernel(struct catalog_reader *reader)
{
    memset(reader->arguments, 0, sizeof reader->arguments);
    memset(reader->shape, 0, sizeof reader->shape);
    reader->kernel =
        (struct catalog_kernel){.arguments = reader->arguments, .shape = reader->shape};
    return &reader->kernel;
}

/* Read the paragraph at the cursor once, for one variant. */
static bool read_variant(struct catalog_reader *reader)
{
    struct catalog_kernel *kernel = clear_kernel(reader);
    const size_t start = reader->start;
    const unsigned number = reader->number;
    char word[CATALOG_WORD_MAX];

    if (!reader_load_line(reader))
        return false;
    line_word(&reader->line, word, sizeof word);
    if (!line_expect_token(&reader->line, word, "the kernel's name") ||
        !line_expect_end(&reader->line))
        return false;
    kernel->name = arena_copy(reader->arena, word, strlen(word));
    if (!kernel->name)
        return reader_out_of_memory(reader);
    for (reader_next_line(reader); !reader_is_at_end(reader); reader_next_line(reader)) {
        if (reader_is_at_blank(reader))
            continue;
        if (!reader_is_indented(reader))
            break;
        if (!read_property(reader, kernel))
            return false;
    }
    return finish_kernel(reader, kernel) && check_twice(reader, kernel, start, number) &&
           keep_kernel(reader);
}

static bool read_kernel(struct catalog_reader *reader)
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

static bool read_paragraph(struct catalog_reader *reader)
{
    char word[CATALOG_WORD_MAX];
    unsigned length;

    reader->variants = 0;
    if (!reader_load_line(reader))
        return false;
    length = line_word(&reader->line, word, sizeof word);
    if (!reader_is_indented(reader) && strcmp(word, "family") == 0)
        return read_family(reader);
    if (!reader_is_indented(reader) && strcmp(word, "kernel") == 0)
        return read_kernel(reader);
    return line_fail(&reader->line, length, "expected 'family' or 'kernel' in the first column");
}

bool catalog_read(struct catalog *catalog, struct catalog_arena *arena, const char *text,
                  size_t size, struct catalog_error *error)
{
    struct catalog_reader *reader = arena_take(arena, sizeof *reader);

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
        if (reader_is_at_blank(reader))
            reader_next_line(reader);
        else if (!read_paragraph(reader))
            return false;
    }
    return true;
}
