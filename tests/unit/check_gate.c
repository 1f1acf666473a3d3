/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate: its rules one by one, its rule for times on simulated runs, its pages of tests/cases,
 * and the files it compares with.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/gate.h"
#include "compare/gate_report.h"
#include "made_runs.h"
#include "page.h"
#include "render/render.h"
#include "runs/baseline.h"
#include "suite.h"

static struct run_side base, changed;
static struct pair pair;
static struct gate gate;
static struct gate_policy policy;

static void setup(void)
{
    policy = gate_defaults();
}

static enum status judge(const char *of_base, const char *of_changed)
{
    made_runs_init(&base, "old", of_base);
    made_runs_init(&changed, "new", of_changed);
    pair_init(&pair, &base, &changed);
    gate_init(&gate, &pair, &policy);
    return gate.verdict;
}

static void teardown(void)
{
    gate_fini(&gate);
    pair_fini(&pair);
    run_side_fini(&base);
    run_side_fini(&changed);
}

/* ---- counts ----------------------------------------------------------------------- */

START_TEST(a_thousandth_more_flops_fails_with_one_run)
{
    ck_assert_int_eq(
        judge("kernel gemm m=1 calls=10 flops=1000000", "kernel gemm m=1 calls=10 flops=1001000"),
        STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_STRUCTURE], 1);
}
END_TEST

START_TEST(fewer_calls_fail_too_unless_structure_is_allowed)
{
    policy.allows_structure = true;
    ck_assert_int_eq(judge("kernel gemm calls=10", "kernel gemm calls=9"), STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_ACCEPTED], 1);
    teardown();
    policy.allows_structure = false;
    ck_assert_int_eq(judge("kernel gemm calls=10", "kernel gemm calls=9"), STATUS_POLICY_FAILED);
}
END_TEST

START_TEST(a_kernel_that_is_new_or_missing_is_structure)
{
    ck_assert_int_eq(judge("kernel gemm calls=10\nkernel gemv calls=1",
                           "kernel gemm calls=10\nkernel dot calls=1"),
                     STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_STRUCTURE], 2);
}
END_TEST

/* Threads may take turns differently once; the program did not change for that reason. */
START_TEST(one_run_that_counts_otherwise_shows_that_it_varies)
{
    ck_assert_int_eq(judge("kernel gemm calls=10,10,10,10", "kernel gemm calls=10,11,10,10"),
                     STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_VARIES], 1);
}
END_TEST

START_TEST(fewer_allocations_are_better_and_more_are_worse)
{
    ck_assert_int_eq(judge("whole allocations=10,10", "whole allocations=9,9"), STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_BETTER], 1);
    teardown();
    ck_assert_int_eq(judge("whole allocations=10,10", "whole allocations=11,11"),
                     STATUS_POLICY_FAILED);
}
END_TEST

START_TEST(allocations_that_vary_in_the_baseline_are_not_counted_to_the_last)
{
    ck_assert_int_eq(judge("whole allocations=1000,1001,1002,1003,1001,1002",
                           "whole allocations=1001,1002,1003,1002,1004,1003"),
                     STATUS_OK);
}
END_TEST

/* More of it is no regression and less is no gain: it is another amount of work. */
static const struct {
    const char *items;
    bool differs;
} amounts[] = {
    {"whole items=825,830,828,826,829,827", true},
    {"whole items=1200,1210,1205,1203,1208,1202", true},
    {"whole items=1001,1011,1006,1004,1009,1003", false},
};

START_TEST(a_count_that_varies_is_another_amount_of_work_whether_more_or_less)
{
    static const char of_base[] = "whole items=1000,1010,1005,1003,1008,1002";
    bool differs = amounts[_i].differs;

    ck_assert_int_eq(judge(of_base, amounts[_i].items), differs ? STATUS_POLICY_FAILED : STATUS_OK);
    ck_assert_uint_eq(gate.counts[differs ? GATE_STRUCTURE : GATE_UNCHANGED], 1);
    teardown();
    policy.allows_structure = true;
    ck_assert_int_eq(judge(of_base, amounts[_i].items), STATUS_OK);
    ck_assert_uint_eq(gate.counts[differs ? GATE_ACCEPTED : GATE_UNCHANGED], 1);
}
END_TEST

/* ---- estimates -------------------------------------------------------------------------- */

