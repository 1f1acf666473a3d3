/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of requests: whose costs are known, how they came, and whether they keep a limit.
 */
#include "requests/request_rows.h"

#include <math.h>

#include "made_session.h"
#include "model/session.h"
#include "model/session_requests.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "requests/request_load.h"
#include "statistics/limit.h"
#include "suite.h"

static struct session session;
static struct request_rows rows;

static void setup(void)
{
    made_init(&session);
}

static void teardown(void)
{
    made_fini(&session);
}

static struct session_request *add(uint64_t start_ns, uint64_t length_ns, uint32_t thread)
{
    struct session_request *request = array_add(&session.served);

    *request = (struct session_request){
        .start_ns = start_ns,
        .length_ns = length_ns,
        .arrival_ns = SESSION_UNKNOWN,
        .proxy_ns = SESSION_UNKNOWN,
        .cpu_ns = 10,
        .kept_bytes = 4,
        .endpoint = "GET /",
        .id = 1,
        .thread = thread,
        .queue = UINT32_MAX,
    };
    return request;
}

static const struct request_row *gather(void)
{
    request_rows_init(&rows, &session, 0.95);
    return array_at(&rows.rows, 0);
}

START_TEST(requests_of_one_thread_in_turn_own_its_costs)
{
    const struct request_row *row;

    add(100, 50, 0);
    add(150, 50, 0);
    add(1000, 70, 0);
    row = gather();
    ck_assert_uint_eq(rows.costs.own, 3);
    ck_assert_uint_eq(row->own, 3);
    ck_assert(row->cpu_ns == 30 && row->kept_bytes == 12);
    ck_assert_uint_eq(rows.costs.most_in_flight, 1);
}
END_TEST

START_TEST(requests_that_share_a_thread_own_nothing)
{
    uint32_t other = made_add_thread(&session);

    add(100, 500, 0);
    add(200, 50, 0); /* inside the first */
    add(590, 50, 0); /* begins before the first ends */
    add(700, 50, 0);
    add(100, 500, other);
    gather();
    ck_assert_uint_eq(rows.costs.counted, 5);
    ck_assert_uint_eq(rows.costs.own, 2);
    ck_assert(!rows.costs.costs[2].is_own && rows.costs.costs[3].is_own);
    ck_assert_uint_eq(rows.costs.most_in_flight, 3);
}
END_TEST

START_TEST(what_another_thread_answers_owns_nothing)
{
    add(100, 50, 0)->flags = TRACE_REQUEST_HANDED;
    gather();
    ck_assert_uint_eq(rows.costs.counted, 1);
    ck_assert_uint_eq(rows.costs.own, 0);
}
END_TEST

START_TEST(what_has_no_answer_does_not_count)
{
    add(100, 50, 0)->flags = TRACE_REQUEST_UNANSWERED;
    add(200, 50, 0)->flags = TRACE_REQUEST_OPEN;
    add(300, 50, 0)->flags = TRACE_REQUEST_UNTOLD;
    ((struct session_request *)array_at(&session.served, 2))->protocol = TRACE_PROTOCOL_TLS;
    request_rows_init(&rows, &session, 0.95);
    ck_assert_uint_eq(rows.costs.counted, 0);
    ck_assert_uint_eq(rows.rows.count, 0);
    ck_assert_uint_eq(rows.costs.unanswered, 1);
    ck_assert_uint_eq(rows.costs.open, 1);
    ck_assert_uint_eq(rows.costs.untold[TRACE_PROTOCOL_TLS], 1);
}
END_TEST

START_TEST(requests_over_tls_are_counted)
{
    add(100, 50, 0)->flags = TRACE_REQUEST_TLS;
    add(200, 50, 0)->flags = TRACE_REQUEST_TLS | TRACE_REQUEST_OPEN;
    add(300, 50, 0);
    request_rows_init(&rows, &session, 0.95);
    ck_assert_uint_eq(rows.costs.counted, 2);
    ck_assert_uint_eq(rows.costs.encrypted, 1);
}
END_TEST

