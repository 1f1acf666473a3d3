/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of ops/op_roles: what ops are for, in modules made by hand.
 */
#include "kernels/roles.h"
#include "ops/op_roles.h"
#include "suite.h"

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "model/session_threads.h"

enum { NET = 1, BLOCK, MIXER, SOFTMAX, BESIDE, NAMED, OPS_MOST = 8 };

static struct session_layer layers[] = {
    {.name = ""},
    [NET] = {.name = "Net"},
    [BLOCK] = {.name = "Block", .outer = NET},
    [MIXER] = {.name = "Mixer", .outer = BLOCK},
    [SOFTMAX] = {.name = "Softmax", .outer = MIXER},
    [BESIDE] = {.name = "Beside", .outer = BLOCK},
    [NAMED] = {.name = "MultiheadAttention", .outer = BLOCK},
};

struct op {
    uint32_t layer; /* 0: it ends the case */
    const char *name, *inputs;
    enum role role;
};

#define QUERIES "f32[4,8,16] f32[4,16,8]"
#define WEIGHTS "f32[4,8,8]"
#define CONTEXT "f32[4,8,8] f32[4,8,16]"

static const struct op cases[][OPS_MOST] = {
    /* A softmax between two products. */
    {{MIXER, "aten::bmm", QUERIES, ROLE_SCORES},
     {MIXER, "aten::_softmax", WEIGHTS, ROLE_SCORES},
     {MIXER, "aten::bmm", CONTEXT, ROLE_SCORES}},
    /* The softmax is a module, and its weights have another form. */
    {{MIXER, "aten::bmm", QUERIES, ROLE_SCORES},
     {SOFTMAX, "aten::_softmax", "f32[2,2,8,8]", ROLE_SCORES},
     {MIXER, "aten::baddbmm", "f32[4,8,16] " CONTEXT, ROLE_SCORES}},
    /* Nothing uses the weights, or nothing makes them, or they have other sizes. */
    {{MIXER, "aten::bmm", QUERIES, ROLE_MATMUL}, {MIXER, "aten::_softmax", WEIGHTS, ROLE_SOFTMAX}},
    {{MIXER, "aten::_softmax", WEIGHTS, ROLE_SOFTMAX}, {MIXER, "aten::bmm", CONTEXT, ROLE_MATMUL}},
    {{MIXER, "aten::bmm", QUERIES, ROLE_MATMUL},
     {MIXER, "aten::_softmax", "f32[4,8,9]", ROLE_SOFTMAX},
     {MIXER, "aten::bmm", CONTEXT, ROLE_MATMUL}},
    /* Not in one module, or in none. */
    {{MIXER, "aten::bmm", QUERIES, ROLE_MATMUL},
     {MIXER, "aten::_softmax", WEIGHTS, ROLE_SOFTMAX},
     {BESIDE, "aten::bmm", CONTEXT, ROLE_MATMUL}},
    /* Projections, into which heads fit, and a feed-forward in the next module. */
    {{MIXER, "aten::linear", "f32[2,8,32] f32[96,32]", ROLE_PROJECTION},
     {MIXER, "aten::bmm", QUERIES, ROLE_SCORES},
     {MIXER, "aten::_softmax", WEIGHTS, ROLE_SCORES},
     {MIXER, "aten::bmm", CONTEXT, ROLE_SCORES},
     {MIXER, "aten::gelu", "f32[2,8,32]", ROLE_ATTENTION},
     {BESIDE, "aten::addmm", "f32[64] f32[16,32] f32[32,64]", ROLE_FEED_FORWARD},
     {BLOCK, "aten::mm", "f32[16,64] f32[64,32]", ROLE_FEED_FORWARD},
     {NET, "aten::linear", "f32[2,8,32] f32[10,32]", ROLE_MATMUL}},
    /* Low ranks narrow first, and twice. */
    {{MIXER, "aten::linear", "f32[2,8,32] f32[4,32]", ROLE_MATMUL},
     {MIXER, "aten::linear", "f32[2,8,4] f32[32,4]", ROLE_MATMUL},
     {MIXER, "aten::linear", "f32[2,8,32] f32[4,32]", ROLE_MATMUL},
     {MIXER, "aten::linear", "f32[2,8,4] f32[32,4]", ROLE_MATMUL},
     {MIXER, "aten::scaled_dot_product_attention", "f32[2,2,8,16] f32[2,2,8,16] f32[2,2,8,16]",
      ROLE_SCORES}},
    /* All in one module: only products decide the role. */
    {{MIXER, "aten::mm", "f32[16,32] f32[32,96]", ROLE_PROJECTION},
     {MIXER, "aten::bmm", QUERIES, ROLE_SCORES},
     {MIXER, "aten::_softmax", WEIGHTS, ROLE_SCORES},
     {MIXER, "aten::bmm", CONTEXT, ROLE_SCORES},
     {MIXER, "aten::_addmm_activation", "f32[64] f32[16,32] f32[32,64]", ROLE_FEED_FORWARD},
     {MIXER, "aten::addmm", "f32[32] f32[16,64] f32[64,32]", ROLE_FEED_FORWARD},
     {MIXER, "aten::native_layer_norm", "f32[2,8,32]", ROLE_NORMALIZATION}},
    /* A perceptron is no feed-forward without attention. */
    {{BLOCK, "aten::linear", "f32[2,8,32] f32[64,32]", ROLE_MATMUL},
     {BLOCK, "aten::linear", "f32[2,8,64] f32[32,64]", ROLE_MATMUL},
     {BLOCK, "aten::convolution", NULL, ROLE_CONVOLUTION},
     {BLOCK, "attention", NULL, ROLES}},
    /* PyTorch's own module, without inputs. */
    {{NAMED, "aten::bmm", NULL, ROLE_ATTENTION}, {BESIDE, "aten::relu", NULL, ROLES}},
};

