/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * oneDNN: the work of a primitive is in its description, which is read when the primitive is first
 * executed.  A primitive that is made or destroyed is forgotten, so the table never describes an
 * earlier primitive at the same address.
 */
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "adapter/onednn_layers.h"
#include "adapter/onednn_library.h"
#include "adapter/onednn_products.h"
#include "call/entry.h"

static bool describe_kind(struct onednn_primitive *primitive, struct object_shape *shape)
{
    switch (primitive->kind) {
    case ONEDNN_CONVOLUTION:
    case ONEDNN_DECONVOLUTION: return onednn_products_describe_convolution(primitive, shape);
    case ONEDNN_INNER_PRODUCT: return onednn_products_describe_inner_product(primitive, shape);
    case ONEDNN_MATMUL: return onednn_products_describe_matmul(primitive, shape);
    case ONEDNN_RNN: return onednn_products_describe_rnn(primitive, shape);
    case ONEDNN_POOLING:
    case ONEDNN_POOLING_FIRST: return onednn_layers_describe_pooling(primitive, shape);
    case ONEDNN_BATCH_NORMALIZATION:
        return onednn_layers_describe_batch_normalization(primitive, shape);
    case ONEDNN_LAYER_NORMALIZATION:
    case ONEDNN_GROUP_NORMALIZATION:
    case ONEDNN_SOFTMAX:
    case ONEDNN_SOFTMAX_FIRST:
    case ONEDNN_LOGSOFTMAX: return onednn_layers_describe_normalization(primitive, shape);
    case ONEDNN_ELTWISE:
    case ONEDNN_BINARY:
    case ONEDNN_PRELU:
    case ONEDNN_REDUCTION: return onednn_layers_describe_elementwise(primitive, shape);
    case ONEDNN_RESAMPLING: return onednn_layers_describe_resampling(primitive, shape);
    case ONEDNN_LRN: return onednn_layers_describe_lrn(primitive, shape);
    case ONEDNN_SUM: return onednn_layers_describe_sum(primitive, shape);
    case ONEDNN_REORDER:
    case ONEDNN_SHUFFLE:
    case ONEDNN_CONCAT: return onednn_layers_describe_movement(primitive, shape);
    case ONEDNN_OTHER: break;
    }
    return false;
}

/* From the integer arguments of dnnl_primitive_execute: the primitive, a stream, the number of
 * tensors, the tensors.  A primitive that leaves sizes open is queried each time. */
static const struct object_shape *describe_primitive(const struct binding *binding,
                                                     const word *integers)
{
    const struct onednn_execution execution = {(int)integers[2], (const void *)integers[3]};
    const void *object = (const void *)integers[0];
    struct onednn_primitive primitive;
    struct object_shape shape;
    bool is_told;

    if (!binding->library || !onednn_primitive_open(&primitive, binding->library, object))
        return object_remember(object, &object_unknown);
    primitive.execution = &execution;
    is_told = describe_kind(&primitive, &shape);
    if (is_told && primitive.implementation)
        strncpy(shape.text, primitive.implementation, sizeof shape.text - 1);
    if (primitive.is_open)
        object_remember(object, &object_open);
    return object_remember(primitive.is_open ? NULL : object, is_told ? &shape : &object_unknown);
}

static void find_library(struct binding *binding)
{
    binding->library = onednn_library_find(binding->target);
}

/* dnnl_primitive_create writes the primitive where its first argument points. */
static void forget_made(const struct entry_frame *frame, word status)
{
    if ((int)status == 0)
        object_forget(*(const void *const *)frame->integers[0]);
}

static void forget_destroyed(const struct entry_frame *frame)
{
    object_forget((const void *)frame->integers[0]);
}

static const struct {
    const char *symbol;
    struct adapter_call call;
} calls[] = {
    {"dnnl_primitive_execute", {.object = 0, .describe = describe_primitive, .bind = find_library}},
    {"dnnl_primitive_create", {.object = -1, .after = forget_made}},
    {"dnnl_primitive_create_from_cache_blob", {.object = -1, .after = forget_made}},
    {"dnnl_primitive_destroy", {.object = -1, .before = forget_destroyed}},
};

const struct adapter_call *onednn_find(const char *symbol)
{
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strcmp(calls[i].symbol, symbol) == 0)
            return &calls[i].call;
    return NULL;
}
