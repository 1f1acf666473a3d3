/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons of synthetic runs: certain and uncertain differences, and their words; and whole
 * reports against their pages of tests/cases.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/derive.h"
#include "compare/doubts.h"
#include "compare/report.h"
#include "compare/report_parts.h"
#include "compare/words.h"
#include "made_runs.h"
#include "page.h"
#include "render/render.h"
#include "suite.h"

static const struct figure_options by_rank = {FIGURE_BY_RANK, 0.95},
                                   by_mean = {FIGURE_BY_MEAN, 0.95};

static struct run_side base, changed;
static struct pair pair;

static void make(const char *of_base, const char *of_changed)
{
    made_runs_init(&base, "old", of_base);
    made_runs_init(&changed, "new", of_changed);
    pair_init(&pair, &base, &changed);
}

static void teardown(void)
{
    pair_fini(&pair);
    run_side_fini(&base);
    run_side_fini(&changed);
}

/* The first quantity of the first part, judged separately. */
static struct figure judge(enum run_quantity quantity, const struct figure_options *options)
{
    struct array figures;
    struct figure figure;

    array_init(&figures, sizeof(struct figure));
    figure_init(array_add(&figures), array_at(&pair.parts, 0), quantity, options);
    figures_judge(&figures, options);
    figure = *(struct figure *)array_at(&figures, 0);
    array_fini(&figures);
    return figure;
}

static void verdict_is(const struct figure *figure, const char *words)
{
    struct text text;

    text_init(&text);
    words_append_verdict(&text, figure);
    ck_assert_str_eq(text.bytes, words);
    text_fini(&text);
}

/* ---- figures ------------------------------------------------------------------ */

START_TEST(ten_runs_that_are_all_slower_are_slower)
{
    struct figure figure;

    make("whole wall_ns=100,101,102,103,104,105,106,107,108,109",
         "whole wall_ns=110,111,112,113,114,115,116,117,118,119");
    figure = judge(RUN_WALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_MORE);
    ck_assert_int_eq(figure.basis, FIGURE_OF_RUNS);
    ck_assert_double_eq(figure.cliffs_delta, 1);
    ck_assert_double_eq(figure.base, 104.5);
    ck_assert(figure.ratio_interval.low > 1 && figure.ratio_interval.low < figure.ratio);
    ck_assert_int_eq(judge(RUN_WALL, &by_mean).outcome, FIGURE_MORE);
}
END_TEST

START_TEST(equal_runs_are_not_told_apart_and_say_what_they_could_not_see)
{
    struct figure figure;

    make("whole wall_ns=100,103,99,101,102,98,104,97",
         "whole wall_ns=101,100,102,99,103,98,97,104");
    figure = judge(RUN_WALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_UNDECIDED);
    ck_assert(figure.least_ratio > 0.01 && figure.least_ratio < 0.1);
    ck_assert_int_eq(judge(RUN_WALL, &by_mean).outcome, FIGURE_UNDECIDED);
}
END_TEST

/* Of the 20 orders of three and three, two are extreme. */
START_TEST(three_runs_a_side_can_never_be_told_apart)
{
    struct figure figure;

    make("whole wall_ns=1,2,3", "whole wall_ns=1001,1002,1003");
    figure = judge(RUN_WALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_DIFFERS);
    ck_assert_double_eq_tol(figure.least_p_value, 0.1, 1e-12);
    ck_assert_uint_eq(figure_runs_needed(FIGURE_BY_RANK, 0.05, 1), 4);
    ck_assert_uint_eq(figure_runs_needed(FIGURE_BY_RANK, 0.05, 20), 6);
    ck_assert_uint_eq(figure_runs_needed(FIGURE_BY_MEAN, 0.05, 20), 2);
}
END_TEST

START_TEST(by_means_constants_that_differ_are_told_apart)
{
    make("whole peak_rss_bytes=100,100,100,100,100", "whole peak_rss_bytes=90,90,90,90,90");
    ck_assert_int_eq(judge(RUN_PEAK_RSS, &by_mean).outcome, FIGURE_LESS);
    ck_assert_int_eq(judge(RUN_PEAK_RSS, &by_rank).outcome, FIGURE_LESS);
}
END_TEST

