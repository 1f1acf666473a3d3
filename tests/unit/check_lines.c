/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of tprof lines, on samples made by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "document/table.h"
#include "made_session.h"
#include "model/cpu_samples.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "suite.h"

static const uint64_t period_ns = 4000000;
static char source[] = "/tmp/check_lines.XXXXXX";

static struct session session;
static struct cpu_samples samples;
static struct analysis_options options;
static struct table table;
static uint64_t now_ns;
static uint32_t main_call, parse_call, scan_call;

static void write_source(void)
{
    int descriptor;

    strcpy(strrchr(source, '.'), ".XXXXXX");
    descriptor = mkstemp(source);
    FILE *file = fdopen(descriptor, "w");
    ck_assert_ptr_nonnull(file);
    for (int line = 1; line <= 9; line++)
        fprintf(file, "\tline %d;  \r\n", line);
    ck_assert_int_eq(fclose(file), 0);
}

/* main calls parse, and parse scan. */
static void set_up(void)
{
    write_source();
    made_init(&session);
    options = made_options();
    session.sampling.period_ns = period_ns;
    session.process.realtime_start_ns = UINT64_MAX;
    now_ns = 0;
    main_call = made_add_call(&session, 0, "main", source, 3);
    parse_call = made_add_call(&session, main_call, "void app::parse<int>(char const*)", source, 7);
    scan_call = made_add_call(&session, parse_call, "scan", source, 9);
    cpu_samples_init(&samples, &session);
    array_init(&table.rows, 1);
}

static void tear_down(void)
{
    table_fini(&table);
    cpu_samples_fini(&samples);
    made_fini(&session);
    unlink(source);
}

static void hit(uint32_t call, int count)
{
    const struct session_sample sample = {
        .slot = SESSION_NONE, .call = call, .count = 1, .periods = 1};
    struct session_thread *thread = array_at(&session.threads, 0);

    if (thread->cpu_ns == SESSION_UNKNOWN)
        thread->cpu_ns = 0;
    for (int i = 0; i < count; i++) {
        now_ns += period_ns;
        cpu_samples_take(&samples, &sample, now_ns);
    }
    thread->cpu_ns += (uint64_t)count * period_ns;
    thread->last_ns = now_ns;
    thread->has_ended = true;
    thread->delay_ns = 0;
}

static void build(enum analysis_by by)
{
    options.by = by;
    analysis_lines.build(&session, &options, &table);
}

static const struct value *cell(const struct value *row, const char *key)
{
    return &row[table_find_column(&table, key)];
}

static const char *text_of(const struct value *row, const char *key)
{
    const struct value *value = cell(row, key);

    return value->kind == VALUE_TEXT ? value->text : NULL;
}

/* Returns: the row with that place, which must exist. */
static const struct value *row_of(const char *place)
{
    for (size_t i = 0; i < table_row_count(&table); i++)
        if (strcmp(text_of(table_row(&table, i), "place"), place) == 0)
            return table_row(&table, i);
    ck_abort_msg("no row %s", place);
    return NULL;
}

static void assert_shares(const char *place, double self, double total)
{
    const struct value *row = row_of(place);

    ck_assert_double_eq_tol(value_number(cell(row, "self_share")), self, 1e-6);
    ck_assert_double_eq_tol(value_number(cell(row, "total_share")), total, 1e-6);
}

static const char *at_line(int line)
{
    static char place[sizeof source + 8];

    snprintf(place, sizeof place, "%s:%d", strrchr(source, '/') + 1, line);
    return place;
}

