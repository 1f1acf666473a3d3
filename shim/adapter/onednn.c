/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * oneDNN: what a primitive does is in its description, which is read when it
 * is executed for the first time.  A primitive that was made or destroyed is
 * forgotten, so what stands in the table is of the one that is there.
 */
#include <stddef.h>
#include <string.h>

#include "adapter/adapter.h"
#include "adapter/onednn_library.h"
#include "call/entry.h"

enum { TYPES_SIZE = 3 * 8 + 1, SHOWN_DIMS = 6, INPUTS_MAX = 256 };

/* Paragraphs of the catalog that are filled in by one function have the same
 * terms. */
#define SAME_TERM(a, b, term)                                                                      \
    _Static_assert((int)TERM_##a##_##term == (int)TERM_##b##_##term, #b " has the terms of " #a)
#define SAME_TERMS(a, b)                                                                           \
    SAME_TERM(a, b, types);                                                                        \
    SAME_TERM(a, b, d0);                                                                           \
    SAME_TERM(a, b, elements);                                                                     \
    SAME_TERM(a, b, bytes)
SAME_TERM(dnnl_convolution, dnnl_deconvolution, mb);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, ic);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, id);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, oc);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, od);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, kd);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, g);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, sd);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, dd);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, pd);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, types);
SAME_TERM(dnnl_convolution, dnnl_deconvolution, bytes);
SAME_TERMS(dnnl_softmax, dnnl_layer_normalization);
SAME_TERMS(dnnl_eltwise, dnnl_binary);
SAME_TERMS(dnnl_eltwise, dnnl_reduction);
SAME_TERM(dnnl_eltwise, dnnl_binary, alg);
SAME_TERM(dnnl_eltwise, dnnl_reduction, alg);

/* Whose kernel goes forward, and whose backward or to one of two gradients. */
struct kernels {
    enum adapted forward, data, weights;
};

/* ---- tensors ---------------------------------------------------------------- */

static struct onednn_tensor find_tensor(struct onednn_primitive *primitive, int argument,
                                        int gradient)
{
    struct onednn_tensor tensor = onednn_tensor(primitive, argument);

    return tensor.rank > 0 ? tensor : onednn_tensor(primitive, gradient);
}

static struct onednn_tensor find_source(struct onednn_primitive *primitive)
{
    return find_tensor(primitive, ONEDNN_SOURCE, ONEDNN_SOURCE_GRADIENT);
}

static struct onednn_tensor find_result(struct onednn_primitive *primitive)
{
    return find_tensor(primitive, ONEDNN_RESULT, ONEDNN_RESULT_GRADIENT);
}

/* Returns: the product of the dimensions; negative when one is only known when
 * the primitive is executed. */
static int64_t multiply_dims(const struct onednn_tensor *tensor, int first, int end)
{
    int64_t product = 1;

    for (int i = first; i < end; i++) {
        if (tensor->dims[i] < 0)
            return -1;
        product *= tensor->dims[i];
    }
    return product;
}

static bool is_known(const struct onednn_tensor *tensor)
{
    return tensor->rank > 0 && multiply_dims(tensor, 0, tensor->rank) >= 0;
}

/* All that is read or written, workspaces apart. */
static int64_t sum_bytes(struct onednn_primitive *primitive)
{
    static const unsigned short arguments[] = {1,   2,   3,   17,  18,  19,  33,  34,  35,  36,
                                               41,  49,  50,  51,  52,  129, 130, 131, 145, 146,
                                               147, 161, 162, 163, 164, 169, 255, 256};
    int64_t bytes = 0;

    for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++)
        bytes += onednn_tensor(primitive, arguments[i]).bytes;
    return bytes;
}

/* ---- types ------------------------------------------------------------------ */

static void append(char text[TYPES_SIZE], const char *more)
{
    strncat(text, more, TYPES_SIZE - 1 - strlen(text));
}

/* "f32", "bf16:f32", "bf16+f32" or "u8s8s32", as the catalog explains it. */
static int64_t pack_types(const char *source, const char *weights, const char *result)
{
    char text[TYPES_SIZE] = "";

    append(text, source);
    if (strcmp(source, weights) != 0 && strcmp(source, result) == 0) {
        append(text, "+");
        append(text, weights);
    } else if (strcmp(source, weights) != 0) {
        append(text, weights);
        append(text, result);
    } else if (strcmp(source, result) != 0) {
        append(text, ":");
        append(text, result);
    }
    return adapter_pack_text(text);
}

