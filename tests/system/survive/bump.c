/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A malloc that tolerates interruption by a handler that calls it: blocks are cut from one arena
 * with an atomic addition and never reused.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { ARENA = 1 << 30, HEAD = 16 };

static _Alignas(16) char arena[ARENA];
static size_t used;

static void *take(size_t size)
{
    size_t place = __atomic_fetch_add(&used, (size + 2 * HEAD - 1) / 16 * 16, __ATOMIC_RELAXED);

    if (size > ARENA || place + size + HEAD > ARENA)
        return NULL;
    memcpy(arena + place, &size, sizeof size);
    return arena + place + HEAD;
}

void *malloc(size_t size)
{
    return take(size);
}

void free(void *block)
{
    (void)block;
}

void *calloc(size_t count, size_t size)
{
    return take(count * size);
}

void *realloc(void *old, size_t size)
{
    void *block = take(size);
    size_t old_size = 0;

    if (!block || !old)
        return block;
    memcpy(&old_size, (char *)old - HEAD, sizeof old_size);
    return memcpy(block, old, old_size < size ? old_size : size);
}
