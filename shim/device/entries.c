/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names of device libraries, and their wrappers.  Runs in scans for slots and in dlsym.
 */
#include "device/entries.h"

#include <stddef.h>
#include <string.h>

#include "device/device.h"
#include "record/facts.h"

enum { LIBRARY_SHIFT = 16 };

static unsigned left_alone;

/* Most names of a program are refused by their first two characters. */
static bool may_be(const char *name)
{
    for (unsigned i = 0; i < device_library_count; i++) {
        const char *first = device_libraries[i]->entries[0].name;

        if (name[0] == first[0] && name[1] == first[1])
            return true;
    }
    return false;
}

static int find_in(const struct device_library *library, const char *name)
{
    for (unsigned i = 0; i < library->count; i++)
        if (library->entries[i].wrapper && strcmp(library->entries[i].name, name) == 0)
            return (int)i;
    return ENTRIES_NONE;
}

int entries_find(const char *name)
{
    if (!may_be(name))
        return ENTRIES_NONE;
    for (unsigned i = 0; i < device_library_count; i++) {
        int at = find_in(device_libraries[i], name);

        if (at != ENTRIES_NONE)
            return (int)(i << LIBRARY_SHIFT) | at;
    }
    return ENTRIES_NONE;
}

static bool is_bound(const struct device_library *library)
{
    for (unsigned i = 0; i < library->count; i++)
        if (*library->entries[i].real)
            return true;
    return false;
}

static void learn(const struct device_library *library, const void *object, entries_finder find)
{
    for (unsigned i = 0; i < library->count; i++)
        *library->entries[i].real = find(object, library->entries[i].name);
    if (library->bound)
        library->bound();
}

/* An object that was closed and opened again lies elsewhere, and is another one here. */
void *entries_bind(int entry, const void *target, const void *object, entries_finder find)
{
    const struct device_library *library = device_libraries[entry >> LIBRARY_SHIFT];
    const struct device_entry *row = &library->entries[entry & ((1 << LIBRARY_SHIFT) - 1)];

    if (!device_init())
        return NULL;
    if (!is_bound(library))
        learn(library, object, find);
    if (*row->real == target)
        return row->wrapper;
    left_alone++;
    return NULL;
}

void entries_look(const void *object, entries_finder find)
{
    for (unsigned i = 0; i < device_library_count; i++) {
        const struct device_library *library = device_libraries[i];

        if (library->sign && find(object, library->sign) && !is_bound(library) && device_init())
            learn(library, object, find);
    }
}

bool entries_owns(const void *address)
{
    for (unsigned i = 0; i < device_library_count; i++)
        for (unsigned j = 0; j < device_libraries[i]->count; j++)
            if (device_libraries[i]->entries[j].wrapper == address)
                return true;
    return false;
}

bool entries_write_left_alone(unsigned *written)
{
    return facts_update_number(written, "device_functions_left_alone", left_alone);
}
