/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors that grow with each call of a module: caches of a sequence, and others.
 */
#include "model/op_growth.h"

#include <string.h>

#include "made_session.h"
#include "model/events_parts.h"
#include "model/session.h"
#include "model/session_growth.h"
#include "model/session_ops.h"
#include "suite.h"

enum { BYTES = 1024, CALLS = 20, TICKS = 100 };

static struct session session;
static struct events events;
static const struct clock clock_of_ns = {.ns_per_tick = 1};
static uint32_t layer, op;
static uint64_t now, live;

static void set_up(void)
{
    made_init(&session);
    layer = made_add_layer(&session, 0, "Decoder");
    op = made_add_op(&session, 0, "aten::cat");
    ((struct session_op *)array_at(&session.ops, op))->layer = layer;
    memset(&events, 0, sizeof events);
    events.session = &session;
    events.from.clock = &clock_of_ns;
    beats_init(&events.beats, &session);
    op_growth_init(&events.growth, &events);
    now = live = 0;
}

static void tear_down(void)
{
    op_growth_fini(&events.growth);
    beats_fini(&events.beats);
    made_fini(&session);
}

static void call(void)
{
    op_growth_step(&events, layer, now);
    now += TICKS;
}

static void obtain(uint64_t bytes)
{
    op_growth_add(&events, op, bytes);
    live += bytes;
}

static void give_back(uint64_t bytes)
{
    op_growth_drop(&events, op, bytes, now);
    live -= bytes;
}

/* torch.cat makes a longer block from the existing one. */
static void grow(uint64_t bytes)
{
    uint64_t before = live;

    obtain(before + bytes);
    if (before > 0)
        give_back(before);
}

static void run_sequence(unsigned calls, uint64_t bytes)
{
    for (unsigned i = 0; i < calls; i++) {
        grow(bytes);
        call();
    }
}

static const struct session_growth *growth_at(size_t index)
{
    ck_assert_uint_lt(index, session.growths.count);
    return array_at(&session.growths, index);
}

START_TEST(a_cache_that_grows_with_each_call_is_found_once_it_is_given_back)
{
    call();
    run_sequence(CALLS, BYTES);
    ck_assert_uint_eq(session.growths.count, 0);
    give_back(live);
    ck_assert_uint_eq(session.growths.count, 1);
    ck_assert_uint_eq(growth_at(0)->step_bytes, BYTES);
    ck_assert_uint_ge(growth_at(0)->steps, CALLS - 2);
    ck_assert_uint_eq(growth_at(0)->sequences, 1);
    ck_assert_uint_eq(growth_at(0)->op, op);
    ck_assert_uint_eq(growth_at(0)->freed_ns, now);
}
END_TEST

START_TEST(sequences_of_one_growth_are_counted_and_the_longest_told)
{
    for (unsigned i = 0; i < 3; i++) {
        call();
        run_sequence(i == 1 ? 2 * CALLS : CALLS, BYTES);
        give_back(live);
    }
    ck_assert_uint_eq(session.growths.count, 1);
    ck_assert_uint_eq(growth_at(0)->sequences, 3);
    ck_assert_uint_ge(growth_at(0)->steps, 2 * CALLS - 2);
    ck_assert_uint_lt(growth_at(0)->from_ns, growth_at(0)->freed_ns + 2 * CALLS * TICKS);
}
END_TEST

START_TEST(sequences_of_another_growth_are_others)
{
    call();
    run_sequence(CALLS, BYTES);
    give_back(live);
    call();
    run_sequence(CALLS, 4 * BYTES);
    give_back(live);
    ck_assert_uint_eq(session.growths.count, 2);
    ck_assert_uint_eq(growth_at(1)->step_bytes, 4 * BYTES);
}
END_TEST

START_TEST(growth_that_differs_by_an_alignment_is_one)
{
    call();
    for (unsigned i = 0; i < CALLS; i++) {
        grow(BYTES + (i % 2) * 64);
        call();
    }
    give_back(live);
    ck_assert_uint_eq(session.growths.count, 1);
}
END_TEST

START_TEST(few_calls_tell_no_growth)
{
    call();
    run_sequence(12, BYTES);
    give_back(live);
    ck_assert_uint_eq(session.growths.count, 0);
}
END_TEST

/* A list of results has more blocks after each call. */
START_TEST(blocks_that_become_more_are_no_cache)
{
    call();
    for (unsigned i = 0; i < CALLS; i++) {
        obtain(BYTES);
        call();
    }
    for (unsigned i = 0; i < CALLS; i++)
        give_back(BYTES);
    ck_assert_uint_eq(session.growths.count, 0);
}
END_TEST

START_TEST(what_stays_is_no_cache)
{
    call();
    run_sequence(CALLS, BYTES);
    obtain(live / 2);
    give_back(live * 2 / 3); /* the longer one; half of it stays */
    ck_assert_uint_eq(session.growths.count, 0);
}
END_TEST

START_TEST(a_call_without_growth_ends_a_run)
{
    call();
    run_sequence(10, BYTES);
    call();
    run_sequence(10, BYTES);
    give_back(live);
    ck_assert_uint_eq(session.growths.count, 0);
}
END_TEST

int check_op_growth(void)
{
    Suite *suite = suite_create("op_growth");
    TCase *tests = tcase_create("op_growth");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_cache_that_grows_with_each_call_is_found_once_it_is_given_back);
    tcase_add_test(tests, sequences_of_one_growth_are_counted_and_the_longest_told);
    tcase_add_test(tests, sequences_of_another_growth_are_others);
    tcase_add_test(tests, growth_that_differs_by_an_alignment_is_one);
    tcase_add_test(tests, few_calls_tell_no_growth);
    tcase_add_test(tests, blocks_that_become_more_are_no_cache);
    tcase_add_test(tests, what_stays_is_no_cache);
    tcase_add_test(tests, a_call_without_growth_ends_a_run);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