static int64_t types_of(const struct onednn_tensor *source, const struct onednn_tensor *weights,
                        const struct onednn_tensor *result)
{
    const char *from = onednn_type(source->type);

    return pack_types(from, weights->rank > 0 ? onednn_type(weights->type) : from,
                      onednn_type(result->type));
}

static int64_t types_of_two(const struct onednn_tensor *source, const struct onednn_tensor *result)
{
    return types_of(source, source, result);
}

/* ---- kernels ----------------------------------------------------------------- */

static enum adapted choose(const struct onednn_primitive *primitive, struct kernels kernels)
{
    if (primitive->propagation < ONEDNN_BACKWARD)
        return kernels.forward;
    return primitive->propagation >= ONEDNN_BACKWARD_WEIGHTS ? kernels.weights : kernels.data;
}

/* Depth, height and width of a tensor with leading dimensions; what it lacks
 * of them is 1. */
static void put_spatial(int64_t *values, const int64_t *dims, int count)
{
    for (int i = 0; i < 3; i++)
        values[i] = i >= 3 - count ? dims[i - (3 - count)] : 1;
}

static void put_window(int64_t *values, const int64_t *numbers, int count, int64_t usual)
{
    for (int i = 0; i < 3; i++)
        values[i] = i >= 3 - count ? numbers[i - (3 - count)] : usual;
}

static void fill_convolution(struct onednn_primitive *primitive, struct object_shape *shape,
                             const struct onednn_tensor *source, const struct onednn_tensor *result)
{
    struct onednn_window window = onednn_window(primitive);
    int64_t *values = shape->values;
    int spatial = source->rank - 2;

    values[TERM_dnnl_convolution_mb] = source->dims[0];
    values[TERM_dnnl_convolution_ic] = source->dims[1];
    values[TERM_dnnl_convolution_oc] = result->dims[1];
    put_spatial(&values[TERM_dnnl_convolution_id], source->dims + 2, spatial);
    put_spatial(&values[TERM_dnnl_convolution_od], result->dims + 2, spatial);
    put_window(&values[TERM_dnnl_convolution_sd], window.strides, spatial, 1);
    put_window(&values[TERM_dnnl_convolution_dd], window.dilations, spatial, 0);
    put_window(&values[TERM_dnnl_convolution_pd], window.padding, spatial, 0);
}

/* A 1x1 convolution without groups, and one channel by channel of what it makes, whose size is
 * in none of the tensors: places that the strides leave of the source.  What is read and
 * written between them stays in a cache, and counts no bytes. */
static bool describe_fused(struct onednn_primitive *primitive, struct object_shape *shape,
                           const struct onednn_tensor *source, const struct onednn_tensor *result)
{
    struct onednn_tensor weights = onednn_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_tensor second = onednn_second_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_window window = onednn_window(primitive);
    int64_t *values = shape->values;

    if (source->rank != 4 || weights.rank != 4 || weights.dims[2] != 1 || weights.dims[3] != 1 ||
        !is_known(&second) || second.rank != 5 || second.dims[0] != result->dims[1] ||
        second.dims[1] != 1 || second.dims[2] != 1 || window.strides[0] < 1 ||
        window.strides[1] < 1)
        return false;
    *shape = adapter_begin_shape(ADAPTED_dnnl_convolution_depthwise);
    values[TERM_dnnl_convolution_depthwise_mb] = source->dims[0];
    values[TERM_dnnl_convolution_depthwise_ic] = source->dims[1];
    values[TERM_dnnl_convolution_depthwise_oc] = result->dims[1];
    for (int i = 0; i < 2; i++) {
        values[TERM_dnnl_convolution_depthwise_ih + i] = source->dims[2 + i];
        values[TERM_dnnl_convolution_depthwise_mh + i] =
            (source->dims[2 + i] - 1) / window.strides[i] + 1;
        values[TERM_dnnl_convolution_depthwise_oh + i] = result->dims[2 + i];
        values[TERM_dnnl_convolution_depthwise_kh + i] = second.dims[3 + i];
    }
    values[TERM_dnnl_convolution_depthwise_types] = types_of(source, &weights, result);
    values[TERM_dnnl_convolution_depthwise_bytes] =
        sum_bytes(primitive) + second.bytes + onednn_second_tensor(primitive, ONEDNN_BIAS).bytes;
    return true;
}

