/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A catalog that is read kernel by kernel, as each is asked for.
 *
 * To open it is to find where the paragraphs start, and how many variants each has.  The families
 * are read at once: any kernel may name one.
 *
 * Decision: doc/decisions/packed-catalog.
 */
#include "catalog_later.h"

#include <string.h>

#include "arena.h"
#include "paragraph.h"
#include "reader.h"
#include "symbols.h"

/* Where a kernel stands in the text. */
struct catalog_place {
    size_t start; /* of its paragraph */
    unsigned variant;
};

/* All groups of a paragraph have the same number of words. */
static unsigned count_variants(const char *from, const char *end)
{
    unsigned count = 1;

    while (from && from < end && *from != '{')
        from = *from == '#' ? memchr(from, '\n', (size_t)(end - from)) : from + 1;
    for (; from && from < end && *from != '}'; from++)
        count += *from == ',';
    return count;
}

static void skip_paragraph(struct catalog_reader *reader)
{
    do
        reader_next_line(reader);
    while (!reader_is_at_end(reader) && (reader_is_indented(reader) || reader_is_at_blank(reader)));
}

/* Places are one array in the arena; it is moved when it is full. */
static bool add_place(struct catalog_later *later, struct catalog_place place)
{
    unsigned count = later->catalog.kernel_count;

    if ((count & (count - 1)) == 0) {
        struct catalog_place *moved =
            arena_take(later->reader->arena, (count ? 2 * count : 1) * sizeof *moved);

        if (!moved)
            return reader_out_of_memory(later->reader);
        if (count > 0)
            memcpy(moved, later->places, count * sizeof *moved);
        later->places = moved;
    }
    later->places[count] = place;
    later->catalog.kernel_count++;
    return true;
}

static bool add_kernel(struct catalog_later *later)
{
    struct catalog_reader *reader = later->reader;
    struct catalog_place place = {reader->start, 0};

    skip_paragraph(reader);
    size_t end = reader->start < reader->size ? reader->start : reader->size;
    unsigned variants = count_variants(reader->text + place.start, reader->text + end);
    for (; place.variant < variants; place.variant++)
        if (!add_place(later, place))
            return false;
    return true;
}

static bool find_paragraph(struct catalog_later *later)
{
    struct catalog_reader *reader = later->reader;
    char word[CATALOG_WORD_MAX];

    if (reader_is_at_blank(reader)) {
        reader_next_line(reader);
        return true;
    }
    reader->variants = 0;
    if (!reader_load_line(reader))
        return false;
    line_word(&reader->line, word, sizeof word);
    return strcmp(word, "family") == 0 ? symbols_read_family(reader) : add_kernel(later);
}

bool catalog_later_open(struct catalog_later *later, struct catalog_arena *arena, const char *text,
                        size_t size)
{
    memset(later, 0, sizeof *later);
    later->reader = paragraph_open(&later->catalog, arena, &later->error);
    if (!later->reader)
        return false;
    later->reader->text = text;
    later->reader->size = size;
    while (!reader_is_at_end(later->reader))
        if (!find_paragraph(later))
            return false;
    later->catalog.kernels =
        arena_take(arena, later->catalog.kernel_count * sizeof *later->catalog.kernels);
    return later->catalog.kernels != NULL;
}

const struct catalog_kernel *catalog_later_get(struct catalog_later *later, unsigned index)
{
    struct catalog_reader *reader = later->reader;
    struct catalog_kernel *kernel = &later->catalog.kernels[index];

    if (kernel->name)
        return kernel;
    reader->start = later->places[index].start;
    reader->variant = later->places[index].variant;
    reader->variants = 0;
    return paragraph_read(reader) && paragraph_keep(reader, kernel) ? kernel : NULL;
}
