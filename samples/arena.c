/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of aligned blocks.  All alignments are 64 bytes, the widest vector
 * of the machines at hand: a BLAS kernel may choose its path, and with it its
 * rounding, by the address, and the output must be the same on each run.
 */
#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

struct arena_block {
    struct arena_block *older;
    void *memory; /* as it came from calloc */
    char padding[ALIGNMENT - 2 * sizeof(void *)];
};

_Static_assert(sizeof(struct arena_block) == ALIGNMENT, "what follows a header is aligned");

static _Noreturn void give_up(size_t size)
{
    fprintf(stderr, "sample: no memory for %zu bytes; take smaller sizes\n", size);
    exit(EXIT_FAILURE);
}

/* calloc knows which pages are zeros already, and does not touch them. */
void *arena_take(struct arena *arena, size_t size)
{
    struct arena_block *block;
    char *memory;

    if (size > SIZE_MAX - 2 * (size_t)ALIGNMENT)
        give_up(size);
    memory = calloc(1, sizeof *block + ALIGNMENT + size);
    if (!memory)
        give_up(size);
    block = (void *)(memory + ALIGNMENT - (uintptr_t)memory % ALIGNMENT);
    block->older = arena->newest;
    block->memory = memory;
    arena->newest = block;
    return block + 1;
}

float *arena_take_floats(struct arena *arena, size_t count)
{
    if (count > SIZE_MAX / sizeof(float))
        give_up(SIZE_MAX);
    return arena_take(arena, count * sizeof(float));
}

void arena_fini(struct arena *arena)
{
    while (arena->newest) {
        struct arena_block *block = arena->newest;

        arena->newest = block->older;
        free(block->memory);
    }
}
