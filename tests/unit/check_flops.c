/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs of sessions made by hand: sums of rows, unknown values, roles by names,
 * and right and wrong inferences from shapes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/units.h"
#include "kernels/flops_options.h"
#include "kernels/padding.h"
#include "kernels/roles.h"
#include "made_session.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "spec/catalog_read.h"
#include "suite.h"

enum { MEMORY_SIZE = 1 << 20 };

enum {
    GEMM,
    BATCHED,
    MYSTERY,
    SCALE,
    COPY,
    CONVOLUTION,
    LINEAR,
    LINEAR_WEIGHTS,
    COMPLEX,
    DGEMV,
    DGESDD,
    DGETRS,
    CONVOLUTION_2D,
    CONVOLUTION_3D,
    TRANSPOSED_3D
};

static const char catalog_text[] = "kernel gemm\n"
                                   "  proto void gemm(int m, int n, int k)\n"
                                   "  shape m n k\n"
                                   "  flops 2*m*n*k exact\n"
                                   "  bytes 4*(m*k + k*n + m*n)\n"
                                   "  class matmul\n"
                                   "kernel batched\n"
                                   "  proto void batched(int count, int m, int n, int k)\n"
                                   "  shape count m n k\n"
                                   "  flops 2*count*m*n*k exact\n"
                                   "  class matmul\n"
                                   "kernel mystery\n"
                                   "  proto void mystery(int n)\n"
                                   "  shape n\n"
                                   "  flops unknown\n"
                                   "kernel scale\n"
                                   "  proto void scale(int n)\n"
                                   "  shape n\n"
                                   "  flops n exact\n"
                                   "  class elementwise\n"
                                   "kernel copy\n"
                                   "  proto void copy(int n)\n"
                                   "  shape n\n"
                                   "  flops 0 exact\n"
                                   "  class movement\n"
                                   "kernel my_convolution_forward\n"
                                   "  proto void my_convolution_forward(int n)\n"
                                   "  shape n\n"
                                   "  flops 2*n exact\n"
                                   "  class matmul\n"
                                   "kernel my_inner_product\n"
                                   "  proto void my_inner_product(int mb, int ic, int oc)\n"
                                   "  shape mb ic oc\n"
                                   "  flops 2*mb*ic*oc exact\n"
                                   "  class matmul\n"
                                   "kernel my_inner_product_backward_weights\n"
                                   "  proto void my_weights(int mb, int ic, int oc)\n"
                                   "  shape mb ic oc\n"
                                   "  flops 2*mb*ic*oc exact\n"
                                   "  class matmul\n"
                                   "kernel complex\n"
                                   "  proto void complex(int m, int n, int k)\n"
                                   "  shape m n k\n"
                                   "  flops 8*m*n*k exact\n"
                                   "  class matmul\n"
                                   "family fortran\n"
                                   "  symbols int32 %_\n"
                                   "family lapacke\n"
                                   "  symbols int32 LAPACKE_%\n"
                                   "kernel dgemv\n"
                                   "  family fortran\n"
                                   "  proto void (int *m, int *n)\n"
                                   "  shape m n\n"
                                   "  flops 2*m*n exact\n"
                                   "  class matmul\n"
                                   "kernel dgesdd\n"
                                   "  family fortran\n"
                                   "  proto void (int *m, int *n)\n"
                                   "  shape m n\n"
                                   "  flops unknown\n"
                                   "  class matmul\n"
                                   "kernel dgetrs\n"
                                   "  family lapacke\n"
                                   "  proto void (int n)\n"
                                   "  shape n\n"
                                   "  flops 2*n*n exact\n"
                                   "  class matmul\n"
                                   "kernel dnnl_convolution\n"
                                   "  proto void (int mb, int ic, int oc, int oh, int ow, int g)\n"
                                   "  shape mb ic oc oh ow g\n"
                                   "  flops 2*mb*oh*ow*oc*ic/g*49 exact\n"
                                   "  class matmul\n"
                                   "kernel convolve\n"
                                   "  adapter onednn\n"
                                   "  shape mb ic oc g id ih iw od oh ow kd kh kw sd sh sw "
                                   "dd dh dw pd ph pw\n"
                                   "  flops 2*mb*oc*od*oh*ow*(ic/g)*kd*kh*kw nominal\n"
                                   "  class matmul\n"
                                   "kernel transpose\n"
                                   "  adapter onednn\n"
                                   "  shape mb ic oc g id ih iw od oh ow kd kh kw sd sh sw "
                                   "dd dh dw pd ph pw\n"
                                   "  flops 2*mb*ic*id*ih*iw*(oc/g)*kd*kh*kw nominal\n"
                                   "  class matmul\n";

static struct session session;
static struct catalog_arena arena;
static struct table table;