START_TEST(ops_are_for_what_they_compute)
{
    struct session_op ops[OPS_MOST + 1] = {{.name = ""}};
    struct session session = {.path = "made"};
    struct op_roles roles;

    session.ops.items = ops;
    session.ops.item_size = sizeof *ops;
    session.ops.count = 1;
    session.layers.items = layers;
    session.layers.item_size = sizeof *layers;
    session.layers.count = NAMED; /* only layers that ran ops are known */
    for (const struct op *of = cases[_i]; of < cases[_i] + OPS_MOST && of->layer != 0; of++) {
        ops[session.ops.count++] = (struct session_op){
            .name = of->name, .inputs = of->inputs, .layer = of->layer, .depth = 1, .calls = 1};
        if (of->layer == NAMED)
            session.layers.count = NAMED + 1;
    }
    op_roles_init(&roles, &session);
    for (size_t i = 1; i < session.ops.count; i++)
        ck_assert_msg(roles.of[i] == cases[_i][i - 1].role, "op %zu is %s", i,
                      roles.of[i] < ROLES ? role_name(roles.of[i]) : "nothing");
}
END_TEST

enum { FORWARD = 1, OTHER_FORWARD, UNTOLD, BACKWARD, ONE_BACKWARD, TIED_OPS };

static double share_of(const struct op_roles *roles, uint32_t op, enum role role)
{
    const struct op_role_part *parts;
    size_t count = op_roles_find_parts(roles, op, &parts);

    for (size_t i = 0; i < count; i++)
        if (parts[i].role == role)
            return parts[i].share;
    return 0;
}

