/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every kind of primitive in oneDNN, executed once or twice, with its truth printed:
 * "kernel|shape|calls|FLOPs of all".  For the second and the third major version; FLOPs are counted
 * here by loops over the shape, not by the catalog's formulas.  Primitives that the processor or
 * the version lacks are left out.
 */
#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The tensors of a depthwise convolution that is fused into another have numbers of their own. */
enum {
    ARGUMENTS_MAX = 48,
    TENSORS_MAX = 8,
    DW_W = DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_WEIGHTS,
    DW_B = DNNL_ARG_ATTR_POST_OP_DW | DNNL_ARG_BIAS
};

#if DNNL_VERSION_MAJOR == 2
typedef const dnnl_memory_desc_t *tensor;
#define SAME(...)
#define IF_SECOND(...) __VA_ARGS__
#define dnnl_lstm_forward_v3_desc_init dnnl_lstm_forward_desc_init_v3
#define FORWARD(pd, kind, second, third, ...)                                                      \
    do {                                                                                           \
        dnnl_##kind##_desc_t operation;                                                            \
        check(dnnl_##second##_desc_init(&operation, __VA_ARGS__));                                 \
        made = dnnl_primitive_desc_create(pd, &operation, attributes, engine, NULL);               \
    } while (0)
#define BACKWARD(pd, hint, kind, second, third, ...)                                               \
    do {                                                                                           \
        dnnl_##kind##_desc_t operation;                                                            \
        check(dnnl_##second##_desc_init(&operation, __VA_ARGS__));                                 \
        made = dnnl_primitive_desc_create(pd, &operation, NULL, engine, hint);                     \
    } while (0)
#else
typedef const_dnnl_memory_desc_t tensor;
#define SAME(...) __VA_ARGS__
#define IF_SECOND(...)
#define FORWARD(pd, kind, second, third, ...)                                                      \
    made = dnnl_##third##_primitive_desc_create(pd, engine, __VA_ARGS__, attributes)
#define BACKWARD(pd, hint, kind, second, third, ...)                                               \
    made = dnnl_##third##_primitive_desc_create(pd, engine, __VA_ARGS__, hint, NULL)
#endif

static dnnl_engine_t engine;
static dnnl_stream_t stream;
static dnnl_status_t made; /* status of the last description */

static dnnl_primitive_attr_t attributes; /* attributes of the next forward primitive; NULL: none */

static void check(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "onednn: status %d\n", (int)status);
    exit(1);
}

/* A tensor of these dimensions, in plain order; it is never freed. */
static tensor make(dnnl_data_type_t type, int rank, const dnnl_dim_t *dims)
{
    dnnl_dims_t strides, sizes;

    memcpy(sizes, dims, sizeof *dims * (size_t)rank);
    strides[rank - 1] = 1;
    for (int i = rank - 1; i > 0; i--)
        strides[i - 1] = strides[i] * sizes[i];
#if DNNL_VERSION_MAJOR == 2
    dnnl_memory_desc_t *made_here = malloc(sizeof *made_here);

    check(dnnl_memory_desc_init_by_strides(made_here, rank, sizes, type, strides));
#else
    dnnl_memory_desc_t made_here;

    check(dnnl_memory_desc_create_with_strides(&made_here, rank, sizes, type, strides));
#endif
    return made_here;
}

/* A tensor whose order the primitive chooses. */
static tensor make_any(int rank, const dnnl_dim_t *dims)
{
    dnnl_dims_t sizes;

    memcpy(sizes, dims, sizeof *dims * (size_t)rank);
#if DNNL_VERSION_MAJOR == 2
    dnnl_memory_desc_t *made_here = malloc(sizeof *made_here);

    check(dnnl_memory_desc_init_by_tag(made_here, rank, sizes, dnnl_f32, dnnl_format_tag_any));
#else
    dnnl_memory_desc_t made_here;

    check(dnnl_memory_desc_create_with_tag(&made_here, rank, sizes, dnnl_f32, dnnl_format_tag_any));
#endif
    return made_here;
}

#define DIMS(...) (sizeof((dnnl_dim_t[]){__VA_ARGS__}) / sizeof(dnnl_dim_t))
#define F32(...) make(dnnl_f32, (int)DIMS(__VA_ARGS__), (dnnl_dim_t[]){__VA_ARGS__})
#define ANY(...) make_any((int)DIMS(__VA_ARGS__), (dnnl_dim_t[]){__VA_ARGS__})
#define OF(type, ...) make(type, (int)DIMS(__VA_ARGS__), (dnnl_dim_t[]){__VA_ARGS__})
#define NUMBERS(...) ((const dnnl_dims_t){__VA_ARGS__})

/* ---- execution --------------------------------------------------------- */

static unsigned gather(const_dnnl_primitive_desc_t description, dnnl_exec_arg_t *arguments)
{
    static const int numbers[] = {1,   2,   3,   17,  18,  19,  33,   34,   35,   36,   41,  49,
                                  50,  51,  52,  64,  80,  129, 130,  131,  145,  146,  147, 161,
                                  162, 163, 164, 169, 255, 256, 1024, 1025, 1026, DW_W, DW_B};
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        tensor of = dnnl_primitive_desc_query_md(description, dnnl_query_exec_arg_md, numbers[i]);
        dnnl_memory_t memory;

        if (!of || dnnl_memory_desc_get_size(of) == 0)
            continue;
        check(dnnl_memory_create(&memory, of, engine, DNNL_MEMORY_ALLOCATE));
        arguments[count++] = (dnnl_exec_arg_t){numbers[i], memory};
    }
    return count;
}

