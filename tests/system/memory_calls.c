/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every member of the malloc family, each in a separate region: the profiler must report for the
 * region what its truth line says.
 *
 *   truth: REGION allocations A frees F allocated_bytes B failed X
 *
 * It prints with write(2) after the work, because stdio would allocate.  Compiled with
 * -fno-builtin: the compiler may leave out allocations that nobody reads.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tprof.h>

enum { LARGE_BYTES = 64 << 20, BLOCK_BYTES = 1000, PAGE_BYTES = 4096, MARK = 4242 };

struct truth {
    const char *region;
    uint64_t allocations, frees, allocated_bytes, failed;
};

static struct truth truths[64];
static size_t truth_count;
static struct truth *now; /* of the open region */

/* The compiler must not see the use of a block, nor a size that it would warn of. */
static void *volatile kept;
static volatile size_t half_of_all = SIZE_MAX / 2;

static void obtained(void *block, size_t size)
{
    kept = block;
    if (!block) {
        fprintf(stderr, "memory_calls: %s gave no block\n", now->region);
        _exit(EXIT_FAILURE);
    }
    now->allocations++;
    now->allocated_bytes += size;
}

static void freed(void)
{
    now->frees++;
}

static void expect(int is_true, const char *what)
{
    if (is_true)
        return;
    fprintf(stderr, "memory_calls: %s: %s\n", now->region, what);
    _exit(EXIT_FAILURE);
}

static void release(void)
{
    freed();
    free(kept);
}

/* ---- one function a member ---------------------------------------------- */

static void call_nothing(void)
{
}

static void call_malloc(void)
{
    obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
    release();
}

static void call_malloc_zero(void)
{
    obtained(malloc(0), 0);
    release();
}

static void call_calloc(void)
{
    const char *block;

    obtained(calloc(7, 11), 77);
    block = kept;
    for (int i = 0; i < 77; i++)
        expect(block[i] == 0, "a byte is not zero");
    release();
}

static void call_realloc(void)
{
    obtained(realloc(NULL, 10), 10);
    memcpy(kept, "contents", 9);
    freed();
    obtained(realloc(kept, 100000), 100000);
    expect(strcmp(kept, "contents") == 0, "contents were lost as it grew");
    freed();
    obtained(realloc(kept, 20), 20);
    expect(strcmp(kept, "contents") == 0, "contents were lost as it shrank");
    release();
}

static void call_realloc_zero(void)
{
    obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
    freed();
    expect(realloc(kept, 0) == NULL, "realloc to nothing gives a block");
}

static void call_reallocarray(void)
{
    obtained(reallocarray(NULL, 3, 50), 150);
    freed();
    obtained(reallocarray(kept, 30, 50), 1500);
    release();
}

static void call_posix_memalign(void)
{
    void *block = NULL;

    expect(posix_memalign(&block, 256, 300) == 0, "it failed");
    obtained(block, 300);
    expect((uintptr_t)kept % 256 == 0, "the block is not aligned");
    release();
}

static void call_aligned_alloc(void)
{
    obtained(aligned_alloc(128, 384), 384);
    expect((uintptr_t)kept % 128 == 0, "the block is not aligned");
    release();
}

static void call_memalign(void)
{
    obtained(memalign(512, 100), 100);
    expect((uintptr_t)kept % 512 == 0, "the block is not aligned");
    release();
}

static void call_valloc(void)
{
    obtained(valloc(123), 123);
    expect((uintptr_t)kept % PAGE_BYTES == 0, "the block is not aligned");
    release();
}

static void call_pvalloc(void)
{
    obtained(pvalloc(321), 321);
    expect((uintptr_t)kept % PAGE_BYTES == 0, "the block is not aligned");
    release();
}

static void call_strdup(void)
{
    obtained(strdup("twelve chars"), 13);
    release();
}

static void call_usable_size(void)
{
    obtained(malloc(100), 100);
    expect(malloc_usable_size(kept) >= 100, "the usable size is too small");
    memset(kept, 1, malloc_usable_size(kept));
    release();
}

static void call_free_null(void)
{
    free(NULL);
}