/* Of a wait that began before the request, only the part inside counts. */
START_TEST(waits_of_the_thread_belong_to_its_request)
{
    uint32_t lock = made_add_wait(&session, &(struct session_wait){.function = "lock"});
    uint32_t nap = made_add_wait(&session, &(struct session_wait){.function = "nap"});

    ((struct session_wait *)array_at(&session.waits, lock))->class = TRACE_WAIT_CLASS_LOCK;
    ((struct session_wait *)array_at(&session.waits, nap))->class = TRACE_WAIT_CLASS_SLEEP;
    made_add_wait_call(&session, lock, 50, 90);
    made_add_wait_call(&session, lock, 90, 130);
    made_add_wait_call(&session, nap, 140, 160);
    made_add_wait_call(&session, nap, 195, 300);
    add(100, 100, 0);
    gather();
    ck_assert_uint_eq(rows.costs.costs[0].waits_ns[TRACE_WAIT_CLASS_LOCK], 30);
    ck_assert_uint_eq(rows.costs.costs[0].waits_ns[TRACE_WAIT_CLASS_SLEEP], 25);
    ck_assert_uint_eq(rows.costs.costs[0].wait, lock);
    ck_assert_uint_eq(rows.costs.costs[0].longest_ns, 30);
}
END_TEST

/* Else the same work would count twice. */
START_TEST(marked_requests_count_only_without_connections)
{
    add(100, 50, 0)->is_marked = true;
    gather();
    ck_assert_uint_eq(rows.costs.counted, 1);
    add(100, 60, 0);
    gather();
    ck_assert_uint_eq(rows.costs.counted, 1);
    ck_assert_uint_eq(*(uint64_t *)rows.all.lengths_ns.items, 60);
}
END_TEST

START_TEST(a_latency_is_in_the_counter_of_its_step)
{
    for (uint64_t ticks = 1024; ticks < UINT64_C(1) << 40; ticks += 1 + ticks / 7) {
        unsigned counter = trace_latency_counter(ticks);

        ck_assert_uint_le(trace_latency_least(counter), ticks);
        ck_assert_uint_gt(trace_latency_least(counter + 1), ticks);
    }
    ck_assert_uint_eq(trace_latency_counter(0), 0);
    ck_assert_uint_eq(trace_latency_counter(1023), 0);
    ck_assert_uint_eq(trace_latency_counter(UINT64_MAX), TRACE_LATENCY_COUNTERS - 1);
}
END_TEST

static void count(struct session_request_sums *sums, uint64_t ticks, uint64_t calls)
{
    sums->raw.calls += calls;
    sums->raw.ticks += calls * ticks;
    sums->raw.latencies[trace_latency_counter(ticks)] += calls;
    sums->raw.max_ticks = ticks > sums->raw.max_ticks ? ticks : sums->raw.max_ticks;
}

static void add_sums(void)
{
    struct session_request_sums *sums = array_add(&session.request_sums);

    session.ns_per_tick = 2;
    *sums = (struct session_request_sums){.endpoint = "GET /"};
    count(sums, 2000, 990);
    count(sums, 1000000, 10);
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 0.04 * expected;
}

START_TEST(requests_without_a_record_count_by_their_sums)
{
    const struct request_row *row;

    add(100, 4000, 0);
    add_sums();
    row = gather();
    ck_assert_uint_eq(rows.rows.count, 1);
    ck_assert_uint_eq(request_calls(row), 1000);
    ck_assert(is_near(request_percentile(row, SUMMARY_P50), 4000));
    ck_assert(is_near(request_percentile(row, SUMMARY_P99), 4000));
    ck_assert(is_near(request_percentile(row, SUMMARY_P99_9), 2000000));
    ck_assert_uint_eq(request_tally_over(row->tally, 1e6), 10);
    ck_assert_uint_eq(rows.costs.counted, 1);
}
END_TEST

/* Sums have no time but the hour. */
START_TEST(a_window_has_only_its_records)
{
    add(100, 4000, 0);
    add_sums();
    session.window.is_cut = true;
    ck_assert_uint_eq(request_calls(gather()), 1);
    session.window.is_cut = false;
}
END_TEST

static void add_pairs(uint64_t gap_ns)
{
    for (unsigned i = 0; i < 100; i++)
        add(1000000 + i * (1000 + gap_ns), 1000, 0);
}

START_TEST(prompt_requests_are_a_closed_loop)
{
    struct request_load load;

    add_pairs(900000);
    gather();
    request_load_find(&load, &session, &rows.costs);
    ck_assert(load.is_closed);
    ck_assert_uint_eq(load.connections, 1);
    ck_assert_uint_eq(load.pairs, 99);
}
END_TEST

START_TEST(requests_with_pauses_are_no_closed_loop)
{
    struct request_load load;

    add_pairs(1100000);
    gather();
    request_load_find(&load, &session, &rows.costs);
    ck_assert(!load.is_closed);
}
END_TEST