static void execute(const_dnnl_primitive_desc_t description, int calls)
{
    dnnl_exec_arg_t arguments[ARGUMENTS_MAX];
    unsigned count = gather(description, arguments);
    dnnl_primitive_t primitive;

    check(dnnl_primitive_create(&primitive, description));
    for (int i = 0; i < calls; i++)
        check(dnnl_primitive_execute(primitive, stream, (int)count, arguments));
    check(dnnl_stream_wait(stream));
    check(dnnl_primitive_destroy(primitive));
    for (unsigned i = 0; i < count; i++)
        dnnl_memory_destroy(arguments[i].memory);
}

/* Execute a description and print it. */
static void run(dnnl_primitive_desc_t description, const char *kernel, const char *shape, int calls,
                long long flops)
{
    if (made == dnnl_unimplemented)
        return;
    check(made);
    execute(description, calls);
    printf("%s|%s|%d|%lld\n", kernel, shape, calls, flops * calls);
}

/* ---- truths ------------------------------------------------------------ */

/* Two for each tap of each output of a channel group. */
static long long count_taps(int outputs, int channels_in, int taps)
{
    long long count = 0;

    for (int i = 0; i < outputs; i++)
        for (int j = 0; j < channels_in; j++)
            count += 2 * taps;
    return count;
}

/* ---- products ---------------------------------------------------------- */

/* Groups of 3, dilation 1 (every second), stride 2, padding 2: 11x9 to 5x4. */
static void run_convolution(void)
{
    tensor source = F32(2, 6, 11, 9), weights = F32(3, 4, 2, 3, 3), bias = F32(12);
    tensor result = F32(2, 12, 6, 5);
    const char *shape = "mb=2 ic=6 ih=11 iw=9 oc=12 oh=6 ow=5 kh=3 kw=3 g=3 sh=2 sw=2 "
                        "dh=1 dw=1 ph=2 pw=2 types=f32";
    const dnnl_dim_t *strides = NUMBERS(2, 2), *dilation = NUMBERS(1, 1), *padding = NUMBERS(2, 2);
    long long flops = count_taps(2 * 12 * 6 * 5, 2, 9);
    dnnl_primitive_desc_t forward, backward;

    FORWARD(&forward, convolution, dilated_convolution_forward, convolution_forward,
            dnnl_forward_training, dnnl_convolution_direct, source, weights, bias, result, strides,
            dilation, padding, padding);
    run(forward, "dnnl_convolution", shape, 2, flops);
    BACKWARD(&backward, forward, convolution, dilated_convolution_backward_data,
             convolution_backward_data, dnnl_convolution_direct, source, weights, result, strides,
             dilation, padding, padding);
    run(backward, "dnnl_convolution_backward_data", shape, 1, flops);
    BACKWARD(&backward, forward, convolution, dilated_convolution_backward_weights,
             convolution_backward_weights, dnnl_convolution_direct, source, weights, bias, result,
             strides, dilation, padding, padding);
    run(backward, "dnnl_convolution_backward_weights", shape, 1, flops);
}