static const char exact_heaps[] = "whole peak_heap_bytes=1000000,1000000,1000000,1000000,1000000,"
                                  "1000000,1000000,1000000,1000000,1000000";

static const struct {
    const char *changed;
    enum gate_result result;
} heaps[] = {
    /* Above the threshold of 5 % for sure, and only if the estimates are right. */
    {"whole peak_heap_bytes=1200000~1,1200001~1,1200002~1,1200003~1,1200004~1,1200005~1,1200006~1,"
     "1200007~1,1200008~1,1200009~1",
     GATE_WORSE},
    {"whole peak_heap_bytes=1200000~90000,1200001~1,1200002~1,1200003~1,1200004~1,1200005~1,"
     "1200006~1,1200007~1,1200008~1,1200009~1",
     GATE_WORSE},
    {"whole peak_heap_bytes=1200000~100000,1200001~1,1200002~1,1200003~1,1200004~1,1200005~1,"
     "1200006~1,1200007~1,1200008~1,1200009~1",
     GATE_UNDECIDED},
    {"whole peak_heap_bytes=1200000~-,1200001~-,1200002~-,1200003~-,1200004~-,1200005~-,"
     "1200006~-,1200007~-,1200008~-,1200009~-",
     GATE_UNDECIDED},
    {"whole peak_heap_bytes=800000~10,800001~10,800002~10,800003~10,800004~10,800005~10,"
     "800006~10,800007~10,800008~10,800009~10",
     GATE_BETTER},
    {"whole peak_heap_bytes=800000~200000,800001~10,800002~10,800003~10,800004~10,800005~10,"
     "800006~10,800007~10,800008~10,800009~10",
     GATE_UNDECIDED},
    /* One more byte in a million is within the noise; for exact counts it would not be. */
    {"whole peak_heap_bytes=1000001~10,1000002~10,1000001~10,1000002~10,1000001~10,1000002~10,"
     "1000001~10,1000002~10,1000001~10,1000002~10",
     GATE_UNCHANGED},
};

START_TEST(an_estimate_counts_as_far_as_its_error_lets_it)
{
    (void)judge(exact_heaps, heaps[_i].changed);
    ck_assert_msg(gate.counts[heaps[_i].result] == 1, "case %d", _i);
}
END_TEST

START_TEST(estimates_that_happen_to_be_equal_are_not_the_same_count)
{
    (void)judge("whole peak_heap_bytes=1000~5,1000~5", "whole peak_heap_bytes=1000~5,1000~5");
    ck_assert_uint_eq(gate.counts[GATE_UNTESTED], 1);
}
END_TEST

START_TEST(a_threshold_of_nothing_takes_no_estimates)
{
    (void)judge("whole peak_heap_bytes=1000,1000", "whole peak_heap_bytes=1000~5,1000");
    ck_assert_ptr_null(gate_find_drawn(&gate));
    teardown();
    policy.threshold = 0;
    (void)judge("whole peak_heap_bytes=1000,1000", "whole peak_heap_bytes=1000~5,1000");
    ck_assert_ptr_eq(gate_find_drawn(&gate), array_at(&changed.runs, 0));
    teardown();
    (void)judge("whole peak_heap_bytes=1000,1000", "whole peak_heap_bytes=1000,1000");
    ck_assert_ptr_null(gate_find_drawn(&gate));
}
END_TEST

/* Bytes that were asked for are not usable bytes. */
START_TEST(usable_bytes_are_compared_where_a_side_knows_no_others)
{
    (void)judge("whole peak_heap_bytes=1000 peak_usable_bytes=1100",
                "whole peak_heap_bytes=1000 peak_usable_bytes=1200");
    ck_assert_uint_eq(gate.checks.count, 1);
    teardown();
    (void)judge("whole peak_heap_bytes=1000 peak_usable_bytes=1100",
                "whole peak_heap_bytes=- peak_usable_bytes=1200");
    ck_assert_uint_eq(gate.checks.count, 1);
    ck_assert_int_eq(((struct gate_check *)array_at(&gate.checks, 0))->figure.quantity,
                     RUN_PEAK_USABLE);
}
END_TEST

/* ---- endings ------------------------------------------------------------------------- */

static const struct {
    const char *base, *changed;
    bool fails;
} endings[] = {
    {"fact ending exit status 0\n", "fact ending exit status 0\n", false},
    {"fact ending exit status 0\n", "fact ending killed by signal 6\n", true},
    {"fact ending exit status 0\n", "fact ending exit status 3\n", true},
    {"", "fact ending exit status 3\n", true},
    {"fact ending exit status 3\n", "fact ending exit status 3\n", false},
    {"fact ending exit status 3\n", "fact ending exit status 0\n", false},
    {"fact ending exit status 3\n", "fact ending killed by signal 6\n", true},
};

