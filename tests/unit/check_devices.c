/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of analysis/devices, and of the devices of ops.
 */
#include "analysis/devices.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "made_session.h"
#include "model/op_texts.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_unknown.h"
#include "ops/op_sums.h"
#include "suite.h"

static struct session session;
static struct text line;

static void set_up(void)
{
    made_init(&session);
    text_init(&line);
}

static void tear_down(void)
{
    text_fini(&line);
    made_fini(&session);
}

static struct session_op *add_op(uint32_t parent, const char *device, uint64_t ns)
{
    struct session_op *op = array_at(&session.ops, made_add_op(&session, parent, "aten::mm"));

    op->inputs = "f32[3,5] f32[5,7]";
    op->device = device;
    op->calls = 2;
    op->inclusive_ns = op->exclusive_ns = ns;
    return op;
}

START_TEST(inputs_tell_the_device)
{
    const char *inputs = "f32[2,3] cuda:bf16[4] (1,1) xla:i64[]";
    struct op_inputs sum = op_inputs_sum(inputs);
    struct op_tensor first, second;

    ck_assert_uint_eq(sum.device_size, strlen("cuda"));
    ck_assert_int_eq(strncmp(sum.device, "cuda", sum.device_size), 0);
    ck_assert_double_eq(sum.bytes, 24 + 8 + 8);
    ck_assert(op_tensor_next(&inputs, &first) && op_tensor_next(&inputs, &second));
    ck_assert_uint_eq(first.device_size, 0);
    ck_assert_uint_eq(second.type_size, strlen("bf16"));
}
END_TEST

START_TEST(the_share_of_ops_on_a_device_is_said)
{
    add_op(0, NULL, 100);
    add_op(0, "cuda", 300);
    devices_append(&line, &session);
    ck_assert_ptr_nonnull(strstr(line.bytes, "Ops on cuda have 75.0 % of the time in ops."));
    ck_assert_ptr_nonnull(strstr(line.bytes, "tprof does not time the device."));
}
END_TEST

START_TEST(a_driver_alone_is_said)
{
    ((struct session_module *)array_at(&session.modules, 0))->path = "/lib/libcuda.so.1";
    devices_append(&line, &session);
    ck_assert_str_eq(line.bytes, "libcuda.so.1 is loaded: tprof does not time the work of a GPU.");
}
END_TEST

START_TEST(an_op_that_reads_a_result_waits)
{
    ck_assert_int_eq(op_kind_of("aten::_local_scalar_dense"), OP_KIND_READ);
    ck_assert_int_eq(op_kind_of("aten::mm"), OP_KIND_OTHER);
}
END_TEST

START_TEST(of_the_processor_nothing_is_said)
{
    add_op(0, NULL, 100);
    devices_append(&line, &session);
    ck_assert_uint_eq(line.size, 0);
}
END_TEST

/* An op around an op on a device has FLOPs that it did not compute itself. */
START_TEST(a_device_is_that_of_all_ops_around)
{
    uint32_t outer = made_add_op(&session, 0, "scope");
    struct op_sum *sums;

    add_op(outer, "cuda", 300);
    add_op(0, NULL, 100);
    sums = op_sums_new(&session);
    ck_assert_ptr_nonnull(sums);
    ck_assert_str_eq(sums[outer].device, "cuda");
    ck_assert(sums[outer].flops == 2 * 2 * 3 * 5 * 7);
    ck_assert_ptr_null(sums[outer + 2].device);
}
END_TEST

static void add_commands(uint32_t op, uint64_t calls, uint64_t timed, uint64_t ns)
{
    struct session_command_sum *sum = array_add(&session.devices.sums);

    *sum = (struct session_command_sum){.kind = TRACE_COMMAND_KERNEL,
                                        .queue = SESSION_NONE,
                                        .op = op,
                                        .calls = calls,
                                        .timed = timed,
                                        .run_ns = ns};
}

/* Its own commands; those of ops inside are theirs, and those of no op belong to none. */
START_TEST(an_op_has_the_time_of_its_commands)
{
    uint32_t outer = made_add_op(&session, 0, "scope"), inner;
    struct op_sum *sums;

    array_init(&session.devices.sums, sizeof(struct session_command_sum));
    inner = made_add_op(&session, outer, "aten::mm");
    add_commands(inner, 3, 3, 700);
    add_commands(inner, 2, 1, 50);
    add_commands(outer, 1, 1, 20);
    add_commands(0, 9, 9, 9000);
    sums = op_sums_new(&session);
    ck_assert_uint_eq(sums[inner].device_ns, 750);
    ck_assert_uint_eq(sums[inner].commands, 5);
    ck_assert_uint_eq(sums[inner].untimed, 1);
    ck_assert_uint_eq(sums[outer].device_ns, 20);
    ck_assert_uint_eq(sums[outer].untimed, 0);
}
END_TEST

int check_devices(void)
{
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, inputs_tell_the_device);
    tcase_add_test(tests, the_share_of_ops_on_a_device_is_said);
    tcase_add_test(tests, a_driver_alone_is_said);
    tcase_add_test(tests, an_op_that_reads_a_result_waits);
    tcase_add_test(tests, of_the_processor_nothing_is_said);
    tcase_add_test(tests, a_device_is_that_of_all_ops_around);
    tcase_add_test(tests, an_op_has_the_time_of_its_commands);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