/* A depthwise convolution of 3 by 3 after one of 1 by 1, in one primitive. */
static void run_fused_convolution(dnnl_dim_t stride)
{
    dnnl_dim_t size = 20 / stride;
    dnnl_primitive_desc_t description;
    dnnl_post_ops_t second;
    char shape[128];

    check(dnnl_post_ops_create(&second));
    check(dnnl_post_ops_append_dw(second, dnnl_f32, dnnl_f32, dnnl_f32, 3, stride,
                                  1 IF_SECOND(, 0, 0, NULL)));
    check(dnnl_primitive_attr_create(&attributes));
    check(dnnl_primitive_attr_set_post_ops(attributes, second));
    FORWARD(&description, convolution, dilated_convolution_forward, convolution_forward,
            dnnl_forward_inference, dnnl_convolution_direct, ANY(1, 32, 20, 20), ANY(64, 32, 1, 1),
            F32(64), ANY(1, 64, 20, 20), NUMBERS(1, 1), NUMBERS(0, 0), NUMBERS(0, 0),
            NUMBERS(0, 0));
    snprintf(shape, sizeof shape,
             "mb=1 ic=32 ih=20 iw=20 oc=64 mh=20 mw=20 oh=%d ow=%d kh=3 kw=3 types=f32", (int)size,
             (int)size);
    run(description, "dnnl_convolution_depthwise", shape, 2,
        count_taps(64 * 20 * 20, 32, 1) + count_taps((int)(64 * size * size), 1, 9));
    check(dnnl_primitive_attr_destroy(attributes));
    check(dnnl_post_ops_destroy(second));
    attributes = NULL;
}

static void run_convolutions_of_other_ranks(void)
{
    dnnl_primitive_desc_t description;

    FORWARD(&description, convolution, dilated_convolution_forward, convolution_forward,
            dnnl_forward_inference, dnnl_convolution_direct, F32(1, 4, 20), F32(8, 4, 5), NULL,
            F32(1, 8, 16), NUMBERS(1), NUMBERS(0), NUMBERS(0), NUMBERS(0));
    run(description, "dnnl_convolution", "mb=1 ic=4 iw=20 oc=8 ow=16 kw=5 types=f32", 1,
        count_taps(8 * 16, 4, 5));
    FORWARD(&description, convolution, dilated_convolution_forward, convolution_forward,
            dnnl_forward_inference, dnnl_convolution_direct, F32(1, 3, 5, 6, 7), F32(4, 3, 2, 3, 3),
            NULL, F32(1, 4, 4, 4, 5), NUMBERS(1, 1, 1), NUMBERS(0, 0, 0), NUMBERS(0, 0, 0),
            NUMBERS(0, 0, 0));
    run(description, "dnnl_convolution",
        "mb=1 ic=3 id=5 ih=6 iw=7 oc=4 od=4 oh=4 ow=5 kd=2 kh=3 kw=3 types=f32", 1,
        count_taps(4 * 4 * 4 * 5, 3, 18));
}

/* Each input is spread over 2x2 outputs, so inputs are counted. */
static void run_deconvolution(void)
{
    dnnl_primitive_desc_t description;

    FORWARD(&description, deconvolution, dilated_deconvolution_forward, deconvolution_forward,
            dnnl_forward_inference, dnnl_deconvolution_direct, F32(1, 8, 4, 4), F32(6, 8, 2, 2),
            NULL, F32(1, 6, 8, 8), NUMBERS(2, 2), NUMBERS(0, 0), NUMBERS(0, 0), NUMBERS(0, 0));
    run(description, "dnnl_deconvolution",
        "mb=1 ic=8 ih=4 iw=4 oc=6 oh=8 ow=8 kh=2 kw=2 sh=2 sw=2 types=f32", 1,
        count_taps(8 * 4 * 4, 6, 4));
}

static void run_inner_product(void)
{
    tensor source = F32(5, 3, 4, 6), weights = F32(10, 3, 4, 6), result = F32(5, 10);
    const char *shape = "mb=5 ic=3 ih=4 iw=6 oc=10 types=f32";
    dnnl_primitive_desc_t forward, backward;

    FORWARD(&forward, inner_product, inner_product_forward, inner_product_forward,
            dnnl_forward_training, source, weights, F32(10), result);
    run(forward, "dnnl_inner_product", shape, 1, count_taps(5 * 10, 3, 24));
    BACKWARD(&backward, forward, inner_product, inner_product_backward_data,
             inner_product_backward_data, source, weights, result);
    run(backward, "dnnl_inner_product_backward_data", shape, 1, count_taps(5 * 10, 3, 24));
    BACKWARD(&backward, forward, inner_product, inner_product_backward_weights,
             inner_product_backward_weights, source, weights, F32(10), result);
    run(backward, "dnnl_inner_product_backward_weights", shape, 1, count_taps(5 * 10, 3, 24));
}

