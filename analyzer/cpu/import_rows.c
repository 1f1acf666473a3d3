/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of imports: the sums.
 */
#include "cpu/import_rows.h"

#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "cpu/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "places/places.h"

const struct place *import_rows_find_python(const struct import_rows *rows, uint32_t call)
{
    const struct call_places *places = places_known(rows->time->places, call);

    return places && places->count > 0 && places->places[0].function->is_python
               ? &places->places[0]
               : NULL;
}

uint32_t import_rows_find_outer(const struct import_rows *rows, uint32_t call)
{
    do
        call = places_parent(rows->time->places, call);
    while (call != 0 && !import_rows_find_python(rows, call));
    return call;
}

static bool is_named(const struct place *place, const char *name)
{
    const char *own = strrchr(place->function->name, '.');

    return strcmp(own ? own + 1 : place->function->name, name) == 0;
}

uint32_t import_rows_find_importer(const struct import_rows *rows, uint32_t call)
{
    while (call != 0 && place_is_importlib(import_rows_find_python(rows, call)))
        call = import_rows_find_outer(rows, call);
    return call;
}

bool import_rows_runs_module(const struct import_rows *rows, uint32_t call)
{
    const struct place *place = import_rows_find_python(rows, call);
    uint32_t outer;

    if (!place || !place->file || !is_named(place, "<module>") || place_is_importlib(place))
        return false;
    outer = import_rows_find_outer(rows, call);
    return outer != 0 && place_is_importlib(import_rows_find_python(rows, outer));
}

static void find_row(struct import_rows *rows, const struct import_row *like, uint32_t *index)
{
    struct text key;
    long number;

    text_init(&key);
    text_index_append_part(&key, like->file);
    text_index_append_part(&key, like->extension);
    number = text_index_add(&rows->keys, &key);
    if ((size_t)number == rows->rows.count) {
        struct import_row *row = array_add(&rows->rows);
        *row = *like;
    }
    *index = (uint32_t)number;
}

/* A new row keeps the caller's name. */
static void keep_extension(struct import_rows *rows, uint32_t index)
{
    struct import_row *row = array_at(&rows->rows, index);

    text_list_add(&rows->texts, row->extension);
    row->extension = text_list_at(&rows->texts, text_list_count(&rows->texts) - 1);
}

/* "extension module at torch/__init__.py:218" */
static void find_extension(struct import_rows *rows, uint32_t importer, uint32_t *index)
{
    size_t count = rows->rows.count;
    struct text line, name;

    text_init(&line);
    text_init(&name);
    import_rows_append_line(&line, rows, import_rows_find_python(rows, importer));
    say(&name, imports_extension_text, said_words(line.bytes));
    const struct import_row like = {.extension = name.bytes, .importer = importer};
    find_row(rows, &like, index);
    if (rows->rows.count > count)
        keep_extension(rows, *index);
}

/* "import a.b" runs the package a within the import of a.b.  `call`: of importlib, around the code
 * of a module.  Returns: whether that is such a package. */
static bool is_on_the_way(const struct import_rows *rows, uint32_t call)
{
    bool is_asked = false; /* importlib itself imports it */

    for (; call != 0 && place_is_importlib(import_rows_find_python(rows, call));
         call = import_rows_find_outer(rows, call)) {
        const struct place *place = import_rows_find_python(rows, call);

        if (is_asked && is_named(place, "_find_and_load_unlocked"))
            return true;
        is_asked = is_named(place, "_find_and_load") || is_named(place, "_gcd_import") ||
                   (is_asked && is_named(place, "_call_with_frames_removed"));
    }
    return false;
}

