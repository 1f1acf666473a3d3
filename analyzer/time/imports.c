/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof imports: what the import of each Python module cost, by samples of processor time.
 *
 * A sample belongs to each module whose code runs on its chain because importlib called it.
 * Before a module's code runs, importlib looks for its file and reads it: that time belongs to
 * the module that is imported from the same call, if it is one alone.  An extension module has no
 * code of Python, and is told by the line that imports it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text_index.h"
#include "base/text_list.h"
#include "document/table.h"
#include "figures/analysis.h"
#include "figures/cpu_time.h"
#include "figures/places.h"
#include "figures/python_split.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "time/texts.h"

enum { MODULE, TOTAL, SHARE, SELF, SAMPLES, IMPORTER, FILE_PATH };

static const struct column columns[] = {
    [MODULE] = {"module", "module", "what was imported", UNIT_TEXT, 0},
    [TOTAL] = {"total_ns", "total", "processor time with the modules that it imports", UNIT_NS, 0},
    [SHARE] = {"total_share", "share", "of the processor time of the process", UNIT_FRACTION, 0},
    [SELF] = {"self_ns", "self", "processor time without these", UNIT_NS, 0},
    [SAMPLES] = {"samples", "samples", "that tell of the total", UNIT_COUNT, 2},
    [IMPORTER] = {"importer", "imported by", "the line that imported it first", UNIT_TEXT, 1},
    [FILE_PATH] = {"file", NULL, "of the module; null: an extension module", UNIT_TEXT, 9},
};

static const struct table_schema schema = {"imports", "Imports", columns,
                                           sizeof columns / sizeof *columns, "total_share"};

struct import {
    const char *file;      /* NULL: an extension module */
    const char *extension; /* then its name for people; else NULL */
    uint32_t importer;     /* call of the frame that imports it; 0: not known */
    double total_ns;
    double self_ns;
    uint64_t samples;
    uint64_t seen; /* the sample that was counted last, and one */
};

struct imports {
    const struct session *session;
    struct cpu_time time;
    struct array rows; /* of struct import */
    struct text_index keys;
    struct text_list texts;
    uint32_t *of_call; /* by call of an importing frame: row and one of the only module that it
                          imported so; 0: none, SEVERAL */
    double all_ns;
};

enum { SEVERAL = UINT32_MAX };

static const struct place *find_python(const struct imports *imports, uint32_t call)
{
    const struct call_places *places = places_known(imports->time.places, call);

    return places && places->count > 0 && places->places[0].function->is_python
               ? &places->places[0]
               : NULL;
}

/* Returns: the nearest call of Python code around one; 0: there is none. */
static uint32_t find_outer(const struct imports *imports, uint32_t call)
{
    do
        call = places_parent(imports->time.places, call);
    while (call != 0 && !find_python(imports, call));
    return call;
}

static bool is_named(const struct place *place, const char *name)
{
    const char *own = strrchr(place->function->name, '.');

    return strcmp(own ? own + 1 : place->function->name, name) == 0;
}

/* Returns: the nearest frame around a call that is not importlib's; 0: there is none. */
static uint32_t find_importer(const struct imports *imports, uint32_t call)
{
    while (call != 0 && python_split_is_importlib(find_python(imports, call)))
        call = find_outer(imports, call);
    return call;
}

/* Does importlib run a module's code there? */
static bool runs_module(const struct imports *imports, uint32_t call, const struct place *place)
{
    uint32_t outer = find_outer(imports, call);

    return is_named(place, "<module>") && place->file && !python_split_is_importlib(place) && outer != 0 &&
           python_split_is_importlib(find_python(imports, outer));
}

static enum status find_row(struct imports *imports, const struct import *like, uint32_t *index)
{
    struct text key;
    long number;

    text_init(&key);
    text_index_append_part(&key, like->file);
    text_index_append_part(&key, like->extension);
    number = text_index_add(&imports->keys, &key);
    text_fini(&key);
    if (number < 0)
        return STATUS_OUT_OF_MEMORY;
    if ((size_t)number == imports->rows.count) {
        struct import *row = array_add(&imports->rows);
        if (!row)
            return STATUS_OUT_OF_MEMORY;
        *row = *like;
    }
    *index = (uint32_t)number;
    return STATUS_OK;
}

/* Returns: whether the folder of a path, of `size` bytes with its slash, is a package that was
 * imported. */