/* The second batch has weights of its own, and bias. */
static void run_matmul(dnnl_data_type_t source, dnnl_data_type_t weights, dnnl_data_type_t result,
                       const char *types)
{
    dnnl_primitive_desc_t description;
    char shape[64];

    FORWARD(&description, matmul, matmul, matmul, OF(source, 7, 11), OF(weights, 11, 5), NULL,
            OF(result, 7, 5));
    snprintf(shape, sizeof shape, "m=7 n=5 k=11 types=%s", types);
    run(description, "dnnl_matmul", shape, 3, count_taps(7 * 5, 11, 1));
}

static void run_matmuls(void)
{
    dnnl_primitive_desc_t description;

    run_matmul(dnnl_f32, dnnl_f32, dnnl_f32, "f32");
    run_matmul(dnnl_bf16, dnnl_bf16, dnnl_bf16, "bf16");
    run_matmul(dnnl_bf16, dnnl_bf16, dnnl_f32, "bf16:f32");
    run_matmul(dnnl_u8, dnnl_s8, dnnl_s32, "u8s8s32");
    run_matmul(dnnl_s8, dnnl_s8, dnnl_s8, "s8");
    FORWARD(&description, matmul, matmul, matmul, F32(2, 3, 4, 6), F32(2, 3, 6, 5), F32(1, 1, 4, 5),
            F32(2, 3, 4, 5));
    run(description, "dnnl_matmul", "b=6 m=4 n=5 k=6 types=f32", 1, count_taps(6 * 4 * 5, 6, 1));
}

/* The number of rows is known only at execution: 4, then 9. */
static void run_open_matmul(void)
{
    tensor source = F32(DNNL_RUNTIME_DIM_VAL, 11), result = F32(DNNL_RUNTIME_DIM_VAL, 5);
    tensor weights = F32(11, 5);
    dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;

    FORWARD(&description, matmul, matmul, matmul, source, weights, NULL, result);
    check(made);
    check(dnnl_primitive_create(&primitive, description));
    for (int rows = 4; rows <= 9; rows += 5) {
        tensor tensors[] = {F32(rows, 11), weights, F32(rows, 5)};
        dnnl_exec_arg_t arguments[] = {
            {DNNL_ARG_SRC, NULL}, {DNNL_ARG_WEIGHTS, NULL}, {DNNL_ARG_DST, NULL}};

        for (int i = 0; i < 3; i++)
            check(
                dnnl_memory_create(&arguments[i].memory, tensors[i], engine, DNNL_MEMORY_ALLOCATE));
        check(dnnl_primitive_execute(primitive, stream, 3, arguments));
        check(dnnl_stream_wait(stream));
        printf("dnnl_matmul|m=%d n=5 k=11 types=f32|1|%lld\n", rows, count_taps(rows * 5, 11, 1));
    }
    check(dnnl_primitive_destroy(primitive));
}

/* ---- recurrent ---------------------------------------------------------- */

/* T 7, N 2, from 10 to 12 channels; each step has four gates of both products. */
static void run_lstm(void)
{
    tensor state = F32(1, 1, 2, 12);
    dnnl_primitive_desc_t description;

    FORWARD(&description, rnn, lstm_forward_v3, lstm_forward, dnnl_forward_inference,
            dnnl_unidirectional_left2right, F32(7, 2, 10), state, state, F32(1, 1, 10, 4, 12),
            F32(1, 1, 12, 4, 12), NULL, NULL, F32(1, 1, 4, 12), F32(7, 2, 12), state, state,
            dnnl_rnn_flags_undef);
    run(description, "dnnl_lstm", "t=7 mb=2 slc=10 sic=12 dhc=12 types=f32", 2,
        count_taps(7 * 2 * 4 * 12, 10 + 12, 1));
}

