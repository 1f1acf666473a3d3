/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the catalog language: paragraphs, and the kernels that they make.
 *
 * A paragraph with {a,b,c} groups is read once for each variant, with the groups replaced by their
 * first, second, third word; every group of a paragraph has the same number of words.
 */
#include "catalog_read.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "property.h"
#include "symbols.h"

/* If a user wrote two paragraphs for one symbol, one of them is wrong: the mistake is reported at
 * the start of the second. */
static bool check_twice(struct catalog_reader *reader, const struct catalog_kernel *kernel,
                        size_t start, unsigned number)
{
    const char *name =
        reader->catalog->refuses_twice ? symbols_find_twice(reader->catalog, kernel) : NULL;

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

/* Puts the kernel into the catalog, with no more arguments and terms than it has: each process
 * reads a user's catalog. */
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
        if (!property_read(reader, kernel))
            return false;
    }
    return symbols_finish(reader, kernel) && check_twice(reader, kernel, start, number) &&
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
        return symbols_read_family(reader);
    if (!reader_is_indented(reader) && strcmp(word, "kernel") == 0)
        return read_kernel(reader);
    return line_fail(&reader->line, length, "expected 'family' or 'kernel' in the first column");
}

bool catalog_read(struct catalog *catalog, struct catalog_arena *arena, const char *text,
                  size_t size, struct catalog_error *error)
{
    struct catalog_reader *reader = arena_take(arena, sizeof *reader);

    memset(error, 0, sizeof *error);
    if (!reader || !symbols_open(catalog, arena)) {
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
