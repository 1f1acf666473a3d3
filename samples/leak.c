/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A known leak: asks for blocks in five ways, frees all but every ninth, and
 * says what a memory profile must show.  One thread, and a count by hand
 * beside each call.  It prints with write(2), as stdio would allocate.
 *
 * A realloc that moves or grows a block counts as one freed and one obtained.
 * Bytes are those asked for, not those the allocator rounds up to.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* 9 and the five ways have no common divisor: each way leaks. */
enum { BLOCKS = 1000, KEPT_EVERY = 9, ALIGNMENT = 64 };

/* The compiler must not see that nobody reads the blocks. */
static void *volatile blocks[BLOCKS];
static size_t sizes[BLOCKS];

static struct {
    uint64_t allocations, frees, allocated_bytes, live_bytes, peak_bytes;
} truth;

static void count_obtained(size_t size)
{
    truth.allocations++;
    truth.allocated_bytes += size;
    truth.live_bytes += size;
    if (truth.live_bytes > truth.peak_bytes)
        truth.peak_bytes = truth.live_bytes;
}

static void count_freed(size_t size)
{
    truth.frees++;
    truth.live_bytes -= size;
}

static void *obtain_malloc(size_t size)
{
    return malloc(size);
}

static void *obtain_calloc(size_t size)
{
    return calloc(size / 8, 8);
}

/* Asks for half and has it grown. */
static void *obtain_realloc(size_t size)
{
    void *half = malloc(size / 2);

    count_obtained(size / 2);
    count_freed(size / 2);
    return realloc(half, size);
}

static void *obtain_posix_memalign(size_t size)
{
    void *block = NULL;

    return posix_memalign(&block, ALIGNMENT, size) == 0 ? block : NULL;
}

static void *obtain_aligned_alloc(size_t size)
{
    return aligned_alloc(ALIGNMENT, size);
}

static void *(*const ways[])(size_t) = {
    obtain_malloc, obtain_calloc, obtain_realloc, obtain_posix_memalign, obtain_aligned_alloc,
};

enum { WAYS = sizeof ways / sizeof ways[0] };

/* Multiples of the alignment, from 64 to 6400 bytes. */
static void obtain_block(size_t index)
{
    sizes[index] = ALIGNMENT * (1 + index % 100);
    blocks[index] = ways[index % WAYS](sizes[index]);
    if (!blocks[index])
        abort();
    count_obtained(sizes[index]);
}

static void free_block(size_t index)
{
    if (index % KEPT_EVERY == 0)
        return;
    free(blocks[index]);
    blocks[index] = NULL;
    count_freed(sizes[index]);
}

static int print_truth(void)
{
    static char text[512];
    int size = snprintf(
        text, sizeof text,
        "truth: allocations %" PRIu64 "\ntruth: frees %" PRIu64 "\ntruth: allocated_bytes %" PRIu64
        "\ntruth: live_at_exit_bytes %" PRIu64 "\ntruth: peak_bytes %" PRIu64 "\n",
        truth.allocations, truth.frees, truth.allocated_bytes, truth.live_bytes, truth.peak_bytes);

    return write(STDOUT_FILENO, text, (size_t)size) == size ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(void)
{
    for (size_t i = 0; i < BLOCKS; i++)
        obtain_block(i);
    for (size_t i = 0; i < BLOCKS; i++)
        free_block(i);
    return print_truth();
}
