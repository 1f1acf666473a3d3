/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A machine's limits: the roofline's arithmetic, limits between measured numbers of threads, and
 * the file of a calibration, which may contain anything.
 */
#include "model/machine.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/machine_file.h"
#include "suite.h"

static struct machine machine;
static struct diagnostic diagnostic;
static char path[] = "check_machine.XXXXXX";

static void setup(void)
{
    int descriptor = mkstemp(path);

    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    machine_init(&machine);
}

static void teardown(void)
{
    machine_fini(&machine);
    unlink(path);
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
}

static void add_peak(enum machine_precision precision, uint32_t threads, double rate)
{
    struct machine_peak *peak = array_add(&machine.peaks);

    ck_assert_ptr_nonnull(peak);
    *peak = (struct machine_peak){.precision = precision,
                                  .threads = threads,
                                  .flops_per_second = rate,
                                  .spread = 0.01,
                                  .gemm_flops_per_second = rate / 2,
                                  .instruction_set = "avx2"};
}

static void add_bandwidth(enum machine_level level, uint32_t threads, double rate)
{
    struct machine_bandwidth *bandwidth = array_add(&machine.bandwidths);

    ck_assert_ptr_nonnull(bandwidth);
    *bandwidth = (struct machine_bandwidth){
        .level = level, .threads = threads, .working_set_bytes = 1000, .spread = 0.02};
    for (int i = 0; i < MACHINE_STREAMS; i++)
        bandwidth->bytes_per_second[i] = rate;
    bandwidth->bytes_per_second[MACHINE_TRIAD] = rate / 2;
}

static void add_cache(enum machine_level level, uint64_t size, uint32_t sharers)
{
    struct machine_cache *cache = array_add(&machine.caches);

    ck_assert_ptr_nonnull(cache);
    *cache = (struct machine_cache){level, size, sharers};
}

/* ---- the roofline ---------------------------------------------------------- */

/* 100 TFLOP/s and 900 GB/s: 4 bytes a FLOP reach 225 GFLOP/s, 0.225 % of the peak. */
START_TEST(the_roofline_of_the_specification)
{
    struct machine given;
    struct machine_roof roof;

    machine_init_given(&given, 100e12, 900e9);
    roof = machine_find_roof(&given, MACHINE_F32, 1e9, 64);
    ck_assert_double_eq_tol(machine_ridge(&roof), 111.1, 0.05);
    ck_assert_double_eq_tol(machine_attainable(&roof, 0.25), 225e9, 1);
    ck_assert_double_eq_tol(machine_attainable(&roof, 0.25) / roof.peak, 0.00225, 1e-12);
    ck_assert(0.25 < machine_ridge(&roof));
    ck_assert_double_eq_tol(machine_attainable(&roof, 200), 100e12, 1);
    ck_assert_double_eq_tol(machine_least_seconds(&roof, 225e9L, 900e9L), 1, 1e-12);
    ck_assert_int_eq(roof.level, MACHINE_DRAM);
    machine_fini(&given);
}
END_TEST

START_TEST(what_is_not_known_has_no_roof)
{
    struct machine_roof roof = machine_find_roof(&machine, MACHINE_F32, 1000, 1);

    ck_assert(isnan(roof.peak) && isnan(roof.bandwidth) && isnan(machine_ridge(&roof)));
    ck_assert(isnan(machine_attainable(&roof, 1)));
    add_bandwidth(MACHINE_DRAM, 1, 10);
    roof = machine_find_roof(&machine, MACHINE_F32, 1000, 1);
    ck_assert(isnan(machine_attainable(&roof, 1)));
    ck_assert(isnan(machine_least_seconds(&roof, 10, 10)));
}
END_TEST

START_TEST(moving_bytes_needs_no_peak)
{
    struct machine_roof roof;

    add_bandwidth(MACHINE_DRAM, 1, 10);
    roof = machine_find_roof(&machine, MACHINE_I8, 1000, 1);
    ck_assert_double_eq_tol(machine_least_seconds(&roof, 0, 20), 2, 1e-12);
}
END_TEST

/* ---- limits ---------------------------------------------------------------- */

