/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as a catalog file, in an arena of any size; readable formulas are also computed.  See
 * tests/fuzz/local.mk for how it runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spec/catalog.h"
#include "spec/catalog_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compute(const struct catalog *catalog)
{
    static const int64_t shape[CATALOG_SHAPE_MAX] = {3, 5, 7, 11, 13, 17, 19, 23};
    char text[128];

    for (unsigned i = 0; i < catalog->kernel_count; i++) {
        catalog_evaluate(&catalog->kernels[i].flops, shape);
        catalog_evaluate(&catalog->kernels[i].bytes, shape);
        catalog_format_shape(&catalog->kernels[i], shape, text, sizeof text);
    }
}

/* The first two bytes choose the arena, in units of 64 bytes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t arena_size = size >= 2 ? ((size_t)data[0] << 8 | data[1]) * 64 : 0;
    struct catalog_arena arena = {malloc(arena_size + 1), arena_size, 0};
    struct catalog catalog = {0};
    struct catalog_error error;

    if (!arena.base)
        return 0;
    catalog_read(&catalog, &arena, (const char *)data + (size >= 2 ? 2 : 0),
                 size >= 2 ? size - 2 : 0, &error);
    compute(&catalog);
    free(arena.base);
    return 0;
}
