/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of figures/op_flops.
 */
#include "ops/op_flops.h"
#include "suite.h"

#include "model/session.h"
#include "model/session_ops.h"

static const struct flops_case {
    const char *name;
    const char *inputs;
    long double flops;
} cases[] = {
    {"aten::mm", "f32[3,5] f32[5,7]", 2 * 3 * 5 * 7},
    {"aten::addmm", "f32[7] f32[3,5] f32[5,7]", 2 * 3 * 5 * 7},
    {"aten::addmm", "f32[3,5] f32[5,7]", 2 * 3 * 5 * 7},
    {"aten::bmm", "bf16[2,3,5] bf16[2,5,7]", 2 * 2 * 3 * 5 * 7},
    {"aten::mv", "f64[3,5] f64[5]", 2 * 3 * 5},
    {"aten::dot", "f64[5] f64[5]", 2 * 5},
    {"aten::linear", "f32[2,3,5] f32[7,5] f32[7]", 2 * 2 * 3 * 5 * 7},
    /* The first layer of ResNet-18: 118,013,952 multiply-adds (torchvision's table). */
    {"aten::convolution", "f32[1,3,224,224] f32[64,3,7,7] (2,2) (3,3) (1,1) (0,0)",
     2.0L * 118013952},
    {"aten::_convolution", "f32[2,8,10] f32[4,8,3] f32[4] (1) (0) (2) (0)", 2 * 2 * 4 * 6 * 8 * 3},
    /* In groups: each channel has its own weights. */
    {"aten::convolution", "f32[1,32,8,8] f32[32,1,3,3] (1,1) (1,1) (1,1) (0,0)",
     2 * 32 * 64 * 9},
    {"aten::convolution_backward",
     "f32[1,64,112,112] f32[1,3,224,224] f32[64,3,7,7] (2,2) (3,3) (1,1) (0,0) (0,1,0)",
     2.0L * 118013952},
    {"aten::convolution_backward",
     "f32[1,64,112,112] f32[1,3,224,224] f32[64,3,7,7] (2,2) (3,3) (1,1) (0,0) (1,1,0)",
     4.0L * 118013952},
    {"aten::convolution_backward",
     "f32[2,8,3] f32[2,4,5] f32[8,2,3] (8) (1) (0) (1) (0) (1,0,1)", 2 * 2 * 8 * 3 * 2 * 3},
    /* Transposed: the input is the smaller. */
    {"aten::convolution_backward",
     "f32[2,8,21,21] f32[2,16,10,10] f32[16,4,3,3] (8) (2,2) (0,0) (1,1) (0,0) (1,1,1)",
     2 * 2 * 2 * 1600 * 4 * 9},
    {"aten::mkldnn_rnn_layer",
     "f32[12,3,25] f32[204,25] f32[204,51] f32[204] f32[204] f32[3,51] ...",
     2 * 12 * 3 * 204 * (25 + 51)},
    {"aten::mkldnn_rnn_layer_backward",
     "f32[12,3,25] f32[204,25] f32[204,51] f32[204] f32[204] f32[3,51] ...",
     4 * 12 * 3 * 204 * (25 + 51)},
    {"aten::_int_mm", "i8[3,5] i8[5,7]", 2 * 3 * 5 * 7},
    {"aten::_scaled_dot_product_flash_attention_for_cpu",
     "f32[2,4,16,8] f32[2,4,32,8] f32[2,4,32,8]", 2 * 2 * 4 * 16 * 32 * 16},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward",
     "f32[2,4,16,8] f32[2,4,16,8] f32[2,4,32,8] f32[2,4,32,8] f32[2,4,16,8] f32[2,4,16] ...",
     5 * 2 * 4 * 16 * 32 * 16},
    {"onnx::MatMul", "f32[2,32,64] f32[64,256] -> f32[2,32,256]", 2 * 2 * 32 * 64 * 256},
    /* Weights that were packed are missing. */
    {"onnx::MatMul", "f32[2,32,64] -> f32[2,32,256]", 2 * 2 * 32 * 64 * 256},
    {"onnx::MatMul", "f32[3,5] f32[4,5,7] -> f32[4,3,7]", 2 * 4 * 3 * 5 * 7},
    {"onnx::MatMul", "f32[5] f32[5] -> f32[]", 2 * 5},
    {"onnx::MatMulIntegerToFloat", "u8[2,3,5] f32[] f32[] u8[] -> f32[2,3,7]", 2 * 2 * 3 * 5 * 7},
    {"onnx::FusedMatMul", "f32[2,5,3] f32[2,5,7] -> f32[2,3,7]", 2 * 2 * 3 * 5 * 7},
    {"onnx::FusedMatMul", "f32[1,5,3] f32[2,5,7] -> f32[2,3,7]", 0},
    {"onnx::Gemm", "f32[5,3] f32[7] -> f32[3,7]", 2 * 3 * 5 * 7},
    {"onnx::Conv", "f32[1,3,224,224] f32[64,3,7,7] f32[64] -> f32[1,64,112,112]",
     2.0L * 118013952},
    {"onnx::Conv", "f32[1,3,224,224] f32[64] -> f32[1,64,112,112]", 0},
    {"onnx::QLinearConv",
     "u8[2,64,64,3] f32[] u8[] i8[16,3,3,3] f32[] i8[] f32[] u8[] -> u8[2,64,64,16]",
     2 * 2 * 64 * 64 * 16 * 27},
    {"onnx::QLinearConv", "u8[2,64,64,3] f32[] u8[] f32[] i8[] f32[] u8[] -> u8[2,64,64,16]", 0},
    {"onnx::ConvTranspose", "f32[2,16,10,10] f32[16,4,3,3] -> f32[2,4,21,21]",
     2 * 2 * 1600 * 4 * 9},
    {"onnx::LSTM", "f32[16,2,24] -> f32[16,1,2,32] f32[1,2,32]", 2 * 16 * 2 * 4 * 32 * (24 + 32)},
    {"onnx::GRU", "f32[16,2,24] -> f32[2,2,32]", 2 * 16 * 2 * 2 * 3 * 32 * (24 + 32)},
    {"onnx::Attention", "f32[2,16,64] f32[192] -> f32[2,16,64]",
     2 * 2 * 16 * 64 * 192 + 2 * 2 * 2 * 16 * 16 * 64},
    {"onnx::Attention", "f32[2,16,64] i32[2,16] -> f32[2,16,64]", 0},
    {"onnx::Attention", "f32[2,4,16,8] f32[2,4,32,8] f32[2,4,32,8] -> f32[2,4,16,8]",
     2 * 2 * 4 * 16 * 32 * 16},
    {"onnx::MultiHeadAttention",
     "f32[2,16,32] f32[2,24,32] f32[2,24,32] f32[96] -> f32[2,16,32]", 2 * 2 * 16 * 24 * 64},
    {"onnx::MultiHeadAttention",
     "f32[2,1,32] f32[2,1,32] f32[2,1,32] f32[2,4,9,8] -> f32[2,1,32]", 0},
    /* Unknown inputs have none. */
    {"onnx::MatMul", "f32[3,5] f32[5,7]", 0},
    {"onnx::Conv", "->", 0},
    {"aten::relu", "f32[3,5]", 0},
    {"aten::mm", NULL, 0},
    {"aten::mm", "", 0},
    {"aten::mm", "f32[3,5]", 0},
    {"aten::mm", "f32[] f32[]", 0},
    {"aten::mm", "f32[3,5 f32[5,7", 0},
    {"aten::mm", "f32[1,2,3,4,5,6,7,8,9] f32[1]", 0},
    {"aten::addmm", "f32[7]", 0},
    {"aten::convolution", "f32[1,3,224,224] f32[64,3,7,7]", 0},
    {"aten::convolution", "f32[1,3,2,2] f32[64,3,7,7] (2,2) (0,0) (1,1)", 0},
    {"aten::convolution", "f32[1,3,8,8] f32[0,3,7,7] (1,1) (0,0) (1,1)", 0},
    {"aten::convolution", "f32[1,3,8,8] f32[4,3,7,7] (0,0) (0,0) (1,1)", 0},
    {"aten::convolution_backward", "f32[2,8,3] f32[2,4,5] f32[8,2,3] (1) (1,1,1)", 0},
    {"aten::convolution_backward", "f32[2,8,3] f32[2,4,9] f32[8,2,3] (1) (0) (1) (0) (1,1,1)", 0},
    {"aten::mkldnn_rnn_layer", "f32[12,3,25] f32[204] f32[204]", 0},
    {"aten::scaled_dot_product_attention", "f32[8] f32[8] f32[8]", 0},
};

