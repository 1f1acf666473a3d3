/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of known libraries, and their wrappers.  Runs in scans for slots and in dlsym.
 */
#include "call/library.h"

#include <stddef.h>
#include <string.h>

#include "record/facts.h"

enum { LIBRARY_SHIFT = 16 };

static unsigned left_alone;

/* Most names of a program are refused by their first two characters. */
static bool may_be(const char *name)
{
    for (unsigned i = 0; i < library_count; i++) {
        const char *first = libraries_known[i]->entries[0].name;

        if (name[0] == first[0] && name[1] == first[1])
            return true;
    }
    return false;
}

static int find_in(const struct library *library, const char *name)
{
    for (unsigned i = 0; i < library->count; i++)
        if (library->entries[i].wrapper && strcmp(library->entries[i].name, name) == 0)
            return (int)i;
    return LIBRARY_NONE;
}

int library_find(const char *name)
{
    if (!may_be(name))
        return LIBRARY_NONE;
    for (unsigned i = 0; i < library_count; i++) {
        int at = find_in(libraries_known[i], name);

        if (at != LIBRARY_NONE)
            return (int)(i << LIBRARY_SHIFT) | at;
    }
    return LIBRARY_NONE;
}

static bool may_bind(const struct library *library)
{
    return !library->init || library->init();
}

static bool is_bound(const struct library *library)
{
    for (unsigned i = 0; i < library->count; i++)
        if (*library->entries[i].real)
            return true;
    return false;
}

static void learn(const struct library *library, const void *object, library_finder find)
{
    for (unsigned i = 0; i < library->count; i++)
        *library->entries[i].real = find(object, library->entries[i].name);
    if (library->bound)
        library->bound();
}

/* An object that was closed and opened again lies elsewhere, and is another one here. */
void *library_bind(int entry, const void *target, const void *object, library_finder find)
{
    const struct library *library = libraries_known[entry >> LIBRARY_SHIFT];
    const struct library_entry *row = &library->entries[entry & ((1 << LIBRARY_SHIFT) - 1)];

    if (!may_bind(library))
        return NULL;
    if (!is_bound(library))
        learn(library, object, find);
    if (*row->real == target)
        return row->wrapper;
    left_alone++;
    return NULL;
}

void library_look(const void *object, library_finder find)
{
    for (unsigned i = 0; i < library_count; i++) {
        const struct library *library = libraries_known[i];

        if (library->sign && find(object, library->sign) && !is_bound(library) && may_bind(library))
            learn(library, object, find);
    }
}

bool library_owns(const void *address)
{
    for (unsigned i = 0; i < library_count; i++)
        for (unsigned j = 0; j < libraries_known[i]->count; j++)
            if (libraries_known[i]->entries[j].wrapper == address)
                return true;
    return false;
}

bool library_write_left_alone(unsigned *written)
{
    return facts_update_number(written, "library_functions_left_alone", left_alone);
}
