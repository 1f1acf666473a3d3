/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bound of untimed calls as an estimate: calls with known times are drawn as in the shim, with
 * fixed seeds, and their estimated times must be their true ones.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/untimed.h"
#include "platform/draw.h"
#include "suite.h"

enum { SEEDS = 50, CALLS = 100000, SLOTS = 2, KERNELS_NS = 30, INNER_NS = 20, COUNTED_NS = 4 };

/* The time of a call of one slot, and the excess of a drawn one. */
struct made_kernel {
    double ns, fence_ns;
};

/* A program: the slot of each call, and how long it does something else afterwards. */
struct program {
    struct made_kernel kernels[SLOTS];
    unsigned (*slot_of)(unsigned call);
    double (*work_ns)(unsigned call);
};

static unsigned always_first(unsigned call)
{
    (void)call;
    return 0;
}

static unsigned in_turn(unsigned call)
{
    return call % SLOTS;
}

static unsigned one_after_the_other(unsigned call)
{
    return call >= CALLS / 2;
}

static double loop_alone(unsigned call)
{
    (void)call;
    return 1;
}

static double other_work(unsigned call)
{
    (void)call;
    return 100;
}

static double pause_after_1000(unsigned call)
{
    return call % 1000 == 0 ? 1e6 : 1;
}

static double pause_after_300(unsigned call)
{
    return call % 300 == 0 ? 1e6 : 1;
}

static double pause_at_times(unsigned call)
{
    return call * 2654435761u >> 24 == 0 ? 1e6 : 1; /* after one in 256 */
}

static struct session session;
static struct untimed_drawn drawn[SLOTS];
static struct untimed_excess excess[SLOTS];
static double sums_ns[SLOTS]; /* of drawn calls */

static struct session_slot *slot_at(size_t i)
{
    return array_at(&session.slots, i);
}

static void setup(void)
{
    session = (struct session){.overhead = {.kernel_ns = KERNELS_NS,
                                            .kernel_inner_ns = INNER_NS,
                                            .counted_ns = COUNTED_NS}};
    array_init(&session.slots, sizeof(struct session_slot));
    array_init(&session.threads, sizeof(struct session_thread));
    array_init(&session.courses, sizeof(struct session_course));
    ck_assert_ptr_nonnull(array_add(&session.threads));
    course_make_all(&session);
    for (int i = 0; i < SLOTS; i++) {
        ck_assert_ptr_nonnull(array_add(&session.slots));
        drawn[i] = (struct untimed_drawn){1, 200e3};
        excess[i] = (struct untimed_excess){0, 0};
        sums_ns[i] = 0;
    }
}

static void teardown(void)
{
    course_fini_all(&session);
    array_fini(&session.slots);
    array_fini(&session.threads);
}

static void add_timed(uint32_t index, double time_ns, double ns)
{
    const struct course_call call = {
        .start_ns = (uint64_t)time_ns, .slot = index, .length = (uint32_t)lround(ns)};
    struct session_slot *slot = slot_at(index);

    if (slot->timed_calls++ > 0)
        sums_ns[index] += ns - INNER_NS;
    course_add(array_at(&session.courses, 0), &call);
}

/* A call of 0.4 us in 300 that is not interrupted: memory that was cold. */
static double length_of(const struct made_kernel *kernel, unsigned call)
{
    return kernel->ns + (call % 300 == 7 ? 400 : 0) - 400 / 300.0;
}

static void run(const struct program *program, unsigned calls, uint64_t seed)
{
    uint64_t state = seed * 2654435761u + 1, left = draw_gap(&state, TRACE_CALLS_PER_TIMED);
    double time_ns = 1000;

    for (unsigned call = 1; call <= calls; call++) {
        uint32_t index = program->slot_of(call);
        const struct made_kernel *kernel = &program->kernels[index];
        double ns = length_of(kernel, call);

        if (slot_at(index)->calls++ == 0 || left == 0) {
            ns += kernel->fence_ns + INNER_NS;
            add_timed(index, time_ns, ns);
            time_ns += ns + KERNELS_NS - INNER_NS;
            left = left == 0 ? draw_gap(&state, TRACE_CALLS_PER_TIMED) : left;
        } else {
            time_ns += ns + COUNTED_NS;
            left--;
        }
        time_ns += program->work_ns(call);
    }
    untimed_find(&session, drawn, excess);
}

static double told_ns(size_t slot)
{
    return sums_ns[slot] / (double)(slot_at(slot)->timed_calls - 1) - excess[slot].ns;
}

