/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Timing on sessions made by hand: the calls in the statistics, the words if there are too few; and
 * whole screens, against their page of tests/cases.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "kernels/timing_options.h"
#include "made_kernels.h"
#include "made_session.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "page.h"
#include "render/render.h"
#include "suite.h"

enum { PAGE_WIDTH = 80 };

static const char page[] = "timing.case";

static struct session session;
static struct catalog_arena arena;
static struct analysis_options options;
static struct timing_options timing_options;
static struct table table;

/* ---- a session of the page --------------------------------------------------- */

static void add_thread(uint32_t id)
{
    struct session_thread *thread = array_add(&session.threads);

    ck_assert_ptr_nonnull(thread);
    *thread = (struct session_thread){.id = id};
}

static void add_duration(struct session_slot *slot, uint64_t *time_ns, uint64_t ns)
{
    struct session_course *course = array_at(&session.courses, slot->thread);
    uint32_t index = (uint32_t)(session.slots.count - 1);
    uint64_t *duration = array_add(&slot->durations_ns);

    ck_assert_ptr_nonnull(duration);
    *duration = ns;
    slot->calls = ++slot->timed_calls;
    slot->recorded_calls = slot->calls;
    slot->total_ns = slot->self_ns += ns;
    slot->min_ns = slot->min_ns < ns ? slot->min_ns : ns;
    slot->max_ns = slot->max_ns > ns ? slot->max_ns : ns;
    course_add(course, &(struct course_call){*time_ns, index, course_pack_length(ns)});
    *time_ns += ns;
}

/* "THREAD NAME M N K START" */
static struct session_slot *add_slot(const char *line, uint64_t *time_ns)
{
    unsigned thread, m, n, k;
    unsigned long start_us;
    char name[40], calls[100];
    struct session_slot *slot;

    ck_assert_int_eq(sscanf(line, "%u %39s %u %u %u %lu", &thread, name, &m, &n, &k, &start_us), 6);
    snprintf(calls, sizeof calls, "%s %u %u %u 0 0", name, m, n, k);
    slot = made_add_calls(&session, calls);
    slot->thread = thread;
    slot->min_ns = UINT64_MAX;
    slot->max_ns = slot->total_ns = slot->self_ns = 0;
    *time_ns = 1000 * start_us;
    return slot;
}

static void read_calls(void)
{
    char *text = page_section(page, "calls"), *rest = text, *line;
    struct session_slot *slot = NULL;
    uint64_t time_ns = 0;

    while ((line = strsep(&rest, "\n"))) {
        if (line[0] != ' ' && line[0] != '\0')
            slot = add_slot(line, &time_ns);
        for (char *end; line[0] == ' ' && slot; line = end) {
            unsigned long us = strtoul(line, &end, 10);

            if (end == line)
                break;
            add_duration(slot, &time_ns, 1000 * us);
        }
    }
    free(text);
}

static void setup(void)
{
    made_init(&session);
    course_fini_all(&session);
    add_thread(101);
    course_make_all(&session);
    made_read_catalog(&session, &arena, page);
    session.thread_ns = 10000000;
    options = analysis_defaults();
    timing_options = *options.timing;
    options.timing = &timing_options;
    read_calls();
    for (uint32_t i = 0; i < session.courses.count; i++)
        ((struct session_course *)array_at(&session.courses, i))->is_whole = true;
}

static void teardown(void)
{
    course_fini_all(&session);
    made_fini_calls(&session);
    made_fini(&session);
    free(arena.base);
}

static const struct value *cell(size_t row, const char *key)
{
    size_t column = table_find_column(&table, key);

    ck_assert_uint_lt(column, table.schema->column_count);
    return &table_row(&table, row)[column];
}

static void build(void)
{
    analysis_timing.build(&session, &options, &table);
}

static struct session_slot *first_slot(void)
{
    return array_at(&session.slots, 0);
}

/* ---- which calls ------------------------------------------------------------- */