START_TEST(one_run_a_side_gives_a_ratio_and_no_verdict)
{
    struct figure figure;

    make("whole wall_ns=100", "whole wall_ns=200");
    figure = judge(RUN_WALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_DIFFERS);
    ck_assert_int_eq(figure.basis, FIGURE_OF_ONE);
    ck_assert_double_eq(figure.ratio, 2);
    ck_assert_double_nan(figure.p_value);
    verdict_is(&figure, "differs (+100.0 %)");
    teardown();
    make("whole wall_ns=100000", "whole wall_ns=99976");
    figure = judge(RUN_WALL, &by_rank);
    verdict_is(&figure, "the same (-0.024 %)");
    teardown();
    make("whole wall_ns=100", "whole wall_ns=100");
    figure = judge(RUN_WALL, &by_rank);
    verdict_is(&figure, "the same");
}
END_TEST

/* A count of one run is exact. */
START_TEST(one_run_a_side_tells_exact_counts)
{
    struct figure figure;

    make("kernel gemm calls=100", "kernel gemm calls=101");
    figure = judge(RUN_CALLS, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_MORE);
    verdict_is(&figure, "1.01x more (+1.0 %)");
}
END_TEST

START_TEST(with_one_run_a_side_its_calls_are_compared)
{
    const double fast[] = {10, 11, 12, 11, 10, 12}, slow[] = {20, 21, 22, 21, 20, 22};
    struct figure figure;

    make("kernel gemm call_ns=11", "kernel gemm call_ns=21");
    made_runs_add_calls(&base, "gemm", fast, 6);
    made_runs_add_calls(&changed, "gemm", slow, 6);
    figure = judge(RUN_CALL, &by_rank);
    ck_assert_int_eq(figure.basis, FIGURE_OF_CALLS);
    ck_assert_int_eq(figure.outcome, FIGURE_MORE);
    ck_assert_uint_eq(figure.base_count, 6);
    ck_assert_double_eq(figure.base, 11);
    verdict_is(&figure, "calls differ (+90.9 %)");
}
END_TEST

enum { TRIALS = 200, CALLS = 500 };

/* Each call's distance from the mean is rho times the previous one's, plus chance. */
static void draw_calls(gsl_rng *random, double rho, double *ns)
{
    double distance = gsl_ran_gaussian(random, 1 / sqrt(1 - rho * rho));

    for (size_t i = 0; i < CALLS; i++) {
        distance = rho * distance + gsl_ran_gaussian(random, 1);
        ns[i] = 100 + distance;
    }
}

static const struct {
    double rho;
    unsigned most; /* alarms of TRIALS; 5 % of the trials may be false alarms */
} dependences[] = {{0, 20}, {0.3, 20}, {0.8, 24}, {0.95, 20}};

START_TEST(calls_that_depend_on_each_other_raise_no_false_alarms)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double of_base[CALLS], of_changed[CALLS];
    unsigned alarms = 0;

    for (int i = 0; i < TRIALS; i++) {
        make("kernel gemm call_ns=100", "kernel gemm call_ns=100");
        draw_calls(random, dependences[_i].rho, of_base);
        draw_calls(random, dependences[_i].rho, of_changed);
        made_runs_add_calls(&base, "gemm", of_base, CALLS);
        made_runs_add_calls(&changed, "gemm", of_changed, CALLS);
        alarms += judge(RUN_CALL, &by_rank).outcome != FIGURE_UNDECIDED ? 1 : 0;
        teardown();
    }
    gsl_rng_free(random);
    ck_assert_uint_le(alarms, dependences[_i].most);
    make("whole wall_ns=1", "whole wall_ns=1"); /* for the fixture */
}
END_TEST