START_TEST(a_run_that_ended_badly_fails_unless_the_baseline_did_too)
{
    char of_base[100], of_changed[100];

    policy.allows_structure = true;
    snprintf(of_base, sizeof of_base, "%skernel gemm calls=10", endings[_i].base);
    snprintf(of_changed, sizeof of_changed, "%skernel gemm calls=10", endings[_i].changed);
    ck_assert_int_eq(judge(of_base, of_changed),
                     endings[_i].fails ? STATUS_POLICY_FAILED : STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_WORSE], endings[_i].fails);
}
END_TEST

/* ---- times --------------------------------------------------------------------------- */

static const char runs_of_100[] =
    "whole wall_ns=1000,1001,1002,1003,1004,1005,1006,1007,1008,1009\n"
    "kernel gemm calls=1 total_ns=100.0,100.1,100.2,100.3,100.4,100.5,100.6,100.7,100.8,100.9";

START_TEST(a_certain_slowdown_of_the_threshold_fails)
{
    ck_assert_int_eq(judge(runs_of_100,
                           "whole wall_ns=1000,1001,1002,1003,1004,1005,1006,1007,1008,1009\n"
                           "kernel gemm calls=1 "
                           "total_ns=105.0,105.1,105.2,105.3,105.4,105.5,105.6,105.7,105.8,105.9"),
                     STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_WORSE], 1);
}
END_TEST

START_TEST(a_certain_slowdown_below_the_threshold_passes)
{
    ck_assert_int_eq(judge(runs_of_100,
                           "whole wall_ns=1000,1001,1002,1003,1004,1005,1006,1007,1008,1009\n"
                           "kernel gemm calls=1 "
                           "total_ns=102.0,102.1,102.2,102.3,102.4,102.5,102.6,102.7,102.8,102.9"),
                     STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_UNDECIDED], 0);
}
END_TEST

START_TEST(an_improvement_is_told_and_passes)
{
    ck_assert_int_eq(
        judge(runs_of_100,
              "whole wall_ns=1000,1001,1002,1003,1004,1005,1006,1007,1008,1009\n"
              "kernel gemm calls=1 total_ns=90.0,90.1,90.2,90.3,90.4,90.5,90.6,90.7,90.8,90.9"),
        STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_BETTER], 1);
}
END_TEST

START_TEST(a_kernel_below_a_hundredth_of_the_time_is_not_judged)
{
    ck_assert_int_eq(judge("whole wall_ns=10000,10001,10002,10003,10004,10005\n"
                           "kernel gemm calls=1 total_ns=10,11,12,13,14,15",
                           "whole wall_ns=10000,10001,10002,10003,10004,10005\n"
                           "kernel gemm calls=1 total_ns=20,21,22,23,24,25"),
                     STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_SMALL], 1);
}
END_TEST

/* A tenth of a run's usual time. */
START_TEST(one_disturbed_run_makes_no_kernel_small)
{
    ck_assert_int_eq(judge("whole wall_ns=1000,1001,1002,1003,1004,1005,1006,1007,1008,99999\n"
                           "kernel gemm calls=1 total_ns=90,91,92,93,94,95,96,97,98,99",
                           "whole wall_ns=1100,1101,1102,1103,1104,1105,1106,1107,1108,99999\n"
                           "kernel gemm calls=1 total_ns=100,101,102,103,104,105,106,107,108,109"),
                     STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_SMALL], 0);
}
END_TEST

/* A kernel that became slow may have been too small to count before. */
START_TEST(a_kernel_that_grew_to_a_share_is_judged)
{
    ck_assert_int_eq(judge("whole wall_ns=10000,10001,10002,10003,10004,10005\n"
                           "kernel gemm calls=1 total_ns=10,11,12,13,14,15",
                           "whole wall_ns=10000,10001,10002,10003,10004,10005\n"
                           "kernel gemm calls=1 total_ns=200,210,220,230,240,250"),
                     STATUS_POLICY_FAILED);
}
END_TEST

