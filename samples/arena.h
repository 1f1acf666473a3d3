/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is taken piece by piece and freed at once: the tensors of one
 * worker.  Each piece is a block of its own, so that a checker sees an access
 * past its end.
 *
 * Safety: an arena belongs to one thread at a time.
 */
#ifndef SAMPLES_ARENA_H
#define SAMPLES_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
    struct arena_block *newest;
};

/* Take `size` zeroed bytes, aligned to 64.
 *
 * Errors: when there is no memory, prints a line and ends the program with
 * status 1; a sample has nothing else to do then.
 */
void *arena_take(struct arena *arena, size_t size);

/* Take `count` zeroed floats. */
float *arena_take_floats(struct arena *arena, size_t count);

/* Free all that was taken; the arena is empty again. */
void arena_fini(struct arena *arena);

#endif