START_TEST(limits_between_numbers_of_threads_lie_on_a_line)
{
    static const struct {
        unsigned threads;
        double peak;
    } rows[] = {{0, 10}, {1, 10}, {2, 20}, {3, 25}, {4, 30}, {5, 35}, {6, 40}, {99, 40}};

    add_peak(MACHINE_F32, 1, 10);
    add_peak(MACHINE_F64, 4, 1000);
    add_peak(MACHINE_F32, 6, 40);
    add_peak(MACHINE_F32, 2, 20);
    add_peak(MACHINE_F32, 4, 30);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_double_eq_tol(machine_peak(&machine, MACHINE_F32, rows[i].threads), rows[i].peak,
                                1e-12);
        ck_assert_double_eq_tol(machine_gemm(&machine, MACHINE_F32, rows[i].threads),
                                rows[i].peak / 2, 1e-12);
    }
    ck_assert(isnan(machine_peak(&machine, MACHINE_BF16, 1)));
    ck_assert_double_eq_tol(machine_peak(&machine, MACHINE_F64, 1), 1000, 1e-12);
}
END_TEST

START_TEST(a_roof_is_the_highest_stream)
{
    add_bandwidth(MACHINE_DRAM, 1, 10);
    ck_assert_double_eq(machine_bandwidth(&machine, MACHINE_DRAM, 1), 10);
    ck_assert_double_eq(machine_triad(&machine, MACHINE_DRAM, 1), 5);
    ck_assert(isnan(machine_bandwidth(&machine, MACHINE_L1, 1)));
}
END_TEST

START_TEST(a_call_is_at_home_in_the_nearest_cache_that_holds_it)
{
    add_cache(MACHINE_L1, 100, 1);
    add_cache(MACHINE_L2, 1000, 1);
    add_cache(MACHINE_L3, 10000, 4);
    for (int i = 0; i < MACHINE_LEVELS; i++)
        add_bandwidth((enum machine_level)i, 1, 10);
    ck_assert_int_eq(machine_find_home(&machine, 100, 1), MACHINE_L1);
    ck_assert_int_eq(machine_find_home(&machine, 101, 1), MACHINE_L2);
    ck_assert_int_eq(machine_find_home(&machine, 101, 2), MACHINE_L1);
    ck_assert_int_eq(machine_find_home(&machine, 10000, 4), MACHINE_L3);
    ck_assert_int_eq(machine_find_home(&machine, 10001, 4), MACHINE_DRAM);
    ck_assert_int_eq(machine_find_home(&machine, 10001, 5), MACHINE_L3);
}
END_TEST

START_TEST(a_cache_that_was_not_measured_is_no_home)
{
    add_cache(MACHINE_L1, 100, 1);
    add_bandwidth(MACHINE_DRAM, 1, 10);
    ck_assert_int_eq(machine_find_home(&machine, 10, 1), MACHINE_DRAM);
}
END_TEST

START_TEST(a_calibration_is_of_one_host_and_processor)
{
    strcpy(machine.host, "node1");
    strcpy(machine.cpu, "Some CPU");
    ck_assert(machine_is(&machine, "node1", "Some CPU"));
    ck_assert(!machine_is(&machine, "node2", "Some CPU"));
    ck_assert(!machine_is(&machine, "node1", "Other CPU"));
    ck_assert(!machine_is(&machine, NULL, "Some CPU"));
    ck_assert(!machine_is(&machine, "node1", NULL));
}
END_TEST

/* ---- the file ------------------------------------------------------------------ */

static void fill(void)
{
    strcpy(machine.host, "node1");
    strcpy(machine.cpu, "Some CPU");
    machine.load_before = 0.25;
    add_cache(MACHINE_L1, 49152, 2);
    add_peak(MACHINE_F32, 1, 123456000000);
    add_peak(MACHINE_F32, 2, 246913000000);
    add_bandwidth(MACHINE_L1, 1, 500000000000);
    add_bandwidth(MACHINE_DRAM, 1, 25000000000);
    text_list_add(&machine.warnings, "it was noisy");
}

