/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects that were loaded again and again, each by its first load.
 */
#include "base/memory.h"
#include "model/chains_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session.h"
#include "model/session_kernels.h"

/* A descriptor may lead to another file each time. */
static bool is_lasting_path(const char *path)
{
    return strncmp(path, "/proc/", strlen("/proc/")) != 0 &&
           strncmp(path, "/dev/fd/", strlen("/dev/fd/")) != 0;
}

/* Compares paths, build IDs and the places of code in the files.  Without build IDs, equal paths
 * with code of the same size count as one file, because symbols.c reads the path for each.  Equal
 * paths have equal addresses. */
static bool is_same_file(const struct session_module *a, const struct session_module *b)
{
    return a->path == b->path && strcmp(a->build_id, b->build_id) == 0 &&
           a->fact.start - a->fact.base == b->fact.start - b->fact.base &&
           a->fact.end - a->fact.start == b->fact.end - b->fact.start &&
           (a->build_id[0] != '\0' || is_lasting_path(a->path));
}

void chains_gather_loads(struct chains *chains)
{
    const struct session_module *module = chains->session->modules.items;
    size_t count = chains->session->modules.count;

    chains->first_loads = memory_get_zeros(count + 1, sizeof *chains->first_loads);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t first = 0;

        while (first < i && !is_same_file(&module[first], &module[i]))
            first++;
        chains->first_loads[i] = first;
    }
}