/* ---- failures ------------------------------------------------------------ */

static void call_malloc_failing(void)
{
    errno = 0;
    expect(malloc(half_of_all - 1) == NULL, "half the address space was given");
    expect(errno == ENOMEM, "errno is not ENOMEM");
    now->failed++;
}

static void call_calloc_overflow(void)
{
    errno = 0;
    expect(calloc(half_of_all, 3) == NULL, "a product beyond size_t was given");
    expect(errno == ENOMEM, "errno is not ENOMEM");
    now->failed++;
}

static void call_realloc_failing(void)
{
    void *old;

    obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
    old = kept;
    memcpy(old, "still here", 11);
    errno = 0;
    expect(realloc(old, half_of_all - 1) == NULL, "half the address space was given");
    expect(errno == ENOMEM, "errno is not ENOMEM");
    expect(strcmp(old, "still here") == 0, "the old block was changed");
    now->failed++;
    release();
}

static void call_reallocarray_overflow(void)
{
    obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
    errno = 0;
    expect(reallocarray(kept, half_of_all, 3) == NULL, "a product beyond size_t was given");
    expect(errno == ENOMEM, "errno is not ENOMEM");
    /* libc refuses before it asks for memory, so no allocation failed. */
    memset(kept, 2, BLOCK_BYTES);
    release();
}

static void call_posix_memalign_refused(void)
{
    void *block = &block;

    errno = MARK;
    expect(posix_memalign(&block, 3, 100) == EINVAL, "an alignment of 3 was taken");
    expect(block == &block, "the pointer was changed");
    expect(errno == MARK, "errno was changed");
    now->failed++;
}

static void call_errno_kept(void)
{
    for (int i = 0; i < 1000; i++) {
        errno = MARK;
        obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
        expect(errno == MARK, "malloc changed errno");
        release();
        expect(errno == MARK, "free changed errno");
    }
}

/* ---- the peak ------------------------------------------------------------ */

static void call_large(void)
{
    obtained(malloc(LARGE_BYTES), LARGE_BYTES);
    release();
}

static void call_large_grown(void)
{
    obtained(malloc(LARGE_BYTES / 2), LARGE_BYTES / 2);
    freed();
    obtained(realloc(kept, LARGE_BYTES), LARGE_BYTES);
    release();
}

static void call_leaked(void)
{
    obtained(malloc(BLOCK_BYTES), BLOCK_BYTES);
    obtained(malloc(2 * BLOCK_BYTES), 2 * BLOCK_BYTES);
}

/* ---- all of them --------------------------------------------------------- */

static void run(const char *region, void (*call)(void))
{
    now = &truths[truth_count++];
    now->region = region;
    tprof_region_begin(region);
    call();
    tprof_region_end(region);
}

static void print(const struct truth *truth)
{
    char line[200];
    int size = snprintf(
        line, sizeof line,
        "truth: %s allocations %llu frees %llu allocated_bytes %llu failed %llu\n", truth->region,
        (unsigned long long)truth->allocations, (unsigned long long)truth->frees,
        (unsigned long long)truth->allocated_bytes, (unsigned long long)truth->failed);

    if (write(STDOUT_FILENO, line, (size_t)size) != size)
        _exit(EXIT_FAILURE);
}

#define RUN(member) run(#member, call_##member)

int main(void)
{
    RUN(nothing);
    RUN(malloc);
    RUN(malloc_zero);
    RUN(calloc);
    RUN(realloc);
    RUN(realloc_zero);
    RUN(reallocarray);
    RUN(posix_memalign);
    RUN(aligned_alloc);
    RUN(memalign);
    RUN(valloc);
    RUN(pvalloc);
    RUN(strdup);
    RUN(usable_size);
    RUN(free_null);
    RUN(malloc_failing);
    RUN(calloc_overflow);
    RUN(realloc_failing);
    RUN(reallocarray_overflow);
    RUN(posix_memalign_refused);
    RUN(errno_kept);
    RUN(large);
    RUN(large_grown);
    RUN(leaked);
    for (size_t i = 0; i < truth_count; i++)
        print(&truths[i]);
    return 0;
}