/* They cannot be distinguished, but their times are known. */
START_TEST(few_calls_against_many_that_depend_on_each_other_have_their_medians)
{
    const double few[] = {100, 101, 99, 100, 102, 98, 100, 101};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double of_base[CALLS];
    struct figure figure;

    make("kernel gemm call_ns=100", "kernel gemm call_ns=100");
    draw_calls(random, 0.95, of_base);
    made_runs_add_calls(&base, "gemm", of_base, CALLS);
    made_runs_add_calls(&changed, "gemm", few, 8);
    figure = judge(RUN_CALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_UNDECIDED);
    ck_assert_uint_eq(figure.changed_count, 1);
    ck_assert_double_eq_tol(figure.base, 100, 5);
    ck_assert_double_eq_tol(figure.changed, 100, 2);
    gsl_rng_free(random);
}
END_TEST

START_TEST(a_change_of_calls_that_depend_on_each_other_is_found)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double of_base[CALLS], of_changed[CALLS];
    struct figure figure;

    make("kernel gemm call_ns=100", "kernel gemm call_ns=110");
    draw_calls(random, 0.8, of_base);
    draw_calls(random, 0.8, of_changed);
    for (size_t i = 0; i < CALLS; i++)
        of_changed[i] *= 1.1;
    made_runs_add_calls(&base, "gemm", of_base, CALLS);
    made_runs_add_calls(&changed, "gemm", of_changed, CALLS);
    figure = judge(RUN_CALL, &by_rank);
    ck_assert_int_eq(figure.outcome, FIGURE_MORE);
    ck_assert_uint_gt(figure.batch, 10);
    ck_assert_uint_eq(figure.base_count, CALLS / figure.batch);
    ck_assert_double_eq_tol(figure.ratio, 1.1, 0.02);
    gsl_rng_free(random);
}
END_TEST

START_TEST(counts_that_never_vary_need_no_test)
{
    make("kernel gemm calls=1000,1000", "kernel gemm calls=1001,1001");
    ck_assert_int_eq(judge(RUN_CALLS, &by_rank).outcome, FIGURE_MORE);
    ck_assert_double_nan(judge(RUN_CALLS, &by_rank).adjusted_p_value);
}
END_TEST

START_TEST(what_one_side_does_not_know_is_not_compared)
{
    make("whole wall_ns=1,2,3,4,5 cpu_ns=1", "whole wall_ns=1,2,3,4,5");
    ck_assert_int_eq(judge(RUN_CPU, &by_rank).outcome, FIGURE_UNKNOWN);
    ck_assert_double_nan(judge(RUN_CPU, &by_rank).ratio);
}
END_TEST

/* One true difference among twenty others is found; alone it is easier to find. */
START_TEST(many_comparisons_make_each_dearer)
{
    struct array figures;
    double alone;

    make("whole wall_ns=100,101,102,103,104 cpu_ns=100,103,99,101,102",
         "whole wall_ns=106,107,108,109,110 cpu_ns=101,100,102,99,103");
    alone = judge(RUN_WALL, &by_rank).adjusted_p_value;
    array_init(&figures, sizeof(struct figure));
    for (int i = 0; i < 20; i++)
        figure_init(array_add(&figures), array_at(&pair.parts, 0),
                                     i == 0 ? RUN_WALL : RUN_CPU, &by_rank);
    figures_judge(&figures, &by_rank);
    ck_assert(((struct figure *)array_at(&figures, 0))->adjusted_p_value > 10 * alone);
    array_fini(&figures);
}
END_TEST

/* Four runs a side reach 0.029; further rows would make it 0.06. */
START_TEST(the_wall_time_is_tested_alone)
{
    struct compared compared;
    const struct figure *wall;

    make("whole wall_ns=100,101,102,103 cpu_ns=100,103,99,101 peak_rss_bytes=10,13,9,11",
         "whole wall_ns=14,15,16,17 cpu_ns=101,100,102,99 peak_rss_bytes=11,10,12,9");
    compared_init(&compared, &base, &changed, &by_rank);
    wall = compared_whole(&compared, RUN_WALL);
    ck_assert_int_eq(wall->outcome, FIGURE_LESS);
    ck_assert_double_eq(wall->adjusted_p_value, wall->p_value);
    compared_fini(&compared);
}
END_TEST

/* ---- words ----------------------------------------------------------------------- */

