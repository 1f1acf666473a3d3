/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the place in a chain that a reader looks for.
 */
#include <string.h>

#include "model/session.h"
#include "model/session_process.h"
#include "places/places.h"
#include "symbols/symbols.h"

enum places_owning place_owning(const struct place *place)
{
    const struct places_function *function = place->function;

    if (function->is_python)
        return place_is_own_python(place) ? PLACES_OWN : PLACES_PYTHON;
    if (function->is_plumbing || function->is_starter)
        return PLACES_PASSES_ON;
    if (function->is_installed || !function->module ||
        (place->file && symbols_is_of_library(place->file)))
        return PLACES_INSTALLED;
    return PLACES_OWN;
}

bool places_find_owner_of(struct places *places, uint32_t call, struct place *owner)
{
    bool is_found = false;

    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++) {
            if (is_found && place_owning(&of->places[i]) <= place_owning(owner))
                continue;
            *owner = of->places[i];
            is_found = true;
            if (place_owning(owner) == PLACES_OWN)
                return true;
        }
    }
    return is_found;
}

const struct place *places_find_known(const struct places *places, uint32_t call,
                                      bool (*is_wanted)(const struct place *place))
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (is_wanted(&of->places[i]))
                return &of->places[i];
    }
    return NULL;
}

bool places_find(struct places *places, uint32_t call, bool (*is_wanted)(const struct place *place),
                 struct place *found)
{
    for (; call != 0; call = places_parent(places, call)) {
        places_look_up(places, call);
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++) {
            if (!is_wanted(&of->places[i]))
                continue;
            *found = of->places[i];
            return true;
        }
    }
    return false;
}

bool place_is_python(const struct place *place)
{
    return place->function->is_python;
}

bool places_is_c_library(const char *module)
{
    static const char *const names[] = {"libc.", "libc-", "libpthread", "ld-linux", "ld-musl"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(module, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

bool place_is_importlib(const struct place *place)
{
    static const char folder[] = "<frozen importlib";

    return place->function->is_python && place->file &&
           strncmp(place->file, folder, strlen(folder)) == 0;
}

bool place_is_asyncio(const struct place *place)
{
    return place->function->is_python && place->file && strstr(place->file, "asyncio/");
}

bool place_is_same_line(const struct place *left, const struct place *right)
{
    return left->function == right->function && left->line == right->line;
}

bool place_is_at(const struct place *place, const char *file, uint32_t line)
{
    return line != 0 && place->line == line && place->file && file &&
           strcmp(place->file, file) == 0;
}

void *places_find_row(struct array *rows, const struct place *line)
{
    void *row;

    for (size_t i = 0; i < rows->count; i++) {
        row = array_at(rows, i);
        if (place_is_same_line(row, line))
            return row;
    }
    row = array_add(rows);
    memcpy(row, line, sizeof *line);
    return row;
}

/* Folders of code that came with Python or was installed for it. */
static const char *const installed[] = {"/lib/python", "/site-packages/", "/dist-packages/",
                                        "/lib-dynload/"};

/* Code that the user gave to Python directly; Python invents all other names in such brackets. */
static const char *const handed[] = {"<string>", "<stdin>"};

bool place_file_is_own(const char *file)
{
    if (!file)
        return false;
    for (size_t i = 0; i < sizeof handed / sizeof *handed; i++)
        if (strcmp(file, handed[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof installed / sizeof *installed; i++)
        if (strstr(file, installed[i]))
            return false;
    return *file != '<';
}

const char *places_own_module(const struct session *session)
{
    const char *program = session->process.program;

    return program && !session->python.is_there ? text_base_name(program) : NULL;
}

bool place_is_own_python(const struct place *place)
{
    return place->function->is_python && !place->function->is_installed &&
           place_file_is_own(place->file);
}