/* Welch's test has no p where no side varies; ranks have one. */
START_TEST(by_means_a_constant_that_doubled_fails_and_one_that_halved_is_better)
{
    static const char low[] = "whole peak_rss_bytes=100,100,100,100,100,100",
                      high[] = "whole peak_rss_bytes=200,200,200,200,200,200";

    policy.figure.test = FIGURE_BY_MEAN;
    ck_assert_int_eq(judge(low, high), STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_WORSE], 1);
    teardown();
    ck_assert_int_eq(judge(high, low), STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_BETTER], 1);
    teardown();
    ck_assert_int_eq(judge(low, low), STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_UNCHANGED], 1);
    teardown();
    ck_assert_int_eq(judge("whole peak_rss_bytes=1,1", "whole peak_rss_bytes=2,2"),
                     STATUS_NOT_ENOUGH_DATA);
    ck_assert_uint_eq(gate.runs_needed, 4);
}
END_TEST

START_TEST(too_few_runs_are_not_enough_data_and_it_says_how_many_are)
{
    ck_assert_int_eq(judge("whole wall_ns=100,101,102", "whole wall_ns=200,201,202"),
                     STATUS_NOT_ENOUGH_DATA);
    ck_assert_uint_eq(gate.runs_needed, 4);
}
END_TEST

/* The message of the check of the wall time. */
static void message_is(const char *expected)
{
    struct document document;
    struct table *checks;
    int column;

    gate_report_build(&gate, &document);
    checks = document_main_table(&document);
    column = (int)table_find_column(checks, "message");
    ck_assert_str_eq(table_row(checks, 0)[column].text, expected);
    document_fini(&document);
}

START_TEST(a_certain_slowdown_below_the_threshold_is_told_and_passes)
{
    policy.threshold = 0.2;
    ck_assert_int_eq(judge("whole wall_ns=1000,1001,1002,1003,1004,1005",
                           "whole wall_ns=1117,1118,1119,1120,1121,1122"),
                     STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_WITHIN], 1);
    message_is("1.00 us -> 1.12 us, slower by 11.7 %, interval 1.114 to 1.12, within the threshold "
               "of 20 %");
    teardown();
    policy.figure.test = FIGURE_BY_MEAN;
    ck_assert_int_eq(judge("whole wall_ns=1000,1001,1002,1003,1004,1005",
                           "whole wall_ns=1117,1118,1119,1120,1121,1122"),
                     STATUS_OK);
    ck_assert_uint_eq(gate.counts[GATE_WITHIN], 1);
}
END_TEST

/* Uncertain results have no direction, either. */
START_TEST(too_few_runs_say_neither_faster_nor_slower)
{
    ck_assert_int_eq(judge("whole wall_ns=1000", "whole wall_ns=1090"), STATUS_NOT_ENOUGH_DATA);
    message_is("1.00 us -> 1.09 us, differs (+9.0 %), too few runs for a test");
    teardown();
    ck_assert_int_eq(judge("whole wall_ns=1000,1300,900,1400,800,1200",
                           "whole wall_ns=1010,1310,910,1410,810,1210"),
                     STATUS_OK);
    message_is("1.10 us -> 1.11 us, +0.9 %, interval 0.7214 to 1.41, a slowdown of 5 % cannot "
               "be ruled out");
}
END_TEST

START_TEST(what_is_inconclusive_passes_or_fails_when_asked)
{
    policy.inconclusive = GATE_PASS;
    ck_assert_int_eq(judge("whole wall_ns=100", "whole wall_ns=200"), STATUS_OK);
    teardown();
    policy.inconclusive = GATE_FAIL;
    ck_assert_int_eq(judge("whole wall_ns=100", "whole wall_ns=200"), STATUS_POLICY_FAILED);
    teardown();
    ck_assert_int_eq(
        judge("whole wall_ns=100,130,90,140,80,120", "whole wall_ns=100,131,91,141,81,121"),
        STATUS_POLICY_FAILED);
    ck_assert_uint_eq(gate.counts[GATE_UNDECIDED], 1);
}
END_TEST

/* ---- the rule, on simulated runs ----------------------------------------------------------- */

enum { TRIALS = 200, RUNS = 10, KERNELS = 8 };