/* The state is projected from 12 to 5 channels. */
static void run_projected_lstm(void)
{
    tensor state = F32(1, 1, 2, 5), cell = F32(1, 1, 2, 12);
    dnnl_primitive_desc_t description;

    FORWARD(&description, rnn, lstm_forward_v3, lstm_forward, dnnl_forward_inference,
            dnnl_unidirectional_left2right, F32(7, 2, 10), state, cell, F32(1, 1, 10, 4, 12),
            F32(1, 1, 5, 4, 12), NULL, F32(1, 1, 12, 5), F32(1, 1, 4, 12), F32(7, 2, 5), state,
            cell, dnnl_rnn_flags_undef);
    run(description, "dnnl_lstm", "t=7 mb=2 slc=10 sic=5 dhc=12 dic=5 types=f32", 1,
        count_taps(7 * 2 * 4 * 12, 10 + 5, 1) + count_taps(7 * 2 * 5, 12, 1));
}

/* Two layers, both directions; a deeper layer has as many channels as the first. */
static void run_gru(void)
{
    tensor state = F32(1, 2, 2, 6);
    dnnl_primitive_desc_t description;

    FORWARD(&description, rnn, gru_forward, gru_forward, dnnl_forward_inference,
            dnnl_bidirectional_sum, F32(3, 2, 6), state, F32(1, 2, 6, 3, 6), F32(1, 2, 6, 3, 6),
            F32(1, 2, 3, 6), F32(3, 2, 6), state, dnnl_rnn_flags_undef);
    run(description, "dnnl_gru", "t=3 mb=2 slc=6 sic=6 dhc=6 dirs=2 types=f32", 1,
        count_taps(2 * 3 * 2 * 3 * 6, 6 + 6, 1));
    FORWARD(&description, rnn, lbr_gru_forward, lbr_gru_forward, dnnl_forward_inference,
            dnnl_unidirectional_left2right, F32(3, 2, 6), F32(2, 1, 2, 6), F32(2, 1, 6, 3, 6),
            F32(2, 1, 6, 3, 6), F32(2, 1, 4, 6), F32(3, 2, 6), F32(2, 1, 2, 6),
            dnnl_rnn_flags_undef);
    run(description, "dnnl_gru", "t=3 mb=2 slc=6 sic=6 dhc=6 layers=2 lbr=1 types=f32", 1,
        count_taps(2 * 3 * 2 * 3 * 6, 6 + 6, 1));
}

static void run_rnn(void)
{
    tensor source = F32(4, 3, 5), state = F32(1, 1, 3, 7), result = F32(4, 3, 7);
    tensor layer = ANY(1, 1, 5, 1, 7), recurrent = ANY(1, 1, 7, 1, 7), bias = F32(1, 1, 1, 7);
    const char *shape = "t=4 mb=3 slc=5 sic=7 dhc=7 types=f32";
    long long flops = count_taps(4 * 3 * 7, 5 + 7, 1);
    dnnl_primitive_desc_t forward, backward;

    FORWARD(&forward, rnn, vanilla_rnn_forward, vanilla_rnn_forward, dnnl_forward_training,
            dnnl_eltwise_tanh, dnnl_unidirectional_left2right, source, state, layer, recurrent,
            bias, result, state, dnnl_rnn_flags_undef, 0.0f, 0.0f);
    run(forward, "dnnl_rnn", shape, 1, flops);
    BACKWARD(&backward, forward, rnn, vanilla_rnn_backward, vanilla_rnn_backward, dnnl_backward,
             dnnl_eltwise_tanh, dnnl_unidirectional_left2right, source, state, layer, recurrent,
             bias, result, state, source, state, layer, recurrent, bias, result, state,
             dnnl_rnn_flags_undef, 0.0f, 0.0f);
    run(backward, "dnnl_rnn_backward", shape, 1, 2 * flops);
}

/* ---- element by element -------------------------------------------------- */

static void run_pooling(void)
{
    tensor source = F32(2, 3, 8, 8), result = F32(2, 3, 4, 4);
    dnnl_primitive_desc_t forward;

    FORWARD(&forward, pooling_v2, pooling_v2_forward, pooling_forward, dnnl_forward_inference,
            dnnl_pooling_max, source, result, NUMBERS(2, 2), NUMBERS(3, 3), NUMBERS(0, 0),
            NUMBERS(0, 0), NUMBERS(1, 1));
    run(forward, "dnnl_pooling", "alg=max mb=2 c=3 ih=8 iw=8 oh=4 ow=4 kh=3 kw=3 types=f32", 1,
        2 * 3 * 4 * 4 * 9);
}

