/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wrappers of the calls that obtain memory, ask for commands, or wait; and the table of all
 * functions.
 *
 * Budget of a command: that of streams.h.
 */
#include "hip/hip.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "device/device.h"
#include "device/streams_table.h"
#include "hip/hip_api.h"
#include "hip/hip_parts.h"
#include "spec/trace.h"

enum { NAME_SIZE = 96 };

enum {
#define CALL(name, arguments, action, what, size, rows, stream, wait) ROW_##name,
#define OTHER(name, wrapper)
#include "hip/hip.def"
#undef CALL
#undef OTHER
    ROWS
};

static const struct streams_row rows_of_calls[ROWS] = {
#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    STREAMS_ROW(hip_real, name, arguments, action, what, size, rows, stream, wait)
#define OTHER(name, wrapper)
#include "hip/hip.def"
#undef CALL
#undef OTHER
};

struct hip_real hip_real;

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    STREAMS_WRAPPER(hip_streams, &rows_of_calls[ROW_##name], name, arguments)
#define OTHER(name, wrapper)
#include "hip/hip.def"
#undef CALL
#undef OTHER

#define CALL(name, arguments, action, what, size, rows, stream, wait)                              \
    {#name, (void *)call_##name, &hip_real.name},
#define OTHER(name, wrapper) {#name, (void *)(wrapper), &hip_real.name},
static const struct library_entry entries[] = {
#include "hip/hip.def"
};
#undef CALL
#undef OTHER

const struct library hip_library = {.title = "HIP",
                                    .sign = "hipKernelNameRef",
                                    .init = device_init,
                                    .entries = entries,
                                    .count = sizeof entries / sizeof *entries};

/* ---- functions that are asked for by name --------------------------------- */

static const struct library_entry *find_row(const char *name)
{
    for (unsigned i = 0; i < hip_library.count; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

/* The function that was found may be that of the thread's default stream, under the plain name. */
static void wrap(const char *name, void **function)
{
    static const char *const endings[] = {"", "_spt"};

    for (unsigned i = 0; i < sizeof endings / sizeof *endings; i++) {
        const struct library_entry *row;
        char full[NAME_SIZE];

        snprintf(full, sizeof full, "%s%s", name, endings[i]);
        row = find_row(full);
        if (row && row->wrapper && *row->real == *function) {
            *function = row->wrapper;
            return;
        }
    }
}

int32_t hip_get_address(const char *name, void **function, int32_t version, uint64_t flags,
                        void *status)
{
    typedef int32_t (*getter)(const char *, void **, int32_t, uint64_t, void *);
    getter real = (getter)hip_real.hipGetProcAddress;
    int32_t result = real(name, function, version, flags, status);

    if (result == HIP_SUCCEEDED && name && function && *function)
        wrap(name, function);
    return result;
}