static void add_times(char *lines, size_t size, gsl_rng *random, double slowdown)
{
    size_t used = (size_t)snprintf(lines, size, "whole wall_ns=1000000\n");

    for (int i = 0; i < KERNELS; i++) {
        used += (size_t)snprintf(lines + used, size - used, "kernel k%d calls=1 total_ns=", i);
        for (int j = 0; j < RUNS; j++)
            used += (size_t)snprintf(lines + used, size - used, "%s%.6f", j ? "," : "",
                                     (i == 0 ? 1 + slowdown : 1) * 100000 *
                                         gsl_ran_lognormal(random, 0, 0.015));
        used += (size_t)snprintf(lines + used, size - used, "\n");
    }
}

/* How often each rule fails in TRIALS: the gate's, and the one that requires the estimate to exceed
 * the threshold. */
struct tally {
    unsigned ours;
    unsigned estimate;
};

static bool exceeds_by_estimate(void)
{
    for (size_t i = 0; i < gate.checks.count; i++) {
        const struct gate_check *check = array_at(&gate.checks, i);

        if (check->beyond_p_value <= 0.05 && check->figure.ratio > 1 + policy.threshold)
            return true;
    }
    return false;
}

static struct tally simulate(double slowdown)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    static char lines[2][8192];
    struct tally tally = {0, 0};

    gsl_rng_set(random, 7);
    for (int i = 0; i < TRIALS; i++) {
        add_times(lines[0], sizeof lines[0], random, 0);
        add_times(lines[1], sizeof lines[1], random, slowdown);
        tally.ours += judge(lines[0], lines[1]) == STATUS_POLICY_FAILED;
        tally.estimate += exceeds_by_estimate();
        teardown();
    }
    gsl_rng_free(random);
    judge("whole wall_ns=1", "whole wall_ns=1"); /* for the fixture */
    return tally;
}

START_TEST(a_slowdown_as_large_as_the_threshold_is_caught)
{
    struct tally tally = simulate(0.05);

    ck_assert_uint_ge(tally.ours, TRIALS * 95 / 100);
    ck_assert_uint_lt(tally.estimate, TRIALS * 65 / 100);
}
END_TEST

START_TEST(nothing_changed_raises_no_alarm)
{
    ck_assert_uint_le(simulate(0).ours, TRIALS * 2 / 100);
}
END_TEST

/* Twice the noise, and half the threshold: rarely, since the interval ends below. */
START_TEST(a_small_slowdown_fails_less_often_than_not)
{
    ck_assert_uint_lt(simulate(0.02).ours, TRIALS * 25 / 100);
}
END_TEST

/* ---- pages ---------------------------------------------------------------------------------- */

static const char *const formats[] = {"text",   "markdown", "junit",
                                      "github", "gitlab",   "codequality"};

START_TEST(the_report_is_as_on_the_page)
{
    const struct render_options how = {.width = 110};
    char *old = page_section("gate.case", "old"), *new = page_section("gate.case", "new");
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    struct document document;

    policy.source_root = "/code/a:b/";
    judge(old, new);
    gate_report_build(&gate, &document);
    ck_assert_int_eq(document.verdict, STATUS_POLICY_FAILED);
    ck_assert_int_eq(render_find(formats[_i], &renderer, &diagnostic), STATUS_OK);
    ck_assert_int_eq(renderer->document(&document, &how, out, &diagnostic), STATUS_OK);
    fclose(out);
    page_compare("gate.case", formats[_i], bytes);
    document_fini(&document);
    free(bytes);
    free(old);
    free(new);
}
END_TEST

/* GitHub drops all but ten annotations of a kind. */
START_TEST(more_than_ten_failures_are_told_by_the_tenth)
{
    enum { KERNELS_MORE = 12 };
    const struct render_options how = {0};
    struct diagnostic diagnostic;
    struct document document;
    char lines[1024] = "", *bytes = NULL;
    size_t size = 0, used = 0, errors = 0;
    FILE *out = open_memstream(&bytes, &size);

    for (int i = 0; i < KERNELS_MORE; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used, "kernel k%d calls=1\n", i);
    judge("kernel old calls=1", lines);
    gate_report_build(&gate, &document);
    ck_assert_int_eq(renderer_github.document(&document, &how, out, &diagnostic), STATUS_OK);
    fclose(out);
    for (const char *place = bytes; (place = strstr(place, "::error ")); place++)
        errors++;
    ck_assert_uint_eq(errors, 10);
    ck_assert_ptr_nonnull(strstr(bytes, "::error title=4 more errors::"));
    document_fini(&document);
    free(bytes);
}
END_TEST

