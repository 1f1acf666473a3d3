/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: planted_onednn NAME planted|repaired ROUNDS
 *
 * As plants.c, of products by oneDNN, of its second and third major version.
 */
#include <dnnl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if DNNL_VERSION_MAJOR == 2
typedef dnnl_memory_desc_t description;
#define BY(description) &(description)
#else
typedef dnnl_memory_desc_t description;
#define BY(description) (description)
#endif

static dnnl_engine_t engine;
static dnnl_stream_t stream;

static void check(dnnl_status_t status)
{
    if (status == dnnl_success)
        return;
    fprintf(stderr, "onednn: status %d\n", (int)status);
    exit(status == dnnl_unimplemented ? 77 : EXIT_FAILURE);
}

struct sizes {
    dnnl_dim_t m, n, k;
};

static description describe(dnnl_dim_t rows, dnnl_dim_t columns, dnnl_data_type_t type)
{
    dnnl_dims_t sides = {rows, columns};
    description made;

#if DNNL_VERSION_MAJOR == 2
    check(dnnl_memory_desc_init_by_tag(&made, 2, sides, type, dnnl_ab));
#else
    check(dnnl_memory_desc_create_with_tag(&made, 2, sides, type, dnnl_ab));
#endif
    return made;
}

/* All bytes of the memory are touched. */
static dnnl_memory_t take(dnnl_dim_t rows, dnnl_dim_t columns, dnnl_data_type_t type)
{
    description of = describe(rows, columns, type);
    dnnl_memory_t memory;
    void *bytes;

    check(dnnl_memory_create(&memory, BY(of), engine, DNNL_MEMORY_ALLOCATE));
    check(dnnl_memory_get_data_handle(memory, &bytes));
    memset(bytes, 0, (size_t)(rows * columns) * (type == dnnl_f32 ? 4 : 2));
    return memory;
}

static dnnl_memory_t take_ones(dnnl_dim_t rows, dnnl_dim_t columns, dnnl_data_type_t type)
{
    static const unsigned short one_of_bf16 = 0x3f80;
    dnnl_memory_t memory = take(rows, columns, type);
    void *bytes;

    check(dnnl_memory_get_data_handle(memory, &bytes));
    for (dnnl_dim_t i = 0; i < rows * columns; i++)
        if (type == dnnl_f32)
            ((float *)bytes)[i] = 1;
        else
            ((unsigned short *)bytes)[i] = one_of_bf16;
    return memory;
}

static dnnl_primitive_t make(dnnl_primitive_desc_t of)
{
    dnnl_primitive_t primitive;

    check(dnnl_primitive_create(&primitive, of));
    check(dnnl_primitive_desc_destroy(of));
    return primitive;
}

static dnnl_primitive_t make_product(struct sizes sizes, dnnl_data_type_t type,
                                     dnnl_primitive_attr_t attributes)
{
    description a = describe(sizes.m, sizes.k, type), b = describe(sizes.k, sizes.n, type),
                c = describe(sizes.m, sizes.n, dnnl_f32);
    dnnl_primitive_desc_t of;

#if DNNL_VERSION_MAJOR == 2
    dnnl_matmul_desc_t operation;

    check(dnnl_matmul_desc_init(&operation, &a, &b, NULL, &c));
    check(dnnl_primitive_desc_create(&of, &operation, attributes, engine, NULL));
#else
    check(dnnl_matmul_primitive_desc_create(&of, engine, a, b, NULL, c, attributes));
#endif
    return make(of);
}

/* In place. */
static dnnl_primitive_t make_pass(struct sizes sizes, dnnl_alg_kind_t kind, float alpha, float beta)
{
    description c = describe(sizes.m, sizes.n, dnnl_f32);
    dnnl_primitive_desc_t of;

#if DNNL_VERSION_MAJOR == 2
    dnnl_eltwise_desc_t operation;

    check(dnnl_eltwise_forward_desc_init(&operation, dnnl_forward_inference, kind, &c, alpha,
                                         beta));
    check(dnnl_primitive_desc_create(&of, &operation, NULL, engine, NULL));
#else
    check(dnnl_eltwise_forward_primitive_desc_create(&of, engine, dnnl_forward_inference, kind, c,
                                                     c, alpha, beta, NULL));
#endif
    return make(of);
}

struct operands {
    dnnl_memory_t a, b, c;
};

static struct operands take_operands(struct sizes sizes, dnnl_data_type_t type)
{
    return (struct operands){take_ones(sizes.m, sizes.k, type), take_ones(sizes.k, sizes.n, type),
                             take(sizes.m, sizes.n, dnnl_f32)};
}