/* Modules whose code runs on some chain, by the call that imports them. */
static void note_modules(struct import_rows *rows)
{
    for (uint32_t call = 0; (call = places_next_known(rows->time->places, call)) != 0;) {
        const struct place *place = import_rows_find_python(rows, call);
        uint32_t row, importer;

        if (!import_rows_runs_module(rows, call))
            continue;
        importer = import_rows_find_importer(rows, import_rows_find_outer(rows, call));
        const struct import_row like = {.file = place->file, .importer = importer};
        find_row(rows, &like, &row);
        if (importer != 0 && !is_on_the_way(rows, import_rows_find_outer(rows, call)))
            rows->of_call[importer] =
                rows->of_call[importer] == 0 || rows->of_call[importer] == row + 1
                    ? row + 1
                    : IMPORT_ROWS_SEVERAL;
    }
}

static void count(struct import_rows *rows, uint32_t index, size_t sample, bool *is_counted)
{
    struct import_row *row = array_at(&rows->rows, index);
    double ns = rows->time->sample_ns[sample];

    if (row->seen == sample + 1)
        return;
    row->seen = sample + 1;
    row->total_ns += ns;
    row->samples += session_sample_at(rows->time->session, sample)->count;
    if (!*is_counted)
        row->self_ns += ns;
    *is_counted = true;
}

/* Importlib is running, and the imported module's code has not started yet. */
static void count_loading(struct import_rows *rows, uint32_t call, size_t sample, bool *is_counted)
{
    bool is_extension = false;
    uint32_t importer = call, row;

    for (; importer != 0 && place_is_importlib(import_rows_find_python(rows, importer));
         importer = import_rows_find_outer(rows, importer))
        is_extension =
            is_extension || is_named(import_rows_find_python(rows, importer), "create_module");
    if (importer == 0)
        return;
    if (rows->of_call[importer] != 0 && rows->of_call[importer] != IMPORT_ROWS_SEVERAL) {
        count(rows, rows->of_call[importer] - 1, sample, is_counted);
        return;
    }
    if (!is_extension)
        return;
    find_extension(rows, importer, &row);
    count(rows, row, sample, is_counted);
}

/* A package on the way to a module is part of that one's import. */
static void count_around(struct import_rows *rows, uint32_t call, size_t sample, bool *is_counted)
{
    uint32_t outer = import_rows_find_outer(rows, call), row;

    if (!is_on_the_way(rows, outer))
        return;
    row = rows->of_call[import_rows_find_importer(rows, outer)];
    if (row != 0 && row != IMPORT_ROWS_SEVERAL)
        count(rows, row - 1, sample, is_counted);
}

static void count_sample(struct import_rows *rows, size_t sample)
{
    uint32_t call = session_sample_at(rows->time->session, sample)->call;
    bool is_counted = false, is_import = false;

    if (call != 0 && !import_rows_find_python(rows, call))
        call = import_rows_find_outer(rows, call);
    if (call != 0 && place_is_importlib(import_rows_find_python(rows, call))) {
        is_import = true;
        count_loading(rows, call, sample, &is_counted);
    }
    for (; call != 0; call = import_rows_find_outer(rows, call)) {
        const struct place *place = import_rows_find_python(rows, call);
        uint32_t row;

        if (!import_rows_runs_module(rows, call))
            continue;
        is_import = true;
        const struct import_row like = {.file = place->file};
        find_row(rows, &like, &row);
        count(rows, row, sample, &is_counted);
        count_around(rows, call, sample, &is_counted);
    }
    rows->all_ns += is_import ? rows->time->sample_ns[sample] : 0;
}

static void gather(struct import_rows *rows)
{
    const struct session *session = rows->time->session;

    rows->of_call = pool_get_zeros(session->calls.count + 1, sizeof *rows->of_call);
    note_modules(rows);
    for (size_t i = 0; i < session->samples.count; i++)
        count_sample(rows, i);
}

void import_rows_init(struct import_rows *rows, const struct cpu_time *time)
{
    *rows = (struct import_rows){.time = time};
    array_init(&rows->rows, sizeof(struct import_row));
    text_list_init(&rows->texts);
    text_index_init(&rows->keys);
    if (time->sample_ns)
        gather(rows);
}