/* Returns: the mean of the estimates for the first slot over all seeds. */
static double mean_told_ns(const struct program *program)
{
    double sum_ns = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run(program, CALLS, seed);
        sum_ns += told_ns(0);
        teardown();
        setup();
    }
    return sum_ns / SEEDS;
}

static struct program plain = {{{24, 8}, {24, 8}}, always_first, loop_alone};

/* The loop takes a nanosecond a call, which is in the bound. */
START_TEST(calls_in_a_row_take_what_passes)
{
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run(&plain, CALLS, seed);
        ck_assert_double_eq_tol(told_ns(0), 25, 0.5);
        teardown();
        setup();
    }
}
END_TEST

START_TEST(its_error_holds_the_truth)
{
    unsigned held = 0;

    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run(&plain, CALLS, seed);
        held += fabs(told_ns(0) - 25) < 2 * excess[0].error_ns;
        teardown();
        setup();
    }
    ck_assert_uint_ge(held, SEEDS * 9 / 10);
}
END_TEST

START_TEST(work_between_calls_bounds_nothing)
{
    plain.work_ns = other_work;
    run(&plain, CALLS, 1);
    ck_assert_double_eq(excess[0].ns, 0);
}
END_TEST

/* Stretches without a pause have the shorter gaps. */
static double (*const pauses[])(unsigned) = {pause_after_1000, pause_after_300, pause_at_times};

START_TEST(pauses_between_rows_make_no_call_shorter)
{
    plain.work_ns = pauses[_i];
    double told_ns = mean_told_ns(&plain);
    ck_assert_double_ge(told_ns, 24.5);
    ck_assert_double_le(told_ns, 32);
    ck_assert(_i == 2 || told_ns < 26);
}
END_TEST

START_TEST(few_stretches_bound_nothing)
{
    run(&plain, 3000, 1);
    ck_assert_double_eq(excess[0].ns, 0);
}
END_TEST

/* Each would get half of the time that passes, which is 104 ns too little for the longer. */
START_TEST(calls_in_turn_share_what_passes)
{
    plain.kernels[1] = (struct made_kernel){232, 24};
    plain.slot_of = in_turn;
    run(&plain, CALLS, 1);
    ck_assert_double_eq_tol(told_ns(0) + told_ns(1), 24 + 232 + 2, 10);
    ck_assert_double_gt(told_ns(0), 24 * 0.9);
    ck_assert_double_gt(told_ns(1), 232 * 0.9);
}
END_TEST

START_TEST(one_loop_after_another_is_told_apart)
{
    plain.kernels[1] = (struct made_kernel){232, 24};
    plain.slot_of = one_after_the_other;
    run(&plain, CALLS, 1);
    ck_assert_double_eq_tol(told_ns(0), 25, 0.7);
    ck_assert_double_eq_tol(told_ns(1), 233, 5);
}
END_TEST

/* Calls of another kernel that were left out had their part of what passes. */
START_TEST(calls_in_turn_with_others_that_were_left_out_bound_nothing)
{
    plain.slot_of = in_turn;
    drawn[1].first = SIZE_MAX;
    run(&plain, CALLS, 1);
    ck_assert_double_eq(excess[0].ns, 0);
}
END_TEST

START_TEST(an_interrupted_call_bounds_nothing)
{
    plain.kernels[0].fence_ns = 300e3;
    run(&plain, CALLS, 1);
    ck_assert_double_eq(excess[0].ns, 0);
}
END_TEST

static void restore(void)
{
    plain = (struct program){{{24, 8}, {24, 8}}, always_first, loop_alone};
    setup();
}

int check_untimed(void)
{
    Suite *suite = suite_create("untimed");
    TCase *tests = tcase_create("stretches");

    tcase_add_checked_fixture(tests, restore, teardown);
    tcase_add_test(tests, calls_in_a_row_take_what_passes);
    tcase_add_test(tests, its_error_holds_the_truth);
    tcase_add_test(tests, work_between_calls_bounds_nothing);
    tcase_add_loop_test(tests, pauses_between_rows_make_no_call_shorter, 0,
                        sizeof pauses / sizeof *pauses);
    tcase_add_test(tests, few_stretches_bound_nothing);
    tcase_add_test(tests, calls_in_turn_share_what_passes);
    tcase_add_test(tests, one_loop_after_another_is_told_apart);
    tcase_add_test(tests, calls_in_turn_with_others_that_were_left_out_bound_nothing);
    tcase_add_test(tests, an_interrupted_call_bounds_nothing);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
