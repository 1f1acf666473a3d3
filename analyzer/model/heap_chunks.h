/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What glibc's malloc takes for the live blocks: a chunk each, with the header, a multiple of 16
 * bytes; and whole pages for a large block with a mapping of its own.
 *
 * Source: MALLOC_ALIGNMENT, MINSIZE, DEFAULT_MMAP_THRESHOLD and sysmalloc_mmap of malloc/malloc.c.
 */
#ifndef MODEL_HEAP_CHUNKS_H
#define MODEL_HEAP_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

struct heap_chunks {
    uint64_t bytes;           /* of all chunks */
    uint64_t large_bytes;     /* of these, with a mapping of their own */
    uint64_t large_requested; /* by the program, of those */
};

static inline uint64_t heap_chunk_round(uint64_t size, uint64_t unit)
{
    return (size + unit - 1) & ~(unit - 1);
}

/* The address is two words behind the start of a page, or aligned to 64 bytes or a page from there.
 * An ordinary block has such an address three times in 256. */
static inline bool heap_chunk_is_large(uint64_t address, uint64_t size)
{
    enum { PAGE = 4096, WORDS = 16, LINE = 64, THRESHOLD = 128 << 10 };
    uint64_t offset = address & (PAGE - 1);

    return size >= THRESHOLD && (offset == WORDS || offset == LINE || offset == 0);
}

static inline uint64_t heap_chunk_size(uint64_t address, uint64_t size)
{
    enum { PAGE = 4096, WORD = 8, LEAST = 32, ALIGNMENT = 16 };
    uint64_t chunk = heap_chunk_round(size + WORD, ALIGNMENT);

    if (heap_chunk_is_large(address, size))
        return heap_chunk_round(chunk + WORD, PAGE);
    return chunk < LEAST ? LEAST : chunk;
}

static inline void heap_chunks_add(struct heap_chunks *chunks, uint64_t address, uint64_t size)
{
    uint64_t bytes = heap_chunk_size(address, size);

    chunks->bytes += bytes;
    if (!heap_chunk_is_large(address, size))
        return;
    chunks->large_bytes += bytes;
    chunks->large_requested += size;
}

static inline void heap_chunks_take(struct heap_chunks *chunks, uint64_t address, uint64_t size)
{
    uint64_t bytes = heap_chunk_size(address, size);

    chunks->bytes -= bytes;
    if (!heap_chunk_is_large(address, size))
        return;
    chunks->large_bytes -= bytes;
    chunks->large_requested -= size;
}

#endif
