/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counting a program from outside, with a synthetic system: the requested events, their sums, the
 * reasons for missing ones, and their storage in a trace.
 */
#include "launch/counters.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "machine/meters.h"
#include "model/session.h"
#include "model/session_open.h"
#include "model/session_process.h"
#include "reader/append.h"
#include "screen/counter_rows.h"
#include "suite.h"
#include "trace_builder.h"

enum { FIRST_FP = 0x01c7, LAST_FP = 0x80c7, ZEN_FP = 0x0f03, PROCESS = 4711 };

/* The result of read() for an event. */
struct sum {
    uint64_t value;
    uint64_t enabled_ns;
    uint64_t running_ns;
};

/* The answers of the simulated system. */
static struct sum answer;
static int refusal;              /* errno for every event, or 0 */
static uint64_t refused_config;  /* only this raw event is refused */
static unsigned raw_events;      /* number requested */
static bool all_are_disciplined; /* they start with exec and are inherited */

static struct counters counters;
static struct text facts;

static int open_made_up(struct perf_event_attr *attributes, pid_t process)
{
    int ends[2];

    ck_assert_int_eq(process, PROCESS);
    all_are_disciplined &=
        attributes->disabled && attributes->inherit && attributes->enable_on_exec;
    all_are_disciplined &= attributes->type == PERF_TYPE_SOFTWARE || attributes->exclude_kernel;
    raw_events += attributes->type == PERF_TYPE_RAW;
    if (refusal != 0 || (attributes->type == PERF_TYPE_RAW && attributes->config == refused_config))
        return refusal ? -refusal : -ENOENT;
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(write(ends[1], &answer, sizeof answer), (ssize_t)sizeof answer);
    close(ends[1]);
    return ends[0];
}

static void setup(void)
{
    answer = (struct sum){1000, 50, 50};
    refusal = 0;
    refused_config = UINT64_MAX;
    raw_events = 0;
    all_are_disciplined = true;
    text_init(&facts);
}

static void teardown(void)
{
    text_fini(&facts);
}

static void count(bool is_intel, bool is_zen)
{
    const struct counters_system system = {open_made_up, 2, is_intel, is_zen};

    counters_open(&counters, PROCESS, &system);
    counters_read(&counters);
}

/* The counter as a session has it, through a trace. */
static struct session_counter read_back(enum trace_counter_id counter, const char *reason)
{
    char path[BUILDER_PATH_SIZE];
    struct session_options options = session_defaults();
    struct trace_builder builder;
    struct diagnostic diagnostic;
    struct session session;
    struct session_counter found;

    counters_append(&counters, &facts);
    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, 4096, 1000);
    trace_builder_property(&builder, "host", "node1");
    trace_builder_header(&builder)->size = builder.size;
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(append_facts(path, facts.bytes, facts.size, &diagnostic), STATUS_OK);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(session.losses.torn_chunks, 0);
    ck_assert_uint_eq(session.losses.bad_records, 0);
    ck_assert_str_eq(session.process.host, "node1");
    found = session.counters[counter];
    if (reason)
        ck_assert_str_eq(found.reason, reason);
    session_close(&session);
    trace_builder_fini(&builder);
    unlink(path);
    return found;
}

START_TEST(counting_starts_with_exec_and_is_inherited)
{
    count(true, false);
    ck_assert(all_are_disciplined);
}
END_TEST

START_TEST(a_counter_comes_back_out_of_the_trace)
{
    struct session_counter found;

    count(false, false);
    found = read_back(TRACE_COUNTER_INSTRUCTIONS, NULL);
    ck_assert(found.is_known);
    ck_assert_double_eq_tol(found.value, 1000, 1e-9);
    ck_assert_double_eq_tol(found.running_fraction, 1, 1e-9);
}
END_TEST

START_TEST(a_counter_that_ran_half_of_the_time_is_scaled)
{
    struct session_counter found;

    answer = (struct sum){1000, 50, 25};
    count(false, false);
    found = read_back(TRACE_COUNTER_CYCLES, NULL);
    ck_assert_double_eq_tol(found.value, 2000, 1e-9);
    ck_assert_double_eq_tol(found.running_fraction, 0.5, 1e-9);
}
END_TEST

START_TEST(a_counter_that_never_ran_is_unknown)
{
    answer = (struct sum){0, 50, 0};
    count(false, false);
    ck_assert(!read_back(TRACE_COUNTER_CYCLES, "the processor has too few counters for all events")
                   .is_known);
}
END_TEST

/* 1 + 1 + 2 + 4 + 4 + 8 + 8 + 16 operations. */
START_TEST(intel_counts_instructions_by_width)
{
    count(true, false);
    ck_assert_uint_eq(raw_events, 8);
    ck_assert_double_eq_tol(read_back(TRACE_COUNTER_FP_OPERATIONS, NULL).value, 44000, 1e-9);
}
END_TEST

START_TEST(zen_counts_operations)
{
    count(false, true);
    ck_assert_uint_eq(raw_events, 1);
    ck_assert_double_eq_tol(read_back(TRACE_COUNTER_FP_OPERATIONS, NULL).value, 1000, 1e-9);
}
END_TEST

START_TEST(another_processor_has_no_event_for_it)
{
    count(false, false);
    ck_assert_uint_eq(raw_events, 0);
    ck_assert(!read_back(TRACE_COUNTER_FP_OPERATIONS, "no event of this processor is known for it")
                   .is_known);
}
END_TEST

