/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the numbers of a trace to indices in our arrays.
 *
 * Used while a trace is opened, by one thread.
 */
#include "model/id_map.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

struct id_map_entry {
    uint32_t id;
    size_t index;
    UT_hash_handle hh;
};

void id_map_fini(struct id_map *map)
{
    struct id_map_entry *entry;
    struct id_map_entry *next;

    HASH_ITER(hh, map->entries, entry, next)
    {
        HASH_DEL(map->entries, entry);
        free(entry);
    }
}

static struct id_map_entry *look_up(const struct id_map *map, uint32_t id)
{
    struct id_map_entry *entry;

    HASH_FIND(hh, map->entries, &id, sizeof id, entry);
    return entry;
}

void id_map_add(struct id_map *map, uint32_t id, size_t index)
{
    struct id_map_entry *entry = look_up(map, id);

    if (entry) {
        entry->index = index;
        return;
    }
    entry = memory_get_zeros(1, sizeof *entry);
    entry->id = id;
    entry->index = index;
    HASH_ADD(hh, map->entries, id, sizeof entry->id, entry);
    return;
    free(entry);
}

int64_t id_map_find(const struct id_map *map, uint32_t id)
{
    const struct id_map_entry *entry = look_up(map, id);

    return entry ? (int64_t)entry->index : ID_MAP_NONE;
}