/* A step that fails has to say why. */
START_TEST(too_few_runs_are_an_error_of_the_step)
{
    const struct render_options how = {0};
    struct diagnostic diagnostic;
    struct document document;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    judge("whole wall_ns=1000", "whole wall_ns=1090");
    gate_report_build(&gate, &document);
    ck_assert_int_eq(renderer_github.document(&document, &how, out, &diagnostic), STATUS_OK);
    fclose(out);
    ck_assert_ptr_eq(strstr(bytes, "::error title=tprof::Gate not enough data: "), bytes);
    ck_assert_ptr_null(strchr(strchr(bytes, '\n') + 1, ':'));
    document_fini(&document);
    free(bytes);
}
END_TEST

/* ---- baselines -------------------------------------------------------------------- */

static char path[64];

static void write_file(const char *text)
{
    int descriptor;

    snprintf(path, sizeof path, "check_gate.XXXXXX");
    descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
}

static enum status read_back(struct run_side *side, bool *is_minimal, struct diagnostic *diagnostic)
{
    enum status status;

    run_side_init(side, "read");
    ck_assert(baseline_is_at(path));
    status = baseline_read(side, is_minimal, path, diagnostic);
    unlink(path);
    return status;
}

START_TEST(a_baseline_says_what_the_runs_said)
{
    struct diagnostic diagnostic;
    struct run_side side, again;
    struct text text;
    bool is_minimal;

    made_runs_init(
        &side, "made",
        "fact processor EPYC\nwhole wall_ns=1000.25,2000\n"
        "kernel gemm m=4 n=5 calls=3,- total_ns=123456789012~7,-\nmetric accuracy value=0.93\n"
        "region step peak_heap_bytes=-,1000~-");
    text_init(&text);
    baseline_append(&side, &text);
    write_file(text.bytes);
    ck_assert_msg(!read_back(&again, &is_minimal, &diagnostic), "%s", diagnostic.text);
    ck_assert(!is_minimal);
    ck_assert_uint_eq(again.runs.count, 2);
    ck_assert_double_eq(run_whole_value(array_at(&again.runs, 0), RUN_WALL), 1000.25);
    ck_assert_double_nan(run_whole_value(array_at(&again.runs, 0), RUN_CPU));
    ck_assert_double_eq(run_metric_value(array_at(&again.runs, 1), "accuracy"), 0.93);
    ck_assert_double_eq(
        run_find_row(array_at(&again.runs, 0), RUN_KERNEL, "gemm", "m=4 n=5")->values[RUN_TOTAL],
        123456789012.0);
    ck_assert_ptr_null(run_find_row(array_at(&again.runs, 1), RUN_KERNEL, "gemm", "m=4 n=5"));
    ck_assert_double_eq(
        run_find_row(array_at(&again.runs, 0), RUN_KERNEL, "gemm", "m=4 n=5")->errors[RUN_TOTAL],
        7);
    ck_assert(isinf(
        run_find_row(array_at(&again.runs, 1), RUN_REGION, "step", "")->errors[RUN_PEAK_HEAP]));
    ck_assert(!((struct run *)array_at(&again.runs, 0))->is_drawn);
    ck_assert(((struct run *)array_at(&again.runs, 1))->is_drawn);
    ck_assert_str_eq(run_fact_value(array_at(&again.runs, 0), "processor"), "EPYC");
    text_fini(&text);
    run_side_fini(&side);
    run_side_fini(&again);
}
END_TEST

/* Labels may have any bytes; JSON may not. */
START_TEST(a_baseline_of_broken_utf_8_is_read_and_agrees_with_its_runs)
{
    struct diagnostic diagnostic;
    struct text text;
    bool is_minimal;

    made_runs_init(&changed, "made",
                   "fact OMP_PROC_BIND no\xff\nwhole wall_ns=1\nregion bad\xff calls=3\n"
                   "metric m\xfe value=0.5");
    text_init(&text);
    baseline_append(&changed, &text);
    write_file(text.bytes);
    ck_assert_msg(!read_back(&base, &is_minimal, &diagnostic), "%s", diagnostic.text);
    ck_assert_double_eq(run_metric_value(array_at(&base.runs, 0), "m\xfe"), 0.5);
    ck_assert_str_eq(run_fact_value(array_at(&base.runs, 0), "OMP_PROC_BIND"),
                     run_fact_value(array_at(&changed.runs, 0), "OMP_PROC_BIND"));
    pair_init(&pair, &base, &changed);
    ck_assert_uint_eq(pair.parts.count, 3);
    run_add_value(array_at(&base.runs, 0), "m\xfe", 0.6);
    ck_assert_double_eq(run_metric_value(array_at(&base.runs, 0), "m\xfe"), 0.6);
    text_fini(&text);
    pair_fini(&pair);
    run_side_fini(&base);
    run_side_fini(&changed);
}
END_TEST

