/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of wakers: which of the calls that woke threads ended which wait.
 */
#include <stdlib.h>

#include "made_session.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "suite.h"
#include "waits/wakers.h"

enum { ADDRESS = 0x1000, OTHER = 0x2000 };

static struct session session;
static struct wakers wakers;
static uint32_t first_line, second_line;

static void setup(void)
{
    made_init(&session);
    first_line = made_add_call(&session, 0, "feed", "pool.c", 12);
    second_line = made_add_call(&session, 0, "stop", "pool.c", 30);
}

static void teardown(void)
{
    made_fini(&session);
}

static void add_wait(uint64_t address, uint64_t start_ns, uint64_t end_ns)
{
    uint32_t wait = made_add_wait(
        &session, &(struct session_wait){.function = "sem_wait", .address = address});

    made_add_wait_call(&session, wait, start_ns, end_ns);
}

static struct session_wake *add_wake(uint64_t address, uint64_t time_ns, uint32_t chain)
{
    struct session_wake *wake = array_add(&session.wakes);

    *wake = (struct session_wake){.time_ns = time_ns, .address = address, .chain = chain};
    return wake;
}

static void find(void)
{
    const struct analysis_options options = made_options();

    wakers_init(&wakers, &session, options.find_frames);
}

/* The place that ended a wait: "" without one. */
static const char *waker(size_t wait)
{
    return wakers.place_of[wait] < 0
               ? ""
               : text_list_at(&wakers.places, (size_t)wakers.place_of[wait]);
}

START_TEST(a_wake_for_the_address_within_the_wait_ends_it)
{
    add_wake(ADDRESS, 90, second_line);
    add_wake(ADDRESS, 150, first_line);
    add_wake(OTHER, 160, second_line);
    add_wake(ADDRESS, 210, second_line);
    add_wait(ADDRESS, 100, 200);
    find();
    ck_assert_str_eq(waker(0), "pool.c:12 feed");
}
END_TEST

START_TEST(a_wait_that_ended_in_vain_is_nobodys)
{
    add_wake(ADDRESS, 150, first_line);
    add_wait(ADDRESS, 100, 200);
    ((struct session_wait_call *)array_at(&session.wait_calls, 0))->is_in_vain = true;
    find();
    ck_assert_int_eq(wakers.place_of[0], WAKER_NONE);
}
END_TEST

START_TEST(a_wait_without_a_wake_or_with_one_of_no_chain_is_unknown)
{
    add_wake(OTHER, 350, SESSION_NONE);
    add_wait(ADDRESS, 100, 200);
    add_wait(OTHER, 300, 400);
    find();
    ck_assert_int_eq(wakers.place_of[0], WAKER_UNKNOWN);
    ck_assert_int_eq(wakers.place_of[1], WAKER_UNKNOWN);
}
END_TEST

/* Two threads wait, and two lines wake one each: it is unknown which. */
START_TEST(wakes_that_may_have_ended_either_wait_name_nobody)
{
    add_wake(ADDRESS, 150, first_line);
    add_wake(ADDRESS, 151, second_line);
    add_wait(ADDRESS, 100, 200);
    add_wait(ADDRESS, 100, 201);
    find();
    ck_assert_int_eq(wakers.place_of[0], WAKER_UNKNOWN);
    ck_assert_int_eq(wakers.place_of[1], WAKER_UNKNOWN);
}
END_TEST

START_TEST(a_wake_ends_one_wait_and_is_over)
{
    add_wake(ADDRESS, 150, first_line);
    add_wake(ADDRESS, 350, second_line);
    add_wait(ADDRESS, 100, 200);
    add_wait(ADDRESS, 100, 400);
    find();
    ck_assert_str_eq(waker(0), "pool.c:12 feed");
    ck_assert_str_eq(waker(1), "pool.c:30 stop");
}
END_TEST

START_TEST(a_wake_of_all_ends_all_waits)
{
    add_wake(ADDRESS, 150, second_line)->is_for_all = true;
    add_wait(ADDRESS, 100, 200);
    add_wait(ADDRESS, 120, 220);
    find();
    ck_assert_str_eq(waker(0), "pool.c:30 stop");
    ck_assert_str_eq(waker(1), "pool.c:30 stop");
}
END_TEST

/* The wait without a known waker counts in the total. */
START_TEST(shares_are_of_the_waits_that_a_wake_ended)
{
    const uint32_t group_of[] = {7, 7, 7, SESSION_NONE};
    const struct waker_share *share;
    struct array shares;

    for (uint64_t i = 0; i < 4; i++)
        add_wait(ADDRESS, 100 * i, 100 * i + 50);
    add_wake(ADDRESS, 10, first_line);
    add_wake(ADDRESS, 110, first_line);
    add_wake(ADDRESS, 310, second_line);
    find();
    wakers_share(&shares, &wakers, &session, group_of);
    share = shares.items;
    ck_assert_uint_eq(shares.count, 1);
    ck_assert_uint_eq(share->group, 7);
    ck_assert_uint_eq(share->waits, 2);
    ck_assert_uint_eq(share->all, 3);
    array_fini(&shares);
}
END_TEST

int check_wakers(void)
{
    Suite *suite = suite_create("wakers");
    TCase *tests = tcase_create("wakers");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_wake_for_the_address_within_the_wait_ends_it);
    tcase_add_test(tests, a_wait_that_ended_in_vain_is_nobodys);
    tcase_add_test(tests, a_wait_without_a_wake_or_with_one_of_no_chain_is_unknown);
    tcase_add_test(tests, wakes_that_may_have_ended_either_wait_name_nobody);
    tcase_add_test(tests, a_wake_ends_one_wait_and_is_over);
    tcase_add_test(tests, a_wake_of_all_ends_all_waits);
    tcase_add_test(tests, shares_are_of_the_waits_that_a_wake_ended);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
