/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock's rate: times become ticks, whatever the counter of this machine is.
 */
#include <sys/prctl.h>
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

/* The rate between two pairs with some time between them. */
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

/* The rate measured above, for a time whose product with all bits would overflow. */
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

/* Check itself reads the clock after a test.  Not every machine can forbid the counter. */
static bool forbid_counter(void)
{
    return prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) == 0;
}

static void allow_counter(void)
{
    prctl(PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
}

START_TEST(clock_without_a_counter_ticks_in_nanoseconds)
{
    struct trace_clock_pair pair;
    uint64_t ticks;

    if (!forbid_counter())
        return;
    clock_init();
    pair = clock_read_pair();
    ticks = clock_ticks_of(SECOND_NS);
    allow_counter();
    ck_assert_int_eq(clock_kind(), TRACE_CLOCK_MONOTONIC);
    ck_assert_uint_eq(pair.ticks, pair.monotonic_ns);
    ck_assert_uint_eq(ticks, SECOND_NS);
}
END_TEST

static void assert_in_order(const uint64_t *ticks, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        ck_assert_uint_ge(ticks[i], ticks[i - 1]);
}

START_TEST(clock_goes_on_when_the_counter_is_forbidden)
{
    enum { READS = 1000 };
    uint64_t ticks[READS], after, rate;

    clock_init();
    wait_ns(WHILE_NS);
    rate = clock_ticks_of(SECOND_NS);
    ticks[0] = clock_read();
    clock_forbid_counter();
    if (!forbid_counter())
        return;
    for (unsigned i = 1; i < READS; i++)
        ticks[i] = clock_read_ordered();
    wait_ns(WHILE_NS);
    after = clock_read();
    allow_counter();
    clock_allow_counter();
    assert_in_order(ticks, READS);
    ck_assert_uint_ge(after - ticks[READS - 1], rate / SECOND_NS * WHILE_NS);
    /* The counter itself is not far. */
    ck_assert_double_eq_tol((double)clock_read(), (double)after, (double)rate / 100);
    ck_assert(clock_is_counter || clock_kind() == TRACE_CLOCK_MONOTONIC);
}
END_TEST

START_TEST(clock_is_allowed_when_nobody_forbids_it)
{
    bool is_counter;

    clock_init();
    is_counter = clock_is_counter;
    clock_forbid_counter();
    clock_forbid_counter();
    clock_allow_counter();
    ck_assert(!clock_is_counter);
    clock_allow_counter();
    ck_assert(clock_is_counter == is_counter);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("clock");
    TCase *tests = tcase_create("rate");

    tcase_add_test(tests, clock_turns_time_into_ticks_at_the_rate_of_the_counter);
    tcase_add_test(tests, clock_turns_decades_into_ticks);
    tcase_add_test(tests, clock_without_a_counter_ticks_in_nanoseconds);
    tcase_add_test(tests, clock_goes_on_when_the_counter_is_forbidden);
    tcase_add_test(tests, clock_is_allowed_when_nobody_forbids_it);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
