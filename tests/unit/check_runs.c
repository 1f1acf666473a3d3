/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs taken from sessions made by hand.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_session.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "runs/run.h"
#include "runs/run_session.h"
#include "suite.h"

static struct session session;
static struct session_module libraries[2] = {{.path = "/lib/libone.so"},
                                             {.path = "/lib/libtwo.so"}};
static struct analysis_options options;
static struct run run;

static void setup(void)
{
    made_init(&session);
    text_list_init(&session.process.command);
    text_list_init(&session.process.environment);
    session.process.name = "model";
    session.process.wall_ns = 2000000000;
    session.heap.allocations = 7;
    options = made_options();
}

static void teardown(void)
{
    run_fini(&run);
}

static struct session_slot *add_kernel(const char *symbol, const struct session_module *module,
                                       uint64_t calls, uint64_t total_ns)
{
    struct session_binding *binding = array_add(&session.bindings);
    struct session_slot *slot = array_add(&session.slots);

    ck_assert(binding && slot);
    *binding = (struct session_binding){.symbol = symbol, .module = module, .calls = calls};
    slot->binding = (uint32_t)session.bindings.count - 1;
    slot->calls = slot->timed_calls = calls;
    slot->total_ns = slot->self_ns = total_ns;
    slot->flops_each = 1000;
    slot->bytes_each = 10;
    array_init(&slot->durations_ns, sizeof(uint64_t));
    return slot;
}

static void add_durations(struct session_slot *slot, size_t count, size_t slow_every)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t *duration = array_add(&slot->durations_ns);

        ck_assert_ptr_nonnull(duration);
        *duration = i % slow_every == 0 ? 2000 : 1000;
    }
}

/* The session ends here. */
static void take_run(void)
{
    run_of_session(&run, &session, &options);
    text_list_fini(&session.process.command);
    text_list_fini(&session.process.environment);
    for (size_t i = 0; i < session.slots.count; i++)
        array_fini(&((struct session_slot *)array_at(&session.slots, i))->durations_ns);
    made_fini(&session);
}

static double value(enum run_subject subject, const char *name, enum run_quantity quantity)
{
    const struct run_row *row = run_find_row(&run, subject, name, "");

    ck_assert_ptr_nonnull(row);
    return row->values[quantity];
}

START_TEST(a_run_outlives_its_session)
{
    char symbol[] = "gemm";

    add_kernel(symbol, NULL, 5, 5000);
    take_run();
    memset(symbol, 'x', sizeof symbol - 1);
    ck_assert_str_eq(run.label, "model");
    ck_assert_double_eq(value(RUN_KERNEL, "gemm", RUN_CALLS), 5);
    ck_assert_double_eq(run_whole_value(&run, RUN_WALL), 2e9);
    ck_assert_double_eq(run_whole_value(&run, RUN_ALLOCATIONS), 7);
}
END_TEST

START_TEST(what_a_subject_lacks_is_unknown)
{
    session.process.alloc_mode = "off";
    add_kernel("gemm", NULL, 5, 5000);
    take_run();
    ck_assert_double_nan(run_whole_value(&run, RUN_ALLOCATIONS));
    ck_assert_double_nan(run_whole_value(&run, RUN_ITEM_RATE));
    ck_assert_double_nan(value(RUN_KERNEL, "gemm", RUN_WALL));
}
END_TEST

/* Another library is another row only if both serve the same calls. */
START_TEST(a_kernel_is_named_by_its_library_only_where_there_are_two)
{
    add_kernel("gemm", &libraries[0], 5, 5000);
    add_kernel("gemm", &libraries[1], 6, 6000);
    add_kernel("gemv", &libraries[1], 7, 7000);
    take_run();
    ck_assert_double_eq(value(RUN_KERNEL, "gemm (libone.so)", RUN_CALLS), 5);
    ck_assert_double_eq(value(RUN_KERNEL, "gemm (libtwo.so)", RUN_CALLS), 6);
    ck_assert_double_eq(value(RUN_KERNEL, "gemv", RUN_CALLS), 7);
}
END_TEST

/* Comparing each with each takes longer than a test may. */
static void add_op(const char *name, uint64_t calls, uint64_t ns)
{
    struct session_op *op = array_at(&session.ops, made_add_op(&session, 0, name));

    op->calls = calls;
    op->inclusive_ns = op->exclusive_ns = ns;
}

/* An op with several lines or inputs is one row; an op with next to no time has none. */
START_TEST(ops_are_rows_by_their_names)
{
    add_op("aten::mm", 3, 600000);
    add_op("aten::t", 900, 3000);
    add_op("aten::mm", 4, 400000);
    take_run();
    ck_assert_double_eq(value(RUN_OP, "aten::mm", RUN_CALLS), 7);
    ck_assert_double_eq(value(RUN_OP, "aten::mm", RUN_TOTAL), 1000000);
    ck_assert_double_nan(value(RUN_OP, "aten::mm", RUN_FLOPS));
    ck_assert_ptr_null(run_find_row(&run, RUN_OP, "aten::t", ""));
}
END_TEST

/* The recording of ops ended early: their calls would cover only a part of the run. */
START_TEST(ops_of_a_part_of_the_run_are_no_rows)
{
    session.framework.fact.off = TRACE_OPS_OFF_BUDGET;
    add_op("aten::mm", 3, 600000);
    take_run();
    ck_assert_ptr_null(run_find_row(&run, RUN_OP, "aten::mm", ""));
}
END_TEST

