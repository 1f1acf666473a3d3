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
    static const char *const roots[] = {"/site-packages/", "/dist-packages/", "/lib-dynload/"};
    const char *python = strstr(file, "/lib/python3");
    const char *below = python ? strchr(python + strlen("/lib/"), '/') : NULL;
    size_t start = find_word(file, strlen(file));

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strstr(file, roots[i]))
            return strstr(file, roots[i]) + strlen(roots[i]);
    if (below)
        return below + 1;
    while (start > 1 && is_package(rows, file, start))
        start = find_word(file, start - 1);
    return file + start;
}

/* "torch.nn.modules" of ".../dist-packages/torch/nn/modules/__init__.py", "os" of "<frozen os>" */
static void append_file(struct text *text, const struct import_rows *rows, const char *file)
{
    static const char *const ends[] = {"/__init__.py", ".py", ">"};
    static const char frozen[] = "<frozen ";
    const char *path = import_rows_find_path(rows, file);
    size_t size = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends_with(path, size, ends[i])) {
            size -= strlen(ends[i]);
            break;
        }
    for (size_t i = strncmp(path, frozen, strlen(frozen)) == 0 ? strlen(frozen) : 0; i < size; i++)
        text_append_bytes(text, path[i] == '/' ? "." : &path[i], 1);
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
        append_file(text, rows, row->file);
    else
        text_append(text, row->extension);
}