/* The counts of MLPerf LoadGen: 459 and 662 for p99. */
START_TEST(a_limit_is_judged_by_the_counts_of_early_stopping)
{
    ck_assert_int_eq(limit_judge(0, 459, 0.99, 0.99).answer, LIMIT_KEPT);
    ck_assert_int_eq(limit_judge(0, 458, 0.99, 0.99).answer, LIMIT_OPEN);
    ck_assert_uint_eq(limit_judge(0, 38, 0.99, 0.99).least_count, 459);
    ck_assert_uint_eq(limit_judge(1, 38, 0.99, 0.99).least_count, 662);
    ck_assert_int_eq(limit_judge(12, 4812, 0.99, 0.99).answer, LIMIT_KEPT);
    ck_assert_uint_eq(limit_judge(12, 4812, 0.99, 0.99).allowed, 32);
    ck_assert_int_eq(limit_judge(33, 4812, 0.99, 0.99).answer, LIMIT_OPEN);
    ck_assert_int_eq(limit_judge(200, 4812, 0.99, 0.99).answer, LIMIT_BROKEN);
    ck_assert_int_eq(limit_judge(0, 0, 0.99, 0.99).answer, LIMIT_OPEN);
    ck_assert_int_eq(limit_judge(1, 1, 0.99, 0.999).answer, LIMIT_OPEN);
    ck_assert_int_eq(limit_judge(5, 5, 0.99, 0.99).answer, LIMIT_BROKEN);
    ck_assert_int_eq(limit_judge(0, 2000000000, 0.99, 0.99).answer, LIMIT_KEPT);
}
END_TEST

static uint64_t random_state = 88172645463325252;

static double draw(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (double)(random_state >> 11) / 9007199254740992.0;
}

static size_t count_over(size_t count, double share)
{
    size_t over = 0;

    for (size_t i = 0; i < count; i++)
        over += draw() < share;
    return over;
}

/* Services whose true percentile is exactly the limit: an answer of either kind is wrong. */
START_TEST(wrong_answers_are_as_rare_as_promised)
{
    enum { SERVICES = 10000, REQUESTS = 1500 };
    unsigned answers[3] = {0};

    for (unsigned i = 0; i < SERVICES; i++)
        answers[limit_judge(count_over(REQUESTS, 0.01), REQUESTS, 0.99, 0.99).answer]++;
    ck_assert_uint_le(answers[LIMIT_KEPT], SERVICES / 100 + 30); /* and three deviations */
    ck_assert_uint_le(answers[LIMIT_BROKEN], SERVICES / 100 + 30);
    ck_assert_uint_gt(answers[LIMIT_KEPT], 0);
}
END_TEST

START_TEST(services_far_from_the_limit_get_an_answer)
{
    for (unsigned i = 0; i < 100; i++) {
        ck_assert_int_eq(limit_judge(count_over(3000, 0.001), 3000, 0.99, 0.99).answer, LIMIT_KEPT);
        ck_assert_int_eq(limit_judge(count_over(3000, 0.05), 3000, 0.99, 0.99).answer,
                         LIMIT_BROKEN);
    }
}
END_TEST

int check_requests(void)
{
    Suite *suite = suite_create("requests");
    TCase *tests = tcase_create("requests");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, requests_of_one_thread_in_turn_own_its_costs);
    tcase_add_test(tests, requests_that_share_a_thread_own_nothing);
    tcase_add_test(tests, what_another_thread_answers_owns_nothing);
    tcase_add_test(tests, what_has_no_answer_does_not_count);
    tcase_add_test(tests, requests_over_tls_are_counted);
    tcase_add_test(tests, waits_of_the_thread_belong_to_its_request);
    tcase_add_test(tests, marked_requests_count_only_without_connections);
    tcase_add_test(tests, a_latency_is_in_the_counter_of_its_step);
    tcase_add_test(tests, requests_without_a_record_count_by_their_sums);
    tcase_add_test(tests, a_window_has_only_its_records);
    tcase_add_test(tests, prompt_requests_are_a_closed_loop);
    tcase_add_test(tests, requests_with_pauses_are_no_closed_loop);
    tcase_add_test(tests, a_limit_is_judged_by_the_counts_of_early_stopping);
    tcase_add_test(tests, wrong_answers_are_as_rare_as_promised);
    tcase_add_test(tests, services_far_from_the_limit_get_an_answer);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
