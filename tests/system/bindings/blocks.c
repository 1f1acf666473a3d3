/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heap for libraries that are preloaded under all names: ld.so calls the first malloc.
 */
#include <stddef.h>
#include <string.h>

static char room[1 << 22];
static size_t used;

void *malloc(size_t size)
{
    size_t *block = (void *)(room + used);

    if (size > sizeof room - used - 64)
        return NULL;
    used += (size + 31) & ~(size_t)15;
    *block = size;
    return block + 2;
}

void *calloc(size_t count, size_t size)
{
    return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
    void *other = malloc(size);

    if (block && other)
        memcpy(other, block, ((size_t *)block)[-2] < size ? ((size_t *)block)[-2] : size);
    return other;
}

void free(void *block)
{
    (void)block;
}