START_TEST(a_sum_that_lacks_one_event_is_unknown)
{
    refused_config = FIRST_FP;
    count(true, false);
    ck_assert(!read_back(TRACE_COUNTER_FP_OPERATIONS, NULL).is_known);
    teardown();
    setup();
    refused_config = LAST_FP;
    count(true, false);
    ck_assert(!read_back(TRACE_COUNTER_FP_OPERATIONS, NULL).is_known);
}
END_TEST

static const struct {
    int error;
    const char *reason;
} refusals[] = {
    {ENOENT, "perf_event_open: not supported by this processor or virtual machine"},
    {EOPNOTSUPP, "perf_event_open: not supported by this processor or virtual machine"},
    {EACCES, "perf_event_open: not permitted, perf_event_paranoid is 2"},
    {EPERM, "perf_event_open: not permitted, perf_event_paranoid is 2"},
    {ENOSYS, "this system has no perf_event_open"},
    {EMFILE, "perf_event_open: Too many open files"},
};

START_TEST(a_refusal_has_its_reason)
{
    refusal = refusals[_i].error;
    count(true, false);
    for (int i = 0; i < TRACE_COUNTER_PACKAGE_ENERGY; i++)
        ck_assert_str_eq(counters.reasons[i], refusals[_i].reason);
    ck_assert(!read_back(TRACE_COUNTER_CYCLES, refusals[_i].reason).is_known);
}
END_TEST

START_TEST(meters_of_the_machine_stand_among_the_counters)
{
    const struct meter_value values[METERS] = {
        [METER_PACKAGES] = {true, 5000000, ""},
        [METER_DRAM] = {false, 0, "no meter"},
        [METER_THROTTLES] = {true, 0, ""},
    };
    struct session_counter found;

    count(false, false);
    counters_take_meters(&counters, values, 1000);
    found = read_back(TRACE_COUNTER_PACKAGE_ENERGY, NULL);
    ck_assert(found.is_known);
    ck_assert_double_eq_tol(found.value, 5e6, 1e-9);
    ck_assert_double_eq_tol(found.running_fraction, 1, 1e-9);
    ck_assert_str_eq(counters.reasons[TRACE_COUNTER_DRAM_ENERGY], "no meter");
    ck_assert_str_eq(counters.reasons[TRACE_COUNTER_THROTTLES], "");
}
END_TEST

START_TEST(one_of_a_thing_has_its_own_word)
{
    struct session session = {0};
    struct text line;

    for (int i = 0; i < TRACE_COUNTERS; i++)
        session.counters[i] = (struct session_counter){.reason = "not asked for"};
    session.counters[TRACE_COUNTER_CONTEXT_SWITCHES] =
        (struct session_counter){.is_known = true, .value = 2, .running_fraction = 1};
    session.counters[TRACE_COUNTER_MIGRATIONS] =
        (struct session_counter){.is_known = true, .value = 1, .running_fraction = 1};
    text_init(&line);
    counter_rows_append(&line, &session);
    ck_assert_str_eq(line.bytes,
                     "2 context switches, 1 migration; 16 of 18 unknown: not asked for");
    text_fini(&line);
}
END_TEST

START_TEST(what_was_not_asked_for_says_so)
{
    counters_refuse(&counters, "not asked for");
    counters_read(&counters);
    ck_assert(!read_back(TRACE_COUNTER_PAGE_FAULTS, "not asked for").is_known);
}
END_TEST

START_TEST(a_damaged_counter_is_skipped)
{
    struct trace_counter damaged = {.counter = TRACE_COUNTERS, .enabled_ns = 1, .running_ns = 2};
    char path[BUILDER_PATH_SIZE];
    struct session_options options = session_defaults();
    struct trace_builder builder;
    struct diagnostic diagnostic;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, 4096, 1000);
    trace_builder_fact(&builder, TRACE_FACT_COUNTER, &damaged, sizeof damaged, "", 0);
    damaged.counter = TRACE_COUNTER_CYCLES;
    trace_builder_fact(&builder, TRACE_FACT_COUNTER, &damaged, sizeof damaged, "", 0);
    trace_builder_fact(&builder, TRACE_FACT_COUNTER, &damaged, 8, "", 0);
    trace_builder_header(&builder)->size = builder.size;
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert(!session.counters[TRACE_COUNTER_CYCLES].is_known);
    ck_assert_uint_eq(session.losses.bad_records, 3);
    session_close(&session);
    trace_builder_fini(&builder);
    unlink(path);
}
END_TEST

int check_counters(void)
{
    Suite *suite = suite_create("counters");
    TCase *tests = tcase_create("counters");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, counting_starts_with_exec_and_is_inherited);
    tcase_add_test(tests, a_counter_comes_back_out_of_the_trace);
    tcase_add_test(tests, a_counter_that_ran_half_of_the_time_is_scaled);
    tcase_add_test(tests, a_counter_that_never_ran_is_unknown);
    tcase_add_test(tests, intel_counts_instructions_by_width);
    tcase_add_test(tests, zen_counts_operations);
    tcase_add_test(tests, another_processor_has_no_event_for_it);
    tcase_add_test(tests, a_sum_that_lacks_one_event_is_unknown);
    tcase_add_loop_test(tests, a_refusal_has_its_reason, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(tests, meters_of_the_machine_stand_among_the_counters);
    tcase_add_test(tests, one_of_a_thing_has_its_own_word);
    tcase_add_test(tests, what_was_not_asked_for_says_so);
    tcase_add_test(tests, a_damaged_counter_is_skipped);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