START_TEST(runs_limit_the_samples_after_the_warm_up)
{
    options.runs = 10;
    build();
    ck_assert_int_eq(cell(0, "warmup_calls")->integer, 3);
    ck_assert_int_eq(cell(0, "samples")->integer, 10);
    ck_assert_int_eq(cell(0, "calls")->integer, 60);
    ck_assert_int_eq(cell(0, "p50_ns")->integer, 101000);
    table_fini(&table);
}
END_TEST

START_TEST(the_first_call_stands_apart)
{
    build();
    ck_assert_int_eq(cell(0, "first_ns")->integer, 900000);
    ck_assert_int_eq(cell(0, "min_ns")->integer, 98000);
    ck_assert_int_eq(cell(0, "max_ns")->integer, 900000);
    ck_assert_double_lt(cell(0, "mean_ns")->real, 140000);
    table_fini(&table);
}
END_TEST

/* As all times of calls: the shortest is no longer than the median of equal ones. */
START_TEST(our_own_cost_is_not_in_the_extremes)
{
    session.overhead.kernel_inner_ns = session.overhead.entry_inner_ns = 1000;
    build();
    ck_assert_int_eq(cell(0, "min_ns")->integer, 97000);
    ck_assert_int_eq(cell(0, "max_ns")->integer, 899000);
    ck_assert_int_eq(cell(0, "first_ns")->integer, 899000);
    table_fini(&table);
}
END_TEST

START_TEST(overwritten_calls_take_their_warm_up_with_them)
{
    first_slot()->recorded_calls = 70;
    build();
    ck_assert_int_eq(cell(0, "warmup_calls")->integer, 0);
    ck_assert_int_eq(cell(0, "samples")->integer, 60);
    ck_assert_int_eq(cell(0, "first_ns")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "steady_by")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(percentiles_may_be_values_that_were_seen)
{
    options.warmup = 0;
    options.runs = 20;
    build();
    ck_assert_int_eq(cell(0, "p95_ns")->integer, 244500); /* between 210 and 900, a twentieth */
    table_fini(&table);
    timing_options.nearest_rank = true;
    build();
    ck_assert_int_eq(cell(0, "p95_ns")->integer, 210000); /* the 19th of 20 */
    table_fini(&table);
}
END_TEST

START_TEST(bounds_that_so_few_calls_do_not_have_are_unknown)
{
    build();
    ck_assert_int_eq(cell(0, "p50_ci_ns")->kind, VALUE_INTERVAL);
    ck_assert(isfinite(cell(0, "p50_ci_ns")->interval.high));
    ck_assert(isnan(cell(0, "p99_ci_ns")->interval.high));
    table_fini(&table);
}
END_TEST

START_TEST(two_sorts_of_calls_are_two_modes)
{
    build();
    ck_assert_int_eq(cell(0, "modes")->integer, 2);
    ck_assert_double_eq(cell(0, "low_mode_ns")->real, 101000);
    ck_assert_double_eq(cell(0, "high_mode_ns")->real, 151500);
    table_fini(&table);
}
END_TEST

START_TEST(too_few_calls_say_nothing_of_modes_and_warm_up)
{
    build();
    ck_assert_int_eq(cell(1, "samples")->integer, 0);
    ck_assert_int_eq(cell(1, "mean_ns")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "outliers")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "modes")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "steady_after_calls")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(rows_may_be_threads)
{
    options.by = ANALYSIS_BY_THREAD;
    build();
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(0, "name")->text, "thread 100");
    ck_assert_int_eq(cell(0, "shape")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(a_histogram_has_every_sample)
{
    const struct table *histogram;
    int64_t sum = 0;

    timing_options.histogram = true;
    build();
    histogram = cell(0, "histogram")->table;
    for (size_t i = 0; i < table_row_count(histogram); i++)
        sum += table_row(histogram, i)[table_find_column(histogram, "calls")].integer;
    ck_assert_int_eq(sum, 57);
    table_fini(&table);
}
END_TEST

START_TEST(calls_are_listed_in_order_of_time)
{
    timing_options.calls = true;
    build();
    ck_assert_uint_eq(table_row_count(&table), 62);
    ck_assert_int_eq(cell(0, "duration_ns")->integer, 900000);
    ck_assert(cell(2, "is_warmup")->boolean && !cell(3, "is_warmup")->boolean);
    for (size_t i = 1; i < 62; i++)
        ck_assert_int_le(cell(i - 1, "start_ns")->integer, cell(i, "start_ns")->integer);
    ck_assert_str_eq(cell(57, "name")->text, "cblas_sgemm");
    ck_assert_int_eq(cell(57, "call")->integer, 58);
    ck_assert_str_eq(cell(58, "name")->text, "cblas_dgemm");
    ck_assert_int_eq(cell(58, "thread")->integer, 101);
    table_fini(&table);
}
END_TEST

/* ---- slow calls -------------------------------------------------------------- */

START_TEST(slow_calls_are_told_with_what_others_did_meanwhile)
{
    timing_options.slowest = 10;
    build();
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_int_eq(cell(0, "duration_ns")->integer, 900000);
    ck_assert_int_eq(cell(0, "call")->integer, 1);
    ck_assert_double_eq(cell(0, "other_threads")->real, 0);
    ck_assert_int_eq(cell(0, "other_kernel")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "duration_ns")->integer, 500000);
    ck_assert_int_eq(cell(1, "call")->integer, 58);
    ck_assert_double_eq_tol(cell(1, "other_threads")->real, 0.6, 1e-9);
    ck_assert_str_eq(cell(1, "other_kernel")->text, "cblas_dgemm m=8 n=8 k=8");
    table_fini(&table);
}
END_TEST

