/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time of regions as an estimate: calls with known processor time are read like in
 * the shim, with fixed seeds, and intervals must contain the truth.
 */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "model/region_cpu.h"
#include "model/session_threads.h"
#include "platform/draw.h"
#include "statistics/partial.h"
#include "suite.h"

enum { RUNS = 200, COVERED = 184 /* of 200 at 95 %: fewer are seen in one of 40 */ };

static const double reading_ns = 345, old_ns = 100e3;

/* ---- regions ----------------------------------------------------------------------- */

struct call {
    double wall_ns, cpu_ns;
};

static uint64_t state;

/* From 0 to below 1. */
static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static struct call computing(double us)
{
    double ns = 1000 * us * (0.95 + 0.1 * uniform());

    return (struct call){ns, ns};
}

static struct call sleeping(double us, double off_us)
{
    struct call call = computing(us);

    call.wall_ns += 1000 * off_us * (0.8 + 0.4 * uniform());
    return call;
}

static struct call make_short(double part)
{
    (void)part;
    return computing(10);
}

static struct call make_tiny(double part)
{
    (void)part;
    return computing(1.75);
}

static struct call make_asleep(double part)
{
    (void)part;
    return sleeping(32, 80);
}

static struct call make_sometimes(double part)
{
    (void)part;
    return uniform() < 0.125 ? sleeping(15, 70) : computing(15);
}

/* Others have its processor now and then. */
static struct call make_put_aside(double part)
{
    (void)part;
    return uniform() < 0.005 ? sleeping(20, 4000) : computing(20);
}

/* First it computes, then it mostly sleeps. */
static struct call make_drifting(double part)
{
    return uniform() < part ? sleeping(5, 60) : computing(40);
}

/* Lengths of four orders of magnitude, off the processor for half of them. */
static struct call make_tailed(double part)
{
    double us = exp(7 * uniform());

    (void)part;
    return uniform() < 0.5 ? sleeping(us / 2, us / 2) : computing(us);
}

static const struct kind {
    const char *name;
    struct call (*make)(double part);
    uint64_t calls;
    double within; /* most that half of an interval is, of the sum, in the median run; 0: any */
} kinds[] = {
    {"short", make_short, 1000, 0.1},
    {"tiny", make_tiny, 1000, 0.1},
    {"asleep", make_asleep, 1000, 0.1},
    {"sometimes", make_sometimes, 1000, 0.15},
    {"put aside", make_put_aside, 1000, 0.1},
    {"drifting", make_drifting, 1000, 0},
    {"tailed", make_tailed, 1000, 0},
    {"few", make_tailed, 100, 0},
    {"short, 1 s", make_short, 100000, 0.1},
    {"tiny, 1 s", make_tiny, 570000, 0.1},
    {"sometimes, 1 s", make_sometimes, 40000, 0.1},
    {"drifting, 1 s", make_drifting, 20000, 0.1},
    {"tailed, 1 s", make_tailed, 7000, 0.1},
};

/* ---- reading as the shim does ------------------------------------------------------ */

struct run {
    struct partial_all all;
    struct array readings;
    double truth_ns, now_ns, last_ns; /* of the last reading */
    double all_ns;                    /* of the calls that ended */
    double cpu_since_ns;              /* since the last reading */
    uint64_t calls, next;
};

static void add_clock(struct run *run, const struct session_clock *clock, double wall_ns)
{
    struct partial_reading *reading = array_add(&run->readings);

    ck_assert_ptr_nonnull(reading);
    *reading = region_cpu_read(clock, wall_ns, reading_ns);
}

static void take_call(struct run *run, struct call call, uint64_t *draws)
{
    bool is_old = run->now_ns - run->last_ns >= old_ns, is_drawn = run->calls >= run->next;
    struct session_clock clock = {.before_ns = run->now_ns - run->last_ns};
    double noise_ns = 200 * uniform();

    clock.passed_ns = run->cpu_since_ns + call.cpu_ns + reading_ns + noise_ns;
    if (is_drawn) {
        uint64_t mean = run->calls == 0
                            ? 1
                            : draw_of(run->calls, (uint64_t)run->all_ns, (uint64_t)reading_ns);

        clock.drawn_of = is_old ? 0 : (double)mean;
        run->next = run->calls + draw_gap(draws, mean);
    }
    if (is_drawn || is_old) {
        clock.before_ns = 0;
        clock.passed_ns = call.cpu_ns + reading_ns + noise_ns;
    }
    run->now_ns += call.wall_ns;
    run->cpu_since_ns += call.cpu_ns;
    if (is_drawn || is_old || call.wall_ns >= old_ns) {
        add_clock(run, &clock, call.wall_ns);
        run->last_ns = run->now_ns;
        run->cpu_since_ns = 0;
    }
    run->calls++;
    run->all_ns += call.wall_ns;
    run->truth_ns += call.cpu_ns;
    partial_add(&run->all, call.wall_ns);
}