START_TEST(an_op_has_the_flops_of_its_inputs)
{
    const struct flops_case *of = &cases[_i];
    struct session session = {.path = "made"};
    struct session_op op = {.name = of->name, .inputs = of->inputs};

    ck_assert_msg(op_flops(&session, &op) == of->flops, "%s %s: %Lg", of->name,
                  of->inputs ? of->inputs : "-", op_flops(&session, &op));
}
END_TEST

/* Each element of the input meets the weights of its channel. */
START_TEST(a_transposed_convolution_counts_its_input)
{
    struct session session = {.path = "made"};
    struct session_op ops[] = {
        {.name = ""},
        {.name = "aten::conv_transpose2d", .depth = 1},
        {.name = "aten::convolution",
         .inputs = "f32[1,4,8,8] f32[4,2,3,3] (2,2) (0,0) (1,1) (0,0)",
         .parent = 1,
         .depth = 2},
    };

    session.ops.items = ops;
    session.ops.item_size = sizeof *ops;
    session.ops.count = 3;
    ck_assert(op_flops(&session, &ops[2]) == 2 * 4 * 64 * 2 * 9);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("op_flops");
    TCase *rules = tcase_create("rules");

    tcase_add_loop_test(rules, an_op_has_the_flops_of_its_inputs, 0,
                        sizeof cases / sizeof *cases);
    tcase_add_test(rules, a_transposed_convolution_counts_its_input);
    suite_add_tcase(suite, rules);
    return suite;
}

int check_op_flops(void)
{
    return suite_run_in_pool(make_suite());
}