static void setup(void)
{
    struct catalog_error error;

    made_init(&session);
    arena = (struct catalog_arena){malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    ck_assert_msg(
        catalog_read(&session.catalog, &arena, catalog_text, strlen(catalog_text), &error),
        "%u: %s", error.line, error.text);
    for (unsigned i = 0; i < session.catalog.kernel_count; i++) {
        struct session_binding *binding = array_add(&session.bindings);

        ck_assert_ptr_nonnull(binding);
        binding->kernel = &session.catalog.kernels[i];
        binding->symbol = binding->kernel->name;
    }
    session.thread_ns = session.process.wall_ns = 1000000;
}

static void teardown(void)
{
    for (size_t i = 0; i < session.slots.count; i++)
        array_fini(&((struct session_slot *)array_at(&session.slots, i))->durations_ns);
    made_fini(&session);
    free(arena.base);
}

/* Add calls of 10 ns each. */
static struct session_slot *add_slot(unsigned binding, uint64_t calls, const int64_t *shape)
{
    struct session_slot *slot = array_add(&session.slots);
    const struct catalog_kernel *kernel = &session.catalog.kernels[binding];

    ck_assert_ptr_nonnull(slot);
    slot->binding = binding;
    slot->kernel = kernel;
    slot->dims = kernel->shape_count;
    memcpy(slot->shape, shape, slot->dims * sizeof *shape);
    slot->calls = slot->timed_calls = calls;
    slot->total_ns = slot->self_ns = 10 * calls;
    slot->min_ns = slot->max_ns = 10;
    slot->flops_each = catalog_evaluate(&kernel->flops, slot->shape);
    slot->bytes_each = catalog_evaluate(&kernel->bytes, slot->shape);
    array_init(&slot->durations_ns, sizeof(uint64_t));
    return slot;
}

static struct session_slot *add_gemm(uint64_t calls, int64_t m, int64_t n, int64_t k)
{
    return add_slot(GEMM, calls, (const int64_t[]){m, n, k});
}

static uint32_t add_region(uint32_t parent, const char *label, const char *path)
{
    struct session_region *region = array_add(&session.regions);

    ck_assert_ptr_nonnull(region);
    *region = (struct session_region){.label = label,
                                      .path = path,
                                      .parent = parent,
                                      .depth = 1,
                                      .calls = 1,
                                      .inclusive_ns = 1000,
                                      .exclusive_ns = 500};
    return (uint32_t)session.regions.count - 1;
}

static void build(const char *name, enum analysis_by by)
{
    struct analysis_options options = analysis_defaults();

    options.by = by;
    analysis_find(name)->build(&session, &options, &table);
}

static const struct value *cell(const char *row, const char *key)
{
    size_t column = table_find_column(&table, key);

    ck_assert_msg(column < table.schema->column_count, "%s", key);
    for (size_t i = 0; i < table_row_count(&table); i++)
        for (size_t j = 0; j < table.schema->column_count; j++)
            if (table_row(&table, i)[j].kind == VALUE_TEXT &&
                strcmp(table_row(&table, i)[j].text, row) == 0)
                return &table_row(&table, i)[column];
    ck_abort_msg("there is no row %s", row);
    return NULL;
}

static double sum_of(const char *key)
{
    size_t column = table_find_column(&table, key);
    double sum = 0;

    for (size_t i = 0; i < table_row_count(&table); i++) {
        const struct value *value = &table_row(&table, i)[column];

        sum += value->kind == VALUE_NULL ? 0 : value_number(value);
    }
    return sum;
}

/* ---- sums ---------------------------------------------------------------- */

START_TEST(classes_are_kept_apart_and_sum_to_the_whole)
{
    add_gemm(10, 4, 5, 6);
    add_slot(SCALE, 3, (const int64_t[]){100});
    add_slot(COPY, 2, (const int64_t[]){100});
    add_slot(MYSTERY, 5, (const int64_t[]){7});
    build("flops", ANALYSIS_BY_CLASS);
    ck_assert_int_eq(cell("matmul", "flops")->integer, 2400);
    ck_assert_int_eq(cell("matmul", "macs")->integer, 1200);
    ck_assert_int_eq(cell("elementwise", "flops")->integer, 300);
    ck_assert_int_eq(cell("elementwise", "macs")->integer, 0);
    ck_assert_int_eq(cell("movement", "flops")->integer, 0);
    ck_assert_int_eq(cell("other", "flops")->kind, VALUE_NULL);
    ck_assert_double_eq_tol(cell("other", "unknown_flops_fraction")->real, 1, 1e-12);
    ck_assert_double_eq_tol(sum_of("share"), 1, 1e-12);
    ck_assert_double_eq_tol(sum_of("time_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(a_row_of_many_kernels_tells_how_much_is_unknown)
{
    add_gemm(10, 4, 5, 6);
    add_slot(MYSTERY, 30, (const int64_t[]){7});
    build("flops", ANALYSIS_BY_THREAD);
    ck_assert_int_eq(cell("thread 100", "flops")->integer, 2400);
    ck_assert_double_eq_tol(cell("thread 100", "unknown_flops_fraction")->real, .75, 1e-12);
    /* The rate is that of the kernels with known FLOPs: 100 ns. */
    ck_assert_double_eq_tol(cell("thread 100", "flops_per_second")->real, 24e9, 1);
    ck_assert_int_eq(cell("thread 100", "bytes")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(nested_calls_add_time_and_no_flops)
{
    add_gemm(10, 4, 5, 6);
    add_gemm(10, 8, 8, 8)->nested = true;
    build("flops", ANALYSIS_BY_CLASS);
    ck_assert_int_eq(cell("matmul", "flops")->integer, 2400);
    ck_assert_int_eq(cell("matmul", "calls")->integer, 20);
    table_fini(&table);
}
END_TEST

/* If each were compared with all others, Check's time limit would not suffice. */
START_TEST(shapes_may_be_very_many)
{
    enum { SHAPES = 60000 };

    for (int i = 1; i <= SHAPES; i++)
        add_gemm(1, i, 5, 6);
    for (int i = 1; i <= SHAPES; i++)
        add_gemm(1, i, 5, 6);
    build("flops", ANALYSIS_BY_SHAPE);
    ck_assert_uint_eq(table_row_count(&table), SHAPES);
    ck_assert_double_eq_tol(sum_of("calls"), 2 * SHAPES, 1e-6);
    table_fini(&table);
}
END_TEST

START_TEST(regions_sum_up_their_tree)
{
    uint32_t outer = add_region(0, "model", "model");
    uint32_t inner = add_region(outer, "layer", "model/layer");
    uint32_t last = add_region(outer, "head", "model/head");

    add_gemm(1, 2, 3, 4)->region = inner;
    add_gemm(1, 10, 10, 10)->region = outer;
    add_gemm(1, 5, 5, 5);
    add_slot(MYSTERY, 1, (const int64_t[]){7})->region = last;
    build("flops", ANALYSIS_BY_REGION);
    ck_assert_uint_eq(table_row_count(&table), 4);
    ck_assert_int_eq(cell("(no region)", "flops")->integer, 48 + 2000 + 250);
    ck_assert_int_eq(cell("(no region)", "exclusive_flops")->integer, 250);
    ck_assert_int_eq(cell("model", "flops")->integer, 2048);
    ck_assert_int_eq(cell("model", "exclusive_flops")->integer, 2000);
    ck_assert_int_eq(cell("model/layer", "exclusive_flops")->integer, 48);
    ck_assert_int_eq(cell("model/head", "flops")->kind, VALUE_NULL);
    ck_assert_double_eq_tol(cell("model/head", "unknown_flops_fraction")->real, 1, 1e-12);
    ck_assert_double_eq_tol(cell("model", "flops_per_second")->real, 2048e6, 1e-3);
    ck_assert_double_eq_tol(sum_of("share"), 1, 1e-12);
    /* Children come below their parents, in order. */
    ck_assert_str_eq(table_row(&table, 1)->text, "model");
    ck_assert_str_eq(table_row(&table, 2)->text, "model/layer");
    ck_assert_str_eq(table_row(&table, 3)->text, "model/head");
    table_fini(&table);
}
END_TEST

/* The names of regions may be long, and differ only at the end. */
START_TEST(deep_regions_are_told_apart)
{
    static char paths[2][1000];

    for (size_t i = 0; i < 2; i++) {
        memset(paths[i], 'x', sizeof paths[i] - 2);
        paths[i][sizeof paths[i] - 2] = (char)('a' + i);
        add_gemm(1 + i, 2, 3, 4)->region = add_region(0, paths[i], paths[i]);
    }
    build("timing", ANALYSIS_BY_REGION);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_int_eq(cell(paths[0], "calls")->integer, 1);
    ck_assert_int_eq(cell(paths[1], "calls")->integer, 2);
    table_fini(&table);
    build("top", ANALYSIS_BY_REGION);
    ck_assert_int_eq(cell(paths[1], "calls")->integer, 2);
    table_fini(&table);
}
END_TEST

START_TEST(no_kernels_are_no_flops_and_no_division)
{
    enum analysis_by by[] = {ANALYSIS_BY_DEFAULT, ANALYSIS_BY_OP, ANALYSIS_BY_CLASS,
                             ANALYSIS_BY_REGION, ANALYSIS_BY_THREAD};

    session.thread_ns = session.process.wall_ns = 0;
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        build("flops", by[i]);
        ck_assert_double_eq(sum_of("flops"), 0);
        table_fini(&table);
    }
}
END_TEST

/* ---- top ------------------------------------------------------------------- */

START_TEST(top_sums_to_all_of_the_time)
{
    struct analysis_options options = analysis_defaults();

    session.thread_ns = 1000;
    session.overhead.total_ns = 50;
    add_gemm(20, 4, 5, 6);
    add_slot(SCALE, 10, (const int64_t[]){100});
    add_slot(COPY, 8, (const int64_t[]){100});
    options.by = ANALYSIS_BY_CLASS;
    options.limit = 1;
    analysis_find("top")->build(&session, &options, &table);
    ck_assert_uint_eq(table_row_count(&table), 4);
    ck_assert_double_eq_tol(cell("matmul", "share")->real, .2, 1e-12);
    ck_assert_double_eq_tol(cell("2 more", "share")->real, .18, 1e-12);
    ck_assert_double_eq_tol(cell("other code", "share")->real, .57, 1e-12);
    ck_assert_double_eq_tol(cell("tprof itself, estimated", "share")->real, .05, 1e-12);
    ck_assert_double_eq_tol(sum_of("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

static const struct {
    uint64_t cpu_ns; /* in a life of 400 */
    const char *name;
} waiting_cases[] = {{39, "1 idle worker thread"},
                     {40, "1 thread without kernels"},
                     {SESSION_UNKNOWN, "1 thread without kernels"}};

/* A library's thread that waits for work is no code of the program. */
START_TEST(top_tells_threads_without_kernels_apart)
{
    struct analysis_options options = analysis_defaults();
    struct session_thread *caller, *other;

    array_fini(&session.threads);
    array_init(&session.threads, sizeof(struct session_thread));
    caller = array_add(&session.threads);
    other = array_add(&session.threads);
    ck_assert(caller && other);
    caller = array_at(&session.threads, 0);
    *caller = (struct session_thread){.last_ns = 600, .kernel_ns = 200};
    *other = (struct session_thread){
        .first_ns = 200, .last_ns = 600, .cpu_ns = waiting_cases[_i].cpu_ns};
    session.thread_ns = 1000;
    add_gemm(20, 4, 5, 6);
    options.by = ANALYSIS_BY_CLASS;
    analysis_find("top")->build(&session, &options, &table);
    ck_assert_double_eq_tol(cell(waiting_cases[_i].name, "share")->real, .4, 1e-12);
    ck_assert_double_eq_tol(cell("other code", "share")->real, .4, 1e-12);
    ck_assert_double_eq_tol(sum_of("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

/* ---- taps on padding ------------------------------------------------------------ */

/* In one dimension: size, window, stride, dilation beyond 1, and padding before it. */
struct window {
    int64_t size, kernel, stride, dilation, padding;
};

/* One image with a window on its padding, of stride 2, dilated, of one and of three dimensions. */
static const struct window window_cases[][3] = {
    {{1, 1, 1, 0, 0}, {7, 3, 1, 0, 1}, {7, 3, 1, 0, 1}},
    {{1, 1, 1, 0, 0}, {7, 3, 2, 0, 1}, {7, 3, 2, 0, 1}},
    {{1, 1, 1, 0, 0}, {7, 3, 1, 1, 2}, {7, 3, 1, 2, 3}},
    {{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, {16, 5, 3, 1, 4}},
    {{4, 3, 1, 0, 1}, {7, 5, 2, 0, 2}, {9, 3, 2, 1, 2}},
    {{1, 1, 1, 0, 0}, {7, 7, 1, 0, 3}, {7, 1, 1, 0, 0}},
    {{1, 1, 1, 0, 0}, {8, 3, 1, 0, 0}, {8, 2, 2, 0, 0}},
};

static int64_t count_outputs(const struct window *of)
{
    return (of->size + 2 * of->padding - of->kernel - of->dilation * (of->kernel - 1)) /
               of->stride + 1;
}

/* Every place and every tap of one dimension. */
static int64_t count_on_data(const struct window *of)
{
    int64_t count = 0;

    for (int64_t place = 0; place < count_outputs(of); place++)
        for (int64_t tap = 0; tap < of->kernel; tap++) {
            int64_t at = place * of->stride - of->padding + tap * (of->dilation + 1);

            count += at >= 0 && at < of->size;
        }
    return count;
}

/* Two images, 6 channels to 4 in 2 groups; when transposed, places and data are exchanged. */
static void fill_shape(int64_t *shape, const struct window *of, bool is_transposed)
{
    const int64_t channels[] = {2, 6, 4, 2};

    memcpy(shape, channels, sizeof channels);
    for (int i = 0; i < 3; i++) {
        shape[4 + i] = is_transposed ? count_outputs(&of[i]) : of[i].size;
        shape[7 + i] = is_transposed ? of[i].size : count_outputs(&of[i]);
        shape[10 + i] = of[i].kernel;
        shape[13 + i] = of[i].stride;
        shape[16 + i] = of[i].dilation;
        shape[19 + i] = of[i].padding;
    }
}

START_TEST(taps_on_padding_are_counted_and_not_executed)
{
    const struct window *of = window_cases[_i];
    int64_t taps = 1, all = 1, shape[CATALOG_SHAPE_MAX] = {0};

    for (int i = 0; i < 3; i++) {
        taps *= count_on_data(&of[i]);
        all *= count_outputs(&of[i]) * of[i].kernel;
    }
    for (int is_transposed = 0; is_transposed < 2; is_transposed++) {
        const struct session_slot *slot;

        fill_shape(shape, of, is_transposed != 0);
        slot = add_slot(is_transposed ? TRANSPOSED_3D : CONVOLUTION_3D, 1, shape);
        ck_assert(slot->flops_each == 2 * 2 * 6 * 4 / 2 * all);
        ck_assert(padding_executed_flops(slot) == 2 * 2 * 6 * 4 / 2 * taps);
    }
}
END_TEST

/* The published FLOPs stay; rates use the executed ones. */
START_TEST(rates_are_of_executed_flops)
{
    int64_t shape[CATALOG_SHAPE_MAX] = {0};

    fill_shape(shape, window_cases[0], false);
    add_slot(CONVOLUTION_3D, 10, shape);
    build("flops", ANALYSIS_BY_SHAPE);
    ck_assert_double_eq(value_number(cell("convolve", "flops")), 10 * 48 * 441);
    ck_assert_double_eq(value_number(cell("convolve", "executed_flops")), 10 * 48 * 361);
    ck_assert_double_eq_tol(cell("convolve", "flops_per_second")->real, 48 * 361 / 10e-9, 1);
    table_fini(&table);
}
END_TEST

/* Absurd sizes of a damaged trace: the formula's FLOPs stay. */
START_TEST(absurd_windows_are_not_walked)
{
    int64_t shape[CATALOG_SHAPE_MAX] = {0};
    const struct session_slot *slot;

    fill_shape(shape, window_cases[0], false);
    shape[12] = INT64_MAX / 4;
    slot = add_slot(CONVOLUTION_3D, 1, shape);
    ck_assert(padding_executed_flops(slot) > 0);
    shape[12] = 3;
    shape[15] = 0;
    slot = add_slot(CONVOLUTION_3D, 1, shape);
    ck_assert(padding_executed_flops(slot) == 48 * 441 / 21 * 19);
}
END_TEST

/* ---- roles by names ---------------------------------------------------------- */

static const struct {
    const char *name;
    enum role role;
} name_cases[] = {
    {"attention", ROLE_ATTENTION},
    {"self_attn", ROLE_ATTENTION},
    {"SelfAttention", ROLE_ATTENTION},
    {"encoder.layer3.mha2", ROLE_ATTENTION},
    {"MHA", ROLE_ATTENTION},
    {"feed_forward", ROLE_FEED_FORWARD},
    {"FFN", ROLE_FEED_FORWARD},
    {"mlp", ROLE_FEED_FORWARD},
    {"fc1", ROLE_FEED_FORWARD},
    {"conv2d_3", ROLE_CONVOLUTION},
    {"dnnl_convolution_forward", ROLE_CONVOLUTION},
    {"LSTM", ROLE_RECURRENT},
    {"layerNorm", ROLE_NORMALIZATION},
    {"", ROLES},
    {"convert", ROLES},
    {"inattention", ROLES},
    {"fcntl", ROLES},
    {"grunt", ROLES},
    {"cblas_sgemm", ROLES},
    {"LAPACKE_dgesv", ROLES},
};

START_TEST(names_tell_roles_by_whole_words)
{
    ck_assert_msg(role_of_name(name_cases[_i].name) == name_cases[_i].role, "%s",
                  name_cases[_i].name);
}
END_TEST

START_TEST(regions_tell_attention_and_feed_forward)
{
    uint32_t attention = add_region(0, "self_attn", "self_attn");
    uint32_t inside = add_region(attention, "softmax", "self_attn/softmax");
    uint32_t feed = add_region(0, "ffn", "ffn");
    struct roles roles;

    add_gemm(1, 2, 3, 4)->region = attention;
    add_slot(SCALE, 1, (const int64_t[]){7})->region = inside;
    add_gemm(1, 2, 3, 4)->region = feed;
    add_gemm(1, 2, 3, 4);
    add_slot(CONVOLUTION, 1, (const int64_t[]){7});
    roles_init(&roles, &session);
    ck_assert_int_eq(roles_of(&roles, 0)->role, ROLE_ATTENTION);
    ck_assert_int_eq(roles_of(&roles, 1)->block, ROLE_BLOCK_ATTENTION);
    ck_assert_int_eq(roles_of(&roles, 2)->role, ROLE_FEED_FORWARD);
    ck_assert_int_eq(roles_of(&roles, 2)->source, ROLE_SOURCE_NAMES);
    ck_assert_int_eq(roles_of(&roles, 3)->role, ROLE_MATMUL);
    ck_assert_int_eq(roles_of(&roles, 4)->role, ROLE_CONVOLUTION);
}
END_TEST

static void expect_roles(const enum role *expected, size_t count)
{
    struct roles roles;

    roles_init(&roles, &session);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(roles_of(&roles, i)->role == expected[i], "slot %zu is %s", i,
                      role_name(roles_of(&roles, i)->role));
}

/* Two libraries: BLAS, and a LAPACK that calls it. */
static void add_libraries(void)
{
    size_t first = session.modules.count;

    for (unsigned i = 0; i < 2; i++) {
        struct session_module *module = array_add(&session.modules);

        ck_assert_ptr_nonnull(module);
        *module =
            (struct session_module){.fact = {.start = 0x1000 * (i + 1), .end = 0x1000 * (i + 2)},
                                    .path = i == 0 ? "libblas.so" : "liblapack.so"};
    }
    ((struct session_binding *)array_at(&session.bindings, DGEMV))->module =
        array_at(&session.modules, first);
    ((struct session_binding *)array_at(&session.bindings, DGESDD))->module =
        array_at(&session.modules, first + 1);
}

static struct session_slot *add_vector(uint64_t site)
{
    struct session_slot *slot = add_slot(DGEMV, 5, (const int64_t[]){30, 40});

    slot->site = site;
    return slot;
}

START_TEST(what_lapack_does_is_no_product_of_the_programs)
{
    add_libraries();
    add_slot(DGESDD, 1, (const int64_t[]){30, 40});
    add_slot(DGETRS, 1, (const int64_t[]){30});
    add_vector(0x2345);
    add_vector(0x9999);
    ((struct session_binding *)array_at(&session.bindings, DGESDD))->calls = 1;
    expect_roles((const enum role[]){ROLE_LAPACK, ROLE_LAPACK, ROLE_LAPACK, ROLE_MATMUL}, 4);
}
END_TEST

/* A library with both calls its own BLAS; the calls are LAPACK's only if there were any. */
START_TEST(without_lapack_a_library_calls_blas_for_itself)
{
    add_libraries();
    add_vector(0x2345);
    expect_roles((const enum role[]){ROLE_MATMUL}, 1);
}
END_TEST

static const struct {
    const char *name;
    const char *family;
    bool is_lapack;
} routines[] = {
    {"dgemm", "fortran", false},  {"sbgemm", "fortran", false},
    {"zher2k", "fortran", false}, {"gemm_bf16bf16f32", "fortran", false},
    {"ctrsv", "fortran", false},  {"dgemv", "cblas", false},
    {"dgesv", "fortran", true},   {"zhegvd", "fortran", true},
    {"sorm2r", "fortran", true},  {"dpotrf", "lapacke_work", true},
    {"dgesv", NULL, false},
};

START_TEST(a_routine_of_lapack_is_known_by_its_family_and_name)
{
    const struct catalog_kernel kernel = {
        .name = routines[_i].name, .family = routines[_i].family, .class = CATALOG_MATMUL};

    ck_assert_msg(lapack_has(&kernel) == routines[_i].is_lapack, "%s", kernel.name);
}
END_TEST

/* ---- roles by shapes ---------------------------------------------------------- */

/* Expect no role but that of products. */
static void expect_nothing(void)
{
    struct roles roles;
    struct text said;

    roles_init(&roles, &session);
    for (size_t i = 0; i < session.slots.count; i++)
        ck_assert_int_eq(roles_of(&roles, i)->role, ROLE_MATMUL);
    text_init(&said);
    role_shapes_append(&said, &roles.shapes);
    ck_assert_uint_eq(said.size, 0);
    text_fini(&said);
}

/* A layer, forward: `b` items of `s` tokens, `h` heads of width `e`. */
struct layer {
    int64_t b, s, h, e, f;
};

/* Column-major libraries are called with the result's rows and columns exchanged. */
static void add_either(bool is_swapped, uint64_t calls, const int64_t *mnk)
{
    if (is_swapped)
        add_gemm(calls, mnk[1], mnk[0], mnk[2]);
    else
        add_gemm(calls, mnk[0], mnk[1], mnk[2]);
}

static void add_forward(const struct layer *of, uint64_t passes, bool is_swapped)
{
    int64_t tokens = of->b * of->s, width = of->h * of->e;
    uint64_t pairs = passes * (uint64_t)(of->b * of->h);

    add_either(is_swapped, passes, (const int64_t[]){tokens, 3 * width, width});
    add_either(is_swapped, pairs, (const int64_t[]){of->s, of->s, of->e});
    add_either(is_swapped, pairs, (const int64_t[]){of->s, of->e, of->s});
    add_either(is_swapped, passes, (const int64_t[]){tokens, width, width});
    add_either(is_swapped, passes, (const int64_t[]){tokens, of->f, width});
    add_either(is_swapped, passes, (const int64_t[]){tokens, width, of->f});
}

/* The gradients of y = x w: of x over the outputs, of w over the rows. */
static void add_linear_backward(uint64_t calls, int64_t rows, int64_t inputs, int64_t outputs)
{
    add_gemm(calls, rows, inputs, outputs);
    add_gemm(calls, inputs, outputs, rows);
}

static void add_backward(const struct layer *of, uint64_t passes)
{
    int64_t tokens = of->b * of->s, width = of->h * of->e;
    uint64_t pairs = passes * (uint64_t)(of->b * of->h);

    add_linear_backward(passes, tokens, width, 3 * width);
    add_linear_backward(passes, tokens, width, width);
    add_linear_backward(passes, tokens, width, of->f);
    add_linear_backward(passes, tokens, of->f, width);
    add_gemm(pairs, of->s, of->s, of->e);     /* of the weights */
    add_gemm(3 * pairs, of->s, of->e, of->s); /* of values, queries and keys */
}

static const enum role layer_roles[] = {ROLE_PROJECTION, ROLE_SCORES,       ROLE_SCORES,
                                        ROLE_PROJECTION, ROLE_FEED_FORWARD, ROLE_FEED_FORWARD};
static const enum role backward_roles[] = {
    ROLE_PROJECTION,   ROLE_PROJECTION,   ROLE_PROJECTION,   ROLE_PROJECTION, ROLE_FEED_FORWARD,
    ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_SCORES,     ROLE_SCORES};

/* In the third, tokens and inner width are equal; in the fourth, tokens and width; in the last, s
 * and e. */
static const struct layer layer_cases[] = {
    {4, 96, 8, 32, 1024},  {1, 128, 12, 64, 3072}, {8, 128, 8, 32, 1024},
    {2, 128, 4, 64, 1024}, {3, 50, 2, 40, 200},    {2, 64, 8, 64, 2048},
};

START_TEST(a_layer_is_recognized_by_its_shapes)
{
    for (int is_swapped = 0; is_swapped < 2; is_swapped++) {
        add_forward(&layer_cases[_i], 6, is_swapped != 0);
        expect_roles(layer_roles, 6);
        teardown();
        setup();
    }
}
END_TEST

START_TEST(a_layer_in_training_is_recognized_by_its_shapes)
{
    enum role expected[16];

    memcpy(expected, layer_roles, sizeof layer_roles);
    memcpy(expected + 6, backward_roles, sizeof backward_roles);
    add_forward(&layer_cases[_i], 6, false);
    add_backward(&layer_cases[_i], 6);
    expect_roles(expected, 16);
}
END_TEST

/* ---- tokens that are a multiple or a part of the width ------------------------- */

/* A layer with a product each for queries, keys, values and output; `kv` heads of keys and values.
 * `inner` products widen and one narrows: two of them are gated. */
struct wide {
    int64_t b, s, h, e, f, kv;
    unsigned inner;
    unsigned passes;
};

/* y = x w in the view of Fortran's BLAS: the tokens are the columns. */
static void add_linear(uint64_t calls, const int64_t *rows_in_out, bool is_trained)
{
    int64_t rows = rows_in_out[0], in = rows_in_out[1], out = rows_in_out[2];

    add_gemm(calls, out, rows, in);
    if (!is_trained)
        return;
    add_gemm(calls, in, rows, out);
    add_gemm(calls, in, out, rows);
}

static void add_wide(const struct wide *of, bool is_trained)
{
    int64_t tokens = of->b * of->s, width = of->h * of->e;
    uint64_t pairs = of->passes * (uint64_t)(of->b * of->h);

    add_linear(2 * of->passes, (const int64_t[]){tokens, width, width}, is_trained);
    add_linear(2 * of->passes, (const int64_t[]){tokens, width, of->kv * of->e}, is_trained);
    add_linear(of->inner * of->passes, (const int64_t[]){tokens, width, of->f}, is_trained);
    add_linear(of->passes, (const int64_t[]){tokens, of->f, width}, is_trained);
    add_gemm((is_trained ? 2 : 1) * pairs, of->s, of->s, of->e);
    add_gemm((is_trained ? 4 : 1) * pairs, of->e, of->s, of->s);
}

/* BERT of 768 with 384, 256, 1536 and 768 tokens, BERT of 256 with 512 and 256, gated layers of 256
 * with 128 and 512; in the last ones, s is e. */
static const struct wide wide_cases[] = {
    {3, 128, 12, 64, 3072, 12, 1, 6},  {2, 128, 12, 64, 3072, 12, 1, 6},
    {12, 128, 12, 64, 3072, 12, 1, 6}, {6, 128, 12, 64, 3072, 12, 1, 6},
    {8, 64, 8, 32, 1024, 8, 1, 12},    {4, 64, 8, 32, 1024, 8, 1, 12},
    {2, 64, 8, 32, 688, 8, 2, 12},     {8, 64, 8, 32, 688, 8, 2, 12},
    {12, 64, 4, 64, 1024, 4, 1, 12},   {4, 64, 4, 64, 1024, 4, 1, 12},
    {12, 64, 12, 64, 3072, 12, 1, 6},
};

static void expect_wide(const struct wide *of, bool is_trained)
{
    const size_t layer = is_trained ? 3 : 1;
    struct roles roles;
    const struct role_model *model;

    roles_init(&roles, &session);
    for (size_t i = 0; i < session.slots.count; i++)
        ck_assert_msg(roles_of(&roles, i)->role == (i < 2 * layer   ? ROLE_PROJECTION
                                                    : i < 4 * layer ? ROLE_FEED_FORWARD
                                                                    : ROLE_SCORES),
                      "slot %zu is %s", i, role_name(roles_of(&roles, i)->role));
    model = &roles.shapes.model;
    ck_assert_int_eq(model->heads, of->h);
    ck_assert_int_eq(model->width, of->h * of->e);
    ck_assert_int_eq(model->tokens, of->b * of->s);
    ck_assert_int_eq(model->sequence, of->s);
    ck_assert_double_eq(model->rounds, of->passes * (is_trained ? 3 : 1));
    ck_assert_double_eq_tol(model->confidence, 1, 1e-9);
}

START_TEST(tokens_are_told_from_the_width_whatever_their_ratio)
{
    for (int is_trained = 0; is_trained < 2; is_trained++) {
        add_wide(&wide_cases[_i], is_trained != 0);
        expect_wide(&wide_cases[_i], is_trained != 0);
        teardown();
        setup();
    }
}
END_TEST

/* Three times the width: the inputs of attention in one product have the tokens' size. */
START_TEST(tokens_are_told_from_all_inputs_of_attention)
{
    const struct layer layer = {12, 64, 4, 64, 1024};
    enum role expected[16];

    memcpy(expected, layer_roles, sizeof layer_roles);
    memcpy(expected + 6, backward_roles, sizeof backward_roles);
    add_forward(&layer, 6, false);
    add_backward(&layer, 6);
    expect_roles(expected, 16);
}
END_TEST

/* The same pairs are 8 heads in a width of 256 over 384 tokens, or 12 in one of 384 over 256, and
 * no layer has that many products of either. */
START_TEST(a_reading_that_the_counts_do_not_fit_is_refused)
{
    add_gemm(4 * 48, 64, 64, 32);
    add_gemm(4 * 48, 64, 32, 64);
    add_gemm(60, 256, 384, 256);
    add_gemm(4, 256, 384, 384);
    expect_nothing();
}
END_TEST

static const struct trained_encoder {
    struct layer layer;
    uint64_t layers, steps;
    bool needs_inputs; /* gradients of the inputs of the first layer */
} encoder_cases[] = {
    /* One size is both tokens and inner width; the products of 10 and 20 steps are also whole
     * layers of another layout. */
    {{8, 128, 8, 32, 1024}, 2, 3, false},
    {{8, 128, 8, 32, 1024}, 2, 10, false},
    {{8, 128, 8, 32, 1024}, 2, 20, false},
    {{8, 128, 8, 32, 1024}, 2, 10, true},
    {{4, 96, 4, 64, 512}, 4, 10, false},
    {{2, 512, 12, 64, 3072}, 6, 8, false},
    {{16, 50, 2, 64, 512}, 1, 12, false},
    {{12, 197, 16, 32, 2048}, 4, 20, false},
    {{12, 77, 3, 128, 1536}, 2, 12, true},
    {{32, 64, 8, 16, 512}, 3, 4, false},
};

/* As torch's TransformerEncoder trains: the first layer's inputs need no gradients as a rule. */
static void add_encoder(const struct trained_encoder *of)
{
    const struct layer *layer = &of->layer;
    int64_t tokens = layer->b * layer->s, width = layer->h * layer->e;
    uint64_t passes = of->layers * of->steps, pairs = passes * (uint64_t)(layer->b * layer->h);

    add_gemm(passes, 3 * width, tokens, width);
    add_gemm(of->needs_inputs ? passes : passes - of->steps, width, tokens, 3 * width);
    add_gemm(passes, width, 3 * width, tokens);
    add_linear(passes, (const int64_t[]){tokens, width, width}, true);
    add_linear(passes, (const int64_t[]){tokens, width, layer->f}, true);
    add_linear(passes, (const int64_t[]){tokens, layer->f, width}, true);
    add_gemm(2 * pairs, layer->s, layer->s, layer->e);
    add_gemm(4 * pairs, layer->e, layer->s, layer->s);
}

static const enum role encoder_roles[] = {
    ROLE_PROJECTION,   ROLE_PROJECTION,   ROLE_PROJECTION,   ROLE_PROJECTION, ROLE_PROJECTION,
    ROLE_PROJECTION,   ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_FEED_FORWARD,
    ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_SCORES,     ROLE_SCORES};

START_TEST(an_encoder_in_training_is_split_rightly_however_many_steps)
{
    const struct trained_encoder *of = &encoder_cases[_i];
    struct roles roles;

    add_encoder(of);
    expect_roles(encoder_roles, 14);
    roles_init(&roles, &session);
    ck_assert_int_eq(roles.shapes.model.sequence, of->layer.s);
    ck_assert_int_eq(roles.shapes.model.heads, of->layer.h);
}
END_TEST

/* Families with both roles: a feed-forward as wide as queries, keys and values, or as the model. */
static const struct layer shared_sizes[] = {{8, 100, 3, 64, 576}, {4, 96, 8, 32, 256}};

START_TEST(products_with_the_sizes_of_others_are_not_shared_out)
{
    add_encoder(&(struct trained_encoder){shared_sizes[_i], 4, 10, true});
    expect_nothing();
}
END_TEST

/* As the layers above, with `blocks` blocks of `s` tokens a sequence. */
static void add_by_blocks(const struct layer *of, int64_t blocks, uint64_t passes)
{
    int64_t tokens = of->b * of->s * blocks, width = of->h * of->e;
    uint64_t pairs = passes * (uint64_t)(of->b * of->h * blocks * blocks);

    add_gemm(passes, tokens, 3 * width, width);
    add_gemm(pairs, of->s, of->s, of->e);
    add_gemm(pairs, of->s, of->e, of->s);
    add_gemm(passes, tokens, width, width);
    add_gemm(passes, tokens, of->f, width);
    add_gemm(passes, tokens, width, of->f);
}

START_TEST(attention_by_blocks_is_recognized_with_its_sequence)
{
    const int64_t blocks[] = {1, 2, 7, 16};
    struct roles roles;

    add_by_blocks(&(struct layer){3, 125, 8, 32, 1024}, blocks[_i], 6);
    expect_roles(layer_roles, 6);
    roles_init(&roles, &session);
    ck_assert_int_eq(roles.shapes.model.sequence, 125 * blocks[_i]);
    ck_assert_int_eq(roles.shapes.model.heads, 8);
    ck_assert_double_eq(roles.shapes.model.rounds, 6);
}
END_TEST

/* One product more of any family, and the counts fit no model. */
START_TEST(a_count_that_is_off_by_one_is_refused)
{
    add_forward(&(struct layer){4, 96, 8, 32, 1024}, 3, false);
    ((struct session_slot *)array_at(&session.slots, (size_t)_i))->calls++;
    expect_nothing();
}
END_TEST

/* Without a feed-forward, scores and context could be any two products. */
START_TEST(products_of_batches_alone_are_no_attention)
{
    add_slot(BATCHED, 5, (const int64_t[]){12, 77, 77, 64});
    add_slot(BATCHED, 5, (const int64_t[]){12, 77, 64, 77});
    expect_nothing();
}
END_TEST

START_TEST(a_model_that_does_less_than_half_is_refused)
{
    add_forward(&layer_cases[0], 6, false);
    add_gemm(6, 3000, 3000, 3000);
    expect_nothing();
}
END_TEST

/* Ops give their own roles. */
START_TEST(nothing_is_inferred_beside_ops)
{
    add_forward(&layer_cases[0], 6, false);
    for (unsigned i = 0; i < 2; i++)
        *(struct session_op *)array_add(&session.ops) = (struct session_op){.name = ""};
    expect_nothing();
}
END_TEST

START_TEST(sizes_by_chance_are_no_attention)
{
    uint64_t state = (uint64_t)_i;

    for (unsigned i = 0; i < 2000; i++) {
        int64_t sizes[3];

        for (unsigned j = 0; j < 3; j++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            sizes[j] = 16 * (1 + (int64_t)((state >> 33) % 8));
        }
        add_gemm(1 + (state >> 60), sizes[0], sizes[1], sizes[2]);
    }
    expect_nothing();
}
END_TEST

/* A linear layer by another library, as it trains. */
static void add_inner_product(int64_t rows, int64_t in, int64_t out)
{
    add_slot(LINEAR, 6, (const int64_t[]){rows, in, out});
    add_slot(LINEAR, 6, (const int64_t[]){rows, out, in});
    add_slot(LINEAR_WEIGHTS, 6, (const int64_t[]){rows, in, out});
}

START_TEST(layers_of_an_inner_product_are_products_too)
{
    add_inner_product(384, 256, 768);
    add_inner_product(384, 256, 256);
    add_inner_product(384, 256, 1024);
    add_inner_product(384, 1024, 256);
    add_slot(BATCHED, 2 * 6, (const int64_t[]){32, 96, 96, 32});
    add_slot(BATCHED, 4 * 6, (const int64_t[]){32, 96, 32, 96});
    expect_roles(encoder_roles, 14);
}
END_TEST

START_TEST(complex_products_are_no_batches)
{
    add_slot(COMPLEX, 6, (const int64_t[]){4, 4, 32});
    add_slot(COMPLEX, 6, (const int64_t[]){4, 32, 4});
    expect_roles((const enum role[]){ROLE_MATMUL, ROLE_MATMUL}, 2);
}
END_TEST

START_TEST(absurd_sizes_are_no_products)
{
    const int64_t sizes[] = {INT64_MIN, -1, 0, INT64_MAX, INT64_MAX / 2 + 1};
    struct roles roles;

    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            add_gemm(1, sizes[i], sizes[j], sizes[i]);
            add_slot(LINEAR, UINT64_MAX, (const int64_t[]){sizes[j], sizes[i], sizes[j]});
        }
    roles_init(&roles, &session);
    ck_assert_uint_eq(roles.shapes.families.items.count, 0);
}
END_TEST

/* From a damaged trace: a billion passes and a half, which no number of blocks divides. */
START_TEST(absurd_counts_take_no_time)
{
    const uint64_t passes = UINT64_C(1) << 30, pairs = (passes << 31) + passes;
    const int64_t tokens = INT64_C(1) << 32;
    struct roles roles;

    add_gemm(pairs, 4, 4, 8);
    add_gemm(pairs, 4, 8, 4);
    add_gemm(passes, tokens, 48, 16);
    add_gemm(passes, tokens, 16, 16);
    roles_init(&roles, &session);
}
END_TEST

/* The head over a vocabulary widens, and nothing narrows again. */
START_TEST(a_head_is_no_feed_forward)
{
    const struct layer layer = {4, 96, 8, 32, 1024};

    add_forward(&layer, 6, false);
    add_gemm(2, 4 * 96, 5000, 256);
    add_linear_backward(2, 4 * 96, 256, 5000);
    add_backward(&layer, 6);
    expect_roles((const enum role[]){ROLE_PROJECTION, ROLE_SCORES, ROLE_SCORES, ROLE_PROJECTION,
                                     ROLE_FEED_FORWARD, ROLE_FEED_FORWARD, ROLE_MATMUL, ROLE_MATMUL,
                                     ROLE_MATMUL},
                 9);
}
END_TEST

/* Perceptrons: as wide as their batch, narrow in the middle, with an inner layer
 * that is square. */
static const int64_t perceptrons[][4] = {
    {256, 256, 1024, 256}, {64, 784, 64, 784}, {128, 512, 128, 128},
    {512, 512, 512, 512},  {32, 784, 512, 10}, {64, 32, 64, 32},
};

/* As many products of a square layer over one item as four projections would have. */
START_TEST(a_square_layer_is_no_attention)
{
    const int64_t widths[] = {64, 96, 128, 128};

    for (unsigned i = 0; i < 3; i++)
        add_linear(20, (const int64_t[]){96, widths[i], widths[i + 1]}, true);
    expect_nothing();
}
END_TEST

START_TEST(a_perceptron_is_no_attention)
{
    const int64_t *widths = perceptrons[_i];
    const enum role plain[9] = {ROLE_MATMUL, ROLE_MATMUL, ROLE_MATMUL, ROLE_MATMUL, ROLE_MATMUL,
                                ROLE_MATMUL, ROLE_MATMUL, ROLE_MATMUL, ROLE_MATMUL};

    add_gemm(10, widths[0], widths[2], widths[1]);
    add_gemm(10, widths[0], widths[3], widths[2]);
    add_gemm(10, widths[0], widths[1], widths[3]);
    expect_roles(plain, 3);
    for (unsigned i = 0; i < 3; i++)
        add_linear_backward(10, widths[0], widths[1 + i], widths[1 + (i + 1) % 3]);
    expect_roles(plain, 9);
}
END_TEST

static const struct field *find_field(const struct document *document, const char *record,
                                      const char *key)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind != SECTION_RECORD || strcmp(section->key, record) != 0)
            continue;
        for (size_t j = 0; j < record_field_count(&section->record); j++)
            if (strcmp(record_field(&section->record, j)->column.key, key) == 0)
                return record_field(&section->record, j);
    }
    ck_abort_msg("%s.%s", record, key);
    return NULL;
}

START_TEST(the_screen_says_what_attention_takes_and_of_what)
{
    struct analysis_options options = analysis_defaults();
    struct document document;
    const char *said;

    add_forward(&layer_cases[0], 6, false);
    session.items = 12;
    options.flops = &(struct flops_options){.parameters = 1000};
    analysis_find("flops")->compose(&session, &options, &document);
    /* 2 of 4 products of a pass and all 384 pairs are attention, 10 ns each. */
    ck_assert_double_eq_tol(
        find_field(&document, "operations", "attention_time_fraction")->value.real, 396. / 408,
        1e-12);
    ck_assert_str_eq(find_field(&document, "operations", "network")->value.text, "transformer");
    ck_assert_str_eq(find_field(&document, "operations", "source")->value.text, "inferred");
    ck_assert_double_eq_tol(find_field(&document, "operations", "confidence")->value.real, 1,
                            1e-9);
    ck_assert_int_eq(find_field(&document, "operations", "heads")->value.integer, 8);
    ck_assert_int_eq(find_field(&document, "compute", "parameters")->value.integer, 1000);
    ck_assert_double_eq_tol(find_field(&document, "compute", "flops_per_item")->value.real * 12,
                            value_number(&find_field(&document, "compute", "flops")->value), 1);
    said = find_field(&document, "summary", "model")->value.text;
    ck_assert_msg(strstr(said, "Attention takes 97.1 % of 4.08 us of kernel time"), "%s", said);
    ck_assert_msg(strstr(said, "Source: inferred from the sizes and numbers of products."), "%s",
                  said);
    document_fini(&document);
}
END_TEST

START_TEST(a_metric_of_the_program_tells_its_parameters)
{
    struct analysis_options options = analysis_defaults();
    struct document document;
    struct session_metric *metric = array_add(&session.metrics);

    *metric = (struct session_metric){"parameters", 500, 1};
    add_gemm(1, 10, 10, 10);
    analysis_find("flops")->compose(&session, &options, &document);
    ck_assert_double_eq(find_field(&document, "compute", "flops_per_param")->value.real, 4);
    ck_assert_int_eq(find_field(&document, "compute", "items")->value.kind, VALUE_NULL);
    ck_assert_int_eq(find_field(&document, "compute", "flops_per_item")->value.kind, VALUE_NULL);
    ck_assert_str_eq(find_field(&document, "operations", "network")->value.text, "products");
    document_fini(&document);
}
END_TEST

static void add_shape_tests(TCase *tests)
{
    size_t layers = sizeof layer_cases / sizeof *layer_cases;

    tcase_add_loop_test(tests, a_layer_is_recognized_by_its_shapes, 0, (int)layers);
    tcase_add_loop_test(tests, a_layer_in_training_is_recognized_by_its_shapes, 0, (int)layers);
    tcase_add_loop_test(tests, tokens_are_told_from_the_width_whatever_their_ratio, 0,
                        sizeof wide_cases / sizeof *wide_cases);
    tcase_add_test(tests, tokens_are_told_from_all_inputs_of_attention);
    tcase_add_test(tests, a_reading_that_the_counts_do_not_fit_is_refused);
    tcase_add_loop_test(tests, an_encoder_in_training_is_split_rightly_however_many_steps, 0,
                        sizeof encoder_cases / sizeof *encoder_cases);
    tcase_add_loop_test(tests, products_with_the_sizes_of_others_are_not_shared_out, 0,
                        sizeof shared_sizes / sizeof *shared_sizes);
    tcase_add_loop_test(tests, attention_by_blocks_is_recognized_with_its_sequence, 0, 4);
    tcase_add_loop_test(tests, a_count_that_is_off_by_one_is_refused, 0, 6);
    tcase_add_test(tests, products_of_batches_alone_are_no_attention);
    tcase_add_test(tests, a_model_that_does_less_than_half_is_refused);
    tcase_add_test(tests, nothing_is_inferred_beside_ops);
    tcase_add_loop_test(tests, sizes_by_chance_are_no_attention, 0, 20);
    tcase_add_test(tests, layers_of_an_inner_product_are_products_too);
    tcase_add_test(tests, complex_products_are_no_batches);
    tcase_add_test(tests, absurd_sizes_are_no_products);
    tcase_add_test(tests, absurd_counts_take_no_time);
    tcase_add_test(tests, a_head_is_no_feed_forward);
    tcase_add_test(tests, a_square_layer_is_no_attention);
    tcase_add_loop_test(tests, a_perceptron_is_no_attention, 0,
                        sizeof perceptrons / sizeof *perceptrons);
}

static Suite *make_suite(void)
{
    Suite *suite = suite_create("flops");
    TCase *tests = tcase_create("flops");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, classes_are_kept_apart_and_sum_to_the_whole);
    tcase_add_test(tests, a_row_of_many_kernels_tells_how_much_is_unknown);
    tcase_add_test(tests, nested_calls_add_time_and_no_flops);
    tcase_add_test(tests, shapes_may_be_very_many);
    tcase_add_test(tests, regions_sum_up_their_tree);
    tcase_add_test(tests, deep_regions_are_told_apart);
    tcase_add_test(tests, no_kernels_are_no_flops_and_no_division);
    tcase_add_test(tests, top_sums_to_all_of_the_time);
    tcase_add_loop_test(tests, top_tells_threads_without_kernels_apart, 0,
                        sizeof waiting_cases / sizeof *waiting_cases);
    tcase_add_loop_test(tests, taps_on_padding_are_counted_and_not_executed, 0,
                        sizeof window_cases / sizeof *window_cases);
    tcase_add_test(tests, rates_are_of_executed_flops);
    tcase_add_test(tests, absurd_windows_are_not_walked);
    tcase_add_loop_test(tests, names_tell_roles_by_whole_words, 0,
                        sizeof name_cases / sizeof *name_cases);
    tcase_add_test(tests, regions_tell_attention_and_feed_forward);
    tcase_add_test(tests, what_lapack_does_is_no_product_of_the_programs);
    tcase_add_test(tests, without_lapack_a_library_calls_blas_for_itself);
    tcase_add_loop_test(tests, a_routine_of_lapack_is_known_by_its_family_and_name, 0,
                        sizeof routines / sizeof *routines);
    add_shape_tests(tests);
    tcase_add_test(tests, the_screen_says_what_attention_takes_and_of_what);
    tcase_add_test(tests, a_metric_of_the_program_tells_its_parameters);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_flops(void)
{
    return suite_run_in_pool(make_suite());
}
