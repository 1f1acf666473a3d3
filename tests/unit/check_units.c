/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of base/units.
 */
#include "base/units.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The formatters of one double share a table of cases. */
struct format_case {
    char *(*format)(char buffer[UNITS_SIZE], double number);
    double number;
    const char *expected;
};

static const struct format_case format_cases[] = {
    {units_format_time, 0, "0 ns"},
    {units_format_time, 8, "8 ns"},
    {units_format_time, 812, "812 ns"},
    {units_format_time, 3.4249, "3.42 ns"},
    {units_format_time, 0.5, "0.50 ns"},
    {units_format_time, 0.00123, "0.00123 ns"},
    {units_format_time, 999, "999 ns"},
    {units_format_time, 999.6, "1.00 us"},
    {units_format_time, 3420, "3.42 us"},
    {units_format_time, 34200, "34.2 us"},
    {units_format_time, 999.4e3, "999 us"},
    {units_format_time, 999.6e3, "1.00 ms"},
    {units_format_time, 1.234e9, "1.234 s"},
    {units_format_time, 83.2e9, "83.20 s"},
    {units_format_time, 599e9, "599.0 s"},
    {units_format_time, 750e9, "12.5 min"},
    {units_format_time, 86400e9, "1440 min"},
    {units_format_time, -3420, "-3.42 us"},
    {units_format_time, NAN, "-"},
    {units_format_time, INFINITY, "-"},
    {units_format_time, 1e300, "1.67e+289 min"},
    {units_format_bytes, 0, "0 B"},
    {units_format_bytes, 512, "512 B"},
    {units_format_bytes, 1023, "1023 B"},
    {units_format_bytes, 1024, "1.00 KiB"},
    {units_format_bytes, 1536, "1.50 KiB"},
    {units_format_bytes, 1023 * 1024.0, "1023 KiB"},
    {units_format_bytes, 1048575, "1.00 MiB"},
    {units_format_bytes, 3.2 * 0x1p30, "3.20 GiB"},
    {units_format_flops, 12, "12 FLOP"},
    {units_format_flops, 268e6, "268 MFLOP"},
    {units_format_flops, 2.684e9, "2.68 GFLOP"},
    {units_format_flops, 9.2e18, "9.20 EFLOP"},
    {units_format_flop_rate, 54.3e9, "54.3 GFLOP/s"},
    {units_format_byte_rate, 12.1e9, "12.1 GB/s"},
    {units_format_byte_rate, 0x1p30, "1.07 GB/s"},
    {units_format_rate, 12.5, "12.5 /s"},
    {units_format_rate, 1234567, "1.23 M/s"},
    {units_format_percent, 0.123, "12.3 %"},
    {units_format_percent, 1, "100.0 %"},
    {units_format_percent, 0, "0.0 %"},
    {units_format_percent, 0.0004, "<0.1 %"},
    {units_format_percent, 0.0006, "0.1 %"},
    {units_format_percent, -0.0004, ">-0.1 %"},
    {units_format_percent, NAN, "-"},
    {units_format_speedup, 1.234, "1.23x"},
    {units_format_speedup, 216.348, "216x"},
    {units_format_speedup, 216348.5, ">1000x"},
    {units_format_speedup, NAN, "-"},
    {units_format_ratio, 1.234, "1.23x"},
    {units_format_ratio, 2, "2.00x"},
    {units_format_ratio, 0.0123, "0.0123x"},
    {units_format_ratio, 123.4, "123x"},
    {units_format_real, 3.14159, "3.142"},
    {units_format_real, 3, "3"},
    {units_format_real, 12345.6, "12346"},
    {units_format_real, 1e20, "1e+20"},
    {units_format_exact, 0.1, "0.1"},
    {units_format_exact, 1.0 / 3, "0.3333333333333333"},
    {units_format_exact, 0.1 + 0.2, "0.30000000000000004"},
};

START_TEST(units_format_as_people_write)
{
    const struct format_case *c = &format_cases[_i];
    char buffer[UNITS_SIZE];

    ck_assert_str_eq(c->format(buffer, c->number), c->expected);
}
END_TEST

static const struct {
    int64_t count;
    const char *expected;
} count_cases[] = {
    {0, "0"},
    {999, "999"},
    {1000, "1,000"},
    {1234567, "1,234,567"},
    {-1234, "-1,234"},
    {INT64_MAX, "9,223,372,036,854,775,807"},
    {INT64_MIN, "-9,223,372,036,854,775,808"},
};

START_TEST(units_separate_thousands_of_counts)
{
    char buffer[UNITS_SIZE];

    ck_assert_str_eq(units_format_count(buffer, count_cases[_i].count), count_cases[_i].expected);
}
END_TEST

