/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pools, as lists of blocks of malloc: a block that grows leaves nothing behind.
 *
 * Used by every analysis, and by the arrays, texts and lists that these make.
 */
#include "base/pool.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Stands before the bytes of a block, which are aligned as those of malloc. */
struct pool_block {
    _Alignas(max_align_t) struct pool_block *next;
    struct pool_block **place; /* the address that leads here */
};

static _Thread_local struct pool *in_use;

void pool_enter(struct pool *pool)
{
    *pool = (struct pool){.outer = in_use};
    in_use = pool;
}

void pool_leave(struct pool *pool)
{
    struct pool_block *next = pool->blocks;

    assert(in_use == pool);
    in_use = pool->outer;
    for (struct pool_block *block = next; block; block = next) {
        next = block->next;
        free(block);
    }
    pool->blocks = NULL;
}

struct pool *pool_use(struct pool *pool)
{
    struct pool *before = in_use;

    in_use = pool;
    return before;
}

struct pool *pool_in_use(void)
{
    return in_use;
}

/* A block that realloc moved is reached from both its neighbours. */
static void link_block(struct pool_block *block)
{
    *block->place = block;
    if (block->next)
        block->next->place = &block->next;
}

static void *add(struct pool *pool, struct pool_block *block)
{
    block->next = pool->blocks;
    block->place = &pool->blocks;
    link_block(block);
    return block + 1;
}

static size_t whole_size(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct pool_block))
        memory_ran_out();
    return sizeof(struct pool_block) + size;
}

static struct pool_block *block_of(void *bytes)
{
    return (struct pool_block *)bytes - 1;
}

void *pool_get(size_t size)
{
    return in_use ? add(in_use, memory_get(whole_size(size))) : memory_get(size);
}

void *pool_get_zeros(size_t count, size_t size)
{
    if (!in_use)
        return memory_get_zeros(count, size);
    if (size > 0 && count > SIZE_MAX / size)
        memory_ran_out();
    return add(in_use, memory_get_zeros(1, whole_size(count * size)));
}

char *pool_copy(const char *string)
{
    size_t size = strlen(string) + 1;

    return memcpy(pool_get(size), string, size);
}

void *pool_resize(struct pool *pool, void *block, size_t size)
{
    if (!pool)
        return memory_resize(block, size);
    if (!block)
        return add(pool, memory_get(whole_size(size)));

    struct pool_block *moved = memory_resize(block_of(block), whole_size(size));
    link_block(moved);
    return moved + 1;
}

void pool_free(struct pool *pool, void *block)
{
    if (!pool || !block) {
        free(block);
        return;
    }
    struct pool_block *freed = block_of(block);

    *freed->place = freed->next;
    if (freed->next)
        freed->next->place = freed->place;
    free(freed);
}
