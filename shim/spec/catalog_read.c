/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of the catalog language: paragraphs, and the kernels that they make.
 *
 * A paragraph with {a,b,c} groups is read once for each variant, with the groups replaced by their
 * first, second, third word; every group of a paragraph has the same number of words.
 */
#include "catalog_read.h"

#include <string.h>

#include "arena.h"
#include "paragraph.h"
#include "reader.h"
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

static bool keep_kernel(struct catalog_reader *reader)
{
    struct catalog_kernel *kernel = new_kernel(reader->catalog, reader->arena);

    if (!kernel)
        return reader_out_of_memory(reader);
    if (!paragraph_keep(reader, kernel))
        return false;
    reader->catalog->kernel_count++;
    return true;
}

/* Read the paragraph at the cursor once, for one variant. */
static bool read_variant(struct catalog_reader *reader)
{
    const size_t start = reader->start;
    const unsigned number = reader->number;

    return paragraph_read(reader) && check_twice(reader, &reader->kernel, start, number) &&
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
    struct catalog_reader *reader = paragraph_open(catalog, arena, error);

    if (!reader)
        return false;
    reader->text = text;
    reader->size = size;
    while (!reader_is_at_end(reader)) {
        if (reader_is_at_blank(reader))
            reader_next_line(reader);
        else if (!read_paragraph(reader))
            return false;
    }
    return true;
}
