/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of places in tables and sentences.
 */
#include <inttypes.h>
#include <string.h>

#include "places/places.h"
#include "places/plain_name.h"
#include "places/short_name.h"
#include "places/texts.h"

enum { NAME_MOST = 64 }; /* characters of a name in a sentence, before its arguments are left out */

bool places_is_address(const char *name, const char *module)
{
    size_t size = module ? strlen(module) : 0;

    return size > 0 && strncmp(name, module, size) == 0 &&
           strncmp(name + size, "+0x", strlen("+0x")) == 0;
}

static bool is_inside_libc(const struct places_function *function)
{
    return !function->is_starter && plain_name_is_libc(function->module);
}

void places_append_function(struct text *text, const struct places_function *function,
                            bool is_verbose)
{
    if (function->cause != SYMBOLS_CAUSE_NONE)
        text_appendf(text, "%s%s(%s)", function->module ? function->module : "",
                     function->module ? " " : "", symbols_cause_words(function->cause));
    else if (function->has_name && !is_verbose && is_inside_libc(function))
        plain_name_append(text, function->name);
    else if (function->has_name && !is_verbose)
        short_name_append(text, function->name);
    else
        text_appendf(text, "%s%s", function->name,
                     function->has_place && !function->has_name ? " (no name)" : "");
}

/* Returns: the length of the unique part of a file's name: "libR" of "libR.so", "_multiarray_umath"
 * of "_multiarray_umath.cpython-311-x86_64-linux-gnu.so". */
static size_t measure_module(const char *module)
{
    static const char *const ends[] = {".so", ".cpython-", ".abi3"};

    for (const char *dot = strchr(module, '.'); dot; dot = strchr(dot + 1, '.'))
        for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
            if (strncmp(dot, ends[i], strlen(ends[i])) == 0)
                return (size_t)(dot - module);
    return strlen(module);
}

void places_append_module(struct text *text, const char *module)
{
    text_append_bytes(text, module, measure_module(module));
}

/* An address with a caller is short, as another column has the whole name of the library. */
static void append_called(struct text *text, const struct places_function *function,
                          bool is_verbose)
{
    if (function->has_name || function->cause != SYMBOLS_CAUSE_NONE ||
        !places_is_address(function->name, function->module)) {
        places_append_function(text, function, is_verbose);
        return;
    }
    places_append_module(text, function->module);
    text_append(text, function->name + strlen(function->module));
}

void places_append_called(struct text *text, const struct places_function *function,
                          const struct places_function *caller, bool is_verbose)
{
    if (!caller) {
        places_append_function(text, function, is_verbose);
        return;
    }
    append_called(text, function, is_verbose);
    text_append(text, cpu_called_by_text.words);
    if (caller->is_python)
        text_appendf(text, "%s ", caller->module);
    places_append_function(text, caller, is_verbose);
}

bool place_is_address(const struct place *place)
{
    return !place->file && places_is_address(place->function->name, place->function->module);
}

static void append_offset(struct text *text, const struct place *place)
{
    if (place->offset > 0)
        text_appendf(text, "+0x%" PRIx64, place->offset);
}

/* For a function without a name, the address is the most informative. */
void place_append_name(struct text *text, const struct place *place)
{
    if (!place->function->has_name && place->start != 0) {
        text_appendf(text, "%s+0x%" PRIx64, place->function->module,
                     place->start + place->offset);
        return;
    }
    text_append(text, place->function->name);
    append_offset(text, place);
}

/* Returns: the list of arguments in a C++ name, of `size` bytes; NULL when there is none, as in
 * "(anonymous namespace)::load". */
static const char *find_arguments(const char *name, size_t *size)
{
    const char *last = strrchr(name, ')');
    unsigned depth = 0;

    if (!last || strncmp(last, ")::", 3) == 0)
        return NULL;
    for (const char *at = last; at > name; at--) {
        depth += *at == ')';
        depth -= *at == '(';
        *size = (size_t)(last - at) + 1;
        if (depth == 0)
            return at;
    }
    return NULL;
}