static const struct {
    enum run_quantity quantity;
    double ratio;
    const char *words;
} changes[] = {
    {RUN_WALL, 0.9, "1.11x faster (-10.0 %)"},
    {RUN_WALL, 1.05, "1.05x slower (+5.0 %)"},
    {RUN_WALL, 0.25, "4.00x faster (-75.0 %)"},
    {RUN_PEAK_RSS, 0.5, "2.00x less (-50.0 %)"},
    {RUN_FLOPS, 1.001, "1.00x more (+0.1 %)"},
    {RUN_FLOPS, 1.00001, "1.00x more (+0.001 %)"},
    {RUN_FLOPS, 1 - 1.4e-8, "1.00x less (>-0.001 %)"},
    {RUN_ITEM_RATE, 12.5, "12.5x more (+1150.0 %)"},
    {RUN_WALL, 1, "the same"},
    {RUN_CALLS, 0, "none left"},
    {RUN_WALL, (double)NAN, "unknown"},
};

START_TEST(a_change_has_its_direction_in_words)
{
    struct text text;

    text_init(&text);
    words_append_change(&text, changes[_i].quantity, changes[_i].ratio);
    ck_assert_str_eq(text.bytes, changes[_i].words);
    text_fini(&text);
}
END_TEST

/* Below 0 and from 0 on there is no ratio. */
static const struct {
    const char *base;
    const char *changed;
    const char *words;
} differences[] = {
    {"metric m value=-104.5,-104,-105,-104,-103", "metric m value=-304.5,-304,-305,-304,-303",
     "less (-200)"},
    {"metric m value=-304.5,-304,-305,-304,-303", "metric m value=-104.5,-104,-105,-104,-103",
     "more (+200)"},
    {"metric m value=5,6,7,8,9", "metric m value=-5,-4,-3,-2,-1", "less (-10)"},
    {"metric m value=-1,-1,-1", "metric m value=-3,-3,-3", "less (-2)"},
    {"metric m value=-1", "metric m value=-3", "differs (-2)"},
};

START_TEST(what_has_no_ratio_is_more_or_less_by_a_difference)
{
    const struct figure_options *tests[] = {&by_rank, &by_mean};

    for (size_t i = 0; i < 2; i++) {
        struct figure figure;

        make(differences[_i].base, differences[_i].changed);
        figure = judge(RUN_VALUE, tests[i]);
        verdict_is(&figure, differences[_i].words);
        teardown();
    }
}
END_TEST

START_TEST(changes_of_counts_have_no_powers_of_ten)
{
    struct text text;

    text_init(&text);
    words_append_count_change(&text, 1.005);
    text_append(&text, ", ");
    words_append_count_change(&text, 32);
    ck_assert_str_eq(text.bytes, "+0.5 %, +3100 %");
    text_fini(&text);
}
END_TEST

START_TEST(effects_have_names)
{
    ck_assert_str_eq(words_effect(0.1), "negligible");
    ck_assert_str_eq(words_effect(-0.2), "small");
    ck_assert_str_eq(words_effect(0.4), "medium");
    ck_assert_str_eq(words_effect(-1), "large");
    ck_assert_ptr_null(words_effect((double)NAN));
}
END_TEST

/* ---- expressions -------------------------------------------------------------------- */

static bool find_name(const void *of, const char *name, size_t size, double *value)
{
    (void)of;
    if (size == 8 && memcmp(name, "accuracy", 8) == 0)
        *value = 0.9;
    else if (size == 6 && memcmp(name, "wall_s", 6) == 0)
        *value = 2;
    else
        return size == 7 && memcmp(name, "unknown", 7) == 0;
    return true;
}

static const struct {
    const char *expression;
    double value;
} expressions[] = {
    {"accuracy/wall_s", 0.45}, {"1+2*3", 7}, {"(1+2)*3", 9},       {"-2 - -3", 1}, {"8/4/2", 1},
    {" wall_s * 1e3 ", 2000},  {"1/0", NAN}, {"unknown + 1", NAN},
};

START_TEST(expressions_are_computed)
{
    struct diagnostic diagnostic;
    double value;

    ck_assert_int_eq(
        derive_evaluate(expressions[_i].expression, find_name, NULL, &value, &diagnostic),
        STATUS_OK);
    if (isnan(expressions[_i].value))
        ck_assert_double_nan(value);
    else
        ck_assert_double_eq_tol(value, expressions[_i].value, 1e-12);
}
END_TEST

