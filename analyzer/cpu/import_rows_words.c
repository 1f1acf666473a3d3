/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of Python modules, by their files.
 */
#include <string.h>

#include "base/text.h"
#include "cpu/import_rows.h"
#include "places/places.h"

/* Returns: whether the folder of a path, of `size` bytes with its slash, is a package that was
 * imported. */
static bool is_package(const struct import_rows *rows, const char *path, size_t size)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct import_row *row = array_at(&rows->rows, i);

        if (row->file && strncmp(row->file, path, size) == 0 &&
            strcmp(row->file + size, "__init__.py") == 0)
            return true;
    }
    return false;
}

/* Returns: where the folder or file begins that a path names before its byte `end`. */
static size_t find_word(const char *path, size_t end)
{
    while (end > 0 && path[end - 1] != '/')
        end--;
    return end;
}

const char *import_rows_find_path(const struct import_rows *rows, const char *file)
{
    const char *below = places_find_below_root(file);
    size_t start = find_word(file, strlen(file));

    if (below)
        return below;
    while (start > 1 && is_package(rows, file, start))
        start = find_word(file, start - 1);
    return file + start;
}

void import_rows_append_line(struct text *text, const struct import_rows *rows,
                             const struct place *place)
{
    if (place->file)
        text_appendf(text, "%s:%u", import_rows_find_path(rows, place->file), place->line);
    else
        text_append(text, place->function->name);
}

void import_rows_append_module(struct text *text, const struct import_rows *rows,
                               const struct import_row *row)
{
    if (row->file)
        places_append_python_module(text, import_rows_find_path(rows, row->file));
    else
        text_append(text, row->extension);
}