void place_append_short_name(struct text *text, const struct place *place)
{
    const char *name = place->function->name;
    size_t size;
    const char *arguments = strlen(name) > NAME_MOST ? find_arguments(name, &size) : NULL;

    if (!arguments) {
        place_append_name(text, place);
        return;
    }
    if (arguments - name > NAME_MOST)
        short_name_append(text, name); /* arguments of templates are left out, too */
    else
        text_appendf(text, "%.*s(...)%s", (int)(arguments - name), name, arguments + size);
    append_offset(text, place);
}

bool place_has_location(const struct place *place)
{
    return place->file || (place->function->module && !place_is_address(place));
}

void place_append_location(struct text *text, const struct place *place)
{
    if (place->file && place->line > 0)
        text_appendf(text, "%s:%u", text_base_name(place->file), place->line);
    else if (place_has_location(place))
        text_append(text, place->file ? text_base_name(place->file) : place->function->module);
}

const char *places_find_below_root(const char *file)
{
    static const char *const roots[] = {"/site-packages/", "/dist-packages/", "/lib-dynload/"};
    const char *python = strstr(file, "/lib/python3");
    const char *below = python ? strchr(python + strlen("/lib/"), '/') : NULL;

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strstr(file, roots[i]))
            return strstr(file, roots[i]) + strlen(roots[i]);
    return below ? below + 1 : NULL;
}

void places_append_python_module(struct text *text, const char *path)
{
    static const char *const ends[] = {"/__init__.py", ".py", ">"};
    static const char frozen[] = "<frozen ";
    size_t size = strlen(path);

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (text_ends_with(path, size, ends[i])) {
            size -= strlen(ends[i]);
            break;
        }
    for (size_t i = strncmp(path, frozen, strlen(frozen)) == 0 ? strlen(frozen) : 0; i < size; i++)
        text_append_bytes(text, path[i] == '/' ? "." : &path[i], 1);
}

void places_append_python_name(struct text *text, const char *name)
{
    static const char inner[] = ".<locals>.";
    size_t size = strlen(name);

    for (const char *at = strstr(name, inner); at; at = strstr(name, inner)) {
        const char *next = at + strlen(inner);

        if (*next == '<') {
            size = (size_t)(at - name);
            break;
        }
        name = next;
        size = strlen(name);
    }
    text_append_bytes(text, name, size);
}

void places_append_python_row(struct text *text, const char *name)
{
    const char *inner = strstr(name, ".<locals>.<");

    places_append_python_name(text, name);
    if (inner)
        text_appendf(text, " %s", strchr(inner + 1, '.') + 1);
}

/* Ask whether a name is that of a Python file's own code, which says no more than the file. */
static bool is_file_itself(const char *name)
{
    return strcmp(name, "<module>") == 0;
}

void places_append_spelled(struct text *text, const char *file, unsigned line, const char *name)
{
    text_append(text, text_base_name(file));
    if (line > 0)
        text_appendf(text, ":%u", line);
    if (!is_file_itself(name))
        text_appendf(text, " %s", name);
}

static void append(struct text *text, const struct place *place, place_appender append_name)
{
    bool has_module = !place->file && place_has_location(place) &&
                      strcmp(place->function->name, place->function->module) != 0;

    if (place->file) {
        place_append_location(text, place);
        if (is_file_itself(place->function->name))
            return;
        text_append(text, " ");
    }
    append_name(text, place);
    if (has_module) {
        text_append(text, " ");
        place_append_location(text, place);
    }
}

static void append_whole_name(struct text *text, const struct place *place)
{
    if (place->function->is_python)
        places_append_python_name(text, place->function->name);
    else
        place_append_name(text, place);
}

static void append_short_name(struct text *text, const struct place *place)
{
    if (place->function->is_python)
        places_append_python_name(text, place->function->name);
    else
        place_append_short_name(text, place);
}

void place_append(struct text *text, const struct place *place)
{
    append(text, place, append_whole_name);
}

void place_append_short(struct text *text, const struct place *place)
{
    append(text, place, append_short_name);
}
