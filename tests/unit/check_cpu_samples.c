/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of samples of processor time, from bytes to the session.
 */
#include <stdlib.h>
#include <unistd.h>

#include "model/cpu_samples.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_open.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "suite.h"
#include "trace_builder.h"

enum {
    START = 1000, /* tick at which the builder's recording starts */
    PERIOD = 4000000,
    PRICE = 1000, /* ticks of the one call of a kernel */
    THREAD = 1, /* cells of the lane */
    REGION = 2,
    SLOT = 3,
    MAIN = 5, /* calls of the lane; 4 is their root */
    WORK = 6
};

static void add_facts(struct trace_builder *builder)
{
    static const char catalog[] = "kernel dot\n  proto void (int n)\n  shape n\n";
    const struct trace_binding binding = {9, 0, 0x4100, 0x900};

    trace_builder_chunk(builder, TRACE_FACTS, 0, 0, 4096, START + 5);
    trace_builder_string(builder, 1, "model");
    trace_builder_fact(builder, TRACE_FACT_CATALOG, NULL, 0, catalog, sizeof catalog - 1);
    trace_builder_fact(builder, TRACE_FACT_BINDING, &binding, sizeof binding, "dot", 3);
}

static void add_tallies(struct trace_builder *builder)
{
    const struct trace_node thread = {.thread = 70,
                                      .cpu_ns = 40 * PERIOD,
                                      .first_ticks = START,
                                      .last_ticks = START + 60 * PERIOD};
    const struct trace_node region = {.parent = THREAD, .label = 1, .calls = 1, .ticks = 10000};
    const struct trace_slot slot = {
        .binding = 9, .node = REGION, .dims = 1, .calls = 1, .ticks = 1500, .shape = {2}};

    trace_builder_chunk(builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START + 10);
    trace_builder_node(builder, &thread);
    trace_builder_node(builder, &region);
    trace_builder_slot(builder, &slot);
}

static void add_chains(struct trace_builder *builder)
{
    const struct trace_call root = {.address = 1, .flags = TRACE_CHAIN_WHOLE};
    const struct trace_call outer = {.address = 0x5001, .parent = MAIN - 1};
    const struct trace_call inner = {
        .address = 0x6000, .parent = MAIN, .flags = TRACE_CALL_EXACT};

    trace_builder_chunk(builder, TRACE_STACKS, 1, 0, TRACE_STACK_CHUNK_SIZE, START + 15);
    trace_builder_stack(builder, &root);
    trace_builder_stack(builder, &outer);
    trace_builder_stack(builder, &inner);
}

/* And this many more in the shim's own code. */
static void add_samples(struct trace_builder *builder, unsigned own)
{
    static const struct trace_builder_sample of_shim = {0, THREAD, TRACE_SAMPLE_TPROF};
    static const struct trace_builder_sample samples[] = {
        {WORK, THREAD, 0}, {WORK, THREAD, 0},  {WORK, REGION, 0},
        {MAIN, SLOT, 0},   {0, THREAD, TRACE_SAMPLE_TPROF}, {999, 999, 0},
    };

    trace_builder_chunk(builder, TRACE_EVENTS, 1, 0, 16384, START + 20);
    for (unsigned i = 0; i < sizeof samples / sizeof *samples; i++)
        trace_builder_sample(builder, START + (i + 1) * PERIOD, i + 1, &samples[i]);
    for (unsigned i = 0; i < own; i++)
        trace_builder_sample(builder, START + 10 * PERIOD, 1, &of_shim);
}

static struct session open_with(unsigned own)
{
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic = {.text = ""};
    struct trace_builder builder;
    char path[BUILDER_PATH_SIZE];
    struct session session;

    trace_builder_init(&builder);
    trace_builder_header(&builder)->sampling_period_ns = PERIOD;
    trace_builder_header(&builder)->sampling_lost_periods = 3;
    trace_builder_header(&builder)->overhead.entry = PRICE * TRACE_OVERHEAD_SCALE;
    add_facts(&builder);
    add_tallies(&builder);
    add_chains(&builder);
    add_samples(&builder, own);
    trace_builder_write(&builder, builder.size, path);
    enum status status = session_open(&session, path, &options, &diagnostic);
    unlink(path);
    ck_assert_msg(!status, "%s", diagnostic.text);
    trace_builder_fini(&builder);
    return session;
}

static struct session open_sample(void)
{
    return open_with(0);
}

START_TEST(equal_samples_are_summed_up)
{
    struct session session = open_sample();
    const struct session_sample *sample = session_sample_at(&session, 0);

    ck_assert_uint_eq(session.samples.count, 5);
    ck_assert_uint_eq(sample->count, 2);
    ck_assert_uint_eq(sample->periods, 3);
    ck_assert_uint_eq(sample->slot, SESSION_NONE);
    ck_assert_uint_eq(session.sampling.count, 6);
    ck_assert_uint_eq(session.sampling.periods, 21);
    session_close(&session);
}
END_TEST