/* Weights with one dimension more than the source have groups in front. */
static bool describe_convolution(struct onednn_primitive *primitive, struct object_shape *shape)
{
    bool is_transposed = primitive->kind == ONEDNN_DECONVOLUTION;
    struct kernels kernels = {ADAPTED_dnnl_convolution, ADAPTED_dnnl_convolution_backward_data,
                              ADAPTED_dnnl_convolution_backward_weights};
    struct kernels transposed = {ADAPTED_dnnl_deconvolution,
                                 ADAPTED_dnnl_deconvolution_backward_data,
                                 ADAPTED_dnnl_deconvolution_backward_weights};
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);
    struct onednn_tensor weights = find_tensor(primitive, ONEDNN_WEIGHTS, ONEDNN_WEIGHTS_GRADIENT);
    int grouped = weights.rank - source.rank;

    if (!is_known(&source) || !is_known(&result) || !is_known(&weights) || source.rank < 3 ||
        source.rank > 5 || result.rank != source.rank || grouped < 0 || grouped > 1)
        return false;
    if (onednn_second_tensor(primitive, ONEDNN_WEIGHTS).rank > 0)
        return describe_fused(primitive, shape, &source, &result);
    *shape = adapter_begin_shape(choose(primitive, is_transposed ? transposed : kernels));
    fill_convolution(primitive, shape, &source, &result);
    shape->values[TERM_dnnl_convolution_g] = grouped ? weights.dims[0] : 1;
    put_spatial(&shape->values[TERM_dnnl_convolution_kd], weights.dims + 2 + grouped,
                source.rank - 2);
    shape->values[TERM_dnnl_convolution_types] = types_of(&source, &weights, &result);
    shape->values[TERM_dnnl_convolution_bytes] = sum_bytes(primitive);
    return true;
}

static bool describe_inner_product(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct kernels kernels = {ADAPTED_dnnl_inner_product, ADAPTED_dnnl_inner_product_backward_data,
                              ADAPTED_dnnl_inner_product_backward_weights};
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);
    struct onednn_tensor weights = find_tensor(primitive, ONEDNN_WEIGHTS, ONEDNN_WEIGHTS_GRADIENT);

    if (!is_known(&source) || !is_known(&result) || source.rank < 2 || source.rank > 5 ||
        result.rank != 2)
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_inner_product_types] = types_of(&source, &weights, &result);
    shape->values[TERM_dnnl_inner_product_mb] = source.dims[0];
    shape->values[TERM_dnnl_inner_product_ic] = source.dims[1];
    put_spatial(&shape->values[TERM_dnnl_inner_product_id], source.dims + 2, source.rank - 2);
    shape->values[TERM_dnnl_inner_product_oc] = result.dims[1];
    shape->values[TERM_dnnl_inner_product_bytes] = sum_bytes(primitive);
    return true;
}

static bool describe_matmul(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);
    struct onednn_tensor weights = onednn_tensor(primitive, ONEDNN_WEIGHTS);

    if (!is_known(&source) || !is_known(&result) || source.rank < 2 || result.rank != source.rank)
        return false;
    *shape = adapter_begin_shape(ADAPTED_dnnl_matmul);
    shape->values[TERM_dnnl_matmul_types] = types_of(&source, &weights, &result);
    shape->values[TERM_dnnl_matmul_b] = multiply_dims(&result, 0, result.rank - 2);
    shape->values[TERM_dnnl_matmul_m] = result.dims[result.rank - 2];
    shape->values[TERM_dnnl_matmul_n] = result.dims[result.rank - 1];
    shape->values[TERM_dnnl_matmul_k] = source.dims[source.rank - 1];
    shape->values[TERM_dnnl_matmul_bytes] = sum_bytes(primitive);
    return true;
}

/* By the gates of its weights: layers, directions, channels, gates, channels. */
static bool choose_cell(const struct onednn_primitive *primitive, int64_t gates,
                        enum adapted *kernel)
{
    bool is_backward = primitive->propagation >= ONEDNN_BACKWARD;

    if (gates == 1)
        *kernel = is_backward ? ADAPTED_dnnl_rnn_backward : ADAPTED_dnnl_rnn;
    else if (gates == 3)
        *kernel = is_backward ? ADAPTED_dnnl_gru_backward : ADAPTED_dnnl_gru;
    else if (gates == 4)
        *kernel = is_backward ? ADAPTED_dnnl_lstm_backward : ADAPTED_dnnl_lstm;
    else
        return false;
    return true;
}

