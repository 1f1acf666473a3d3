/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every aligned variant of the malloc family, with every alignment up to a
 * megabyte: the alignment holds, and contents are kept through realloc.
 *
 * usage: aligned [portable]   without pvalloc, which not every allocator has
 */
#include <malloc.h>
#include <stdbool.h>
#include <string.h>

#include "survive.h"

enum { PAGE = 4096, LEAST = 16, MOST = 1 << 20, GROWN = 3000 };

static void *by_posix(size_t alignment, size_t size)
{
    void *block = NULL;

    return posix_memalign(&block, alignment, size) == 0 ? block : NULL;
}

static void *by_valloc(size_t alignment, size_t size)
{
    return alignment <= PAGE ? valloc(size) : memalign(alignment, size);
}

static void *by_pvalloc(size_t alignment, size_t size)
{
    return alignment <= PAGE ? pvalloc(size) : aligned_alloc(alignment, size);
}

static void *(*const variants[])(size_t alignment, size_t size) = {
    by_posix, by_valloc, memalign, aligned_alloc, by_pvalloc,
};

enum { VARIANTS = sizeof variants / sizeof *variants };

static void expect(int is_true, const char *what)
{
    if (is_true)
        return;
    fprintf(stderr, "aligned: %s\n", what);
    _exit(EXIT_FAILURE);
}

static void use(unsigned variant, size_t alignment, size_t size)
{
    char *block = survive_count(variants[variant](alignment, size), size);

    expect((uintptr_t)block % alignment == 0, "a block is not aligned");
    expect(malloc_usable_size(block) >= size, "the usable size is too small");
    memset(block, 'a', size);
    block = survive_resize(block, size + GROWN);
    for (size_t i = 0; i < size; i++)
        expect(block[i] == 'a', "contents were lost");
    survive_release(block);
}

int main(int count, char **arguments)
{
    bool is_portable = count > 1 && strcmp(arguments[1], "portable") == 0;
    unsigned tried = is_portable ? VARIANTS - 1 : VARIANTS;
    static const size_t sizes[] = {0, 1, 15, 16, 100, 4096, 100000};

    tprof_region_begin("work");
    for (unsigned variant = 0; variant < tried; variant++)
        for (size_t alignment = LEAST; alignment <= MOST; alignment *= 2)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                use(variant, alignment, sizes[i]);
    tprof_region_end("work");
    survive_print();
    return 0;
}