/* A product and a convolution need backward ops of one kind, with 6 and 2 calls. */
START_TEST(calls_of_a_backward_op_are_parted_by_the_roles_of_its_forward_ops)
{
    struct session_op ops[TIED_OPS] = {
        {.name = ""},
        [FORWARD] = {.name = "aten::mm", .layer = BESIDE, .depth = 1, .calls = 6},
        [OTHER_FORWARD] = {.name = "aten::convolution", .layer = BESIDE, .depth = 1, .calls = 2},
        [UNTOLD] = {.name = "mine", .depth = 1, .calls = 9},
        [BACKWARD] = {.name = "Backward0", .depth = 1, .calls = 17, .is_backward = true},
        [ONE_BACKWARD] = {.name = "Backward1", .depth = 1, .calls = 6, .is_backward = true},
    };
    struct session_op_tie ties[] = {{0},
                                    {FORWARD, BACKWARD, 0, 4},
                                    {OTHER_FORWARD, BACKWARD, 0, 2},
                                    {FORWARD, BACKWARD, 1, 2},
                                    {UNTOLD, BACKWARD, 0, 9},
                                    {FORWARD, ONE_BACKWARD, 0, 6}};
    struct session session = {.path = "made"};
    const struct op_role_part *parts;
    struct op_roles roles;

    ops[FORWARD].inputs = "f32[16,32] f32[32,64]";
    session.ops.items = ops;
    session.ops.item_size = sizeof *ops;
    session.ops.count = TIED_OPS;
    session.layers.items = layers;
    session.layers.item_size = sizeof *layers;
    session.layers.count = NAMED;
    session.op_ties.items = ties;
    session.op_ties.item_size = sizeof *ties;
    session.op_ties.count = sizeof ties / sizeof *ties;
    op_roles_init(&roles, &session);
    ck_assert_int_eq(roles.of[BACKWARD], ROLE_MATMUL);
    ck_assert_int_eq(roles.of[ONE_BACKWARD], ROLE_MATMUL);
    ck_assert_double_eq(share_of(&roles, BACKWARD, ROLE_MATMUL), 0.75);
    ck_assert_double_eq(share_of(&roles, BACKWARD, ROLE_CONVOLUTION), 0.25);
    ck_assert_uint_eq(op_roles_find_parts(&roles, BACKWARD, &parts), 2);
    ck_assert_uint_eq(op_roles_find_parts(&roles, ONE_BACKWARD, &parts), 0);
    ck_assert_uint_eq(op_roles_find_parts(&roles, FORWARD, &parts), 0);
}
END_TEST

/* Products of 8 by 16 were in scores, those of 8 by 8 in scores and in a projection. */
START_TEST(calls_beyond_the_recorded_ops_are_for_what_calls_of_their_sizes_were_for)
{
    const struct op *of = cases[6];
    struct session_op ops[] = {
        {.name = ""},
        {.name = of[0].name, .inputs = of[0].inputs, .layer = of[0].layer, .depth = 1, .calls = 1},
        {.name = of[1].name, .inputs = of[1].inputs, .layer = of[1].layer, .depth = 1, .calls = 1},
        {.name = of[2].name, .inputs = of[2].inputs, .layer = of[2].layer, .depth = 1, .calls = 1},
        {.name = of[3].name, .inputs = of[3].inputs, .layer = of[3].layer, .depth = 1, .calls = 1}};
    struct session_slot slots[] = {
        {.op = 2, .dims = 2, .shape = {8, 16}}, {.op = 2, .dims = 2, .shape = {8, 8}},
        {.op = 1, .dims = 2, .shape = {8, 8}},  {.dims = 2, .shape = {8, 16}},
        {.dims = 2, .shape = {8, 8}},           {.dims = 2, .shape = {9, 16}}};
    struct session_region region = {.label = ""};
    struct session session = {.path = "made"};
    struct roles roles;

    session.ops = (struct array){ops, 5, 5, sizeof *ops, NULL};
    session.slots = (struct array){slots, 6, 6, sizeof *slots, NULL};
    session.regions = (struct array){&region, 1, 1, sizeof region, NULL};
    session.layers = (struct array){layers, NAMED, NAMED, sizeof *layers, NULL};
    roles_init(&roles, &session);
    ck_assert_int_eq(roles_of(&roles, 0)->role, ROLE_SCORES);
    ck_assert_int_eq(roles_of(&roles, 2)->role, ROLE_PROJECTION);
    ck_assert_int_eq(roles_of(&roles, 3)->role, ROLE_SCORES);
    ck_assert_int_eq(roles_of(&roles, 4)->role, ROLE_OTHER);
    ck_assert_int_eq(roles_of(&roles, 5)->role, ROLE_OTHER);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("op_roles");
    TCase *tests = tcase_create("roles");

    tcase_add_loop_test(tests, ops_are_for_what_they_compute, 0, sizeof cases / sizeof *cases);
    tcase_add_test(tests, calls_of_a_backward_op_are_parted_by_the_roles_of_its_forward_ops);
    tcase_add_test(tests, calls_beyond_the_recorded_ops_are_for_what_calls_of_their_sizes_were_for);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_op_roles(void)
{
    return suite_run_in_pool(make_suite());
}