static void run_normalizations(void)
{
    tensor images = F32(2, 6, 5, 7), rows = F32(4, 9, 8);
    dnnl_primitive_desc_t description;

    FORWARD(&description, batch_normalization, batch_normalization_forward,
            batch_normalization_forward, dnnl_forward_inference, images, SAME(images, ) 1e-5f,
            dnnl_use_global_stats);
    run(description, "dnnl_batch_normalization", "mb=2 c=6 h=5 w=7 types=f32", 1, 2 * 420);
    FORWARD(&description, batch_normalization, batch_normalization_forward,
            batch_normalization_forward, dnnl_forward_training, images, SAME(images, ) 1e-5f, 0);
    run(description, "dnnl_batch_normalization_training", "mb=2 c=6 h=5 w=7 types=f32", 1, 5 * 420);
    FORWARD(&description, layer_normalization, layer_normalization_forward,
            layer_normalization_forward, dnnl_forward_inference, rows, SAME(rows, ) F32(4, 9),
            1e-5f, 0);
    run(description, "dnnl_layer_normalization", "d0=4 d1=9 d2=8 types=f32", 1, 5 * 288);
    FORWARD(&description, softmax_v2, softmax_v2_forward, softmax_forward, dnnl_forward_inference,
            dnnl_softmax_accurate, rows, rows, 2);
    run(description, "dnnl_softmax", "d0=4 d1=9 d2=8 types=f32", 1, 5 * 288);
    FORWARD(&description, softmax_v2, softmax_v2_forward, softmax_forward, dnnl_forward_inference,
            dnnl_softmax_log, rows, rows, 2);
    run(description, "dnnl_logsoftmax", "d0=4 d1=9 d2=8 types=f32", 1, 5 * 288);
    FORWARD(&description, lrn, lrn_forward, lrn_forward, dnnl_forward_inference,
            dnnl_lrn_across_channels, images, SAME(images, ) 5, 1e-4f, 0.75f, 1.0f);
    run(description, "dnnl_lrn", "size=5 d0=2 d1=6 d2=5 d3=7 types=f32", 1, 13 * 420);
}

static void run_elementwise(void)
{
    tensor rows = F32(4, 9, 8);
    dnnl_primitive_desc_t forward, backward;

    FORWARD(&forward, eltwise, eltwise_forward, eltwise_forward, dnnl_forward_training,
            dnnl_eltwise_relu, rows, SAME(rows, ) 0.0f, 0.0f);
    run(forward, "dnnl_eltwise", "alg=relu d0=4 d1=9 d2=8 types=f32", 1, 288);
#if DNNL_VERSION_MAJOR == 2
    BACKWARD(&backward, forward, eltwise, eltwise_backward, eltwise_backward, dnnl_eltwise_relu,
             rows, rows, 0.0f, 0.0f);
#else
    BACKWARD(&backward, forward, eltwise, eltwise_backward, eltwise_backward, dnnl_eltwise_relu,
             rows, rows, rows, 0.0f, 0.0f);
#endif
    run(backward, "dnnl_eltwise_backward", "alg=relu d0=4 d1=9 d2=8 types=f32", 1, 288);
    FORWARD(&forward, eltwise, eltwise_forward, eltwise_forward, dnnl_forward_inference,
            dnnl_eltwise_gelu_erf, rows, SAME(rows, ) 0.0f, 0.0f);
    run(forward, "dnnl_eltwise", "alg=gelu_erf d0=4 d1=9 d2=8 types=f32", 1, 8 * 288);
    FORWARD(&forward, binary, binary, binary, dnnl_binary_mul, rows, rows, rows);
    run(forward, "dnnl_binary", "alg=mul d0=4 d1=9 d2=8 types=f32", 1, 288);
    FORWARD(&forward, prelu, prelu_forward, prelu_forward, dnnl_forward_inference, rows,
            F32(1, 9, 1) SAME(, rows));
    run(forward, "dnnl_prelu", "alg=prelu d0=4 d1=9 d2=8 types=f32", 1, 288);
    FORWARD(&forward, reduction, reduction, reduction, dnnl_reduction_mean, rows, F32(4, 1, 8),
            0.0f, 0.0f);
    run(forward, "dnnl_reduction", "alg=mean d0=4 d1=9 d2=8 types=f32", 1, 288);
    FORWARD(&forward, resampling, resampling_forward, resampling_forward, dnnl_forward_inference,
            dnnl_resampling_linear, NULL, F32(1, 2, 3, 4), F32(1, 2, 6, 8));
    run(forward, "dnnl_resampling", "alg=linear d0=1 d1=2 d2=6 d3=8 types=f32", 1, 7 * 96);
}