static bool describe_rnn(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = onednn_tensor(primitive, ONEDNN_SOURCE);
    struct onednn_tensor result = onednn_tensor(primitive, ONEDNN_RESULT);
    struct onednn_tensor layer = onednn_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_tensor state = onednn_tensor(primitive, ONEDNN_WEIGHTS_STATE);
    struct onednn_tensor projection = onednn_tensor(primitive, ONEDNN_WEIGHTS_PROJECTION);
    enum adapted kernel;

    if (!is_known(&source) || !is_known(&layer) || !is_known(&state) || source.rank != 3 ||
        layer.rank != 5 || state.rank != 5 || !choose_cell(primitive, layer.dims[3], &kernel))
        return false;
    *shape = adapter_begin_shape(kernel);
    shape->values[TERM_dnnl_rnn_types] = types_of(&source, &layer, &result);
    shape->values[TERM_dnnl_rnn_t] = source.dims[0];
    shape->values[TERM_dnnl_rnn_mb] = source.dims[1];
    shape->values[TERM_dnnl_rnn_layers] = layer.dims[0];
    shape->values[TERM_dnnl_rnn_dirs] = layer.dims[1];
    shape->values[TERM_dnnl_rnn_slc] = layer.dims[2];
    shape->values[TERM_dnnl_rnn_sic] = state.dims[2];
    shape->values[TERM_dnnl_rnn_dhc] = layer.dims[4];
    if (projection.rank == 4)
        shape->values[TERM_dnnl_rnn_dic] = projection.dims[3];
    shape->values[TERM_dnnl_rnn_lbr] = onednn_is_linear_before_reset(primitive);
    shape->values[TERM_dnnl_rnn_bytes] = sum_bytes(primitive);
    return true;
}

/* What the second version's first pooling lacks is no window but dilation. */
static bool describe_pooling(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct kernels kernels = {ADAPTED_dnnl_pooling, ADAPTED_dnnl_pooling_backward,
                              ADAPTED_dnnl_pooling_backward};
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);
    struct onednn_window window = onednn_window(primitive);
    int spatial = source.rank - 2;

    if (!is_known(&source) || !is_known(&result) || source.rank < 3 || source.rank > 5 ||
        result.rank != source.rank || window.size[0] <= 0)
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_pooling_alg] = adapter_pack_text(onednn_algorithm(primitive));
    shape->values[TERM_dnnl_pooling_types] = types_of_two(&source, &result);
    shape->values[TERM_dnnl_pooling_mb] = source.dims[0];
    shape->values[TERM_dnnl_pooling_c] = source.dims[1];
    put_spatial(&shape->values[TERM_dnnl_pooling_id], source.dims + 2, spatial);
    put_spatial(&shape->values[TERM_dnnl_pooling_od], result.dims + 2, spatial);
    put_spatial(&shape->values[TERM_dnnl_pooling_kd], window.size, spatial);
    shape->values[TERM_dnnl_pooling_bytes] = sum_bytes(primitive);
    return true;
}

static bool describe_batch_normalization(struct onednn_primitive *primitive,
                                         struct object_shape *shape)
{
    enum adapted forward = primitive->propagation == ONEDNN_TRAINING
                               ? ADAPTED_dnnl_batch_normalization_training
                               : ADAPTED_dnnl_batch_normalization;
    struct kernels kernels = {forward, ADAPTED_dnnl_batch_normalization_backward,
                              ADAPTED_dnnl_batch_normalization_backward};
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);

    if (!is_known(&source) || source.rank < 2 || source.rank > 5)
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_batch_normalization_types] = types_of_two(&source, &result);
    shape->values[TERM_dnnl_batch_normalization_mb] = source.dims[0];
    shape->values[TERM_dnnl_batch_normalization_c] = source.dims[1];
    put_spatial(&shape->values[TERM_dnnl_batch_normalization_d], source.dims + 2, source.rank - 2);
    shape->values[TERM_dnnl_batch_normalization_bytes] = sum_bytes(primitive);
    return true;
}

/* ---- operations on any number of dimensions ----------------------------------- */

/* The last one that is shown is the product of the rest. */
static void put_dims(int64_t *values, const struct onednn_tensor *tensor)
{
    for (int i = 0; i < SHOWN_DIMS; i++)
        values[i] = i < tensor->rank ? tensor->dims[i] : 1;
    if (tensor->rank > SHOWN_DIMS)
        values[SHOWN_DIMS - 1] = multiply_dims(tensor, SHOWN_DIMS - 1, tensor->rank);
}

/* Of the source for a reduction, of the result for what makes more of it. */
static struct onednn_tensor leading_tensor(struct onednn_primitive *primitive)
{
    if (primitive->kind == ONEDNN_RESAMPLING)
        return find_result(primitive);
    return find_source(primitive);
}

