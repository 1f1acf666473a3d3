/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: convolution ROUNDS
 *
 * A convolution of oneDNN, again and again, in a program that knows nothing of tprof.  Its code is
 * generated at run time, and stores data where signal handlers have theirs.  Prints the sum of the
 * last result.
 */
#include <dnnl.h>
#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 4, CHANNELS = 32, SIDE = 28, KERNEL = 3, TENSORS = 3 };

static const dnnl_dims_t image = {BATCH, CHANNELS, SIDE, SIDE};
static const dnnl_dims_t filter = {CHANNELS, CHANNELS, KERNEL, KERNEL};
static const dnnl_dims_t one = {1, 1};

static void check(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "convolution: status %d\n", (int)status);
    exit(1);
}

#if DNNL_VERSION_MAJOR == 2
typedef dnnl_memory_desc_t description;
typedef const dnnl_memory_desc_t *known_description;

static void describe(description *of, const dnnl_dims_t sizes)
{
    check(dnnl_memory_desc_init_by_tag(of, 4, sizes, dnnl_f32, dnnl_format_tag_any));
}

static void plan(dnnl_primitive_desc_t *made, dnnl_engine_t engine, description *of)
{
    dnnl_convolution_desc_t forward;

    check(dnnl_convolution_forward_desc_init(&forward, dnnl_forward_inference,
                                             dnnl_convolution_direct, &of[0], &of[1], NULL, &of[2],
                                             one, one, one));
    check(dnnl_primitive_desc_create(made, &forward, NULL, engine, NULL));
}
#else
typedef dnnl_memory_desc_t description;
typedef const_dnnl_memory_desc_t known_description;

static void describe(description *of, const dnnl_dims_t sizes)
{
    check(dnnl_memory_desc_create_with_tag(of, 4, sizes, dnnl_f32, dnnl_format_tag_any));
}

static void plan(dnnl_primitive_desc_t *made, dnnl_engine_t engine, description *of)
{
    check(dnnl_convolution_forward_primitive_desc_create(
        made, engine, dnnl_forward_inference, dnnl_convolution_direct, of[0], of[1], NULL, of[2],
        one, (const dnnl_dims_t){0, 0}, one, one, NULL));
}
#endif

/* Numbers that a float has exactly, as their sums are, in whatever order. */
static dnnl_memory_t make_tensor(dnnl_primitive_desc_t of, dnnl_query_t what, dnnl_engine_t engine,
                                 float **values)
{
    known_description description = dnnl_primitive_desc_query_md(of, what, 0);
    size_t size = dnnl_memory_desc_get_size(description);
    dnnl_memory_t memory;

    *values = malloc(size);
    if (!*values)
        exit(1);
    for (size_t i = 0; i < size / sizeof **values; i++)
        (*values)[i] = (float)(i % 3);
    check(dnnl_memory_create(&memory, description, engine, *values));
    return memory;
}

int main(int count, char **arguments)
{
    static const dnnl_query_t queries[TENSORS] = {dnnl_query_src_md, dnnl_query_weights_md,
                                                  dnnl_query_dst_md};
    static const int names[TENSORS] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    int rounds = count > 1 ? atoi(arguments[1]) : 1;
    dnnl_exec_arg_t tensors[TENSORS];
    description descriptions[TENSORS];
    float *values[TENSORS], sum = 0;
    dnnl_primitive_desc_t made;
    dnnl_primitive_t primitive;
    dnnl_engine_t engine;
    dnnl_stream_t stream;

    check(dnnl_engine_create(&engine, dnnl_cpu, 0));
    check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
    for (int i = 0; i < TENSORS; i++)
        describe(&descriptions[i], i == 1 ? filter : image);
    plan(&made, engine, descriptions);
    check(dnnl_primitive_create(&primitive, made));
    for (int i = 0; i < TENSORS; i++)
        tensors[i] = (dnnl_exec_arg_t){names[i], make_tensor(made, queries[i], engine, &values[i])};
    for (int round = 0; round < rounds; round++)
        check(dnnl_primitive_execute(primitive, stream, TENSORS, tensors));
    check(dnnl_stream_wait(stream));
    for (int i = 0; i < BATCH * CHANNELS * SIDE * SIDE; i++)
        sum += values[2][i];
    printf("%.9g\n", (double)sum);
    return 3;
}
