/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Convolutions, products of matrices and recurrent cells.
 */
#include "adapter/onednn_products.h"

#include <stddef.h>

#include "adapter/onednn_shape.h"

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
    onednn_shape_put_spatial(&values[TERM_dnnl_convolution_id], source->dims + 2, spatial);
    onednn_shape_put_spatial(&values[TERM_dnnl_convolution_od], result->dims + 2, spatial);
    put_window(&values[TERM_dnnl_convolution_sd], window.strides, spatial, 1);
    put_window(&values[TERM_dnnl_convolution_dd], window.dilations, spatial, 0);
    put_window(&values[TERM_dnnl_convolution_pd], window.padding, spatial, 0);
}

/* A 1x1 convolution without groups, fused with a depthwise convolution of its result.  No tensor
 * has the size of that result: it follows from the source and the strides.  The result stays in a
 * cache between the two, and counts no bytes. */
static bool describe_fused(struct onednn_primitive *primitive, struct object_shape *shape,
                           const struct onednn_tensor *source, const struct onednn_tensor *result)
{
    struct onednn_tensor weights = onednn_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_tensor second = onednn_second_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_window window = onednn_window(primitive);
    int64_t *values = shape->values;

    if (source->rank != 4 || weights.rank != 4 || weights.dims[2] != 1 || weights.dims[3] != 1 ||
        !onednn_shape_is_known(&second) || second.rank != 5 || second.dims[0] != result->dims[1] ||
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
    values[TERM_dnnl_convolution_depthwise_types] = onednn_shape_types(source, &weights, result);
    values[TERM_dnnl_convolution_depthwise_bytes] =
        onednn_shape_sum_bytes(primitive) + second.bytes +
        onednn_second_tensor(primitive, ONEDNN_BIAS).bytes;
    return true;
}

/* Weights with one dimension more than the source have groups in front. */
bool onednn_products_describe_convolution(struct onednn_primitive *primitive,
                                          struct object_shape *shape)
{
    bool is_transposed = primitive->kind == ONEDNN_DECONVOLUTION;
    struct onednn_directions kernels = {ADAPTED_dnnl_convolution,
                                        ADAPTED_dnnl_convolution_backward_data,
                                        ADAPTED_dnnl_convolution_backward_weights};
    struct onednn_directions transposed = {ADAPTED_dnnl_deconvolution,
                                           ADAPTED_dnnl_deconvolution_backward_data,
                                           ADAPTED_dnnl_deconvolution_backward_weights};
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);
    struct onednn_tensor weights =
        onednn_shape_tensor(primitive, ONEDNN_WEIGHTS, ONEDNN_WEIGHTS_GRADIENT);
    int grouped = weights.rank - source.rank;

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&result) ||
        !onednn_shape_is_known(&weights) || source.rank < 3 || source.rank > 5 ||
        result.rank != source.rank || grouped < 0 || grouped > 1)
        return false;
    if (onednn_second_tensor(primitive, ONEDNN_WEIGHTS).rank > 0)
        return describe_fused(primitive, shape, &source, &result);
    *shape =
        adapter_begin_shape(onednn_shape_choose(primitive, is_transposed ? transposed : kernels));
    fill_convolution(primitive, shape, &source, &result);
    shape->values[TERM_dnnl_convolution_g] = grouped ? weights.dims[0] : 1;
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_convolution_kd], weights.dims + 2 + grouped,
                             source.rank - 2);
    shape->values[TERM_dnnl_convolution_types] = onednn_shape_types(&source, &weights, &result);
    shape->values[TERM_dnnl_convolution_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

bool onednn_products_describe_inner_product(struct onednn_primitive *primitive,
                                            struct object_shape *shape)
{
    struct onednn_directions kernels = {ADAPTED_dnnl_inner_product,
                                        ADAPTED_dnnl_inner_product_backward_data,
                                        ADAPTED_dnnl_inner_product_backward_weights};
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);
    struct onednn_tensor weights =
        onednn_shape_tensor(primitive, ONEDNN_WEIGHTS, ONEDNN_WEIGHTS_GRADIENT);

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&result) || source.rank < 2 ||
        source.rank > 5 || result.rank != 2)
        return false;
    *shape = adapter_begin_shape(onednn_shape_choose(primitive, kernels));
    shape->values[TERM_dnnl_inner_product_types] = onednn_shape_types(&source, &weights, &result);
    shape->values[TERM_dnnl_inner_product_mb] = source.dims[0];
    shape->values[TERM_dnnl_inner_product_ic] = source.dims[1];
    onednn_shape_put_spatial(&shape->values[TERM_dnnl_inner_product_id], source.dims + 2,
                             source.rank - 2);
    shape->values[TERM_dnnl_inner_product_oc] = result.dims[1];
    shape->values[TERM_dnnl_inner_product_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}

bool onednn_products_describe_matmul(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = onednn_shape_source(primitive),
                         result = onednn_shape_result(primitive);
    struct onednn_tensor weights = onednn_tensor(primitive, ONEDNN_WEIGHTS);

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&result) || source.rank < 2 ||
        result.rank != source.rank)
        return false;
    *shape = adapter_begin_shape(ADAPTED_dnnl_matmul);
    shape->values[TERM_dnnl_matmul_types] = onednn_shape_types(&source, &weights, &result);
    shape->values[TERM_dnnl_matmul_b] = onednn_shape_multiply(&result, 0, result.rank - 2);
    shape->values[TERM_dnnl_matmul_m] = result.dims[result.rank - 2];
    shape->values[TERM_dnnl_matmul_n] = result.dims[result.rank - 1];
    shape->values[TERM_dnnl_matmul_k] = source.dims[source.rank - 1];
    shape->values[TERM_dnnl_matmul_bytes] = onednn_shape_sum_bytes(primitive);
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

bool onednn_products_describe_rnn(struct onednn_primitive *primitive, struct object_shape *shape)
{
    struct onednn_tensor source = onednn_tensor(primitive, ONEDNN_SOURCE);
    struct onednn_tensor result = onednn_tensor(primitive, ONEDNN_RESULT);
    struct onednn_tensor layer = onednn_tensor(primitive, ONEDNN_WEIGHTS);
    struct onednn_tensor state = onednn_tensor(primitive, ONEDNN_WEIGHTS_STATE);
    struct onednn_tensor projection = onednn_tensor(primitive, ONEDNN_WEIGHTS_PROJECTION);
    enum adapted kernel;

    if (!onednn_shape_is_known(&source) || !onednn_shape_is_known(&layer) ||
        !onednn_shape_is_known(&state) || source.rank != 3 || layer.rank != 5 || state.rank != 5 ||
        !choose_cell(primitive, layer.dims[3], &kernel))
        return false;
    *shape = adapter_begin_shape(kernel);
    shape->values[TERM_dnnl_rnn_types] = onednn_shape_types(&source, &layer, &result);
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
    shape->values[TERM_dnnl_rnn_bytes] = onednn_shape_sum_bytes(primitive);
    return true;
}