START_TEST(the_innermost_address_of_a_chain_is_no_return_address)
{
    struct session session = open_sample();
    const struct session_call *inner =
        session_call_at(&session, session_sample_at(&session, 0)->call);

    ck_assert_uint_eq(inner->address, 0x6000);
    ck_assert_uint_eq(session_call_at(&session, inner->parent)->address, 0x5000);
    session_close(&session);
}
END_TEST

START_TEST(a_sample_has_the_region_or_the_kernel_that_was_open)
{
    struct session session = open_sample();

    ck_assert_uint_eq(session_sample_at(&session, 0)->region, 0);
    ck_assert_uint_eq(session_sample_at(&session, 1)->region, 1);
    ck_assert_uint_eq(session_sample_at(&session, 2)->slot, 0);
    ck_assert_uint_eq(session_sample_at(&session, 2)->region, 1);
    session_close(&session);
}
END_TEST

/* One of the samples represents 5 periods. */
START_TEST(enough_samples_of_the_shim_tell_what_recording_took)
{
    struct session few = open_with(98), enough = open_with(99);

    ck_assert_uint_eq(few.overhead.total_ns, PRICE);
    ck_assert_uint_eq(enough.overhead.total_ns, (99 + 5) * (uint64_t)PERIOD);
    session_close(&few);
    session_close(&enough);
}
END_TEST

START_TEST(a_sample_that_refers_to_nothing_keeps_its_time)
{
    struct session session = open_sample();
    const struct session_sample *lost = session_sample_at(&session, 4);

    ck_assert_uint_eq(lost->slot, SESSION_NONE);
    ck_assert_uint_eq(lost->periods, 6);
    ck_assert_uint_eq(session_call_at(&session, lost->call)->kind, SESSION_CALL_LOST);
    session_close(&session);
}
END_TEST

START_TEST(samples_without_a_chain_have_call_0)
{
    struct session session = open_sample();

    ck_assert_uint_eq(session_sample_at(&session, 3)->call, 0);
    ck_assert_uint_eq(session_sample_at(&session, 3)->flags, TRACE_SAMPLE_TPROF);
    session_close(&session);
}
END_TEST

START_TEST(the_header_says_how_it_was_sampled)
{
    struct session session = open_sample();

    ck_assert_uint_eq(session.sampling.period_ns, PERIOD);
    ck_assert_uint_eq(session.sampling.lost_periods, 3);
    ck_assert_ptr_null(session.sampling.off);
    ck_assert_uint_eq(session.ticks.count, 6);
    session_close(&session);
}
END_TEST

/* Whole stretches are dropped, so the remaining samples have their neighbours. */
START_TEST(samples_one_by_one_are_bounded)
{
    struct session session = {0};
    struct cpu_samples samples;
    struct session_sample sample = {.slot = SESSION_NONE, .count = 1, .periods = 1};

    array_init(&session.samples, sizeof(struct session_sample));
    array_init(&session.ticks, sizeof(struct session_tick));
    session.sampling.ticks_of = 1;
    cpu_samples_init(&samples, &session);
    for (uint64_t i = 0; i < UINT64_C(3) * SESSION_TICKS_MAX; i++)
        cpu_samples_take(&samples, &sample, i);
    ck_assert_uint_eq(session.sampling.ticks_of, 4);
    ck_assert_uint_le(session.ticks.count, SESSION_TICKS_MAX);
    const struct session_tick *last = array_at(&session.ticks, session.ticks.count - 1);
    ck_assert_uint_eq(last->time_ns % SESSION_TICKS_STRETCH, SESSION_TICKS_STRETCH - 1);
    ck_assert_uint_eq(last->time_ns / SESSION_TICKS_STRETCH % 4, 0);
    ck_assert_uint_eq(session_sample_at(&session, 0)->count, UINT64_C(3) * SESSION_TICKS_MAX);
    cpu_samples_fini(&samples);
    array_fini(&session.samples);
    array_fini(&session.ticks);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("cpu_samples");
    TCase *tests = tcase_create("model");

    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, equal_samples_are_summed_up);
    tcase_add_test(tests, the_innermost_address_of_a_chain_is_no_return_address);
    tcase_add_test(tests, a_sample_has_the_region_or_the_kernel_that_was_open);
    tcase_add_test(tests, enough_samples_of_the_shim_tell_what_recording_took);
    tcase_add_test(tests, a_sample_that_refers_to_nothing_keeps_its_time);
    tcase_add_test(tests, samples_without_a_chain_have_call_0);
    tcase_add_test(tests, the_header_says_how_it_was_sampled);
    tcase_add_test(tests, samples_one_by_one_are_bounded);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_cpu_samples(void)
{
    return suite_run(make_suite());
}
