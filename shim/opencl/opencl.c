/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that a program asks the library for by name, and questions to its objects.
 */
#include "opencl/opencl.h"

#include <stddef.h>
#include <string.h>

#include "opencl/opencl_parts.h"

struct opencl_real opencl_real;

bool opencl_ask(void *info, cl_object object, uint32_t name, size_t size, void *value)
{
    return info && ((cl_info)info)(object, name, size, value, NULL) == CL_SUCCESS;
}

/* An extension or an older version has the same functions under another ending. */
static bool has_name(const char *name, const char *asked)
{
    size_t size = strlen(name);

    return strncmp(name, asked, size) == 0 &&
           (asked[size] == '\0' || strcmp(asked + size, "KHR") == 0);
}

/* The library may give its own function or that of the driver behind it.  The wrapper calls the
 * library's, which calls the driver's. */
static void *wrap(const char *name, void *found)
{
    for (unsigned i = 0; found && name && i < opencl_library.count; i++) {
        const struct library_entry *entry = &opencl_library.entries[i];

        if (entry->wrapper && *entry->real && has_name(entry->name, name))
            return entry->wrapper;
    }
    return found;
}

void *opencl_get_extension(const char *name)
{
    void *(*real)(const char *) = opencl_real.clGetExtensionFunctionAddress;

    return wrap(name, real(name));
}

void *opencl_get_extension_of_platform(cl_object platform, const char *name)
{
    void *(*real)(cl_object, const char *) = opencl_real.clGetExtensionFunctionAddressForPlatform;

    return wrap(name, real(platform, name));
}
