/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of alerts: limits that raise and clear them, measures between readings, and the end of a
 * growth.
 */
#include "alerts/alert_find.h"

#include <math.h>
#include <string.h>

#include "made_session.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "suite.h"

enum { MIB = 1 << 20, PERIODS = 10 };

static const uint64_t second = 1000000000;

static struct session session;
static struct alerts alerts;

static void setup(void)
{
    made_init(&session);
    array_init(&session.surroundings, sizeof(struct session_surroundings));
    array_init(&session.devices.numbers, sizeof(struct session_device_number));
    text_list_init(&session.process.unread);
    session.process.cpu_count = 2;
    session.process.memory_limit_bytes = SESSION_UNKNOWN;
    session.process.memory_total_bytes = SESSION_UNKNOWN;
    session.process.wall_ns = 60 * second;
}

static void teardown(void)
{
    array_fini(&session.surroundings);
    array_fini(&session.devices.numbers);
    text_list_fini(&session.process.unread);
    made_fini(&session);
}

/* A reading at a second: processor time in ms, and resident memory. */
static struct session_reading *read_at(uint64_t at_s, uint64_t cpu_ms, uint64_t resident)
{
    struct session_reading *reading = made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 0);

    memset(&reading->values, 0xff, sizeof reading->values);
    reading->time_ns = at_s * second;
    reading->values.user_ns = cpu_ms * 1000000;
    reading->values.system_ns = 0;
    reading->values.rss_bytes = resident;
    return reading;
}

/* Surroundings behind the reading of a second; others are unknown. */
static struct trace_surroundings *surround(uint64_t at_s)
{
    struct session_surroundings *around = array_add(&session.surroundings);

    around->time_ns = at_s * second + 1000;
    memset(&around->values, 0xff, sizeof around->values);
    return &around->values;
}

static size_t count(enum alert_id id)
{
    size_t found = 0;

    for (size_t i = 0; i < alerts.rows.count; i++)
        found += ((const struct alert *)array_at(&alerts.rows, i))->id == id;
    return found;
}