START_TEST(the_minimal_form_is_a_time_an_operation)
{
    struct diagnostic diagnostic;
    struct run_side side;
    bool is_minimal;

    write_file(
        "{\"matmul\": {\"wall_time_s\": 0.5, \"note\": 1}, \"idle\": {\"wall_time_s\": null}}");
    ck_assert_msg(!read_back(&side, &is_minimal, &diagnostic), "%s", diagnostic.text);
    ck_assert(is_minimal);
    ck_assert_double_eq(
        run_find_row(array_at(&side.runs, 0), RUN_OPERATION, "matmul", "")->values[RUN_CALL], 5e8);
    ck_assert_ptr_null(run_find_row(array_at(&side.runs, 0), RUN_OPERATION, "idle", ""));
    run_side_fini(&side);
}
END_TEST

static const struct {
    const char *text;
    const char *told;
} broken[] = {
    {"{", "expected the JSON of a baseline"},
    {"{}", "at least one operation"},
    {"[]", "\"baseline\""},
    {"{\"a\": 1}", "a: expected an operation"},
    {"{\"a\": {\"wall_time_s\": -1}}", "a: expected an operation"},
    {"{\"a\": {\"wall_time_s\": \"1\"}}", "a: expected an operation"},
    {"{\"table\": \"machine\"}", "\"baseline\""},
    {"{\"table\": \"baseline\"}", "schema_version"},
    {"{\"table\": \"baseline\", \"schema_version\": 99}", "later tprof"},
    {"{\"table\": \"baseline\", \"schema_version\": 1, \"runs\": []}", "runs: expected a list"},
    {"{\"table\": \"baseline\", \"schema_version\": 1, \"runs\": [{}]}", "runs[0].rows[0].rows"},
    {"{\"table\": \"baseline\", \"schema_version\": 1, \"runs\": [{\"rows\": [{}]}]}", "subject"},
    {"{\"table\": \"baseline\", \"schema_version\": 1, \"runs\": [{\"rows\": [{\"subject\": "
     "\"whole\", \"name\": \"\", \"wall_ns\": \"x\"}]}]}",
     "wall_ns: expected a number"},
};

START_TEST(a_broken_baseline_is_refused_with_its_place)
{
    struct diagnostic diagnostic;
    struct run_side side;
    bool is_minimal;
    enum status status;

    write_file(broken[_i].text);
    status = read_back(&side, &is_minimal, &diagnostic);
    ck_assert(status == STATUS_CORRUPT || status == STATUS_UNSUPPORTED);
    ck_assert_msg(strstr(diagnostic.text, broken[_i].told) != NULL, "%s", diagnostic.text);
    run_side_fini(&side);
}
END_TEST

static enum status judge_minimal(const char *operation, double seconds)
{
    struct run_side of;
    struct run *minimal;

    policy.is_minimal = true;
    policy.threshold = 0.2;
    made_runs_init(&of, "new",
                   "whole wall_ns=3000\nregion train/step calls=2 inclusive_ns=2000000000\n"
                   "kernel gemm m=1 calls=1 total_ns=100\nkernel gemm m=2 calls=3 total_ns=100");
    run_side_init(&base, "old");
    minimal = array_add(&base.runs);
    run_init(minimal, "", NULL);
    run_add_row(minimal, RUN_OPERATION, operation, "")->values[RUN_CALL] = seconds * 1e9;
    gate_reduce(&changed, &of, minimal);
    run_side_fini(&of);
    pair_init(&pair, &base, &changed);
    gate_init(&gate, &pair, &policy);
    return gate.verdict;
}

static const struct {
    const char *operation;
    double seconds;
    enum status verdict;
    const char *told;
} operations[] = {
    {"train/step", 0.9, STATUS_OK, "region train/step"},
    {"step", 0.8, STATUS_POLICY_FAILED, "region step"},
    {"gemm", 50e-9, STATUS_OK, "gemm"},
    {"gemm", 40e-9, STATUS_POLICY_FAILED, "gemm"},
    {"made", 2.6e-6, STATUS_OK, "the whole run"},
    {"nothing", 1, STATUS_POLICY_FAILED, "operation nothing"},
};