START_TEST(lines_have_the_time_in_them_and_below)
{
    hit(scan_call, 60);
    hit(parse_call, 30);
    hit(main_call, 10);
    build(ANALYSIS_BY_DEFAULT);
    ck_assert_uint_eq(table_row_count(&table), 3);
    assert_shares(at_line(9), 0.6, 0.6);
    assert_shares(at_line(7), 0.3, 0.9);
    assert_shares(at_line(3), 0.1, 1);
    const struct value *row = row_of(at_line(7));
    ck_assert_str_eq(text_of(row, "function"), "app::parse<int>");
    ck_assert_str_eq(text_of(row, "source"), "line 7;");
    ck_assert_str_eq(text_of(row, "file"), source);
    ck_assert_double_eq(value_number(cell(row, "line")), 7);
    ck_assert_double_eq(value_number(cell(row, "samples")), 30);
    const struct value_interval interval = cell(row, "self_share_ci")->interval;
    ck_assert(interval.low < 0.3 && interval.low > 0.1);
    ck_assert(interval.high > 0.3 && interval.high < 0.5);
    ck_assert(!cell(row, "self_share")->is_estimate);
    ck_assert(cell(row_of(at_line(3)), "self_share")->is_estimate);
}
END_TEST

START_TEST(lines_count_recursion_once)
{
    uint32_t again = made_add_call(&session, parse_call, "void app::parse<int>(char const*)",
                                   source, 7);

    hit(again, 50);
    build(ANALYSIS_BY_LINE);
    assert_shares(at_line(7), 1, 1);
}
END_TEST

START_TEST(lines_below_the_percentage_are_left_out)
{
    const struct analysis_own *own = &analysis_lines.own;
    double least = 0.95;
    char room[64];

    ck_assert_uint_le(own->size, sizeof room);
    memcpy(room, own->defaults, own->size);
    memcpy(room + own->options[0].place, &least, sizeof least);
    options.lines = (const void *)room;
    hit(scan_call, 60);
    hit(parse_call, 30);
    hit(main_call, 10);
    build(ANALYSIS_BY_LINE);
    ck_assert_uint_eq(table_row_count(&table), 1);
    assert_shares(at_line(3), 0.1, 1);
}
END_TEST

START_TEST(lines_are_grouped_by_what_is_asked)
{
    uint32_t other = made_add_call(&session, parse_call, "copy", NULL, 0);

    hit(scan_call, 60);
    hit(other, 40);
    build(ANALYSIS_BY_FILE);
    assert_shares(strrchr(source, '/') + 1, 0.6, 1);
    assert_shares("libmade.so", 0.4, 0.4);
    table_fini(&table);
    build(ANALYSIS_BY_LIBRARY);
    ck_assert_uint_eq(table_row_count(&table), 1);
    assert_shares("libmade.so", 1, 1);
    table_fini(&table);
    build(ANALYSIS_BY_FUNCTION);
    assert_shares("app::parse<int>", 0, 1);
    assert_shares("copy", 0.4, 0.4);
    table_fini(&table);
    build(ANALYSIS_BY_CALLER);
    assert_shares("scan, called by app::parse<int>", 0.6, 0.6);
    assert_shares("app::parse<int>, called by main", 0, 1);
    assert_shares("main", 0, 1);
}
END_TEST

/* Names: those of the calls, except one function that has only a start. */
static places_finder find_named;
static uint32_t nameless_call;

static void find_frames(const struct session *of, uint32_t call,
                        const struct symbols_frame **frames, size_t *count)
{
    static const struct symbols_frame nameless = {.start = 0x5a30, .offset = 0x12};

    if (call != nameless_call) {
        find_named(of, call, frames, count);
        return;
    }
    *frames = &nameless;
    *count = 1;
}

START_TEST(functions_without_a_name_have_a_caller_that_has_one)
{
    nameless_call = made_add_call(&session, parse_call, NULL, NULL, 0);
    find_named = options.find_frames;
    options.find_frames = find_frames;
    hit(nameless_call, 40);
    build(ANALYSIS_BY_LINE);
    assert_shares("libmade+0x5a30, called by app::parse<int>", 1, 1);
}
END_TEST

START_TEST(lines_of_a_file_that_changed_since_have_no_text)
{
    session.process.realtime_start_ns = 1;
    hit(scan_call, 40);
    build(ANALYSIS_BY_LINE);
    ck_assert_ptr_null(text_of(row_of(at_line(9)), "source"));
    ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, 2), "1 source file changed"));
}
END_TEST

