/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pooling, normalizations, elementwise operations, and moves of data.
 */
#include "adapter/onednn_layers.h"

#include <stddef.h>
#include <string.h>

#include "adapter/onednn_shape.h"

enum { INPUTS_MAX = 256 };

SAME_TERMS(dnnl_softmax, dnnl_layer_normalization);
SAME_TERMS(dnnl_eltwise, dnnl_binary);
SAME_TERMS(dnnl_eltwise, dnnl_reduction);
SAME_TERM(dnnl_eltwise, dnnl_binary, alg);
SAME_TERM(dnnl_eltwise, dnnl_reduction, alg);

/* The first kind of pooling in the second version has a window, and lacks only dilation. */
bool onednn_layers_describe_pooling(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_directions kernels = {ADAPTED_dnnl_pooling, ADAPTED_dnnl_pooling_backward,
                                        ADAPTED_dnnl_pooling_backward};
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);
    struct onednn_window window = onednn_window(primitive);
    int spatial = source.rank - 2;

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&result) || source.rank < 3 ||
        source.rank > 5 || result.rank != source.rank || window.size[0] <= 0)
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_pooling_alg] = adapter_pack_text(onednn_algorithm(primitive));
    shape->values[TERM_dnnl_pooling_types] = onednn_shape_types_of_two(&source, &result);
    shape->values[TERM_dnnl_pooling_mb] = source.dims[0];
    shape->values[TERM_dnnl_pooling_c] = source.dims[1];
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_pooling_id], source.dims + 2, spatial);
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_pooling_od], result.dims + 2, spatial);
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_pooling_kd], window.size, spatial);
    shape->values[TERM_dnnl_pooling_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

bool onednn_layers_describe_batch_normalization(struct onednn_primitive *primitive,
                                                struct object_shape *shape)
{
    enum adapted forward = primitive->propagation == ONEDNN_TRAINING
                               ? ADAPTED_dnnl_batch_normalization_training
                               : ADAPTED_dnnl_batch_normalization;
    struct onednn_directions kernels = {forward, ADAPTED_dnnl_batch_normalization_backward,
                                        ADAPTED_dnnl_batch_normalization_backward};
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);

    if (!onednn_shape_is_known(&source) || source.rank < 2 || source.rank > 5)
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_batch_normalization_types] =
        onednn_shape_types_of_two(&source, &result);
    shape->values[TERM_dnnl_batch_normalization_mb] = source.dims[0];
    shape->values[TERM_dnnl_batch_normalization_c] = source.dims[1];
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_batch_normalization_d], source.dims + 2,
                             source.rank - 2);
    shape->values[TERM_dnnl_batch_normalization_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

/* The larger tensor: the result of a resampling, the source of the others. */
static struct onednn_tensor leading_tensor(struct onednn_primitive *primitive)
{
    if (primitive->kind == ONEDNN_RESAMPLING)
        return onednn_shape_result(primitive);
    return onednn_shape_source(primitive);
}

bool onednn_layers_describe_normalization(struct onednn_primitive *primitive,
                                          struct object_shape *shape)
{
    bool is_logarithm =
        primitive->kind == ONEDNN_LOGSOFTMAX ||
        (primitive->kind == ONEDNN_SOFTMAX && strcmp(onednn_algorithm(primitive), "log") == 0);
    struct onednn_directions softmax = {ADAPTED_dnnl_softmax, ADAPTED_dnnl_softmax_backward,
                                        ADAPTED_dnnl_softmax_backward};
    struct onednn_directions logsoftmax = {ADAPTED_dnnl_logsoftmax,
                                           ADAPTED_dnnl_logsoftmax_backward,
                                           ADAPTED_dnnl_logsoftmax_backward};
    struct onednn_directions layer = {ADAPTED_dnnl_layer_normalization,
                                      ADAPTED_dnnl_layer_normalization_backward,
                                      ADAPTED_dnnl_layer_normalization_backward};
    struct onednn_directions group = {ADAPTED_dnnl_group_normalization,
                                      ADAPTED_dnnl_group_normalization_backward,
                                      ADAPTED_dnnl_group_normalization_backward};
    struct onednn_directions kernels = is_logarithm ? logsoftmax : softmax;
    struct onednn_tensor result = onednn_shape_result(primitive),
                         source = onednn_shape_source(primitive);

    if (primitive->kind == ONEDNN_LAYER_NORMALIZATION)
        kernels = layer;
    else if (primitive->kind == ONEDNN_GROUP_NORMALIZATION)
        kernels = group;
    if (!onednn_shape_is_known(&result))
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_softmax_types] = source.rank > 0
                                                 ? onednn_shape_types_of_two(&source, &result)
                                                 : onednn_shape_types_of_two(&result, &result);
    onednn_shape_put_dims(&shape->values[TERM_dnnl_softmax_d0], &result);
    shape->values[TERM_dnnl_softmax_elements] = onednn_shape_multiply(&result, 0, result.rank);
    shape->values[TERM_dnnl_softmax_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

static enum adapted choose_elementwise(const struct onednn_primitive *primitive)
{
    bool is_backward = primitive->propagation >= ONEDNN_BACKWARD;

    if (primitive->kind == ONEDNN_BINARY)
        return ADAPTED_dnnl_binary;
    if (primitive->kind == ONEDNN_REDUCTION)
        return ADAPTED_dnnl_reduction;
    if (primitive->kind == ONEDNN_PRELU)
        return is_backward ? ADAPTED_dnnl_prelu_backward : ADAPTED_dnnl_prelu;
    return is_backward ? ADAPTED_dnnl_eltwise_backward : ADAPTED_dnnl_eltwise;
}

bool onednn_layers_describe_elementwise(struct onednn_primitive *primitive,
                                        struct object_shape *shape)
{
    struct onednn_tensor leading = leading_tensor(primitive),
                         result = onednn_shape_result(primitive);
    const char *algorithm = primitive->kind == ONEDNN_PRELU ? "prelu" : onednn_algorithm(primitive);

    if (!onednn_shape_is_known(&leading))
        return false;
    *shape = adapter_begin_shape(choose_elementwise(primitive));
    shape->values[TERM_dnnl_eltwise_alg] = adapter_pack_text(algorithm);
    shape->values[TERM_dnnl_eltwise_types] = onednn_shape_types_of_two(&leading, &result);
    onednn_shape_put_dims(&shape->values[TERM_dnnl_eltwise_d0], &leading);
    shape->values[TERM_dnnl_eltwise_elements] = onednn_shape_multiply(&leading, 0, leading.rank);
    shape->values[TERM_dnnl_eltwise_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

bool onednn_layers_describe_resampling(struct onednn_primitive *primitive,
                                       struct object_shape *shape)
{
    struct onednn_directions kernels = {ADAPTED_dnnl_resampling, ADAPTED_dnnl_resampling_backward,
                                        ADAPTED_dnnl_resampling_backward};
    struct onednn_tensor result = onednn_shape_result(primitive),
                         source = onednn_shape_source(primitive);
    const char *algorithm = onednn_algorithm(primitive);

    if (!onednn_shape_is_known(&result) || result.rank < 3)
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_resampling_alg] = adapter_pack_text(algorithm);
    shape->values[TERM_dnnl_resampling_types] = onednn_shape_types_of_two(&source, &result);
    onednn_shape_put_dims(&shape->values[TERM_dnnl_resampling_d0], &result);
    shape->values[TERM_dnnl_resampling_taps] =
        strcmp(algorithm, "linear") == 0 ? INT64_C(1) << (result.rank - 2) : 1;
    shape->values[TERM_dnnl_resampling_elements] = onednn_shape_multiply(&result, 0, result.rank);
    shape->values[TERM_dnnl_resampling_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

bool onednn_layers_describe_lrn(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_directions kernels = {ADAPTED_dnnl_lrn, ADAPTED_dnnl_lrn_backward,
                                        ADAPTED_dnnl_lrn_backward};
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);
    int64_t size = onednn_local_size(primitive);

    if (!onednn_shape_is_known(&source) || size <= 0)
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_lrn_types] = onednn_shape_types_of_two(&source, &result);
    shape->values[TERM_dnnl_lrn_size] = size;
    onednn_shape_put_dims(&shape->values[TERM_dnnl_lrn_d0], &source);
    shape->values[TERM_dnnl_lrn_elements] = onednn_shape_multiply(&source, 0, source.rank);
    shape->values[TERM_dnnl_lrn_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

static int64_t count_inputs(struct onednn_primitive *primitive, int64_t *bytes)
{
    int64_t count = 0;

    for (; count < INPUTS_MAX; count++) {
        struct onednn_tensor tensor = onednn_tensor(primitive, ONEDNN_MANY_SOURCES + (int)count);

        if (tensor.rank == 0)
            break;
        *bytes += tensor.bytes;
    }
    return count;
}

bool onednn_layers_describe_sum(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = onednn_tensor(primitive, ONEDNN_MANY_SOURCES);
    struct onednn_tensor result = onednn_shape_result(primitive);
    int64_t bytes = result.bytes;

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&result))
        return false;
    *shape = adapter_begin_shape(ADAPTED_dnnl_sum);
    shape->values[TERM_dnnl_sum_types] = onednn_shape_types_of_two(&source, &result);
    shape->values[TERM_dnnl_sum_inputs] = count_inputs(primitive, &bytes);
    onednn_shape_put_dims(&shape->values[TERM_dnnl_sum_d0], &result);
    shape->values[TERM_dnnl_sum_elements] = onednn_shape_multiply(&result, 0, result.rank);
    shape->values[TERM_dnnl_sum_bytes] = bytes;
    return true;
}

bool onednn_layers_describe_movement(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_directions shuffle = {ADAPTED_dnnl_shuffle, ADAPTED_dnnl_shuffle_backward,
                                        ADAPTED_dnnl_shuffle_backward};
    bool is_concatenation = primitive->kind == ONEDNN_CONCAT;
    struct onednn_tensor result = onednn_shape_result(primitive);
    struct onednn_tensor source = is_concatenation ? onednn_tensor(primitive, ONEDNN_MANY_SOURCES)
                                                   : onednn_shape_source(primitive);
    int64_t bytes = is_concatenation ? result.bytes : onednn_shape_sum_bytes(primitive);
    enum adapted kernel = ADAPTED_dnnl_reorder;

    if (!onednn_shape_is_known(&result))
        return false;
    if (primitive->kind == ONEDNN_SHUFFLE)
        kernel = onednn_shape_choose(primitive, shuffle);
    *shape = adapter_begin_shape(is_concatenation ? ADAPTED_dnnl_concat : kernel);
    shape->values[TERM_dnnl_reorder_types] = onednn_shape_types_of_two(&source, &result);
    shape->values[TERM_dnnl_reorder_inputs] =
        is_concatenation ? count_inputs(primitive, &bytes) : 1;
    onednn_shape_put_dims(&shape->values[TERM_dnnl_reorder_d0], &result);
    shape->values[TERM_dnnl_reorder_bytes] = bytes;
    return true;
}