static struct partial make_run(const struct kind *kind, uint64_t seed, double *truth_ns)
{
    struct run run = {.last_ns = -2 * old_ns};
    uint64_t draws = seed * 2654435761u + 1;
    struct partial partial;

    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 7;
    array_init(&run.readings, sizeof(struct partial_reading));
    for (uint64_t i = 0; i < kind->calls; i++)
        take_call(&run, kind->make((double)i / (double)kind->calls), &draws);
    partial = partial_estimate(&run.all, run.readings.items, run.readings.count);
    *truth_ns = run.truth_ns;
    array_fini(&run.readings);
    return partial;
}

/* ---- the tests --------------------------------------------------------------------- */

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

START_TEST(intervals_of_regions_hold_their_processor_time)
{
    const struct kind *kind = &kinds[_i];
    int runs = kind->calls > 10000 ? RUNS / 5 : RUNS, covered = 0;
    double halves[RUNS], truth_ns;

    for (int i = 0; i < runs; i++) {
        struct session_region_cpu cpu = {.partial = make_run(kind, (uint64_t)i + 1, &truth_ns)};
        struct statistics_interval interval;

        cpu.border_ns = region_cpu_border_ns(&cpu.partial, reading_ns);
        interval = region_cpu_interval(&cpu, 0.95);
        covered += interval.low <= truth_ns && truth_ns <= interval.high;
        halves[i] = (interval.high - interval.low) / 2 / truth_ns;
    }
    qsort(halves, (size_t)runs, sizeof *halves, compare);
    ck_assert_msg(covered * RUNS >= COVERED * runs, "%s: %d of %d", kind->name, covered, runs);
    if (kind->within > 0)
        ck_assert_msg(halves[runs / 2] <= kind->within, "%s: %g", kind->name, halves[runs / 2]);
}
END_TEST

START_TEST(a_call_that_computes_has_its_length)
{
    struct session_clock clock = {.passed_ns = 10300};
    struct partial_reading reading = region_cpu_read(&clock, 10000, reading_ns);

    ck_assert_double_eq(reading.least, 10000);
    ck_assert_double_eq(reading.most, 10000);
}
END_TEST

START_TEST(a_call_that_sleeps_has_what_passed_less_a_reading)
{
    struct session_clock clock = {.passed_ns = 10345};
    struct partial_reading reading = region_cpu_read(&clock, 90000, reading_ns);

    ck_assert_double_eq(reading.least, 10000);
    ck_assert_double_eq(reading.most, 10000);
}
END_TEST

START_TEST(a_call_whose_begin_was_not_read_is_bounded)
{
    struct session_clock clock = {.passed_ns = 60345, .before_ns = 50000};
    struct partial_reading reading = region_cpu_read(&clock, 900000, reading_ns);

    ck_assert_double_eq(reading.least, 10000);
    ck_assert_double_eq(reading.most, 60000);
}
END_TEST

/* Twice 32 at first, and later a few whenever their number doubles. */
START_TEST(first_calls_are_all_drawn)
{
    ck_assert_uint_eq(draw_of(63, 63, 1000), 1);
    ck_assert_uint_eq(draw_of(64, 64, 1000), 2);
    ck_assert_uint_eq(draw_of(32000, 32000, 1000), 1000);
    ck_assert_uint_eq(draw_of(32000, 32000 * UINT64_C(511000), 1000), 1);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("region_cpu");
    TCase *tests = tcase_create("estimate");

    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, intervals_of_regions_hold_their_processor_time, 0,
                        sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, a_call_that_computes_has_its_length);
    tcase_add_test(tests, a_call_that_sleeps_has_what_passed_less_a_reading);
    tcase_add_test(tests, a_call_whose_begin_was_not_read_is_bounded);
    tcase_add_test(tests, first_calls_are_all_drawn);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_region_cpu(void)
{
    return suite_run(make_suite());
}
