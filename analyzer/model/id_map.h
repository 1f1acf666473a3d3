/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Maps a trace's numbers of strings, modules and bindings to indices in our
 * arrays.  The numbers may be anything.
 */
#ifndef MODEL_ID_MAP_H
#define MODEL_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

enum { ID_MAP_NONE = -1 };

struct id_map_entry;

struct id_map {
    struct id_map_entry *entries;
};

void id_map_fini(struct id_map *map);

/* Map a number to an index; a repeated number gets the new index. */
void id_map_add(struct id_map *map, uint32_t id, size_t index);

/* Returns: the index, or ID_MAP_NONE. */
int64_t id_map_find(const struct id_map *map, uint32_t id);

#endif