static const struct alert *find(enum alert_id id)
{
    for (size_t i = 0; i < alerts.rows.count; i++)
        if (((const struct alert *)array_at(&alerts.rows, i))->id == id)
            return array_at(&alerts.rows, i);
    ck_abort_msg("the alert was not raised");
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------------- */

static bool feed(struct alert_state *state, uint64_t at_s, double value, struct array *over)
{
    const struct alert_point point = {.value = value,
                                      .low = (double)NAN,
                                      .high = (double)NAN,
                                      .from_ns = (at_s - 1) * second,
                                      .to_ns = at_s * second};

    return alert_state_feed(state, ALERT_CPU_90, &point, over);
}

START_TEST(an_alert_is_raised_after_its_time_and_ends_below_its_second_limit)
{
    struct alert_state state = {0};
    struct array over;

    array_init(&over, sizeof(struct alert));
    for (uint64_t s = 1; s < 5; s++)
        ck_assert(!feed(&state, s, 0.95, &over));
    ck_assert(feed(&state, 5, 0.99, &over));
    ck_assert(feed(&state, 6, 0.85, &over)); /* between the limits it goes on */
    ck_assert(feed(&state, 7, (double)NAN, &over));
    ck_assert(!feed(&state, 8, 0.79, &over));
    ck_assert_uint_eq(over.count, 1);
    const struct alert *alert = over.items;
    ck_assert_uint_eq(alert->from_ns, 0);
    ck_assert_uint_eq(alert->to_ns, 6 * second);
    ck_assert(alert->is_over);
    ck_assert_double_eq(alert->worst, 0.99);
}
END_TEST

START_TEST(a_measure_that_falls_back_before_its_time_raises_nothing)
{
    struct alert_state state = {0};

    for (uint64_t s = 1; s < 20; s++)
        ck_assert(!feed(&state, s, s % 4 != 0 ? 0.95 : 0.85, NULL));
}
END_TEST

/* ---- readings -------------------------------------------------------------------------- */

START_TEST(a_quiet_program_raises_nothing)
{
    for (uint64_t s = 0; s <= 60; s++) {
        struct session_reading *reading = read_at(s, 20 * s, 100 * MIB);
        struct trace_surroundings *around = surround(s);

        reading->values.io_pressure_ns = s * second / 100;
        around->periods = PERIODS * s;
        around->throttled_periods = s / 10;
        around->memory_limit_bytes = 1024 * (uint64_t)MIB;
        around->memory_bytes = (600 + s % 3) * (uint64_t)MIB;
        around->file_bytes = 0;
        around->refaults = 10 * s;
        around->listen_overflows = 5;
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(alerts.rows.count, 0);
    ck_assert(alerts.summaries[ALERT_MEASURE_THROTTLED].is_read);
    ck_assert(!alerts.summaries[ALERT_MEASURE_GPU].is_read);
}
END_TEST

START_TEST(full_processors_are_those_that_the_process_may_use)
{
    for (uint64_t s = 0; s <= 20; s++)
        read_at(s, 1960 * s, 100 * MIB);
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(count(ALERT_CPU_90), 1);
    ck_assert_uint_eq(count(ALERT_CPU_95), 1);
    ck_assert_double_eq_tol(find(ALERT_CPU_90)->worst, 0.98, 1e-9);
    ck_assert(!find(ALERT_CPU_90)->is_over);
}
END_TEST

START_TEST(a_quota_that_stops_the_group_is_told_with_its_time)
{
    for (uint64_t s = 0; s <= 20; s++) {
        struct trace_surroundings *around;

        read_at(s, 500 * s, 100 * MIB);
        around = surround(s);
        around->quota_ppm = 500000;
        around->periods = PERIODS * s;
        around->throttled_periods = s < 5 ? 0 : s < 10 ? 8 * (s - 4) : 48;
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(count(ALERT_THROTTLED), 1);
    ck_assert_double_eq_tol(find(ALERT_THROTTLED)->worst, 0.8, 1e-9);
    ck_assert_uint_eq(find(ALERT_THROTTLED)->from_ns / second, 4);
    ck_assert(find(ALERT_THROTTLED)->is_over);
    ck_assert_int_eq(alert_samples_judge(&alerts.samples, ALERT_MEASURE_THROTTLED,
                                         find(ALERT_THROTTLED)->worst_sample),
                     ALERT_CAUSE_PROGRAM);
    ck_assert_double_eq(alert_samples_allowed(&alerts.samples, 6), 0.5);
}
END_TEST

START_TEST(a_growth_to_the_limit_is_told_before_with_its_interval)
{
    for (uint64_t s = 0; s <= 30; s++) {
        struct trace_surroundings *around;

        read_at(s, 0, (500 + 10 * s) * MIB);
        around = surround(s);
        around->memory_limit_bytes = 1000 * (uint64_t)MIB;
        around->memory_bytes = (520 + 10 * s + s % 2) * MIB;
        around->file_bytes = 0;
    }
    alerts_find(&alerts, &session);
    const struct alert *alert = find(ALERT_OOM_SOON);
    ck_assert_double_le(alert->low, alert->worst);
    ck_assert_double_le(alert->worst, alert->high);
    /* 1000 - 820 MiB at 10 MiB a second. */
    ck_assert_double_eq_tol(alert->worst / 1e9, 18, 0.5);
    ck_assert_uint_eq(count(ALERT_RAM_85), 0);
}
END_TEST

START_TEST(a_growth_that_has_stopped_ends_the_alert)
{
    for (uint64_t s = 0; s <= 150; s++) {
        struct trace_surroundings *around;
        uint64_t used = s < 30 ? 520 + 10 * s : 820;

        read_at(s, 0, used * MIB);
        around = surround(s);
        around->memory_limit_bytes = 1000 * (uint64_t)MIB;
        around->memory_bytes = used * MIB;
        around->file_bytes = 0;
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(count(ALERT_OOM_SOON), 1);
    ck_assert(find(ALERT_OOM_SOON)->is_over);
}
END_TEST

START_TEST(cached_files_are_no_memory_in_use)
{
    for (uint64_t s = 0; s <= 10; s++) {
        struct trace_surroundings *around;

        read_at(s, 0, 100 * MIB);
        around = surround(s);
        around->memory_limit_bytes = 1000 * (uint64_t)MIB;
        around->memory_bytes = 990 * (uint64_t)MIB;
        around->file_bytes = 700 * (uint64_t)MIB;
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(alerts.rows.count, 0);
    ck_assert_double_eq_tol(alerts.summaries[ALERT_MEASURE_MEMORY].highest, 0.29, 1e-9);
}
END_TEST

START_TEST(each_event_of_a_group_or_queue_is_an_alert)
{
    for (uint64_t s = 0; s <= 10; s++) {
        struct trace_surroundings *around;

        read_at(s, 0, 100 * MIB);
        around = surround(s);
        around->listen_overflows = s < 5 ? 7 : 9;
        around->oom_kills = s < 8 ? 0 : 1;
        around->refaults = s < 3 ? 0 : 2000 * (s - 2);
        around->sent_segments = 1000 * s;
        around->retransmits = 100 * s;
    }
    alerts_find(&alerts, &session);
    ck_assert_double_eq(find(ALERT_ACCEPT_FULL)->worst, 2);
    ck_assert_uint_eq(count(ALERT_OOM_KILL), 1);
    ck_assert_double_eq_tol(find(ALERT_REFAULT)->worst, 2000, 1);
    ck_assert_double_eq_tol(find(ALERT_RETRANS)->worst, 0.1, 1e-9);
}
END_TEST

/* ---- reasons --------------------------------------------------------------------------- */

START_TEST(an_unknown_measure_has_its_reason)
{
    struct text reason;

    for (uint64_t s = 0; s <= 3; s++) {
        read_at(s, 0, 100 * MIB);
        surround(s);
    }
    text_list_add(&session.process.unread, "listening 13 /proc/self/net/netstat");
    alerts_find(&alerts, &session);
    text_init(&reason);
    alerts_append_reason(&reason, &alerts, &session, ALERT_MEASURE_OVERFLOWS);
    ck_assert_str_eq(reason.bytes, "/proc/self/net/netstat: Permission denied");
    text_clear(&reason);
    alerts_append_reason(&reason, &alerts, &session, ALERT_MEASURE_THROTTLED);
    ck_assert_str_eq(reason.bytes, "the control group has no quota");
    text_clear(&reason);
    alerts_append_reason(&reason, &alerts, &session, ALERT_MEASURE_RESIDENT);
    ck_assert_str_eq(reason.bytes, "");
}
END_TEST

/* What the driver of a device says, behind the reading of a second. */
static void read_device(uint64_t at_s, uint32_t device, enum trace_device_number number,
                        uint64_t value, uint64_t most)
{
    struct session_device_number *reading = array_add(&session.devices.numbers);

    *reading = (struct session_device_number){at_s * second + 1000, device, number, value, most};
}

START_TEST(the_device_that_is_worst_off_raises_an_alert)
{
    for (uint64_t s = 0; s <= 30; s++) {
        read_at(s, 0, 100 * MIB);
        for (uint32_t device = 0; device < 2; device++) {
            read_device(s, device, TRACE_DEVICE_UTILISATION, device == 1 && s < 15 ? 40 : 95, 100);
            read_device(s, device, TRACE_DEVICE_MEMORY_USED, device == 0 ? 95 : 50, 100);
            read_device(s, device, TRACE_DEVICE_TEMPERATURE, s < 20 ? 60 : 89, 90);
            read_device(s, device, TRACE_DEVICE_THROTTLE, s < 10 ? 0x1 : 0x40, 0);
        }
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(alerts.rows.count, 4);
    ck_assert_double_eq_tol(find(ALERT_GPU_70)->worst, 0.4, 1e-9);
    ck_assert_uint_eq(find(ALERT_GPU_70)->to_ns, 14 * second);
    ck_assert(find(ALERT_GPU_70)->is_over);
    ck_assert_double_eq_tol(find(ALERT_GPUMEM_90)->worst, 0.95, 1e-9);
    ck_assert_uint_eq(find(ALERT_HOT_GPU)->from_ns, 19 * second);
    ck_assert_uint_eq(find(ALERT_SLOW_GPU)->from_ns, 9 * second);
}
END_TEST

START_TEST(a_device_within_its_limits_raises_nothing)
{
    for (uint64_t s = 0; s <= 30; s++) {
        read_at(s, 0, 100 * MIB);
        read_device(s, 0, TRACE_DEVICE_UTILISATION, s % 9 == 0 ? 60 : 90, 100);
        read_device(s, 0, TRACE_DEVICE_MEMORY_USED, 88, 100);
        read_device(s, 0, TRACE_DEVICE_TEMPERATURE, 80, 90);
        read_device(s, 0, TRACE_DEVICE_THROTTLE, 0x1, 0);
    }
    alerts_find(&alerts, &session);
    ck_assert_uint_eq(alerts.rows.count, 0);
    ck_assert_double_eq_tol(alerts.summaries[ALERT_MEASURE_GPU].lowest, 0.6, 1e-9);
}
END_TEST

int check_alerts(void)
{
    Suite *suite = suite_create("alerts");
    TCase *tests = tcase_create("alerts");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, an_alert_is_raised_after_its_time_and_ends_below_its_second_limit);
    tcase_add_test(tests, a_measure_that_falls_back_before_its_time_raises_nothing);
    tcase_add_test(tests, a_quiet_program_raises_nothing);
    tcase_add_test(tests, full_processors_are_those_that_the_process_may_use);
    tcase_add_test(tests, a_quota_that_stops_the_group_is_told_with_its_time);
    tcase_add_test(tests, a_growth_to_the_limit_is_told_before_with_its_interval);
    tcase_add_test(tests, a_growth_that_has_stopped_ends_the_alert);
    tcase_add_test(tests, cached_files_are_no_memory_in_use);
    tcase_add_test(tests, each_event_of_a_group_or_queue_is_an_alert);
    tcase_add_test(tests, an_unknown_measure_has_its_reason);
    tcase_add_test(tests, the_device_that_is_worst_off_raises_an_alert);
    tcase_add_test(tests, a_device_within_its_limits_raises_nothing);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
