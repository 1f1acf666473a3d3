/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The paragraph of a kernel: its name, and its properties.
 */
#include "paragraph.h"

#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "property.h"
#include "symbols.h"

struct catalog_reader *paragraph_open(struct catalog *catalog, struct catalog_arena *arena,
                                      struct catalog_error *error)
{
    struct catalog_reader *reader = arena_take(arena, sizeof *reader);

    memset(error, 0, sizeof *error);
    if (!reader || !symbols_open(catalog, arena)) {
        snprintf(error->text, sizeof error->text, "no memory is left for the catalog");
        return NULL;
    }
    reader->catalog = catalog;
    reader->arena = arena;
    reader->number = 1;
    reader->line.error = error;
    return reader;
}

static struct catalog_kernel *clear_kernel(struct catalog_reader *reader)
{
    memset(reader->arguments, 0, sizeof reader->arguments);
    memset(reader->shape, 0, sizeof reader->shape);
    reader->kernel = (struct catalog_kernel){
        .arguments = reader->arguments, .shape = reader->shape, .request_argument = -1};
    return &reader->kernel;
}

static bool read_name(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    char word[CATALOG_WORD_MAX];

    if (!reader_load_line(reader))
        return false;
    line_word(&reader->line, word, sizeof word);
    if (!line_expect_token(&reader->line, word, "the kernel's name") ||
        !line_expect_end(&reader->line))
        return false;
    kernel->name = arena_copy(reader->arena, word, strlen(word));
    return kernel->name || reader_out_of_memory(reader);
}

bool paragraph_read(struct catalog_reader *reader)
{
    struct catalog_kernel *kernel = clear_kernel(reader);

    if (!read_name(reader, kernel))
        return false;
    for (reader_next_line(reader); !reader_is_at_end(reader); reader_next_line(reader)) {
        if (reader_is_at_blank(reader))
            continue;
        if (!reader_is_indented(reader))
            break;
        if (!property_read(reader, kernel))
            return false;
    }
    return symbols_finish(reader, kernel);
}

static void *arena_keep(struct catalog_arena *arena, const void *from, size_t size)
{
    void *kept = arena_take(arena, size);

    return kept && size > 0 ? memcpy(kept, from, size) : kept;
}

bool paragraph_keep(struct catalog_reader *reader, struct catalog_kernel *kernel)
{
    struct catalog_arena *arena = reader->arena;
    const struct catalog_kernel *read = &reader->kernel;
    void *arguments =
        arena_keep(arena, read->arguments, read->argument_count * sizeof *read->arguments);
    void *shape = arena_keep(arena, read->shape, read->shape_count * sizeof *read->shape);

    *kernel = *read;
    kernel->arguments = arguments;
    kernel->shape = shape;
    return (arguments && shape) || reader_out_of_memory(reader);
}