/* ---- several sources, movement ------------------------------------------- */

static void run_movement(void)
{
    tensor rows = F32(4, 9, 8), narrow = OF(dnnl_bf16, 4, 9, 8), both = F32(4, 18, 8);
    const float factors[] = {1, 1, 1};
    dnnl_primitive_desc_t description;
#if DNNL_VERSION_MAJOR == 2
    dnnl_memory_desc_t sources[] = {*rows, *rows, *rows};

    made = dnnl_sum_primitive_desc_create(&description, rows, 3, factors, sources, NULL, engine);
    run(description, "dnnl_sum", "inputs=3 d0=4 d1=9 d2=8 types=f32", 1, 2 * 288);
    made = dnnl_concat_primitive_desc_create(&description, both, 2, 1, sources, NULL, engine);
#else
    tensor sources[] = {rows, rows, rows};

    made = dnnl_sum_primitive_desc_create(&description, engine, rows, 3, factors, sources, NULL);
    run(description, "dnnl_sum", "inputs=3 d0=4 d1=9 d2=8 types=f32", 1, 2 * 288);
    made = dnnl_concat_primitive_desc_create(&description, engine, both, 2, 1, sources, NULL);
#endif
    run(description, "dnnl_concat", "inputs=2 d0=4 d1=18 d2=8 types=f32", 1, 0);
    made = dnnl_reorder_primitive_desc_create(&description, rows, engine, narrow, engine, NULL);
    run(description, "dnnl_reorder", "d0=4 d1=9 d2=8 types=f32:bf16", 2, 0);
#if DNNL_VERSION_MAJOR * 100 + DNNL_VERSION_MINOR >= 307
    made = dnnl_reorder_primitive_desc_create(&description, rows, engine, OF(dnnl_f4_e2m1, 4, 9, 8),
                                              engine, NULL);
    run(description, "dnnl_reorder", "d0=4 d1=9 d2=8 types=f32:f4e2", 1, 0);
    made = dnnl_reorder_primitive_desc_create(&description, rows, engine, OF(dnnl_f4_e3m0, 4, 9, 8),
                                              engine, NULL);
    run(description, "dnnl_reorder", "d0=4 d1=9 d2=8 types=f32:f4e3", 1, 0);
    fprintf(stderr, "truth: f4_bytes %zu\n", dnnl_memory_desc_get_size(OF(dnnl_f4_e2m1, 4, 9, 8)));
#endif
    FORWARD(&description, shuffle, shuffle_forward, shuffle_forward, dnnl_forward_inference, rows,
            SAME(rows, ) 1, 3);
    run(description, "dnnl_shuffle", "d0=4 d1=9 d2=8 types=f32", 1, 0);
}

/* dnnl_sgemm has its shape in its arguments; matrices by rows. */
static void run_gemm(void)
{
    static float a[6 * 4], b[4 * 5], c[6 * 5];

    check(dnnl_sgemm('N', 'N', 6, 5, 4, 1.0f, a, 4, b, 5, 0.0f, c, 5));
    printf("dnnl_sgemm|m=6 n=5 k=4|1|%lld\n", count_taps(6 * 5, 4, 1));
    check(dnnl_sgemm('N', 'N', 6, 5, 4, 0.0f, a, 4, b, 5, 1.0f, c, 5));
    printf("dnnl_sgemm|m=6 n=5 k=4 alpha=0|1|0\n");
}

int main(void)
{
    check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    run_convolution();
    run_fused_convolution(1);
    run_fused_convolution(2);
    run_convolutions_of_other_ranks();
    run_deconvolution();
    run_inner_product();
    run_matmuls();
    run_open_matmul();
    run_lstm();
    run_projected_lstm();
    run_gru();
    run_rnn();
    run_pooling();
    run_normalizations();
    run_elementwise();
    run_movement();
    run_gemm();
    return 0;
}