START_TEST(what_is_written_is_read_again)
{
    struct machine again;

    fill();
    ck_assert_int_eq(machine_file_write(&machine, path, &diagnostic), STATUS_OK);
    ck_assert_int_eq(machine_file_read(&again, path, &diagnostic), STATUS_OK);
    ck_assert_str_eq(again.host, "node1");
    ck_assert_str_eq(again.governor, "");
    ck_assert_double_eq(again.load_before, 0.25);
    ck_assert(isnan(again.steal_fraction));
    ck_assert_uint_eq(again.peaks.count, 2);
    ck_assert_double_eq(machine_peak(&again, MACHINE_F32, 2), 246913000000);
    ck_assert_double_eq(machine_gemm(&again, MACHINE_F32, 1), 61728000000);
    ck_assert_double_eq(machine_capacity(&again, MACHINE_L1, 3), 2 * 49152);
    ck_assert_double_eq(machine_triad(&again, MACHINE_DRAM, 1), 12500000000);
    ck_assert_str_eq(text_list_at(&again.warnings, 0), "it was noisy");
    machine_fini(&again);
}
END_TEST

START_TEST(a_file_is_replaced_whole_or_not_at_all)
{
    fill();
    ck_assert_int_eq(machine_file_write(&machine, path, &diagnostic), STATUS_OK);
    ck_assert_int_eq(machine_file_write(&machine, path, &diagnostic), STATUS_OK);
    ck_assert_int_eq(machine_file_write(&machine, "/dev/null/there/file", &diagnostic), STATUS_IO);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "cannot write /dev/null/there/file"));
}
END_TEST

#define HEAD "{\"schema_version\": 1, \"table\": \"machine\", "
#define TAIL "\"caches\": [], \"peaks\": [], \"bandwidths\": [], \"warnings\": []}"

static const struct {
    const char *text;
    enum status status;
    const char *says;
} mistakes[] = {
    {"", STATUS_CORRUPT, "expected the JSON of a calibration"},
    {"{\"table\": \"machine\"", STATUS_CORRUPT, "expected the JSON of a calibration"},
    {"[1, 2]", STATUS_CORRUPT, "this is no calibration"},
    {"{\"table\": \"timing\", \"schema_version\": 1}", STATUS_CORRUPT, "this is no calibration"},
    {"{\"table\": \"machine\", \"schema_version\": 99}", STATUS_UNSUPPORTED, "later tprof"},
    {HEAD "\"host\": 5, " TAIL, STATUS_CORRUPT, "host: expected a text"},
    {HEAD "\"load_before\": -1, " TAIL, STATUS_CORRUPT, "load_before: expected a number"},
    {HEAD "\"load_before\": \"x\", " TAIL, STATUS_CORRUPT, "load_before: expected a number"},
    {HEAD "\"host\": null}", STATUS_CORRUPT, "caches: expected a list"},
    {HEAD "\"caches\": [{\"level\": \"L9\"}]}", STATUS_CORRUPT, "caches[0].level: expected L1"},
    {HEAD "\"caches\": [5]}", STATUS_CORRUPT, "caches[0].level: expected L1"},
    {HEAD "\"caches\": [{\"level\": \"L1\", \"sharers\": 1, \"size_bytes\": 0}]}", STATUS_CORRUPT,
     "caches[0].size_bytes: expected a size"},
    {HEAD "\"caches\": [], \"peaks\": [{\"precision\": \"f12\"}]}", STATUS_CORRUPT,
     "peaks[0].precision: expected f32"},
    {HEAD "\"caches\": [], \"peaks\": [{\"precision\": \"f32\", \"threads\": 0}]}", STATUS_CORRUPT,
     "peaks[0].threads: expected a whole number above 0"},
    {HEAD "\"caches\": [], \"peaks\": [{\"precision\": \"f32\", \"threads\": 1.5}]}",
     STATUS_CORRUPT, "peaks[0].threads: expected a whole number above 0"},
    {HEAD "\"caches\": [], \"peaks\": [{\"precision\": \"f32\", \"threads\": 1, "
          "\"flops_per_second\": 0}]}",
     STATUS_CORRUPT, "peaks[0].flops_per_second: expected a number above 0"},
    {HEAD "\"caches\": [], \"peaks\": [], \"bandwidths\": [{\"level\": \"L1\", \"threads\": 1, "
          "\"copy_bytes_per_second\": \"fast\"}]}",
     STATUS_CORRUPT, "bandwidths[0].copy_bytes_per_second: expected a number"},
    {HEAD "\"caches\": [], \"peaks\": [], \"bandwidths\": [], \"warnings\": [1]}", STATUS_CORRUPT,
     "warnings[0].: expected a text"},
};