START_TEST(lines_of_a_file_that_is_not_there_have_no_text)
{
    uint32_t gone = made_add_call(&session, 0, "gone", "/nowhere/gone.c", 12);
    uint32_t device = made_add_call(&session, 0, "device", "/dev/zero", 1);
    uint32_t past = made_add_call(&session, 0, "past", source, 4000000);

    hit(gone, 40);
    hit(device, 40);
    hit(past, 40);
    build(ANALYSIS_BY_LINE);
    ck_assert_ptr_null(text_of(row_of("gone.c:12"), "source"));
    ck_assert_ptr_null(text_of(row_of("zero:1"), "source"));
    ck_assert_ptr_null(text_of(row_of(at_line(4000000)), "source"));
}
END_TEST

START_TEST(lines_without_samples_are_none_and_say_why)
{
    session.sampling.off = "TPROF_SAMPLE=off";
    build(ANALYSIS_BY_LINE);
    ck_assert_uint_eq(table_row_count(&table), 0);
    ck_assert_str_eq(text_list_at(&table.notes, 0), "No samples: TPROF_SAMPLE=off.");
}
END_TEST

/* step runs itself for 60 samples, 25 in native code, and 15 collecting garbage. */
START_TEST(lines_of_python_tell_the_interpreter_from_native_code)
{
    const struct session_sample garbage = {.slot = SESSION_NONE,
                                           .flags = TRACE_SAMPLE_GARBAGE,
                                           .call = parse_call,
                                           .count = 15,
                                           .periods = 15};

    for (uint32_t call = main_call; call <= parse_call; call++) {
        struct session_call *python = array_at(&session.calls, call);

        python->address |= PYTHON_CALL;
        python->module = SESSION_NONE;
    }
    session.python.is_there = true;
    hit(parse_call, 60);
    hit(scan_call, 25);
    now_ns += 15 * period_ns;
    cpu_samples_take(&samples, &garbage, now_ns);
    hit(scan_call, 0);
    ((struct session_thread *)array_at(&session.threads, 0))->cpu_ns += 15 * period_ns;
    for (int by = 0; by < 2; by++) {
        build(by == 0 ? ANALYSIS_BY_LINE : ANALYSIS_BY_PYTHON);
        const struct value *row =
            row_of(by == 0 ? at_line(7) : "app::parse<int>");
        ck_assert_double_eq_tol(value_number(cell(row, "interpreter_share")), 0.6, 1e-6);
        ck_assert_double_eq_tol(value_number(cell(row, "native_share")), 0.25, 1e-6);
        row = row_of(by == 0 ? at_line(3) : "main");
        ck_assert_double_eq_tol(value_number(cell(row, "interpreter_share")), 0, 1e-6);
        ck_assert_double_eq_tol(value_number(cell(row, "native_share")), 0, 1e-6);
        if (by == 0)
            table_fini(&table);
    }
}
END_TEST

START_TEST(samples_without_a_chain_are_a_row)
{
    hit(scan_call, 50);
    hit(0, 50);
    build(ANALYSIS_BY_LINE);
    assert_shares("(no call chain)", 0.5, 0.5);
}
END_TEST

int check_lines(void)
{
    Suite *suite = suite_create("lines");
    TCase *all = tcase_create("all");

    tcase_add_checked_fixture(all, set_up, tear_down);
    tcase_add_test(all, lines_have_the_time_in_them_and_below);
    tcase_add_test(all, lines_count_recursion_once);
    tcase_add_test(all, lines_below_the_percentage_are_left_out);
    tcase_add_test(all, lines_are_grouped_by_what_is_asked);
    tcase_add_test(all, functions_without_a_name_have_a_caller_that_has_one);
    tcase_add_test(all, lines_of_a_file_that_changed_since_have_no_text);
    tcase_add_test(all, lines_of_a_file_that_is_not_there_have_no_text);
    tcase_add_test(all, lines_without_samples_are_none_and_say_why);
    tcase_add_test(all, lines_of_python_tell_the_interpreter_from_native_code);
    tcase_add_test(all, samples_without_a_chain_are_a_row);
    suite_add_tcase(suite, all);
    return suite_run_in_pool(suite);
}
