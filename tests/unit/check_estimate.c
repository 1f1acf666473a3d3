/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The estimate of untimed calls from one timed sample.
 */
#include "platform/estimate.h"
#include "suite.h"

START_TEST(a_sample_stands_for_all)
{
    ck_assert_uint_eq(estimate_all(100, 64, 10000), 6400);
    ck_assert_uint_eq(estimate_all(100, 64, 6400), 6400);
    ck_assert_uint_eq(estimate_all(0, 64, 0), 0);
    ck_assert_uint_eq(estimate_all(7, 1, 7), 7);
}
END_TEST

/* 4 ms in the middle of a walk are not 256 ms. */
START_TEST(an_interrupted_sample_stands_for_itself)
{
    ck_assert_uint_eq(estimate_all(10400000, 64, 10406400), 10400000);
    ck_assert_uint_eq(estimate_all(101, 64, 6400), 101);
    ck_assert_uint_eq(estimate_all(UINT64_MAX, 64, UINT64_MAX), UINT64_MAX);
}
END_TEST

/* A call that was never timed before has no shortest. */
START_TEST(a_sample_far_beyond_the_shortest_was_interrupted)
{
    ck_assert(!estimate_is_interrupted(50 * 40, 50));
    ck_assert(!estimate_is_interrupted(50 * 1000, 50));
    ck_assert(estimate_is_interrupted(10000000, 50));
    ck_assert(!estimate_is_interrupted(10000000, UINT64_MAX));
}
END_TEST

int check_estimate(void)
{
    Suite *suite = suite_create("estimate");
    TCase *samples = tcase_create("samples");

    tcase_add_test(samples, a_sample_stands_for_all);
    tcase_add_test(samples, an_interrupted_sample_stands_for_itself);
    tcase_add_test(samples, a_sample_far_beyond_the_shortest_was_interrupted);
    suite_add_tcase(suite, samples);
    return suite_run(suite);
}