START_TEST(a_mistake_in_the_file_is_told_in_one_line)
{
    FILE *file = fopen(path, "w");
    struct machine read;

    ck_assert_ptr_nonnull(file);
    fputs(mistakes[_i].text, file);
    fclose(file);
    ck_assert_int_eq(machine_file_read(&read, path, &diagnostic), mistakes[_i].status);
    ck_assert_msg(strstr(diagnostic.text, mistakes[_i].says) != NULL, "%s lacks \"%s\"",
                  diagnostic.text, mistakes[_i].says);
    ck_assert_ptr_null(strchr(diagnostic.text, '\n'));
    ck_assert_ptr_nonnull(strstr(diagnostic.text, path));
}
END_TEST

START_TEST(a_precision_without_a_peak_is_no_mistake)
{
    FILE *file = fopen(path, "w");
    struct machine read;

    ck_assert_ptr_nonnull(file);
    fputs(HEAD "\"caches\": [], \"peaks\": [{\"precision\": \"bf16\", \"flops_per_second\": null, "
               "\"reason\": \"none\"}], \"bandwidths\": [], \"warnings\": []}",
          file);
    fclose(file);
    ck_assert_int_eq(machine_file_read(&read, path, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(read.peaks.count, 0);
    machine_fini(&read);
}
END_TEST

START_TEST(a_missing_file_is_told_apart)
{
    struct machine read;

    ck_assert_int_eq(machine_file_read(&read, "/no/such/file", &diagnostic), STATUS_NOT_FOUND);
}
END_TEST

START_TEST(each_host_has_a_file_of_its_own)
{
    char place[200];

    setenv("XDG_CONFIG_HOME", "/config", 1);
    ck_assert_int_eq(machine_file_path(place, sizeof place, "node1"), STATUS_OK);
    ck_assert_str_eq(place, "/config/tprof/machine-node1.json");
    unsetenv("XDG_CONFIG_HOME");
    setenv("HOME", "/home/user", 1);
    ck_assert_int_eq(machine_file_path(place, sizeof place, "node1"), STATUS_OK);
    ck_assert_str_eq(place, "/home/user/.config/tprof/machine-node1.json");
    ck_assert_int_eq(machine_file_path(place, 10, "node1"), STATUS_NOT_FOUND);
    ck_assert_int_eq(machine_file_path(place, sizeof place, "../node1"), STATUS_NOT_FOUND);
    unsetenv("HOME");
    ck_assert_int_eq(machine_file_path(place, sizeof place, "node1"), STATUS_NOT_FOUND);
}
END_TEST

int check_machine(void)
{
    Suite *suite = suite_create("machine");
    TCase *tests = tcase_create("machine");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, the_roofline_of_the_specification);
    tcase_add_test(tests, what_is_not_known_has_no_roof);
    tcase_add_test(tests, moving_bytes_needs_no_peak);
    tcase_add_test(tests, limits_between_numbers_of_threads_lie_on_a_line);
    tcase_add_test(tests, a_roof_is_the_highest_stream);
    tcase_add_test(tests, a_call_is_at_home_in_the_nearest_cache_that_holds_it);
    tcase_add_test(tests, a_cache_that_was_not_measured_is_no_home);
    tcase_add_test(tests, a_calibration_is_of_one_host_and_processor);
    tcase_add_test(tests, what_is_written_is_read_again);
    tcase_add_test(tests, a_file_is_replaced_whole_or_not_at_all);
    tcase_add_loop_test(tests, a_mistake_in_the_file_is_told_in_one_line, 0,
                        sizeof mistakes / sizeof *mistakes);
    tcase_add_test(tests, a_precision_without_a_peak_is_no_mistake);
    tcase_add_test(tests, a_missing_file_is_told_apart);
    tcase_add_test(tests, each_host_has_a_file_of_its_own);
    suite_add_tcase(suite, tests);
    return suite_run(suite);
}