START_TEST(many_metrics_are_told_apart_in_time)
{
    enum { METRICS = 100000, NAME_SIZE = 24 };
    char(*names)[NAME_SIZE] = calloc(METRICS, sizeof *names);

    ck_assert_ptr_nonnull(names);
    for (int i = 0; i < METRICS; i++) {
        struct session_metric *metric = array_add(&session.metrics);

        ck_assert_ptr_nonnull(metric);
        snprintf(names[i], NAME_SIZE, "metric %d", i);
        *metric = (struct session_metric){names[i], i, 1};
    }
    take_run();
    ck_assert_uint_eq(run.rows.count, METRICS + 1);
    ck_assert_double_eq(run_metric_value(&run, "metric 99999"), 99999);
    free(names);
}
END_TEST

/* Two names that are one in a baseline. */
START_TEST(metrics_of_one_valid_name_are_one)
{
    static const char *const names[] = {"loss\xfe", "price", "loss\\xfe"};

    for (int i = 0; i < 3; i++) {
        struct session_metric *metric = array_add(&session.metrics);

        ck_assert_ptr_nonnull(metric);
        *metric = (struct session_metric){names[i], i + 1, 1};
    }
    take_run();
    ck_assert_uint_eq(run.rows.count, 3); /* including that of the whole */
    ck_assert_double_eq(run_metric_value(&run, "loss\xfe"), 3);
    ck_assert_double_eq(run_metric_value(&run, "price"), 2);
}
END_TEST

/* 300 of the 1000 kept would be all slow, or none, with equal steps. */
START_TEST(the_calls_that_are_kept_are_a_fair_sample)
{
    size_t slow = 0;
    const struct run_row *row;

    add_durations(add_kernel("gemm", NULL, 30003, 4), 30003, 3);
    take_run();
    row = run_find_row(&run, RUN_KERNEL, "gemm", "");
    ck_assert_uint_eq(row->samples_ns.count, RUN_SAMPLES);
    for (size_t i = 0; i < row->samples_ns.count; i++)
        slow += *(double *)array_at(&row->samples_ns, i) > 1500;
    ck_assert_uint_gt(slow, 280);
    ck_assert_uint_lt(slow, 390);
}
END_TEST

START_TEST(the_time_of_a_call_sees_every_third_and_not_one_of_a_hundred)
{
    add_durations(add_kernel("third", NULL, 303, 4), 303, 3);
    add_durations(add_kernel("hundredth", NULL, 303, 4), 303, 100);
    take_run();
    ck_assert_double_eq_tol(value(RUN_KERNEL, "third", RUN_CALL), 4000 / 3.0, 5);
    ck_assert_double_eq(value(RUN_KERNEL, "hundredth", RUN_CALL), 1000);
}
END_TEST

START_TEST(calls_that_were_only_counted_have_the_mean_of_all)
{
    add_kernel("gemm", NULL, 5, 5000);
    take_run();
    ck_assert_double_eq(value(RUN_KERNEL, "gemm", RUN_CALL), 1000);
    ck_assert_double_nan(value(RUN_KERNEL, "gemm", RUN_P95));
}
END_TEST

START_TEST(what_the_user_sets_stands_for_what_the_program_told)
{
    struct session_metric *metric = array_add(&session.metrics);

    ck_assert_ptr_nonnull(metric);
    *metric = (struct session_metric){"accuracy", 0.5, 1};
    take_run();
    run_add_value(&run, "accuracy", 0.75);
    run_add_value(&run, "price", 3);
    ck_assert_double_eq(run_metric_value(&run, "accuracy"), 0.75);
    ck_assert_double_eq(run_metric_value(&run, "price"), 3);
    ck_assert_double_nan(run_metric_value(&run, "loss"));
}
END_TEST

START_TEST(threads_are_facts_and_our_own_variables_are_not)
{
    text_list_add(&session.process.environment, "OMP_NUM_THREADS=2");
    text_list_add(&session.process.environment, "TPROF_OUTPUT=x.tprof");
    session.process.cpu_count = 8;
    take_run();
    ck_assert_str_eq(run_fact_value(&run, "OMP_NUM_THREADS"), "2");
    ck_assert_str_eq(run_fact_value(&run, "processors allowed"), "8");
    ck_assert_ptr_null(run_fact_value(&run, "TPROF_OUTPUT"));
}
END_TEST

int check_runs(void)
{
    Suite *suite = suite_create("runs");
    TCase *of_sessions = tcase_create("of sessions");

    tcase_add_checked_fixture(of_sessions, setup, teardown);
    tcase_add_test(of_sessions, a_run_outlives_its_session);
    tcase_add_test(of_sessions, what_a_subject_lacks_is_unknown);
    tcase_add_test(of_sessions, many_metrics_are_told_apart_in_time);
    tcase_add_test(of_sessions, metrics_of_one_valid_name_are_one);
    tcase_add_test(of_sessions, a_kernel_is_named_by_its_library_only_where_there_are_two);
    tcase_add_test(of_sessions, ops_are_rows_by_their_names);
    tcase_add_test(of_sessions, ops_of_a_part_of_the_run_are_no_rows);
    tcase_add_test(of_sessions, the_calls_that_are_kept_are_a_fair_sample);
    tcase_add_test(of_sessions, the_time_of_a_call_sees_every_third_and_not_one_of_a_hundred);
    tcase_add_test(of_sessions, calls_that_were_only_counted_have_the_mean_of_all);
    tcase_add_test(of_sessions, what_the_user_sets_stands_for_what_the_program_told);
    tcase_add_test(of_sessions, threads_are_facts_and_our_own_variables_are_not);
    suite_add_tcase(suite, of_sessions);
    return suite_run_in_pool(suite);
}