START_TEST(what_others_did_is_unknown_when_their_calls_are_missing)
{
    struct session_course *courses = session.courses.items;

    timing_options.slowest = 10;
    for (size_t i = 0; i < session.courses.count; i++) {
        courses[i].is_whole = false;
        build();
        ck_assert_int_eq(cell(0, "other_threads")->kind, VALUE_NULL);
        ck_assert_int_eq(cell(1, "other_threads")->kind, VALUE_REAL);
        table_fini(&table);
        courses[i].is_whole = true;
    }
}
END_TEST

/* A second thread whose thirteen calls of 10 and 20 us lie before and within the first call of the
 * other; one took 45 us and one 300. */
static void add_uneven_calls(void)
{
    uint64_t time_ns;
    struct session_slot *slot;

    ((struct session_course *)array_at(&session.courses, 1))->calls.count = 0;
    slot = add_slot("1 cblas_dgemm 4 4 4 0", &time_ns);
    for (int i = 0; i < 13; i++)
        add_duration(slot, &time_ns, i % 2 ? 10000 : 20000);
    time_ns = 900000;
    add_duration(slot, &time_ns, 45000);
    time_ns = 1500000;
    add_duration(slot, &time_ns, 300000);
}

START_TEST(threads_before_the_caller_count_as_those_behind_it)
{
    timing_options.slowest = 10;
    add_uneven_calls();
    build();
    ck_assert_uint_eq(table_row_count(&table), 4);
    ck_assert_int_eq(cell(0, "duration_ns")->integer, 900000);
    ck_assert_double_eq_tol(cell(0, "other_threads")->real, 300.0 / 900, 1e-9);
    ck_assert_str_eq(cell(0, "other_kernel")->text, "cblas_dgemm m=4 n=4 k=4");
    ck_assert_int_eq(cell(2, "duration_ns")->integer, 300000);
    ck_assert_double_eq(cell(2, "other_threads")->real, 1);
    ck_assert_str_eq(cell(2, "other_kernel")->text, "cblas_sgemm m=64 n=64 k=64");
    ck_assert_int_eq(cell(3, "duration_ns")->integer, 45000);
    ck_assert_double_eq(cell(3, "other_threads")->real, 0);
    table_fini(&table);
}
END_TEST

static void add_reading(uint64_t time_ns, uint64_t switches, uint64_t faults)
{
    struct session_reading *reading = made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 0);

    reading->time_ns = time_ns;
    reading->values.involuntary_switches = switches;
    reading->values.major_faults = faults;
}

