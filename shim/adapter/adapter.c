/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of adapters, and their shapes.
 */
#include "adapter/adapter.h"

#include <stddef.h>

#include "hook/load_map.h"
#include "spec/catalog.h"

_Static_assert((int)CATALOG_SHAPE_MAX <= (int)TRACE_WIDE_MAX, "a fact holds any shape");

static const struct {
    uint32_t kernel;
    uint32_t count;
    bool owns;
} adapted[] = {
#define ADAPTED(name, kernel, terms, owns) {kernel, terms, owns},
#include "kernels.def"
#undef ADAPTED
};

const adapter_finder adapter_finders[] = {onednn_find,      fftw_find, onnxruntime_find,
                                          lightweight_find, nccl_find, gpu_fft_find};
const unsigned adapter_finder_count = sizeof adapter_finders / sizeof *adapter_finders;

struct object_shape adapter_begin_shape(enum adapted kernel)
{
    return (struct object_shape){.kernel = adapted[kernel].kernel,
                                 .count = adapted[kernel].count,
                                 .owns = adapted[kernel].owns};
}

void *adapter_find_function(const void *function, const char *name)
{
    const struct loaded *entry = load_map_find((uintptr_t)function);
    const ElfW(Sym) *symbol = entry ? elf_find(&entry->object, name) : NULL;

    return symbol ? elf_address(&entry->object, symbol) : NULL;
}

int64_t adapter_pack_text(const char *text)
{
    return catalog_pack_text(text);
}