/* Any number fits the buffer and has few digits. */
START_TEST(units_format_any_magnitude_in_few_characters)
{
    char buffer[UNITS_SIZE];
    double number = ldexp(1.2345, 16 * _i - 1024);

    for (size_t i = 0; i < sizeof format_cases / sizeof *format_cases; i++)
        ck_assert_uint_lt(strlen(format_cases[i].format(buffer, -number)), 26);
}
END_TEST

struct parse_case {
    const char *text;
    enum status status;
    uint64_t expected;
};

static const struct parse_case size_cases[] = {
    {"0", STATUS_OK, 0},
    {"4096", STATUS_OK, 4096},
    {"64K", STATUS_OK, 65536},
    {"64k", STATUS_OK, 65536},
    {"1M", STATUS_OK, 1048576},
    {"100MiB", STATUS_OK, 104857600},
    {"100MB", STATUS_OK, 100000000},
    {"2G", STATUS_OK, 2147483648},
    {"1.5G", STATUS_OK, 1610612736},
    {"16777215T", STATUS_OK, 16777215ULL << 40},
    {"16777216T", STATUS_USAGE, 0},
    {"99999999999999999999", STATUS_USAGE, 0},
    {"", STATUS_USAGE, 0},
    {"K", STATUS_USAGE, 0},
    {"-1", STATUS_USAGE, 0},
    {"0x10", STATUS_USAGE, 0},
    {"inf", STATUS_USAGE, 0},
    {"1e3", STATUS_USAGE, 0},
    {"1.2.3", STATUS_USAGE, 0},
    {"1 K", STATUS_USAGE, 0},
    {"1Kx", STATUS_USAGE, 0},
};

START_TEST(units_parse_sizes_and_refuse_the_rest)
{
    const struct parse_case *c = &size_cases[_i];
    struct diagnostic diagnostic;
    uint64_t size_bytes = 0;

    ck_assert_int_eq(units_parse_size(c->text, &size_bytes, &diagnostic), c->status);
    ck_assert_uint_eq(size_bytes, c->expected);
}
END_TEST

static const struct parse_case duration_cases[] = {
    {"3ns", STATUS_OK, 3},
    {"5us", STATUS_OK, 5000},
    {"100ms", STATUS_OK, 100000000},
    {"1s", STATUS_OK, 1000000000},
    {"0.5s", STATUS_OK, 500000000},
    {"2min", STATUS_OK, 120000000000},
    {"1.5h", STATUS_OK, 5400000000000},
    {"100", STATUS_USAGE, 0},
    {"1m", STATUS_USAGE, 0},
    {"6000000h", STATUS_USAGE, 0},
    {"ms", STATUS_USAGE, 0},
};

START_TEST(units_parse_durations_and_refuse_the_rest)
{
    const struct parse_case *c = &duration_cases[_i];
    struct diagnostic diagnostic;
    uint64_t duration_ns = 0;

    ck_assert_int_eq(units_parse_duration(c->text, &duration_ns, &diagnostic), c->status);
    ck_assert_uint_eq(duration_ns, c->expected);
}
END_TEST

START_TEST(units_say_what_was_expected_and_found)
{
    struct diagnostic diagnostic;
    uint64_t ignored;

    ck_assert_int_eq(units_parse_duration("soon", &ignored, &diagnostic), STATUS_USAGE);
    ck_assert_str_eq(diagnostic.text, "expected a duration such as 100ms, 1s "
                                      "or 2min, found \"soon\"");
}
END_TEST

START_TEST(units_choose_the_word_that_goes_with_a_count)
{
    ck_assert_str_eq(units_choose(0, "call", "calls"), "calls");
    ck_assert_str_eq(units_choose(1, "call", "calls"), "call");
    ck_assert_str_eq(units_choose(2, "call", "calls"), "calls");
    ck_assert_str_eq(units_choose(UINT64_MAX, "was", "were"), "were");
}
END_TEST

int check_units(void)
{
    Suite *suite = suite_create("units");
    TCase *tests = tcase_create("units");

    tcase_add_loop_test(tests, units_format_as_people_write, 0,
                        sizeof format_cases / sizeof *format_cases);
    tcase_add_loop_test(tests, units_separate_thousands_of_counts, 0,
                        sizeof count_cases / sizeof *count_cases);
    tcase_add_loop_test(tests, units_format_any_magnitude_in_few_characters, 0, 128);
    tcase_add_loop_test(tests, units_parse_sizes_and_refuse_the_rest, 0,
                        sizeof size_cases / sizeof *size_cases);
    tcase_add_loop_test(tests, units_parse_durations_and_refuse_the_rest, 0,
                        sizeof duration_cases / sizeof *duration_cases);
    tcase_add_test(tests, units_say_what_was_expected_and_found);
    tcase_add_test(tests, units_choose_the_word_that_goes_with_a_count);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