static bool describe_normalization(struct onednn_primitive *primitive, struct object_shape *shape)
{
    bool is_logarithm =
        primitive->kind == ONEDNN_LOGSOFTMAX ||
        (primitive->kind == ONEDNN_SOFTMAX && strcmp(onednn_algorithm(primitive), "log") == 0);
    struct kernels softmax = {ADAPTED_dnnl_softmax, ADAPTED_dnnl_softmax_backward,
                              ADAPTED_dnnl_softmax_backward};
    struct kernels logsoftmax = {ADAPTED_dnnl_logsoftmax, ADAPTED_dnnl_logsoftmax_backward,
                                 ADAPTED_dnnl_logsoftmax_backward};
    struct kernels layer = {ADAPTED_dnnl_layer_normalization,
                            ADAPTED_dnnl_layer_normalization_backward,
                            ADAPTED_dnnl_layer_normalization_backward};
    struct kernels group = {ADAPTED_dnnl_group_normalization,
                            ADAPTED_dnnl_group_normalization_backward,
                            ADAPTED_dnnl_group_normalization_backward};
    struct kernels kernels = is_logarithm ? logsoftmax : softmax;
    struct onednn_tensor result = find_result(primitive), source = find_source(primitive);

    if (primitive->kind == ONEDNN_LAYER_NORMALIZATION)
        kernels = layer;
    else if (primitive->kind == ONEDNN_GROUP_NORMALIZATION)
        kernels = group;
    if (!is_known(&result))
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_softmax_types] =
        source.rank > 0 ? types_of_two(&source, &result) : types_of_two(&result, &result);
    put_dims(&shape->values[TERM_dnnl_softmax_d0], &result);
    shape->values[TERM_dnnl_softmax_elements] = multiply_dims(&result, 0, result.rank);
    shape->values[TERM_dnnl_softmax_bytes] = sum_bytes(primitive);
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

static bool describe_elementwise(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor leading = leading_tensor(primitive), result = find_result(primitive);
    const char *algorithm = primitive->kind == ONEDNN_PRELU ? "prelu" : onednn_algorithm(primitive);

    if (!is_known(&leading))
        return false;
    *shape = adapter_begin_shape(choose_elementwise(primitive));
    shape->values[TERM_dnnl_eltwise_alg] = adapter_pack_text(algorithm);
    shape->values[TERM_dnnl_eltwise_types] = types_of_two(&leading, &result);
    put_dims(&shape->values[TERM_dnnl_eltwise_d0], &leading);
    shape->values[TERM_dnnl_eltwise_elements] = multiply_dims(&leading, 0, leading.rank);
    shape->values[TERM_dnnl_eltwise_bytes] = sum_bytes(primitive);
    return true;
}

static bool describe_resampling(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct kernels kernels = {ADAPTED_dnnl_resampling, ADAPTED_dnnl_resampling_backward,
                              ADAPTED_dnnl_resampling_backward};
    struct onednn_tensor result = find_result(primitive), source = find_source(primitive);
    const char *algorithm = onednn_algorithm(primitive);

    if (!is_known(&result) || result.rank < 3)
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_resampling_alg] = adapter_pack_text(algorithm);
    shape->values[TERM_dnnl_resampling_types] = types_of_two(&source, &result);
    put_dims(&shape->values[TERM_dnnl_resampling_d0], &result);
    shape->values[TERM_dnnl_resampling_taps] =
        strcmp(algorithm, "linear") == 0 ? INT64_C(1) << (result.rank - 2) : 1;
    shape->values[TERM_dnnl_resampling_elements] = multiply_dims(&result, 0, result.rank);
    shape->values[TERM_dnnl_resampling_bytes] = sum_bytes(primitive);
    return true;
}

static bool describe_lrn(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct kernels kernels = {ADAPTED_dnnl_lrn, ADAPTED_dnnl_lrn_backward,
                              ADAPTED_dnnl_lrn_backward};
    struct onednn_tensor source = find_source(primitive), result = find_result(primitive);
    int64_t size = onednn_local_size(primitive);

    if (!is_known(&source) || size <= 0)
        return false;
    *shape = adapter_begin_shape(choose(primitive, kernels));
    shape->values[TERM_dnnl_lrn_types] = types_of_two(&source, &result);
    shape->values[TERM_dnnl_lrn_size] = size;
    put_dims(&shape->values[TERM_dnnl_lrn_d0], &source);
    shape->values[TERM_dnnl_lrn_elements] = multiply_dims(&source, 0, source.rank);
    shape->values[TERM_dnnl_lrn_bytes] = sum_bytes(primitive);
    return true;
}

