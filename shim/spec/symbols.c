/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Families and symbols of the catalog language.
 */
#include "symbols.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"

enum { FAMILY_PATTERNS_MAX = 32, FAMILIES_MAX = 16 };

/* A family: the names of a kernel, as patterns with % for the kernel's name. */
struct catalog_family {
    const char *name;
    unsigned pattern_count;
    struct catalog_symbol patterns[FAMILY_PATTERNS_MAX];
};

bool symbols_open(struct catalog *catalog, struct catalog_arena *arena)
{
    if (!catalog->families)
        catalog->families = arena_take(arena, FAMILIES_MAX * sizeof *catalog->families);
    return catalog->families != NULL;
}

/* FNV-1a (Fowler, Noll and Vo). */
static uint32_t hash_name(const char *name)
{
    uint32_t hash = 2166136261u;

    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

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
static bool read_patterns(struct catalog_reader *reader, struct catalog_family *family)
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

bool symbols_read_family(struct catalog_reader *reader)
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
        if (!read_patterns(reader, family))
            return false;
    }
    return true;
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

bool symbols_read_family_name(struct catalog_reader *reader, struct catalog_kernel *kernel)
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
bool symbols_read_names(struct catalog_reader *reader, struct catalog_kernel *kernel)
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

bool symbols_finish(struct catalog_reader *reader, struct catalog_kernel *kernel)
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

const char *symbols_find_twice(const struct catalog *catalog, const struct catalog_kernel *kernel)
{
    for (unsigned i = catalog->unique_from; i < catalog->kernel_count; i++)
        for (unsigned j = 0; j < catalog->kernels[i].symbol_count; j++)
            for (unsigned k = 0; k < kernel->symbol_count; k++)
                if (is_same_symbol(&catalog->kernels[i].symbols[j], &kernel->symbols[k]))
                    return kernel->symbols[k].name;
    return NULL;
}