static bool is_package(const struct imports *imports, const char *path, size_t size)
{
    for (size_t i = 0; i < imports->rows.count; i++) {
        const struct import *row = array_at(&imports->rows, i);

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

/* Returns: the path below the folder that Python imports from: "torch/nn/functional.py". */
static const char *find_path(const struct imports *imports, const char *file)
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
    while (start > 1 && is_package(imports, file, start))
        start = find_word(file, start - 1);
    return file + start;
}

/* "torch.nn.modules" of ".../dist-packages/torch/nn/modules/__init__.py", "os" of "<frozen os>" */
static void append_module(struct text *text, const struct imports *imports, const char *file)
{
    static const char *const ends[] = {"/__init__.py", ".py", ">"};
    static const char frozen[] = "<frozen ";
    const char *path = find_path(imports, file);
    size_t size = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (size > strlen(ends[i]) && strcmp(path + size - strlen(ends[i]), ends[i]) == 0) {
            size -= strlen(ends[i]);
            break;
        }
    for (size_t i = strncmp(path, frozen, strlen(frozen)) == 0 ? strlen(frozen) : 0; i < size; i++)
        text_append_bytes(text, path[i] == '/' ? "." : &path[i], 1);
}

/* "torch/nn/functional.py:8" */
static void append_line(struct text *text, const struct imports *imports,
                        const struct place *place)
{
    if (place->file)
        text_appendf(text, "%s:%u", find_path(imports, place->file), place->line);
    else
        text_append(text, place->function->name);
}

/* A new row keeps its name, which is the caller's. */
static enum status keep_extension(struct imports *imports, uint32_t index)
{
    struct import *row = array_at(&imports->rows, index);

    if (text_list_add(&imports->texts, row->extension))
        return STATUS_OUT_OF_MEMORY;
    row->extension = text_list_at(&imports->texts, text_list_count(&imports->texts) - 1);
    return STATUS_OK;
}

/* "extension module at torch/__init__.py:218" */
static enum status find_extension(struct imports *imports, uint32_t importer, uint32_t *index)
{
    size_t count = imports->rows.count;
    struct text line, name;
    enum status status;

    text_init(&line);
    text_init(&name);
    append_line(&line, imports, find_python(imports, importer));
    say(&name, imports_extension_text, said_words(line.bytes));
    status = text_status(&line) ? STATUS_OUT_OF_MEMORY : text_status(&name);
    const struct import like = {.extension = name.bytes, .importer = importer};
    if (!status)
        status = find_row(imports, &like, index);
    if (!status && imports->rows.count > count)
        status = keep_extension(imports, *index);
    text_fini(&line);
    text_fini(&name);
    return status;
}

/* Modules whose code runs on some chain, by the call that imports them. */
static enum status note_modules(struct imports *imports)
{
    for (uint32_t call = 1; call < imports->session->calls.count; call++) {
        const struct place *place = find_python(imports, call);
        uint32_t row, importer;

        if (!place || !runs_module(imports, call, place))
            continue;
        importer = find_importer(imports, find_outer(imports, call));
        const struct import like = {.file = place->file, .importer = importer};
        if (find_row(imports, &like, &row))
            return STATUS_OUT_OF_MEMORY;
        if (importer != 0)
            imports->of_call[importer] = imports->of_call[importer] == 0 ||
                                                 imports->of_call[importer] == row + 1
                                             ? row + 1
                                             : SEVERAL;
    }
    return STATUS_OK;
}

static void count(struct imports *imports, uint32_t index, size_t sample, bool *is_counted)
{
    struct import *row = array_at(&imports->rows, index);
    double ns = imports->time.sample_ns[sample];

    if (row->seen == sample + 1)
        return;
    row->seen = sample + 1;
    row->total_ns += ns;
    row->samples += session_sample_at(imports->session, sample)->count;
    if (!*is_counted)
        row->self_ns += ns;
    *is_counted = true;
}

/* Importlib is at work, and no code of the module that it imports runs yet. */
static enum status count_loading(struct imports *imports, uint32_t call, size_t sample,
                                 bool *is_counted)
{
    bool is_extension = false;
    uint32_t importer = call, row;

    for (; importer != 0 && python_split_is_importlib(find_python(imports, importer));
         importer = find_outer(imports, importer))
        is_extension = is_extension || is_named(find_python(imports, importer), "create_module");
    if (importer == 0)
        return STATUS_OK;
    if (imports->of_call[importer] != 0 && imports->of_call[importer] != SEVERAL) {
        count(imports, imports->of_call[importer] - 1, sample, is_counted);
        return STATUS_OK;
    }
    if (!is_extension)
        return STATUS_OK;
    if (find_extension(imports, importer, &row))
        return STATUS_OUT_OF_MEMORY;
    count(imports, row, sample, is_counted);
    return STATUS_OK;
}

static enum status count_sample(struct imports *imports, size_t sample)
{
    uint32_t call = session_sample_at(imports->session, sample)->call;
    bool is_counted = false, is_import = false;
    enum status status = STATUS_OK;

    if (call != 0 && !find_python(imports, call))
        call = find_outer(imports, call);
    if (call != 0 && python_split_is_importlib(find_python(imports, call))) {
        is_import = true;
        status = count_loading(imports, call, sample, &is_counted);
    }
    for (; call != 0 && !status; call = find_outer(imports, call)) {
        const struct place *place = find_python(imports, call);
        uint32_t row;

        if (!runs_module(imports, call, place))
            continue;
        is_import = true;
        const struct import like = {.file = place->file};
        status = find_row(imports, &like, &row);
        if (!status)
            count(imports, row, sample, &is_counted);
    }
    imports->all_ns += is_import ? imports->time.sample_ns[sample] : 0;
    return status;
}

static enum status gather(struct imports *imports, const struct analysis_options *options)
{
    const struct cpu_time_options by = {CPU_BY_FUNCTION, options->confidence,
                                        options->find_frames};
    enum status status = cpu_time_init(&imports->time, imports->session, &by);

    imports->of_call = calloc(imports->session->calls.count + 1, sizeof *imports->of_call);
    if (!status && !imports->of_call)
        status = STATUS_OUT_OF_MEMORY;
    if (!status)
        status = note_modules(imports);
    for (size_t i = 0; i < imports->session->samples.count && !status; i++)
        status = count_sample(imports, i);
    return status;
}

static enum status set_row(struct value *cells, const struct imports *imports,
                           const struct import *row)
{
    const struct place *importer = row->importer ? find_python(imports, row->importer) : NULL;
    struct text name, line;
    enum status status;

    text_init(&name);
    text_init(&line);
    if (row->file)
        append_module(&name, imports, row->file);
    else
        text_append(&name, row->extension);
    if (importer)
        append_line(&line, imports, importer);
    value_set_rounded(&cells[TOTAL], row->total_ns);
    value_set_real(&cells[SHARE], cpu_time_share(&imports->time, row->total_ns));
    value_set_rounded(&cells[SELF], row->self_ns);
    value_set_unsigned(&cells[SAMPLES], row->samples);
    status = value_take_text(&cells[MODULE], &name);
    enum status taken = value_take_text(&cells[IMPORTER], &line);
    if (!status)
        status = taken;
    return status ? status : value_set_text(&cells[FILE_PATH], row->file);
}

static enum status fill(struct table *table, const struct imports *imports)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < imports->rows.count && !status; i++) {
        const struct import *row = array_at(&imports->rows, i);
        struct value *cells = row->samples > 0 ? table_add_row(table) : NULL;