/* Deeper than an expression may be. */
#define TEN_MINUS "----------"
#define SIXTY_MINUS TEN_MINUS TEN_MINUS TEN_MINUS TEN_MINUS TEN_MINUS TEN_MINUS
static const char too_deep[] = SIXTY_MINUS "--------1";

static const char *const mistakes[] = {
    "", "1+", "1)", "(1", "acuracy", "1 2", "wall_s wall_s", "*1", "1//2", "$", too_deep};

START_TEST(mistakes_in_expressions_are_pointed_at)
{
    struct diagnostic diagnostic;
    double value;

    ck_assert_int_eq(derive_evaluate(mistakes[_i], find_name, NULL, &value, &diagnostic),
                     STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "at character "));
}
END_TEST

/* ---- doubts ------------------------------------------------------------------------------ */

static bool has_doubt(const char *about)
{
    struct text_list doubts;
    bool is_found = false;

    text_list_init(&doubts);
    doubts_add(&doubts, &pair);
    for (size_t i = 0; i < text_list_count(&doubts); i++)
        is_found |= strstr(text_list_at(&doubts, i), about) != NULL;
    text_list_fini(&doubts);
    return is_found;
}

START_TEST(another_machine_or_thread_count_is_a_doubt_and_another_command_is_none)
{
    make("fact processor one\nfact command old --fast\nwhole wall_ns=1",
         "fact processor two\nfact command new\nfact OMP_NUM_THREADS 2\nwhole wall_ns=1");
    ck_assert(has_doubt("processor: one in old, two in new."));
    ck_assert(has_doubt("OMP_NUM_THREADS: missing in old, 2 in new."));
    ck_assert(!has_doubt("command"));
}
END_TEST

START_TEST(runs_one_side_after_the_other_are_a_doubt)
{
    make("whole wall_ns=1,2", "whole wall_ns=1,2");
    for (size_t i = 0; i < 2; i++) {
        ((struct run *)array_at(&base.runs, i))->realtime_start_ns = 10 * (int64_t)i;
        ((struct run *)array_at(&changed.runs, i))->realtime_start_ns = 100 + (int64_t)i;
    }
    ck_assert(has_doubt("All runs of old came before all runs of new"));
    ((struct run *)array_at(&changed.runs, 0))->realtime_start_ns = 5;
    ck_assert(!has_doubt("All runs"));
}
END_TEST

/* The wall time is twice as long; it matters whether the processor time is, too. */
START_TEST(a_side_that_only_waited_longer_is_a_doubt)
{
    make("whole wall_ns=100,101,102 cpu_ns=98,98,98",
         "whole wall_ns=200,202,204 cpu_ns=101,101,101");
    ck_assert(has_doubt("Most of the extra time of new is not processor time. Processor time is "
                        "97.0 % of the wall time in old and 50.0 % in new."));
    teardown();
    make("whole wall_ns=200,202,204 cpu_ns=101,101,101",
         "whole wall_ns=100,101,102 cpu_ns=98,98,98");
    ck_assert(has_doubt("Most of the extra time of old is not processor time."));
    teardown();
    make("whole wall_ns=100,101,102 cpu_ns=98,98,98",
         "whole wall_ns=200,202,204 cpu_ns=196,196,196");
    ck_assert(!has_doubt("processor time"));
    teardown();
    make("whole wall_ns=100,101,102", "whole wall_ns=200,202,204");
    ck_assert(!has_doubt("processor time"));
}
END_TEST

/* ---- pages ---------------------------------------------------------------------------------- */

static const struct {
    const char *page;
    const char *format;
    const char *section;
} pages[] = {
    {"compare.case", "text", "text"},           {"compare_single.case", "text", "text"},
    {"compare_chain.case", "text", "text"},     {"compare_doubtful.case", "text", "text"},
    {"compare_estimates.case", "text", "text"},
};

static size_t read_sides(const char *page, struct run_side *sides, size_t most)
{
    static const char *const labels[] = {"v0", "v1", "v2"};
    size_t count = strcmp(page, "compare_chain.case") == 0 ? 3 : 2;

    for (size_t i = 0; i < count && i < most; i++) {
        char *lines = page_section(page, labels[i]);

        made_runs_init(&sides[i], labels[i], lines);
        free(lines);
    }
    return count;
}

