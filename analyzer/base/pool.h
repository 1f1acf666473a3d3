/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pools: blocks of memory that are freed together.
 *
 * An analysis works between pool_enter and pool_leave.  Its arrays, texts, lists and blocks are of
 * that pool, and nobody frees them one by one.  Outside of any pool they belong to their owner.
 * Documents and tables outlive the work on them, and so do things that a session keeps: they are
 * never of a pool.
 *
 * A block may be given back early, where it is large and the pool lives on.
 *
 * Safety: each thread has pools of its own.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <stddef.h>

#include "base/attributes.h"

struct pool_block;

struct pool {
    struct pool_block *blocks; /* the latest first */
    struct pool *outer;        /* the pool in use before; NULL: none */
};

/* Start an empty pool and use it. */
void pool_enter(struct pool *pool);

/* Free its blocks, and use the outer pool again.  It must be the pool in use. */
void pool_leave(struct pool *pool);

/* Use another pool that was entered before, or with NULL none, for things that outlive the work.
 * Returns: the pool in use before, which must be used again. */
struct pool *pool_use(struct pool *pool);

/* Returns: the pool in use; NULL: none. */
struct pool *pool_in_use(void);

/* As memory_get, memory_get_zeros and memory_copy, but of the pool in use. */
void *pool_get(size_t size) GIVES_MEMORY;
void *pool_get_zeros(size_t count, size_t size) GIVES_MEMORY;
char *pool_copy(const char *string) GIVES_MEMORY;

/* Change the size of a block of a pool, and free one before the others.  NULL is an empty block,
 * and no pool is plain memory. */
void *pool_resize(struct pool *pool, void *block, size_t size) MUST_CHECK;
void pool_free(struct pool *pool, void *block);

#endif
