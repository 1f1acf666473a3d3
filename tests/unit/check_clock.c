/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock's rate: times become ticks, whatever the counter of this machine is.
 */
#include <time.h>

#include "platform/clock.h"
#include "suite.h"

enum { SECOND_NS = 1000000000, WHILE_NS = 20000000 };

static void wait_ns(long ns)
{
    struct timespec time = {0, ns};

    while (nanosleep(&time, &time) != 0)
        ;
}

/* The rate between two pairs that are some time apart. */
START_TEST(clock_turns_time_into_ticks_at_the_rate_of_the_counter)
{
    struct trace_clock_pair before, after;
    double ticks_a_second;

    clock_init();
    before = clock_read_pair();
    wait_ns(WHILE_NS);
    after = clock_read_pair();
    ticks_a_second = (double)(after.ticks - before.ticks) * SECOND_NS /
                     (double)(after.monotonic_ns - before.monotonic_ns);
    ck_assert_double_eq_tol((double)clock_ticks_of(SECOND_NS), ticks_a_second,
                            ticks_a_second / 1000);
}
END_TEST

/* What was measured above, for a time that a product of all bits would not hold. */
START_TEST(clock_turns_decades_into_ticks)
{
    static const uint64_t decades_ns = UINT64_C(1000000000000000000);
    double rate;

    clock_init();
    wait_ns(WHILE_NS);
    rate = (double)clock_ticks_of(SECOND_NS) / SECOND_NS;
    ck_assert_double_eq_tol((double)clock_ticks_of(decades_ns), rate * (double)decades_ns,
                            rate * (double)decades_ns / 1000);
}
END_TEST

START_TEST(clock_without_a_counter_ticks_in_nanoseconds)
{
    clock_init();
    clock_is_counter = false;
    ck_assert_uint_eq(clock_ticks_of(SECOND_NS), SECOND_NS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("rate");

    tcase_add_test(tests, clock_turns_time_into_ticks_at_the_rate_of_the_counter);
    tcase_add_test(tests, clock_turns_decades_into_ticks);
    tcase_add_test(tests, clock_without_a_counter_ticks_in_nanoseconds);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
