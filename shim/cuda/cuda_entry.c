/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of the driver that are asked for by name: by a runtime that is linked into the
 * program, and by frameworks.  They get our wrapper, which calls the function that was found.
 *
 * The driver's names are without the version that the symbols have: cuMemAlloc is cuMemAlloc_v2
 * since CUDA 3.2.
 */
#include "cuda/cuda.h"

#include <stdio.h>
#include <string.h>

#include "cuda/cuda_parts.h"

enum { NAME_SIZE = 96 };

static const struct library_entry *find_row(const char *name)
{
    for (unsigned i = 0; i < cuda_driver_library.count; i++)
        if (strcmp(cuda_driver_library.entries[i].name, name) == 0)
            return &cuda_driver_library.entries[i];
    return NULL;
}

/* A wrapper has one real function.  The one that was found may be another entry of the same
 * function; the first one stays. */
static void wrap(const char *name, void **function, bool is_per_thread)
{
    static const char *const endings[] = {"_v2_ptsz", "_v2_ptds", "_ptsz", "_ptds", "_v2", ""};
    const struct library_entry *row = NULL;
    char full[NAME_SIZE];

    for (unsigned i = is_per_thread ? 0 : 4; !row && i < sizeof endings / sizeof *endings; i++) {
        snprintf(full, sizeof full, "%s%s", name, endings[i]);
        row = find_row(full);
    }
    if (!row || !row->wrapper)
        return;
    if (!*row->real)
        *row->real = *function;
    *function = row->wrapper;
}

static int32_t answer(int32_t status, const char *name, void **function, uint64_t flags)
{
    if (status == CUDA_SUCCEEDED && name && function && *function)
        wrap(name, function, flags & CUDA_ADDRESS_PER_THREAD);
    return status;
}

int32_t cuda_get_entry(const char *name, void **function, uint64_t flags, void *status)
{
    typedef int32_t (*getter)(const char *, void **, uint64_t, void *);
    getter real = (getter)cuda_real.cudaGetDriverEntryPoint;

    return answer(real(name, function, flags, status), name, function, flags);
}

int32_t cuda_get_entry_by_version(const char *name, void **function, uint32_t version,
                                  uint64_t flags, void *status)
{
    typedef int32_t (*getter)(const char *, void **, uint32_t, uint64_t, void *);
    getter real = (getter)cuda_real.cudaGetDriverEntryPointByVersion;

    return answer(real(name, function, version, flags, status), name, function, flags);
}

int32_t cuda_get_address(const char *name, void **function, int32_t version, uint64_t flags)
{
    typedef int32_t (*getter)(const char *, void **, int32_t, uint64_t);
    getter real = (getter)cuda_real.cuGetProcAddress;

    return answer(real(name, function, version, flags), name, function, flags);
}

int32_t cuda_get_address_of_version(const char *name, void **function, int32_t version,
                                    uint64_t flags, void *status)
{
    typedef int32_t (*getter)(const char *, void **, int32_t, uint64_t, void *);
    getter real = (getter)cuda_real.cuGetProcAddress_v2;

    return answer(real(name, function, version, flags, status), name, function, flags);
}
