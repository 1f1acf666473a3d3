/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of service: when a server served, and when workers had tasks, by their waits.
 */
#include "steps/service.h"

#include "made_session.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "suite.h"

enum { WALL = 10000, ADDRESS = 0x1000 };

static const uint64_t site = TRACE_SITE_PYTHON | 1;

static struct session session;
static struct service service;

static void setup(void)
{
    made_init(&session);
    session.process.wall_ns = WALL;
}

static void teardown(void)
{
    made_fini(&session);
}

static uint32_t add_wait(enum trace_wait_call call, uint32_t thread, uint64_t address)
{
    return made_add_wait(&session, &(struct session_wait){.call = call,
                                                          .function = "wait",
                                                          .thread = thread,
                                                          .site = site,
                                                          .address = address});
}

static void add_call(uint32_t wait, uint64_t start_ns, uint64_t end_ns, bool is_in_vain)
{
    made_add_wait_call(&session, wait, start_ns, end_ns)->is_in_vain = is_in_vain;
}

static void find(void)
{
    const struct analysis_options options = made_options();

    service_find(&service, &session, options.find_frames);
}

static void add_requests(void)
{
    uint32_t poll = add_wait(TRACE_WAIT_POLL, 0, 0);

    add_call(poll, 100, 600, true);
    add_call(poll, 610, 900, false);
    add_call(poll, 1000, 2000, false);
    add_call(poll, 2100, 2600, true);
    add_call(poll, 2610, 3110, true);
}

START_TEST(a_server_serves_from_its_first_request_until_it_waits_in_vain)
{
    add_wait(TRACE_WAIT_ACCEPT4, 0, 0);
    add_requests();
    find();
    ck_assert_int_eq(service.kind, SERVICE_REQUESTS);
    ck_assert_uint_eq(service.from_ns, 900);
    ck_assert_uint_eq(service.to_ns, 2100);
    ck_assert_uint_eq(service.waits, 2);
}
END_TEST

/* Like a client whose sockets have time-outs. */
START_TEST(who_accepts_nothing_is_no_server)
{
    add_requests();
    find();
    ck_assert_int_eq(service.kind, SERVICE_NONE);
}
END_TEST

START_TEST(an_exchange_after_the_last_connection_goes_on_with_the_phase)
{
    uint32_t received;

    add_wait(TRACE_WAIT_ACCEPT, 0, 0);
    add_requests();
    received = add_wait(TRACE_WAIT_RECV, 0, 0);
    ((struct session_wait *)array_at(&session.waits, received))->class = TRACE_WAIT_CLASS_NETWORK;
    add_call(received, 4000, 5000, false);
    ((struct session_wait_call *)array_at(&session.wait_calls, 5))->bytes = 10;
    find();
    ck_assert_uint_eq(service.from_ns, 900);
    ck_assert_uint_eq(service.to_ns, 5000);
}
END_TEST

/* Most waits were below 50 us: the others are no count. */
START_TEST(requests_are_counted_where_most_waits_are_seen)
{
    add_wait(TRACE_WAIT_ACCEPT, 0, 0);
    add_requests();
    ((struct session_wait *)array_at(&session.waits, 1))->calls = 100;
    find();
    ck_assert_int_eq(service.kind, SERVICE_REQUESTS);
    ck_assert_uint_eq(service.waits, 0);
}
END_TEST

static void add_worker(uint64_t cpu_ns)
{
    uint32_t thread = made_add_thread(&session);
    uint32_t wait = add_wait(TRACE_WAIT_SEM_WAIT, thread, ADDRESS);

    ((struct session_thread *)array_at(&session.threads, thread))->cpu_ns = cpu_ns;
    for (uint64_t i = 0; i < 4; i++)
        add_call(wait, 1000 * i, 1000 * i + 500, false);
    add_call(wait, 4000, 9000, true);
}

START_TEST(tasks_of_threads_that_compute_are_a_phase)
{
    ((struct session_thread *)array_at(&session.threads, 0))->cpu_ns = 1000;
    add_worker(5000);
    find();
    ck_assert_int_eq(service.kind, SERVICE_TASKS);
    ck_assert_uint_eq(service.from_ns, 500);
    ck_assert_uint_eq(service.to_ns, 4000);
    ck_assert_uint_eq(service.waits, 4);
}
END_TEST

START_TEST(tasks_of_a_thread_beside_the_work_are_none)
{
    ((struct session_thread *)array_at(&session.threads, 0))->cpu_ns = 6000;
    add_worker(1000);
    find();
    ck_assert_int_eq(service.kind, SERVICE_NONE);
}
END_TEST

int check_service(void)
{
    Suite *suite = suite_create("service");
    TCase *tests = tcase_create("service");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_server_serves_from_its_first_request_until_it_waits_in_vain);
    tcase_add_test(tests, who_accepts_nothing_is_no_server);
    tcase_add_test(tests, an_exchange_after_the_last_connection_goes_on_with_the_phase);
    tcase_add_test(tests, requests_are_counted_where_most_waits_are_seen);
    tcase_add_test(tests, tasks_of_threads_that_compute_are_a_phase);
    tcase_add_test(tests, tasks_of_a_thread_beside_the_work_are_none);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