        if (row->samples > 0)
            status = cells ? set_row(cells, imports, row) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

static enum status say_notes(struct table *table, const struct imports *imports)
{
    if (imports->time.unknown)
        return table_say(table, imports_unsampled_text, said_words(imports->time.unknown));
    if (imports->all_ns <= 0)
        return table_say(table, imports_none_text);
    return table_say(table, imports_all_text, said_time(imports->all_ns),
                     said_share(cpu_time_share(&imports->time, imports->all_ns)),
                     said_time((double)imports->session->sampling.period_ns));
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct imports imports = {.session = session};
    enum status status;

    array_init(&imports.rows, sizeof(struct import));
    text_list_init(&imports.texts);
    table_init(table, &schema);
    status = gather(&imports, options);
    if (!status)
        status = fill(table, &imports);
    if (!status)
        status = say_notes(table, &imports);
    text_list_fini(&imports.texts);
    text_index_fini(&imports.keys);
    array_fini(&imports.rows);
    free(imports.of_call);
    cpu_time_fini(&imports.time);
    return status;
}

const struct analysis analysis_imports = {
    .name = "imports",
    .help = "What the import of each Python module cost in processor time, by samples.",
    .sort_key = "total_ns",
    .build = build,
    .long_rows = 1 << ANALYSIS_BY_DEFAULT,
};
