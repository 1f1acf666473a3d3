/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What adapters have in common.
 */
#include "adapter/adapter.h"

#include <errno.h>
#include <stddef.h>

#include "hook/hook.h"
#include "hook/load_map.h"
#include "record/lane.h"
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

const struct adapter_call *adapter_find(const char *symbol)
{
    const struct adapter_call *call = onednn_find(symbol);

    call = call ? call : fftw_find(symbol);
    return call ? call : onnxruntime_find(symbol);
}

struct object_shape adapter_begin_shape(enum adapted kernel)
{
    return (struct object_shape){.kernel = adapted[kernel].kernel,
                                 .count = adapted[kernel].count,
                                 .owns = adapted[kernel].owns};
}

int64_t adapter_pack_text(const char *text)
{
    return catalog_pack_text(text);
}

/* The program's own constructors come after ours. */
void adapter_catch_up(unsigned first_row)
{
    unsigned count = hook_row_count;

    for (unsigned i = first_row; i < count; i++) {
        const struct hook_row *row = &hook_rows[i];
        const struct adapter_call *call = row->symbol->adapter;

        if (call && call->catch_up && row->fact.outcome == TRACE_HOOK_HOOKED &&
            row->fact.module != load_map[0].module)
            call->catch_up(row->binding);
    }
}

/* A thread that records nothing need not know. */
const struct object_shape *adapter_describe(const struct adapter_call *call,
                                            const struct binding *binding, const word *integers)
{
    const struct object_shape *shape = NULL;
    int saved_errno = errno;

    if (call->describe && lane_ready())
        shape = call->describe(binding, integers);
    errno = saved_errno;
    return shape ? shape : &object_unknown;
}