static void render(const struct report *report, const char *format, const char *page,
                   const char *section)
{
    const struct render_options how = {.width = 110};
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_int_eq(render_find(format, &renderer, &diagnostic), STATUS_OK);
    ck_assert_int_eq(renderer->document(&report->document, &how, out, &diagnostic), STATUS_OK);
    fclose(out);
    page_compare(page, section, bytes);
    free(bytes);
}

START_TEST(the_report_is_as_on_the_page)
{
    struct run_side sides[3];
    struct report_request request = {
        .sides = sides, .figure = by_rank, .price_per_hour = (double)NAN};
    struct diagnostic diagnostic;
    struct report report;

    request.count = read_sides(pages[_i].page, sides, 3);
    request.shows_sides = request.count > 2;
    if (request.shows_sides)
        request.derived[request.derived_count++] =
            (struct report_derived){"eff", "accuracy/wall_s"};
    ck_assert_msg(!report_compare(&report, &request, &diagnostic), "%s", diagnostic.text);
    render(&report, pages[_i].format, pages[_i].page, pages[_i].section);
    report_fini(&report);
    for (size_t i = 0; i < request.count; i++)
        run_side_fini(&sides[i]);
}
END_TEST

#define COUNT(list) (int)(sizeof list / sizeof *list)

int check_compare(void)
{
    Suite *suite = suite_create("compare");
    TCase *figures = tcase_create("figures"), *wording = tcase_create("words"),
          *reports = tcase_create("reports");

    tcase_set_timeout(figures, 60);
    tcase_add_checked_fixture(figures, NULL, teardown);
    tcase_add_test(figures, ten_runs_that_are_all_slower_are_slower);
    tcase_add_test(figures, equal_runs_are_not_told_apart_and_say_what_they_could_not_see);
    tcase_add_test(figures, three_runs_a_side_can_never_be_told_apart);
    tcase_add_test(figures, by_means_constants_that_differ_are_told_apart);
    tcase_add_test(figures, one_run_a_side_gives_a_ratio_and_no_verdict);
    tcase_add_test(figures, one_run_a_side_tells_exact_counts);
    tcase_add_test(figures, with_one_run_a_side_its_calls_are_compared);
    tcase_add_loop_test(figures, calls_that_depend_on_each_other_raise_no_false_alarms, 0,
                        COUNT(dependences));
    tcase_add_test(figures, few_calls_against_many_that_depend_on_each_other_have_their_medians);
    tcase_add_test(figures, a_change_of_calls_that_depend_on_each_other_is_found);
    tcase_add_test(figures, counts_that_never_vary_need_no_test);
    tcase_add_test(figures, what_one_side_does_not_know_is_not_compared);
    tcase_add_test(figures, many_comparisons_make_each_dearer);
    tcase_add_test(figures, the_wall_time_is_tested_alone);
    tcase_add_test(figures, a_side_that_only_waited_longer_is_a_doubt);
    tcase_add_test(figures, another_machine_or_thread_count_is_a_doubt_and_another_command_is_none);
    tcase_add_test(figures, runs_one_side_after_the_other_are_a_doubt);
    tcase_add_loop_test(wording, a_change_has_its_direction_in_words, 0, COUNT(changes));
    tcase_add_loop_test(wording, what_has_no_ratio_is_more_or_less_by_a_difference, 0,
                        COUNT(differences));
    tcase_add_test(wording, changes_of_counts_have_no_powers_of_ten);
    tcase_add_test(wording, effects_have_names);
    tcase_add_loop_test(wording, expressions_are_computed, 0, COUNT(expressions));
    tcase_add_loop_test(wording, mistakes_in_expressions_are_pointed_at, 0, COUNT(mistakes));
    tcase_add_loop_test(reports, the_report_is_as_on_the_page, 0, COUNT(pages));
    suite_add_tcase(suite, figures);
    suite_add_tcase(suite, wording);
    suite_add_tcase(suite, reports);
    return suite_run_in_pool(suite);
}
