/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program with its own malloc: blocks of one arena, never reused.  A preloaded library sees none
 * of its allocations and must say so.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gemm.h"

enum { ARENA_BYTES = 64 << 20, HEAD_BYTES = 16, CALLS = 3 };

static _Alignas(16) char arena[ARENA_BYTES];
static size_t used;

void *malloc(size_t size);
void free(void *block);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

void *malloc(size_t size)
{
    size_t place =
        __atomic_fetch_add(&used, (size + 2 * HEAD_BYTES - 1) / 16 * 16, __ATOMIC_RELAXED);

    if (size > ARENA_BYTES || place + size + HEAD_BYTES > ARENA_BYTES)
        return NULL;
    memcpy(arena + place, &size, sizeof size);
    return arena + place + HEAD_BYTES;
}

void free(void *block)
{
    (void)block;
}

void *calloc(size_t count, size_t size)
{
    size_t total;

    return __builtin_mul_overflow(count, size, &total) ? NULL : malloc(total);
}

void *realloc(void *old, size_t size)
{
    void *block = malloc(size);
    size_t old_size = 0;

    if (!block || !old)
        return block;
    memcpy(&old_size, (char *)old - HEAD_BYTES, sizeof old_size);
    return memcpy(block, old, old_size < size ? old_size : size);
}

int main(void)
{
    char *volatile block = malloc(100);

    memset(block, 1, 100);
    block = realloc(block, 1000);
    gemm_call(CALLS);
    printf("the block is %s\n",
           (uintptr_t)block - (uintptr_t)arena < ARENA_BYTES ? "ours" : "foreign");
    printf("truth: gemm_calls %d\n", CALLS);
    return block[99] == 1 ? 0 : 1;
}