static void multiply(dnnl_primitive_t product, const struct operands *of)
{
    dnnl_exec_arg_t arguments[] = {
        {DNNL_ARG_SRC, of->a}, {DNNL_ARG_WEIGHTS, of->b}, {DNNL_ARG_DST, of->c}};

    check(dnnl_primitive_execute(product, stream, 3, arguments));
    check(dnnl_stream_wait(stream));
}

static void pass(dnnl_primitive_t primitive, dnnl_memory_t over)
{
    dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, over}, {DNNL_ARG_DST, over}};

    check(dnnl_primitive_execute(primitive, stream, 2, arguments));
    check(dnnl_stream_wait(stream));
}

static double sum(const struct operands *of, struct sizes sizes)
{
    double all = 0;
    void *bytes;

    check(dnnl_memory_get_data_handle(of->c, &bytes));
    for (dnnl_dim_t i = 0; i < sizes.m * sizes.n; i++)
        all += (double)((float *)bytes)[i];
    return all;
}

/* A primitive for each product. */
static double run_primitives(bool is_planted, int rounds)
{
    struct sizes sizes = {96, 96, 96};
    struct operands of = take_operands(sizes, dnnl_f32);
    dnnl_primitive_t product = make_product(sizes, dnnl_f32, NULL);

    for (int i = 0; i < rounds; i++) {
        if (is_planted) {
            check(dnnl_primitive_destroy(product));
            product = make_product(sizes, dnnl_f32, NULL);
        }
        multiply(product, &of);
    }
    return sum(&of, sizes);
}

/* An elementwise half of the result, limited to 8: in separate passes, or as post-ops of the
 * product. */
static double run_passes(bool is_planted, int rounds)
{
    struct sizes sizes = {1024, 1024, 16};
    struct operands of = take_operands(sizes, dnnl_f32);
    dnnl_primitive_t half = make_pass(sizes, dnnl_eltwise_linear, 0.5f, 0),
                     clip = make_pass(sizes, dnnl_eltwise_clip, 0, 8), product;
    dnnl_primitive_attr_t attributes;
    dnnl_post_ops_t ops;

    check(dnnl_primitive_attr_create(&attributes));
    check(dnnl_post_ops_create(&ops));
#if DNNL_VERSION_MAJOR == 2
    check(dnnl_post_ops_append_eltwise(ops, 1, dnnl_eltwise_linear, 0.5f, 0));
    check(dnnl_post_ops_append_eltwise(ops, 1, dnnl_eltwise_clip, 0, 8));
#else
    check(dnnl_post_ops_append_eltwise(ops, dnnl_eltwise_linear, 0.5f, 0));
    check(dnnl_post_ops_append_eltwise(ops, dnnl_eltwise_clip, 0, 8));
#endif
    check(dnnl_primitive_attr_set_post_ops(attributes, ops));
    product = make_product(sizes, dnnl_f32, is_planted ? NULL : attributes);
    for (int i = 0; i < rounds; i++) {
        multiply(product, &of);
        if (!is_planted)
            continue;
        pass(half, of.c);
        pass(clip, of.c);
    }
    return sum(&of, sizes);
}

/* Float where 16 bits are enough. */
static double run_float(bool is_planted, int rounds)
{
    struct sizes sizes = {512, 512, 512};
    dnnl_data_type_t type = is_planted ? dnnl_f32 : dnnl_bf16;
    struct operands of = take_operands(sizes, type);
    dnnl_primitive_t product = make_product(sizes, type, NULL);

    for (int i = 0; i < rounds; i++)
        multiply(product, &of);
    return sum(&of, sizes);
}

/* The environment is what differs. */
static double run_exponentials(bool is_planted, int rounds)
{
    struct sizes sizes = {128, 128, 1};
    dnnl_memory_t over = take(sizes.m, sizes.n, dnnl_f32);
    dnnl_primitive_t squash = make_pass(sizes, dnnl_eltwise_logistic, 0, 0);
    struct operands of = {.c = over};

    (void)is_planted;
    for (int i = 0; i < rounds; i++)
        pass(squash, over);
    return sum(&of, sizes);
}

static const struct plant {
    const char *name;
    double (*run)(bool is_planted, int rounds);
} plants[] = {{"primitives", run_primitives},
              {"passes", run_passes},
              {"float", run_float},
              {"exponentials", run_exponentials}};

int main(int count, char **arguments)
{
    for (size_t i = 0; count == 4 && i < sizeof plants / sizeof *plants; i++) {
        if (strcmp(plants[i].name, arguments[1]) != 0)
            continue;
        check(dnnl_engine_create(&engine, dnnl_cpu, 0));
        check(dnnl_stream_create(&stream, engine, dnnl_stream_default_flags));
        printf("%.3g\n",
               plants[i].run(strcmp(arguments[2], "planted") == 0, atoi(arguments[3])));
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: planted_onednn NAME planted|repaired ROUNDS\n");
    return EXIT_FAILURE;
}
