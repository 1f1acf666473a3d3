/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of when ops ran: of too many, the long ones stay.
 */
#include "model/op_laps.h"

#include "suite.h"

enum { SHORT_NS = 500, LONG_NS = 5000000, ADDED = 400000, EVERY = 1000 };

static void add(struct op_laps *laps, uint64_t length_ns)
{
    const struct op_lap lap = {.start_ns = 1, .end_ns = 1 + length_ns};

    op_laps_add(laps, &lap);
}

START_TEST(few_laps_all_stay)
{
    struct op_laps laps;

    op_laps_init(&laps);
    for (uint64_t i = 0; i < 100; i++)
        add(&laps, i);
    ck_assert_uint_eq(laps.list.count, 100);
    ck_assert_uint_eq(laps.left_out, 0);
    op_laps_fini(&laps);
}
END_TEST

START_TEST(of_too_many_laps_the_long_ones_stay_and_the_others_are_counted)
{
    struct op_laps laps;
    size_t long_ones = 0;

    op_laps_init(&laps);
    for (size_t i = 0; i < ADDED; i++)
        add(&laps, i % EVERY ? SHORT_NS : LONG_NS);
    for (size_t i = 0; i < laps.list.count; i++)
        long_ones += ((const struct op_lap *)array_at(&laps.list, i))->end_ns == 1 + LONG_NS;
    ck_assert_uint_eq(long_ones, ADDED / EVERY);
    ck_assert_uint_eq(laps.list.count + laps.left_out, ADDED);
    ck_assert_uint_gt(laps.least_ns, SHORT_NS);
    ck_assert_uint_le(laps.least_ns, LONG_NS);
    op_laps_fini(&laps);
}
END_TEST

START_TEST(a_restart_forgets_all)
{
    struct op_laps laps;

    op_laps_init(&laps);
    for (size_t i = 0; i < ADDED; i++)
        add(&laps, SHORT_NS);
    op_laps_restart(&laps);
    add(&laps, 1);
    ck_assert_uint_eq(laps.list.count, 1);
    ck_assert_uint_eq(laps.left_out, 0);
    op_laps_fini(&laps);
}
END_TEST

int check_op_laps(void)
{
    Suite *suite = suite_create("op_laps");
    TCase *tests = tcase_create("op_laps");

    tcase_add_test(tests, few_laps_all_stay);
    tcase_add_test(tests, of_too_many_laps_the_long_ones_stay_and_the_others_are_counted);
    tcase_add_test(tests, a_restart_forgets_all);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