/* ---- several sources, or none of the arithmetic ------------------------------- */

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

static bool describe_sum(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = onednn_tensor(primitive, ONEDNN_MANY_SOURCES);
    struct onednn_tensor result = find_result(primitive);
    int64_t bytes = result.bytes;

    if (!is_known(&source) || !is_known(&result))
        return false;
    *shape = adapter_begin_shape(ADAPTED_dnnl_sum);
    shape->values[TERM_dnnl_sum_types] = types_of_two(&source, &result);
    shape->values[TERM_dnnl_sum_inputs] = count_inputs(primitive, &bytes);
    put_dims(&shape->values[TERM_dnnl_sum_d0], &result);
    shape->values[TERM_dnnl_sum_elements] = multiply_dims(&result, 0, result.rank);
    shape->values[TERM_dnnl_sum_bytes] = bytes;
    return true;
}

static bool describe_movement(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct kernels shuffle = {ADAPTED_dnnl_shuffle, ADAPTED_dnnl_shuffle_backward,
                              ADAPTED_dnnl_shuffle_backward};
    bool is_concatenation = primitive->kind == ONEDNN_CONCAT;
    struct onednn_tensor result = find_result(primitive);
    struct onednn_tensor source =
        is_concatenation ? onednn_tensor(primitive, ONEDNN_MANY_SOURCES) : find_source(primitive);
    int64_t bytes = is_concatenation ? result.bytes : sum_bytes(primitive);
    enum adapted kernel = ADAPTED_dnnl_reorder;

    if (!is_known(&result))
        return false;
    if (primitive->kind == ONEDNN_SHUFFLE)
        kernel = choose(primitive, shuffle);
    *shape = adapter_begin_shape(is_concatenation ? ADAPTED_dnnl_concat : kernel);
    shape->values[TERM_dnnl_reorder_types] = types_of_two(&source, &result);
    shape->values[TERM_dnnl_reorder_inputs] =
        is_concatenation ? count_inputs(primitive, &bytes) : 1;
    put_dims(&shape->values[TERM_dnnl_reorder_d0], &result);
    shape->values[TERM_dnnl_reorder_bytes] = bytes;
    return true;
}

/* ---- primitives ---------------------------------------------------------------- */

static bool describe_kind(struct onednn_primitive *primitive, struct object_shape *shape)
{
    switch (primitive->kind) {
    case ONEDNN_CONVOLUTION:
    case ONEDNN_DECONVOLUTION: return describe_convolution(primitive, shape);
    case ONEDNN_INNER_PRODUCT: return describe_inner_product(primitive, shape);
    case ONEDNN_MATMUL: return describe_matmul(primitive, shape);
    case ONEDNN_RNN: return describe_rnn(primitive, shape);
    case ONEDNN_POOLING:
    case ONEDNN_POOLING_FIRST: return describe_pooling(primitive, shape);
    case ONEDNN_BATCH_NORMALIZATION: return describe_batch_normalization(primitive, shape);
    case ONEDNN_LAYER_NORMALIZATION:
    case ONEDNN_GROUP_NORMALIZATION:
    case ONEDNN_SOFTMAX:
    case ONEDNN_SOFTMAX_FIRST:
    case ONEDNN_LOGSOFTMAX: return describe_normalization(primitive, shape);
    case ONEDNN_ELTWISE:
    case ONEDNN_BINARY:
    case ONEDNN_PRELU:
    case ONEDNN_REDUCTION: return describe_elementwise(primitive, shape);
    case ONEDNN_RESAMPLING: return describe_resampling(primitive, shape);
    case ONEDNN_LRN: return describe_lrn(primitive, shape);
    case ONEDNN_SUM: return describe_sum(primitive, shape);
    case ONEDNN_REORDER:
    case ONEDNN_SHUFFLE:
    case ONEDNN_CONCAT: return describe_movement(primitive, shape);
    case ONEDNN_OTHER: break;
    }
    return false;
}

/* By the integer arguments of dnnl_primitive_execute: the primitive, a stream,
 * the number of tensors, the tensors.  A primitive that leaves sizes open is
 * asked each time. */
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

/* ---- the calls ------------------------------------------------------------------ */

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

static void forget_destroyed(const word *integers)
{
    object_forget((const void *)integers[0]);
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