START_TEST(an_operation_is_a_region_a_kernel_or_the_program)
{
    struct text told;

    ck_assert_int_eq(judge_minimal(operations[_i].operation, operations[_i].seconds),
                     operations[_i].verdict);
    ck_assert_uint_eq(gate.checks.count, 1);
    text_init(&told);
    pair_part_append(&told, ((struct gate_check *)array_at(&gate.checks, 0))->figure.part);
    ck_assert_str_eq(told.bytes, operations[_i].told);
    text_fini(&told);
}
END_TEST

#define COUNT(list) (int)(sizeof list / sizeof *list)

int check_gate(void)
{
    Suite *suite = suite_create("gate");
    TCase *rules = tcase_create("rules"), *files = tcase_create("files");

    tcase_set_timeout(rules, 60);
    tcase_add_checked_fixture(rules, setup, teardown);
    tcase_add_test(rules, a_thousandth_more_flops_fails_with_one_run);
    tcase_add_test(rules, fewer_calls_fail_too_unless_structure_is_allowed);
    tcase_add_test(rules, a_kernel_that_is_new_or_missing_is_structure);
    tcase_add_test(rules, one_run_that_counts_otherwise_shows_that_it_varies);
    tcase_add_test(rules, fewer_allocations_are_better_and_more_are_worse);
    tcase_add_test(rules, allocations_that_vary_in_the_baseline_are_not_counted_to_the_last);
    tcase_add_loop_test(rules, an_estimate_counts_as_far_as_its_error_lets_it, 0,
                        sizeof heaps / sizeof *heaps);
    tcase_add_test(rules, estimates_that_happen_to_be_equal_are_not_the_same_count);
    tcase_add_test(rules, a_threshold_of_nothing_takes_no_estimates);
    tcase_add_test(rules, usable_bytes_are_compared_where_a_side_knows_no_others);
    tcase_add_loop_test(rules, a_count_that_varies_is_another_amount_of_work_whether_more_or_less,
                        0, COUNT(amounts));
    tcase_add_loop_test(rules, a_run_that_ended_badly_fails_unless_the_baseline_did_too, 0,
                        COUNT(endings));
    tcase_add_test(rules, a_certain_slowdown_of_the_threshold_fails);
    tcase_add_test(rules, a_certain_slowdown_below_the_threshold_passes);
    tcase_add_test(rules, an_improvement_is_told_and_passes);
    tcase_add_test(rules, a_kernel_below_a_hundredth_of_the_time_is_not_judged);
    tcase_add_test(rules, one_disturbed_run_makes_no_kernel_small);
    tcase_add_test(rules, a_kernel_that_grew_to_a_share_is_judged);
    tcase_add_test(rules, by_means_a_constant_that_doubled_fails_and_one_that_halved_is_better);
    tcase_add_test(rules, too_few_runs_are_not_enough_data_and_it_says_how_many_are);
    tcase_add_test(rules, a_certain_slowdown_below_the_threshold_is_told_and_passes);
    tcase_add_test(rules, too_few_runs_say_neither_faster_nor_slower);
    tcase_add_test(rules, what_is_inconclusive_passes_or_fails_when_asked);
    tcase_add_test(rules, a_slowdown_as_large_as_the_threshold_is_caught);
    tcase_add_test(rules, nothing_changed_raises_no_alarm);
    tcase_add_test(rules, a_small_slowdown_fails_less_often_than_not);
    tcase_add_loop_test(rules, the_report_is_as_on_the_page, 0, COUNT(formats));
    tcase_add_test(rules, more_than_ten_failures_are_told_by_the_tenth);
    tcase_add_test(rules, too_few_runs_are_an_error_of_the_step);
    tcase_add_loop_test(rules, an_operation_is_a_region_a_kernel_or_the_program, 0,
                        COUNT(operations));
    tcase_add_test(files, a_baseline_says_what_the_runs_said);
    tcase_add_test(files, a_baseline_of_broken_utf_8_is_read_and_agrees_with_its_runs);
    tcase_add_test(files, the_minimal_form_is_a_time_an_operation);
    tcase_add_loop_test(files, a_broken_baseline_is_refused_with_its_place, 0, COUNT(broken));
    suite_add_tcase(suite, rules);
    suite_add_tcase(suite, files);
    return suite_run_in_pool(suite);
}
