/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which calls have a record: sums over the records, each weighted by the calls that it represents,
 * give those over all calls.
 */
#include <check.h>
#include <math.h>

#include "spec/drawn_calls.h"
#include "suite.h"

START_TEST(all_calls_have_a_record_before_the_stage)
{
    for (uint64_t number = 1; number < UINT64_C(1) << 60; number *= 3)
        ck_assert_uint_eq(drawn_calls_doublings(number, 0), 0);
    ck_assert_uint_eq(drawn_calls_whole(0), UINT64_MAX);
}
END_TEST

START_TEST(the_first_calls_of_a_slot_all_have_a_record)
{
    for (unsigned most = 1; most <= DRAWN_CALLS_MOST; most++) {
        uint64_t whole = drawn_calls_whole(most);

        ck_assert_uint_ge(whole, most <= DRAWN_CALLS_FIRST ? 2047 : 1);
        ck_assert_uint_eq(drawn_calls_doublings(1, most), 0);
        ck_assert_uint_eq(drawn_calls_doublings(whole, most), 0);
        ck_assert_uint_eq(drawn_calls_doublings(whole + 1, most), 1);
        ck_assert_uint_eq(drawn_calls_doublings(UINT64_MAX, most), most);
    }
}
END_TEST

/* Returns: the records of this many calls. */
static double count_records(uint64_t calls, unsigned most)
{
    double records = (double)drawn_calls_whole(most);

    for (uint64_t number = drawn_calls_whole(most) + 1; number <= calls; number++)
        records += ldexp(1, -(int)drawn_calls_doublings(number, most));
    return records;
}

START_TEST(whenever_calls_double_a_slot_has_as_many_records_more)
{
    double before = count_records(1 << 14, 20 - DRAWN_CALLS_FIRST), more;

    more = count_records(1 << 15, 20 - DRAWN_CALLS_FIRST) - before;
    ck_assert_double_eq_tol(more, 1 << DRAWN_CALLS_FIRST, 1);
    ck_assert_double_le(count_records(1 << 20, DRAWN_CALLS_MOST), 1 + 20);
}
END_TEST

/* The second word of a record gives its weight. */
START_TEST(records_weigh_as_many_calls_as_there_were)
{
    enum { CALLS = 2000000, MOST = 8, RHYTHM = 64 };
    double sum = 0, truth = 0, variance = 0;
    uint64_t state = 1;

    for (uint64_t number = 1; number <= CALLS; number++) {
        unsigned doublings = drawn_calls_doublings(number, MOST), told;
        double value = number % RHYTHM == 0 ? RHYTHM : 1;

        truth += value;
        variance += value * value * (ldexp(1, (int)doublings) - 1);
        if (!drawn_calls_hit(&state, doublings))
            continue;
        ck_assert_uint_eq(drawn_calls_unpack(drawn_calls_pack(12345, doublings), &told), 12345);
        sum += value * ldexp(1, (int)told);
    }
    ck_assert_double_eq_tol(sum, truth, 3 * sqrt(variance));
}
END_TEST

START_TEST(a_clock_that_went_back_makes_no_weight)
{
    unsigned doublings;

    ck_assert_uint_eq(drawn_calls_unpack((uint64_t)-5, &doublings), (uint64_t)-5);
    ck_assert_uint_eq(doublings, 0);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("drawn_calls");
    TCase *tests = tcase_create("drawn_calls");

    tcase_add_test(tests, all_calls_have_a_record_before_the_stage);
    tcase_add_test(tests, the_first_calls_of_a_slot_all_have_a_record);
    tcase_add_test(tests, whenever_calls_double_a_slot_has_as_many_records_more);
    tcase_add_test(tests, records_weigh_as_many_calls_as_there_were);
    tcase_add_test(tests, a_clock_that_went_back_makes_no_weight);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_drawn_calls(void)
{
    return suite_run(make_suite());
}
