/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a catalog: an arena that the caller gives.
 */
#ifndef SPEC_ARENA_H
#define SPEC_ARENA_H

#include "catalog.h"

/* Take `size` bytes, zeroed and aligned for any type; NULL when the arena is full. */
void *arena_take(struct catalog_arena *arena, size_t size);

/* Copy a text of this length; NULL when the arena is full. */
char *arena_copy(struct catalog_arena *arena, const char *text, size_t length);

#endif