/* The first lasts from 1.0 to 1.9 ms; nothing was read after the second. */
START_TEST(slow_calls_have_what_the_readings_around_them_tell)
{
    timing_options.slowest = 10;
    add_reading(500000, 2, 1);
    add_reading(1000000, 3, 1);
    add_reading(1500000, 7, 2);
    add_reading(1900000, 10, 4);
    add_reading(2500000, 90, 90);
    build();
    ck_assert_int_eq(cell(0, "involuntary_switches")->integer, 7);
    ck_assert_int_eq(cell(0, "major_faults")->integer, 3);
    ck_assert_int_eq(cell(0, "readings_span_ns")->integer, 900000);
    ck_assert_int_eq(cell(1, "involuntary_switches")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "readings_span_ns")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(what_a_reading_does_not_tell_is_unknown_of_a_slow_call)
{
    timing_options.slowest = 10;
    add_reading(500000, SESSION_UNKNOWN, 9);
    add_reading(2500000, SESSION_UNKNOWN, 4);
    build();
    ck_assert_int_eq(cell(0, "involuntary_switches")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "major_faults")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "readings_span_ns")->integer, 2000000);
    table_fini(&table);
}
END_TEST

/* ---- screens ----------------------------------------------------------------- */

/* The text for people, of the first rows. */
static char *render(size_t rows)
{
    const struct render_options how = {.width = PAGE_WIDTH, .unicode = true};
    struct diagnostic diagnostic;
    struct document document;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_ptr_nonnull(out);
    build();
    if (rows > 0)
        table_truncate(&table, rows);
    document_init(&document);
    analysis_timing.elaborate(&session, &options, &table, &document);
    if (document_section_count(&document) > 0)
        ck_assert(!renderer_plain.document(&document, &how, out, &diagnostic));
    else
        ck_assert(!renderer_plain.table(&table, &how, out, &diagnostic));
    document_fini(&document);
    table_fini(&table);
    fclose(out);
    return bytes;
}

static void check_screen(const char *name, size_t rows)
{
    char *found = render(rows);

    page_compare(page, name, found);
    free(found);
}

START_TEST(the_screen_is_that_of_its_page)
{
    check_screen("text", 0);
}
END_TEST

START_TEST(a_row_alone_is_described)
{
    check_screen("described", 1);
}
END_TEST

START_TEST(a_row_may_be_one_line)
{
    timing_options.oneline = true;
    check_screen("one line", 0);
}
END_TEST

START_TEST(slow_calls_have_a_screen)
{
    timing_options.slowest = 10;
    check_screen("slowest", 0);
}
END_TEST

int check_timing(void)
{
    Suite *suite = suite_create("timing");
    TCase *tests = tcase_create("timing");

    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, runs_limit_the_samples_after_the_warm_up);
    tcase_add_test(tests, the_first_call_stands_apart);
    tcase_add_test(tests, our_own_cost_is_not_in_the_extremes);
    tcase_add_test(tests, overwritten_calls_take_their_warm_up_with_them);
    tcase_add_test(tests, percentiles_may_be_values_that_were_seen);
    tcase_add_test(tests, bounds_that_so_few_calls_do_not_have_are_unknown);
    tcase_add_test(tests, two_sorts_of_calls_are_two_modes);
    tcase_add_test(tests, too_few_calls_say_nothing_of_modes_and_warm_up);
    tcase_add_test(tests, rows_may_be_threads);
    tcase_add_test(tests, a_histogram_has_every_sample);
    tcase_add_test(tests, calls_are_listed_in_order_of_time);
    tcase_add_test(tests, slow_calls_are_told_with_what_others_did_meanwhile);
    tcase_add_test(tests, what_others_did_is_unknown_when_their_calls_are_missing);
    tcase_add_test(tests, the_screen_is_that_of_its_page);
    tcase_add_test(tests, a_row_alone_is_described);
    tcase_add_test(tests, a_row_may_be_one_line);
    tcase_add_test(tests, threads_before_the_caller_count_as_those_behind_it);
    tcase_add_test(tests, slow_calls_have_what_the_readings_around_them_tell);
    tcase_add_test(tests, what_a_reading_does_not_tell_is_unknown_of_a_slow_call);
    tcase_add_test(tests, slow_calls_have_a_screen);
    return suite_run_in_pool(suite);
}
