/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking memory of an arena.
 */
#include "arena.h"

#include <string.h>

void *arena_take(struct catalog_arena *arena, size_t size)
{
    size_t start = (arena->used + 15) & ~(size_t)15;

    if (start > arena->size || size > arena->size - start)
        return NULL;
    arena->used = start + size;
    return memset(arena->base + start, 0, size);
}

char *arena_copy(struct catalog_arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1);

    return copy ? memcpy(copy, text, length) : NULL;
}
