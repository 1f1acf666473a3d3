/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of tprof bench without running a program: parameters, plans,
 * metrics, the order of runs, results, knees, scaling, suites.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/expression.h"
#include "bench/metric.h"
#include "bench/noise.h"
#include "bench/plan.h"
#include "bench/report.h"
#include "bench/results.h"
#include "bench/scaling.h"
#include "bench/schedule.h"
#include "bench/suite.h"
#include "bench/sweep.h"
#include "suite.h"

/* ---- parameters ------------------------------------------------------------------ */

static void expect_values(const char *text, const char *expected)
{
    struct parameter parameter;
    struct diagnostic diagnostic;
    struct text found;

    ck_assert_int_eq(parameter_read(&parameter, text, &diagnostic), STATUS_OK);
    text_init(&found);
    for (size_t i = 0; i < text_list_count(&parameter.values); i++)
        text_appendf(&found, "%s%s", i > 0 ? "|" : "", text_list_at(&parameter.values, i));
    ck_assert_str_eq(found.bytes, expected);
    text_fini(&found);
    parameter_fini(&parameter);
}

START_TEST(values_are_listed_or_counted)
{
    expect_values("seq=128,256,512", "128|256|512");
    expect_values("n=1..5", "1|2|3|4|5");
    expect_values("n=16..128x2", "16|32|64|128");
    expect_values("n=0..10+5", "0|5|10");
    expect_values("n=0.1..0.5+0.2", "0.1|0.3|0.5");
    expect_values("n=1..10x3,100", "1|3|9|100");
    expect_values("file=a\\,b,c d", "a,b|c d");
    expect_values("path=../x,1.5", "../x|1.5");
}
END_TEST

static void expect_refusal(const char *text, const char *part)
{
    struct parameter parameter;
    struct diagnostic diagnostic = {.text = ""};

    ck_assert_int_eq(parameter_read(&parameter, text, &diagnostic), STATUS_USAGE);
    ck_assert_msg(strstr(diagnostic.text, part), "'%s': %s", text, diagnostic.text);
}

START_TEST(what_is_no_parameter_is_refused)
{
    expect_refusal("seq", "expected NAME=VALUE");
    expect_refusal("=1", "expected NAME=VALUE");
    expect_refusal("a b=1", "expected NAME=VALUE");
    expect_refusal("n=", "expected NAME=VALUE");
    expect_refusal("n=1,1", "twice");
    expect_refusal("n=5..1", "does not end");
    expect_refusal("n=1..5+0", "does not end");
    expect_refusal("n=0..8x2", "does not end");
    expect_refusal("n=1..8x1", "does not end");
    expect_refusal("n=1..100000", "more than");
}
END_TEST

START_TEST(only_names_that_are_known_are_replaced)
{
    struct parameter_value values[] = {{"n", "7", "7"}, {"name", "x y", "x y"}};
    const struct array array = {values, 2, 2, sizeof *values, NULL};
    struct text out;

    text_init(&out);
    parameter_substitute(&out, "a{n}{name} {other} {print $1} {n {{n}}", &array);
    ck_assert_str_eq(out.bytes, "a7x y {other} {print $1} {n {7}");
    text_fini(&out);
    ck_assert(parameter_is_used("--n={n}", "n"));
    ck_assert(!parameter_is_used("--n={name}", "n"));
    ck_assert(!parameter_is_used(NULL, "n"));
}
END_TEST

START_TEST(expressions_are_computed_or_refused)
{
    struct diagnostic diagnostic;
    double number;

    ck_assert_int_eq(expression_compute("--items", "32 * (4+4)", &number, &diagnostic), STATUS_OK);
    ck_assert_double_eq(number, 256);
    ck_assert_int_eq(expression_compute("--items", "0.5*8", &number, &diagnostic), STATUS_OK);
    ck_assert_double_eq(number, 4);
    ck_assert_int_eq(expression_compute("--items", "2*{n}", &number, &diagnostic), STATUS_USAGE);
    ck_assert_int_eq(expression_compute("--items", "1/0", &number, &diagnostic), STATUS_USAGE);
    ck_assert_int_eq(expression_compute("--items", "1 2", &number, &diagnostic), STATUS_USAGE);
    ck_assert_int_eq(expression_compute("--items", "", &number, &diagnostic), STATUS_USAGE);
}
END_TEST

/* ---- metrics ----------------------------------------------------------------------- */

static double find_metric(const char *text, const char *output)
{
    struct metric metric;
    struct diagnostic diagnostic;
    double value;

    ck_assert_int_eq(metric_read(&metric, text, &diagnostic), STATUS_OK);
    ck_assert_int_eq(metric_find(&metric, output, &value, &diagnostic), STATUS_OK);
    metric_fini(&metric);
    return value;
}

START_TEST(a_metric_is_the_first_group_of_the_last_match)
{
    static const char output[] = "step 1 ACC: 0.5\nstep 2 ACC: 0.75\nloss 1e-3\nx=\n12 ms\n";

    ck_assert_double_eq(find_metric("accuracy=ACC: ([0-9.]+)", output), 0.75);
    ck_assert_double_eq(find_metric("loss=^loss (.*)$", output), 1e-3);
    ck_assert_double_eq(find_metric("ms=[0-9]+ ms", output), 12);
    ck_assert_double_eq(find_metric("step ([0-9])", output), 2);
    ck_assert_double_nan(find_metric("none=NOTHING ([0-9]+)", output));
    ck_assert_double_nan(find_metric("word=(loss)", output));
    ck_assert_double_nan(find_metric("empty=x*", ""));
}
END_TEST

/* Words that begin with digits, and what may follow a number. */
static const struct {
    const char *output;
    double value; /* NAN: refused */
} printed[] = {
    {"9de14380e907cb7b", (double)NAN},
    {"1.2.3", (double)NAN},
    {"1,234", (double)NAN},
    {"2026-11-22", (double)NAN},
    {"12ms", 12},
    {"12 ms of 20", 12},
    {"3.5GB/s", 3.5},
    {"75%", 75},
    {"1e-3,", 1e-3},
};

START_TEST(a_metric_is_a_whole_number_and_not_the_first_digits_of_a_word)
{
    struct metric metric;
    struct diagnostic diagnostic = {.text = ""};
    bool is_refused = isnan(printed[_i].value);
    double value;

    ck_assert_int_eq(metric_read(&metric, "m=.+", &diagnostic), STATUS_OK);
    ck_assert_int_eq(metric_find(&metric, printed[_i].output, &value, &diagnostic),
                     is_refused ? STATUS_USAGE : STATUS_OK);
    if (is_refused)
        ck_assert_ptr_nonnull(strstr(diagnostic.text, printed[_i].output));
    else
        ck_assert_double_eq(value, printed[_i].value);
    metric_fini(&metric);
}
END_TEST

START_TEST(a_metric_that_is_no_expression_is_refused)
{
    struct metric metric;
    struct diagnostic diagnostic;

    ck_assert_int_eq(metric_read(&metric, "a=(", &diagnostic), STATUS_USAGE);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "metric a"));
}
END_TEST

/* ---- plans ---------------------------------------------------------------------------- */

static struct plan_command *add_command(struct plan *plan, const char *words)
{
    struct plan_command *command = plan_add_command(plan);
    char *copy = strdup(words), *rest = copy;

    ck_assert_ptr_nonnull(command);
    for (char *word = strsep(&rest, " "); word; word = strsep(&rest, " "))
        plan_add_word(plan, command, word);
    free(copy);
    return command;
}

static void add_parameter(struct plan_command *command, const char *text)
{
    struct diagnostic diagnostic;
    struct parameter *parameter = array_add(&command->parameters);

    ck_assert_ptr_nonnull(parameter);
    ck_assert_int_eq(parameter_read(parameter, text, &diagnostic), STATUS_OK);
}

static const char *word_at(const struct plan_point *point, size_t index)
{
    return *(const char **)array_at(&point->words, index);
}

static const struct plan_point *point_at(const struct plan *plan, size_t index)
{
    return array_at(&plan->points, index);
}

START_TEST(points_are_the_product_of_the_parameters)
{
    struct plan plan;
    struct diagnostic diagnostic;
    struct plan_command *command;

    plan_init(&plan);
    command = add_command(&plan, "dir/prog --b={b} {s}");
    command->items = "{b} * {s}";
    add_parameter(command, "b=1,2");
    add_parameter(command, "s=3,4,5");
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(plan.points.count, 6);
    ck_assert_str_eq(point_at(&plan, 0)->label, "b=1 s=3");
    ck_assert_str_eq(point_at(&plan, 4)->label, "b=2 s=4");
    ck_assert_str_eq(word_at(point_at(&plan, 4), 1), "--b=2");
    ck_assert_str_eq(word_at(point_at(&plan, 4), 2), "4");
    ck_assert_ptr_null(word_at(point_at(&plan, 4), 3));
    ck_assert_double_eq(point_at(&plan, 5)->items, 10);
    ck_assert_str_eq(plan_value(point_at(&plan, 5), "s")->text, "5");
    ck_assert_ptr_null(plan_value(point_at(&plan, 5), "x"));
    ck_assert_ptr_null(plan_swept(&plan)); /* two parameters vary */
    plan_fini(&plan);
}
END_TEST

START_TEST(a_shell_gets_its_command_as_one_word)
{
    struct plan plan;
    struct diagnostic diagnostic;
    struct plan_command *command;

    plan_init(&plan);
    command = plan_add_command(&plan);
    command->is_shell = true;
    plan_add_word(&plan, command, "a | b {n}");
    add_parameter(command, "n=1,8");
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    ck_assert_str_eq(word_at(point_at(&plan, 1), 0), "/bin/sh");
    ck_assert_str_eq(word_at(point_at(&plan, 1), 2), "a | b 8");
    ck_assert_str_eq(plan_swept(&plan), "n");
    plan_fini(&plan);
}
END_TEST

static void expect_no_plan(const char *words, const char *parameter, const char *other,
                           const char *part)
{
    struct plan plan;
    struct diagnostic diagnostic = {.text = ""};
    struct plan_command *command;

    plan_init(&plan);
    if (words) {
        command = add_command(&plan, words);
        add_parameter(command, parameter);
        add_parameter(command, other);
    }
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_USAGE);
    ck_assert_msg(strstr(diagnostic.text, part), "%s", diagnostic.text);
    plan_fini(&plan);
}

START_TEST(a_plan_that_cannot_be_meant_is_refused)
{
    expect_no_plan(NULL, NULL, NULL, "no command");
    expect_no_plan("prog {a}", "a=1", "b=1", "no word of");
    expect_no_plan("prog {a}", "a=1", "a=2", "given twice");
    expect_no_plan("prog {a} {b}", "a=1..1000", "b=1..11", "more than");
}
END_TEST

START_TEST(words_are_no_sweep)
{
    struct plan plan;
    struct diagnostic diagnostic;
    struct plan_command *command;

    plan_init(&plan);
    command = add_command(&plan, "prog {a} {b}");
    add_parameter(command, "a=x,y");
    add_parameter(command, "b=1");
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    ck_assert_ptr_null(plan_swept(&plan));
    plan_fini(&plan);
}
END_TEST

/* ---- the order of runs ----------------------------------------------------------------- */

/* A program that takes the time given by its point. */
struct made {
    double wall_ns[4]; /* by point */
    size_t calls;
    size_t fail_at; /* call; SIZE_MAX: none */
    enum sample_end end;
    char order[4096]; /* a letter a run: capital to warm up */
    double left_ns;   /* last shown */
};

static enum status run_made(void *of, const struct plan_point *point, struct sample *sample,
                            struct diagnostic *diagnostic)
{
    struct made *made = of;

    (void)point;
    (void)diagnostic;
    if (made->calls + 1 < sizeof made->order)
        made->order[made->calls] = (char)((sample->is_warmup ? 'A' : 'a') + (int)sample->point);
    sample->wall_ns = made->wall_ns[sample->point];
    if (made->calls++ == made->fail_at) {
        sample->end = made->end;
        sample->code = 9;
    }
    return STATUS_OK;
}

static void show_made(void *of, const struct schedule_progress *progress)
{
    ((struct made *)of)->left_ns = progress->left_ns;
}

/* Shape: `count` commands. */
static void make_plan(struct plan *plan, size_t count, unsigned runs, unsigned warmup)
{
    struct diagnostic diagnostic;

    plan_init(plan);
    for (size_t i = 0; i < count; i++) {
        char name[] = {(char)('a' + (int)i), '\0'};
        struct plan_command *command = add_command(plan, name);

        command->runs = runs;
        command->warmup = warmup;
    }
    ck_assert_int_eq(plan_expand(plan, &diagnostic), STATUS_OK);
}

static enum status run_plan_least(const struct plan *plan, struct made *made, unsigned runs_least,
                                  struct array *samples)
{
    const struct schedule_runner runner = {
        .of = made, .run = run_made, .seed = 1, .runs_least = runs_least};
    struct diagnostic diagnostic;

    array_init(samples, sizeof(struct sample));
    return schedule_run(plan, &runner, samples, &diagnostic);
}

static enum status run_plan(const struct plan *plan, struct made *made, bool ignores_failures,
                            struct array *samples)
{
    const struct schedule_runner runner = {.of = made,
                                           .run = run_made,
                                           .show = show_made,
                                           .seed = 1,
                                           .ignores_failures = ignores_failures};
    struct diagnostic diagnostic;

    array_init(samples, sizeof(struct sample));
    return schedule_run(plan, &runner, samples, &diagnostic);
}

static void finish(struct plan *plan, struct array *samples)
{
    struct sample *sample = samples->items;

    for (size_t i = 0; i < samples->count; i++)
        sample_fini(&sample[i]);
    array_fini(samples);
    plan_fini(plan);
}

static size_t count_byte(const char *text, size_t size, char byte)
{
    size_t count = 0;

    for (size_t i = 0; i < size; i++)
        count += text[i] == byte;
    return count;
}

START_TEST(each_round_runs_each_point_once)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {1, 1, 1}, .fail_at = SIZE_MAX};
    bool differs = false;

    make_plan(&plan, 3, 8, 2);
    ck_assert_int_eq(run_plan(&plan, &made, false, &samples), STATUS_OK);
    ck_assert_uint_eq(made.calls, 30);
    for (size_t i = 0; i < 30; i += 3) {
        for (char byte = 0; byte < 3; byte++)
            ck_assert_uint_eq(count_byte(made.order + i, 3, (char)((i < 6 ? 'A' : 'a') + byte)), 1);
        differs = differs || memcmp(made.order + i, i < 6 ? "ABC" : "abc", 3) != 0;
    }
    ck_assert(differs);
    ck_assert_double_eq(made.left_ns, 0);
    finish(&plan, &samples);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_order)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {1, 1, 1}, .fail_at = SIZE_MAX};
    struct made again = made;

    make_plan(&plan, 3, 8, 2);
    ck_assert_int_eq(run_plan(&plan, &made, false, &samples), STATUS_OK);
    finish(&plan, &samples);
    make_plan(&plan, 3, 8, 2);
    ck_assert_int_eq(run_plan(&plan, &again, false, &samples), STATUS_OK);
    ck_assert_str_eq(made.order, again.order);
    finish(&plan, &samples);
}
END_TEST

/* 1 ms: the most; 100 ms: for 3 s; 1 s: ten; 10 s: for a minute; 30 s: the least. */
START_TEST(there_are_runs_until_there_are_enough)
{
    static const struct {
        double wall_ns;
        unsigned runs;
    } cases[] = {
        {1e6, SCHEDULE_MOST}, {1e8, 30}, {1e9, SCHEDULE_LEAST}, {1e10, 6}, {3e10, SCHEDULE_SLOW}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct array samples;
        struct made made = {.wall_ns = {cases[i].wall_ns}, .fail_at = SIZE_MAX};

        make_plan(&plan, 1, PLAN_ENOUGH, 1);
        ck_assert_int_eq(run_plan(&plan, &made, false, &samples), STATUS_OK);
        ck_assert_uint_eq(made.calls, cases[i].runs + 1);
        finish(&plan, &samples);
    }
}
END_TEST

START_TEST(slow_programs_run_as_often_as_their_number_asks_for)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {3e10, 3e10}, .fail_at = SIZE_MAX};

    make_plan(&plan, 2, PLAN_ENOUGH, 0);
    ck_assert_int_eq(run_plan_least(&plan, &made, 7, &samples), STATUS_OK);
    ck_assert_uint_eq(made.calls, 14);
    finish(&plan, &samples);
    made.calls = 0;
    make_plan(&plan, 2, 3, 0);
    ck_assert_int_eq(run_plan_least(&plan, &made, 7, &samples), STATUS_OK);
    ck_assert_uint_eq(made.calls, 6); /* the user's number */
    finish(&plan, &samples);
}
END_TEST

START_TEST(a_failure_ends_all_unless_it_is_ignored)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {1, 1}, .fail_at = 3, .end = SAMPLE_FAILED};

    make_plan(&plan, 2, 4, 0);
    ck_assert_int_eq(run_plan(&plan, &made, false, &samples), STATUS_POLICY_FAILED);
    ck_assert_uint_eq(samples.count, 4);
    finish(&plan, &samples);
    made.calls = 0;
    make_plan(&plan, 2, 4, 0);
    ck_assert_int_eq(run_plan(&plan, &made, true, &samples), STATUS_OK);
    ck_assert_uint_eq(samples.count, 8);
    finish(&plan, &samples);
}
END_TEST

START_TEST(an_interruption_ends_all_without_an_error)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {1, 1}, .fail_at = 3, .end = SAMPLE_INTERRUPTED};

    make_plan(&plan, 2, 4, 0);
    ck_assert_int_eq(run_plan(&plan, &made, true, &samples), STATUS_OK);
    ck_assert_uint_eq(samples.count, 4);
    finish(&plan, &samples);
}
END_TEST

/* Otherwise a program that hangs would be started for ever. */
START_TEST(a_run_that_timed_out_is_one_of_the_runs)
{
    struct plan plan;
    struct array samples;
    struct made made = {.wall_ns = {1}, .fail_at = 0, .end = SAMPLE_TIMED_OUT};

    make_plan(&plan, 1, 3, 0);
    ck_assert_int_eq(run_plan(&plan, &made, true, &samples), STATUS_OK);
    ck_assert_uint_eq(samples.count, 3);
    ck_assert(!sample_counts(array_at(&samples, 0)));
    finish(&plan, &samples);
}
END_TEST

/* ---- results ----------------------------------------------------------------------------- */

START_TEST(the_interval_of_the_median_needs_six)
{
    double numbers[] = {6, 5, 4, 3, 2, 1};
    struct spread spread = spread_of(numbers, 6, 0.95);

    ck_assert_double_eq(spread.median, 3.5);
    ck_assert_double_eq(spread.median_interval.low, 1);
    ck_assert_double_eq(spread.median_interval.high, 6);
    spread = spread_of(numbers, 5, 0.95);
    ck_assert_double_nan(spread.median_interval.low);
    spread = spread_of(numbers, 0, 0.95);
    ck_assert_double_nan(spread.median);
}
END_TEST

/* The ranks of n=100, which every table has. */
START_TEST(the_interval_of_the_median_has_the_ranks_of_the_tables)
{
    double numbers[100];
    struct spread spread;

    for (int i = 0; i < 100; i++)
        numbers[i] = i + 1;
    spread = spread_of(numbers, 100, 0.95);
    ck_assert_double_eq(spread.median_interval.low, 40);
    ck_assert_double_eq(spread.median_interval.high, 61);
}
END_TEST

static void add_sample(struct array *samples, size_t point, double wall_ns)
{
    struct sample *sample = array_add(samples);
    struct run_row *whole;

    sample_init(sample, point);
    sample->wall_ns = wall_ns;
    run_init(&sample->run, "made", NULL);
    whole = run_add_row(&sample->run, RUN_WHOLE, "", "");
    ck_assert_ptr_nonnull(whole);
    whole->values[RUN_FLOPS] = 1000;
}

/* Shape: `count` factors, of the points after the first. */
static void make_many(struct plan *plan, struct array *samples, size_t runs, const double *factors,
                      size_t count)
{
    make_plan(plan, count + 1, 1, 0);
    array_init(samples, sizeof(struct sample));
    for (size_t i = 0; i < runs; i++) {
        add_sample(samples, 0, 1000 + (double)i);
        for (size_t j = 0; j < count; j++)
            add_sample(samples, j + 1, factors[j] * (1000.5 + (double)i));
    }
}

static void make_results(struct plan *plan, struct array *samples, size_t runs, double factor)
{
    make_many(plan, samples, runs, &factor, 1);
}

static enum verdict judge_made(size_t runs, double factor, enum reference_choice choice)
{
    const struct results_options options = {.choice = choice, .confidence = 0.95};
    struct plan plan;
    struct array samples;
    struct results results;
    enum verdict verdict;

    make_results(&plan, &samples, runs, factor);
    results_init(&results, &plan, &samples, &options);
    verdict = ((struct result *)array_at(&results.points, 1))->verdict;
    results_fini(&results);
    finish(&plan, &samples);
    return verdict;
}

START_TEST(a_verdict_needs_a_difference_and_enough_runs)
{
    ck_assert_int_eq(judge_made(10, 2, REFERENCE_FIRST), VERDICT_SLOWER);
    ck_assert_int_eq(judge_made(10, 0.5, REFERENCE_FIRST), VERDICT_FASTER);
    ck_assert_int_eq(judge_made(10, 1, REFERENCE_FIRST), VERDICT_SAME);
    ck_assert_int_eq(judge_made(3, 2, REFERENCE_FIRST), VERDICT_TOO_FEW);
    ck_assert_int_eq(judge_made(10, 0.5, REFERENCE_FASTEST), VERDICT_REFERENCE);
    ck_assert_int_eq(judge_made(10, 2, REFERENCE_FASTEST), VERDICT_SLOWER);
}
END_TEST

/* Of the second of three points. */
static enum verdict judge_three(size_t runs, enum reference_choice choice)
{
    const struct results_options options = {.choice = choice, .confidence = 0.95};
    const double factors[] = {100, 200};
    struct plan plan;
    struct array samples;
    struct results results;
    enum verdict verdict;

    make_many(&plan, &samples, runs, factors, 2);
    results_init(&results, &plan, &samples, &options);
    verdict = ((struct result *)array_at(&results.points, 1))->verdict;
    results_fini(&results);
    finish(&plan, &samples);
    return verdict;
}

/* Four runs a side can reach 0.029, which is too much when doubled. */
START_TEST(runs_that_are_enough_for_one_comparison_are_too_few_for_two)
{
    ck_assert_int_eq(judge_made(4, 100, REFERENCE_FIRST), VERDICT_SLOWER);
    ck_assert_int_eq(judge_three(4, REFERENCE_FIRST), VERDICT_TOO_FEW);
    ck_assert_int_eq(judge_three(5, REFERENCE_FIRST), VERDICT_SLOWER);
}
END_TEST

static unsigned needed_runs(size_t commands, enum reference_choice choice)
{
    const struct results_options options = {.choice = choice, .confidence = 0.95};
    struct plan plan;
    unsigned needed;

    make_plan(&plan, commands, PLAN_ENOUGH, 0);
    needed = results_runs_needed(&plan, &options);
    plan_fini(&plan);
    return needed;
}

START_TEST(many_commands_need_more_runs)
{
    ck_assert_uint_eq(needed_runs(1, REFERENCE_FIRST), 0);
    ck_assert_uint_eq(needed_runs(2, REFERENCE_FIRST), 4);
    ck_assert_uint_eq(needed_runs(7, REFERENCE_FIRST), 5);
    ck_assert_uint_eq(needed_runs(8, REFERENCE_FIRST), 6);
    ck_assert_uint_eq(needed_runs(2, REFERENCE_FASTEST), 4);
    ck_assert_uint_eq(needed_runs(4, REFERENCE_FASTEST), 5);
    ck_assert_uint_eq(needed_runs(5, REFERENCE_FASTEST), 6);
}
END_TEST

static bool has_verdict(const struct results *results)
{
    for (size_t i = 0; i < results->points.count; i++) {
        enum verdict verdict = ((struct result *)array_at(&results->points, i))->verdict;

        if (verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER)
            return true;
    }
    return false;
}

enum { TRIALS = 400, RUNS = 10 };

/* How many of TRIALS benchmarks of equal programs give any verdict. */
static unsigned count_false_verdicts(size_t programs, enum reference_choice choice)
{
    const struct results_options options = {.choice = choice, .confidence = 0.95};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    unsigned count = 0;

    for (int i = 0; i < TRIALS; i++) {
        struct plan plan;
        struct array samples;
        struct results results;

        make_plan(&plan, programs, 1, 0);
        array_init(&samples, sizeof(struct sample));
        for (size_t j = 0; j < RUNS * programs; j++)
            add_sample(&samples, j % programs, 100 + gsl_ran_gaussian(random, 3));
        results_init(&results, &plan, &samples, &options);
        count += has_verdict(&results) ? 1 : 0;
        results_fini(&results);
        finish(&plan, &samples);
    }
    gsl_rng_free(random);
    return count;
}

/* The fastest is chosen from the tested runs: all pairs could have led to it. */
static const struct {
    size_t programs;
    enum reference_choice choice;
} equals[] = {{5, REFERENCE_FIRST}, {5, REFERENCE_FASTEST}, {8, REFERENCE_FASTEST}};

START_TEST(of_equal_programs_at_most_5_of_100_benchmarks_say_otherwise)
{
    ck_assert_uint_le(count_false_verdicts(equals[_i].programs, equals[_i].choice),
                      TRIALS * 6 / 100);
}
END_TEST

/* A program without kernels against one with: there is no ratio to 0. */
START_TEST(what_took_nothing_is_faster_than_what_took_something)
{
    const struct results_options options = {.choice = REFERENCE_FIRST, .confidence = 0.95};
    struct bench_report report;
    struct plan plan;
    struct array samples;
    struct results results;
    const struct table *table;
    const struct value *row;

    make_plan(&plan, 2, 1, 0);
    array_init(&samples, sizeof(struct sample));
    for (size_t i = 0; i < 6; i++) {
        add_sample(&samples, 0, 0);
        add_sample(&samples, 1, 2.39e9 + (double)i);
    }
    results_init(&results, &plan, &samples, &options);
    ck_assert_int_eq(((struct result *)array_at(&results.points, 1))->verdict, VERDICT_SLOWER);
    bench_report_init(&report, &results);
    bench_report_points(&report);
    table = document_main_table(&report.document);
    row = table_row(table, 1);
    ck_assert_str_eq(row[table_find_column(table, "verdict")].text, "slower (+2.390 s)");
    ck_assert_int_eq(row[table_find_column(table, "ratio")].kind, VALUE_NULL);
    bench_report_fini(&report);
    results_fini(&results);
    finish(&plan, &samples);
}
END_TEST

START_TEST(a_parameter_and_a_metric_of_one_name_have_two_columns)
{
    const struct results_options options = {.choice = REFERENCE_FIRST, .confidence = 0.95};
    static const char *const metrics[] = {"acc", "metric_acc", "runs", "metric_runs"};
    struct diagnostic diagnostic;
    struct bench_report report;
    struct plan plan;
    struct array samples;
    struct results results;
    const struct table *table;

    plan_init(&plan);
    add_parameter(add_command(&plan, "a {acc}"), "acc=1,2");
    for (size_t i = 0; i < 4; i++)
        *(const char **)array_add(&plan.metric_names) = metrics[i];
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    array_init(&samples, sizeof(struct sample));
    for (size_t i = 0; i < 2; i++)
        add_sample(&samples, i, 1000);
    results_init(&results, &plan, &samples, &options);
    bench_report_init(&report, &results);
    bench_report_points(&report);
    table = document_main_table(&report.document);
    for (size_t i = 0; i < table->schema->column_count; i++)
        ck_assert_uint_eq(table_find_column(table, table->schema->columns[i].key), i);
    ck_assert_int_eq(table_row(table, 1)[table_find_column(table, "acc")].integer, 2);
    bench_report_fini(&report);
    results_fini(&results);
    finish(&plan, &samples);
}
END_TEST

START_TEST(results_tell_the_ratio_and_the_rates)
{
    const struct results_options options = {.choice = REFERENCE_FIRST, .confidence = 0.95};
    struct plan plan;
    struct array samples;
    struct results results;
    const struct result *result;

    make_results(&plan, &samples, 9, 2);
    results_init(&results, &plan, &samples, &options);
    result = results.points.items;
    ck_assert_double_eq(result[0].time.median, 1004);
    ck_assert_double_eq(result[0].flops, 1000);
    ck_assert_double_eq_tol(result_flop_rate(&result[0]), 1000 * 1e9 / 1004, 1);
    ck_assert_double_nan(result_item_rate(&result[0]));
    ck_assert_double_eq_tol(result[1].comparison.ratio, 2, 0.01);
    results_fini(&results);
    finish(&plan, &samples);
}
END_TEST

START_TEST(flops_that_differ_are_not_told)
{
    const struct results_options options = {.choice = REFERENCE_FIRST, .confidence = 0.95};
    const struct noise_machine machine = {(double)NAN, (double)NAN, NULL, NULL};
    struct plan plan;
    struct array samples;
    struct results results;
    struct text_list warnings;
    const struct result *result;

    make_results(&plan, &samples, 9, 1);
    run_find_row(&((struct sample *)samples.items)[0].run, RUN_WHOLE, "", "")->values[RUN_FLOPS] =
        999;
    results_init(&results, &plan, &samples, &options);
    result = results.points.items;
    ck_assert_double_nan(result[0].flops);
    ck_assert_double_eq(result[1].flops, 1000);
    text_list_init(&warnings);
    noise_find(&results, &machine, &warnings);
    ck_assert_uint_eq(text_list_count(&warnings), 2); /* and so short */
    ck_assert_str_eq(
        text_list_at(&warnings, 1),
        "FLOPs differ from run to run, so they are left out: a (n=9). They may depend on "
        "chance, time or threads.");
    text_list_fini(&warnings);
    results_fini(&results);
    finish(&plan, &samples);
}
END_TEST

/* ---- sweeps ---------------------------------------------------------------------------- */

static struct bench_sweep_point sweep_point(double x, double rate, double width, bool fits)
{
    return (struct bench_sweep_point){.x = x,
                                      .item_rate = rate,
                                      .item_rate_interval = {rate - width, rate + width},
                                      .fits = fits};
}

static int find_knee(const struct bench_sweep_point *points, size_t count, int *best)
{
    int knee;

    bench_sweep_find_knee(points, count, best, &knee);
    return knee;
}

START_TEST(the_knee_is_the_smallest_value_near_the_best)
{
    struct bench_sweep_point points[] = {
        sweep_point(16, 50, 1, true), sweep_point(32, 80, 1, true), sweep_point(64, 97, 1, true),
        sweep_point(128, 100, 1, true), sweep_point(256, 99, 1, true)};
    int best;

    ck_assert_int_eq(find_knee(points, 5, &best), 2);
    ck_assert_int_eq(best, 3);
    points[1].item_rate_interval.high = 99.5; /* not distinguishable from the best */
    ck_assert_int_eq(find_knee(points, 5, &best), 1);
}
END_TEST

START_TEST(the_knee_fits_the_limits)
{
    struct bench_sweep_point points[] = {sweep_point(16, 50, 1, true), sweep_point(32, 80, 1, true),
                                         sweep_point(64, 97, 1, false),
                                         sweep_point(128, 100, 1, false)};
    int best;

    ck_assert_int_eq(find_knee(points, 4, &best), 1);
    ck_assert_int_eq(best, 1);
    points[0].fits = points[1].fits = false;
    ck_assert_int_eq(find_knee(points, 4, &best), BENCH_SWEEP_NONE);
}
END_TEST

START_TEST(what_is_not_known_is_no_knee)
{
    struct bench_sweep_point points[] = {sweep_point(16, (double)NAN, 1, true),
                                         sweep_point(32, 80, (double)NAN, true),
                                         sweep_point(64, 82, (double)NAN, true)};
    int best;

    ck_assert_int_eq(find_knee(points, 3, &best), 1);
    ck_assert_int_eq(best, 2);
}
END_TEST

/* t = 1000 + 10 items a batch, in 2 batches a run. */
START_TEST(a_sweep_finds_what_a_batch_costs)
{
    const struct results_options options = {.choice = REFERENCE_FIRST, .confidence = 0.95};
    const struct bench_sweep_limits limits = {(double)NAN, 1600};
    struct plan plan;
    struct array samples;
    struct results results;
    struct bench_sweep sweep;
    struct diagnostic diagnostic;
    struct plan_command *command;

    plan_init(&plan);
    command = add_command(&plan, "prog {b}");
    command->items = "2*{b}";
    command->batches = "2";
    add_parameter(command, "b=40,10,20,80");
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    array_init(&samples, sizeof(struct sample));
    for (size_t i = 0; i < 4; i++)
        add_sample(&samples, i, 2 * (1000 + 10 * (double[]){40, 10, 20, 80}[i]));
    results_init(&results, &plan, &samples, &options);
    bench_sweep_init(&sweep, &results, plan.commands.items, "b", &limits);
    ck_assert_uint_eq(sweep.points.count, 4);
    ck_assert_double_eq(((struct bench_sweep_point *)sweep.points.items)[0].x, 10);
    ck_assert(sweep.has_line);
    ck_assert_double_eq_tol(sweep.line.intercept, 1000, 1e-6);
    ck_assert_double_eq_tol(sweep.line.slope, 10, 1e-6);
    ck_assert_int_eq(sweep.best, 2); /* 80 takes longer than the limit */
    bench_sweep_fini(&sweep);
    results_fini(&results);
    finish(&plan, &samples);
}
END_TEST

/* ---- scaling ----------------------------------------------------------------------------- */

static void add_part(struct run *run, enum run_subject subject, const char *name, double time_ns,
                     double flops)
{
    struct run_row *row = run_add_row(run, subject, name, "");

    ck_assert_ptr_nonnull(row);
    row->values[RUN_TOTAL] = time_ns;
    row->values[RUN_FLOPS] = flops;
    row->values[RUN_KERNEL_TIME] = time_ns / 2;
}

/* A kernel of two shapes, n^2 in sum, and a region in two places, n. */
static void add_run(struct scaling *scaling, double x)
{
    struct run run;

    run_init(&run, "made", NULL);
    add_part(&run, RUN_WHOLE, "", 4 * x * x, x * x);
    add_part(&run, RUN_KERNEL, "gemm", x * x, x * x);
    run.rows.count = 2;
    run_add_row(&run, RUN_KERNEL, "gemm", "m=2")->values[RUN_TOTAL] = 2 * x * x;
    add_part(&run, RUN_REGION, "model/layer0/attention", 3 * x, 5);
    add_part(&run, RUN_REGION, "model/layer1/attention", 4 * x, 5);
    scaling_add_run(scaling, x, &run, 4 * x * x);
    run_fini(&run);
}

static const struct scaling_item *item_at(const struct scaling *scaling, size_t index)
{
    return array_at(&scaling->items, index);
}

START_TEST(parts_are_summed_and_fitted)
{
    struct scaling scaling;

    scaling_init(&scaling, NULL);
    for (double x = 256; x >= 16; x /= 4)
        add_run(&scaling, x);
    add_run(&scaling, 16);
    scaling_fit(&scaling, 0.95);
    ck_assert_uint_eq(scaling.items.count, 3);
    ck_assert_double_eq_tol(item_at(&scaling, 0)->time.power.exponent, 2, 1e-9);
    ck_assert_double_eq_tol(item_at(&scaling, 0)->flops.power.exponent, 2, 1e-9);
    ck_assert_str_eq(item_at(&scaling, 1)->name, "gemm");
    ck_assert_double_eq_tol(item_at(&scaling, 1)->share, 0.75, 1e-9);
    ck_assert_int_eq(item_at(&scaling, 1)->time.orders.best, FIT_N_SQUARE);
    ck_assert_str_eq(item_at(&scaling, 2)->name, "attention");
    ck_assert_double_eq_tol(item_at(&scaling, 2)->time.power.exponent, 1, 1e-9);
    ck_assert_double_eq_tol(item_at(&scaling, 2)->kernels.power.exponent, 1, 1e-9);
    ck_assert_double_eq_tol(item_at(&scaling, 2)->flops.power.exponent, 0, 1e-9);
    scaling_fini(&scaling);
}
END_TEST

START_TEST(too_few_sizes_are_refused)
{
    struct scaling scaling;

    scaling_init(&scaling, NULL);
    add_run(&scaling, 16);
    add_run(&scaling, 64);
    scaling_fit(&scaling, 0.95);
    ck_assert_int_eq(item_at(&scaling, 0)->time.refusal, FIT_TOO_FEW_SIZES);
    add_run(&scaling, 32);
    scaling_fit(&scaling, 0.95);
    ck_assert_int_eq(item_at(&scaling, 0)->time.refusal, FIT_OK);
    scaling_fini(&scaling);
}
END_TEST

/* Time grows faster than the FLOPs, as the kernels slow down. */
START_TEST(what_grows_otherwise_than_its_flops_is_explained)
{
    struct scaling scaling;
    struct document document;
    const struct table *table;

    scaling_init(&scaling, NULL);
    for (double x = 10; x <= 1000; x *= 10) {
        struct run run;

        run_init(&run, "made", NULL);
        add_part(&run, RUN_WHOLE, "", x * x, 1000 * x);
        add_part(&run, RUN_KERNEL, "gemm", x * x, 1000 * x);
        scaling_add_run(&scaling, x, &run, x * x);
        run_fini(&run);
    }
    scaling_fit(&scaling, 0.95);
    scaling_report(&document, &scaling, "n");
    table = document_main_table(&document);
    ck_assert_ptr_nonnull(table);
    ck_assert_str_eq(
        text_list_at(&table->notes, 1),
        "gemm: time ~ 2, FLOPs ~ 1. Its kernels reach 100 GFLOP/s at n=10 and 1.00 GFLOP/s "
        "at n=1000.");
    document_fini(&document);
    scaling_fini(&scaling);
}
END_TEST

/* The FLOPs of attention, 8 n d^2 + 4 n^2 d for width 256, are no power: the interval of the
 * exponent shows it, and contains the values between n and n^2. */
START_TEST(a_sum_of_powers_has_an_exponent_between_them)
{
    double x[5], y[5];
    struct fit_power power;

    for (int i = 0; i < 5; i++) {
        x[i] = 128 << i;
        y[i] = 8 * x[i] * 256 * 256 + 4 * x[i] * x[i] * 256;
    }
    power = fit_power_of(x, y, 5, 0.95);
    ck_assert_double_gt(power.exponent_interval.low, 1);
    ck_assert_double_lt(power.exponent_interval.high, 2);
}
END_TEST

/* ---- suites ------------------------------------------------------------------------------ */

static enum status read_suite(struct plan *plan, const char *text, struct diagnostic *diagnostic)
{
    char path[] = "/tmp/tprof-suite.XXXXXX";
    int descriptor = mkstemp(path);
    enum status status;

    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    plan_init(plan);
    status = suite_read(plan, path, diagnostic);
    unlink(path);
    return status;
}

START_TEST(a_suite_is_models_by_data)
{
    struct plan plan;
    struct diagnostic diagnostic;
    const struct plan_command *command;

    ck_assert_int_eq(read_suite(&plan,
                                "# models by data\n"
                                "runs: 7\n"
                                "metrics:\n"
                                "  accuracy: 'ACC: ([0-9.]+)'\n"
                                "data:\n"
                                "  small: data/small.bin\n"
                                "  large: data/large.bin\n"
                                "parameters: {batch: 16..64x2}\n"
                                "commands:\n"
                                "  - label: mlp\n"
                                "    command: [./mlp, '{data}', '{batch}']\n"
                                "    items: '{batch}'\n"
                                "  - command: ./cnn {data} | tail\n"
                                "    runs: 3\n"
                                "    timeout: 2s\n"
                                "    plain: yes\n",
                                &diagnostic),
                     STATUS_OK);
    ck_assert_int_eq(plan_expand(&plan, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(plan.points.count, 6 + 2);
    command = plan.commands.items;
    ck_assert_uint_eq(command[0].runs, 7);
    ck_assert_uint_eq(command[1].runs, 3);
    ck_assert_uint_eq(command[1].timeout_ns, 2000000000);
    ck_assert(command[1].is_plain && !command[0].is_plain);
    ck_assert_str_eq(point_at(&plan, 0)->label, "mlp data=small batch=16");
    ck_assert_str_eq(word_at(point_at(&plan, 0), 1), "data/small.bin");
    ck_assert_str_eq(word_at(point_at(&plan, 7), 2), "./cnn data/large.bin | tail");
    ck_assert_double_eq(point_at(&plan, 5)->items, 64);
    ck_assert_str_eq(point_at(&plan, 7)->label, "./cnn {data} | tail data=large");
    ck_assert_uint_eq(plan.metric_names.count, 1);
    plan_fini(&plan);
}
END_TEST

/* The same as on the command line; a value in a list is used unchanged. */
START_TEST(a_text_of_a_suite_is_a_list_of_values)
{
    struct diagnostic diagnostic;
    struct plan plan;

    ck_assert_int_eq(read_suite(&plan,
                                "commands:\n"
                                "  - command: [./a, '{n}']\n"
                                "    parameters: {n: '64,128,256'}\n"
                                "    items: '{n}'\n"
                                "  - command: [./b, '{m}']\n"
                                "    parameters: {m: ['1,2', '3']}\n",
                                &diagnostic),
                     STATUS_OK);
    ck_assert_msg(!plan_expand(&plan, &diagnostic), "%s", diagnostic.text);
    ck_assert_uint_eq(plan.points.count, 5);
    ck_assert_double_eq(point_at(&plan, 0)->items, 64);
    ck_assert_double_eq(point_at(&plan, 2)->items, 256);
    ck_assert_str_eq(word_at(point_at(&plan, 3), 1), "1,2");
    plan_fini(&plan);
}
END_TEST

START_TEST(a_suite_may_be_json)
{
    struct plan plan;
    struct diagnostic diagnostic;

    ck_assert_int_eq(
        read_suite(&plan, "{\"commands\": [{\"command\": [\"a\", \"b\"]}]}", &diagnostic),
        STATUS_OK);
    ck_assert_uint_eq(plan.commands.count, 1);
    plan_fini(&plan);
}
END_TEST

START_TEST(a_mistake_in_a_suite_is_told_with_its_line)
{
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {
        {"", "line 1"},
        {"- a\n", "line 1"},
        {"runs: 3\n", "'commands' is missing"},
        {"commands: x\n", "not a list"},
        {"commands:\n  - x\n", "line 2: expected keys"},
        {"commands:\n  - label: x\n", "line 2: the key 'command'"},
        {"commands:\n  - comand: x\n", "line 2: comand: unknown key"},
        {"comands: 1\ncommands:\n  - command: x\n", "line 1: comands"},
        {"commands:\n  - command: x\n    runs: few\n", "line 3: runs"},
        {"commands:\n  - command: x\n    runs: 0\n", "line 3: runs"},
        {"commands:\n  - command: x\n    plain: maybe\n", "line 3: plain"},
        {"commands:\n  - command: x\n    timeout: 3\n", "line 3: timeout"},
        {"commands:\n  - command: {a: b}\n", "line 2: command"},
        {"commands:\n  - command: x\n    metrics:\n      a: '('\n", "line 4: a"},
        {"commands:\n  - command: x\n    parameters: {a b: 1}\n", "line 3"},
        {"commands:\n  - command: x\n    parameters: {a: [1, 1]}\n", "line 3: a"},
        {"commands:\n  - command: x\n    parameters: {a: [[1]]}\n", "line 3: a"},
        {"commands: [\n", "line 2"},
        {"commands: *unknown\n", "line 1"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct plan plan;
        struct diagnostic diagnostic = {.text = ""};

        ck_assert_int_eq(read_suite(&plan, cases[i].text, &diagnostic), STATUS_USAGE);
        ck_assert_msg(strstr(diagnostic.text, cases[i].part), "%s: %s", cases[i].text,
                      diagnostic.text);
        plan_fini(&plan);
    }
}
END_TEST

START_TEST(a_suite_that_is_not_there_is_told)
{
    struct plan plan;
    struct diagnostic diagnostic;

    plan_init(&plan);
    ck_assert_int_eq(suite_read(&plan, "/nonexistent/suite", &diagnostic), STATUS_IO);
    plan_fini(&plan);
}
END_TEST

int check_bench(void)
{
    Suite *suite = suite_create("bench");
    TCase *texts = tcase_create("texts");
    TCase *runs = tcase_create("runs");
    TCase *results = tcase_create("results");

    tcase_set_timeout(results, 60);

    tcase_add_test(texts, values_are_listed_or_counted);
    tcase_add_test(texts, what_is_no_parameter_is_refused);
    tcase_add_test(texts, only_names_that_are_known_are_replaced);
    tcase_add_test(texts, expressions_are_computed_or_refused);
    tcase_add_test(texts, a_metric_is_the_first_group_of_the_last_match);
    tcase_add_loop_test(texts, a_metric_is_a_whole_number_and_not_the_first_digits_of_a_word, 0,
                        (int)(sizeof printed / sizeof *printed));
    tcase_add_test(texts, a_metric_that_is_no_expression_is_refused);
    tcase_add_test(texts, points_are_the_product_of_the_parameters);
    tcase_add_test(texts, a_shell_gets_its_command_as_one_word);
    tcase_add_test(texts, a_plan_that_cannot_be_meant_is_refused);
    tcase_add_test(texts, words_are_no_sweep);
    tcase_add_test(texts, a_suite_is_models_by_data);
    tcase_add_test(texts, a_text_of_a_suite_is_a_list_of_values);
    tcase_add_test(texts, a_suite_may_be_json);
    tcase_add_test(texts, a_mistake_in_a_suite_is_told_with_its_line);
    tcase_add_test(texts, a_suite_that_is_not_there_is_told);
    suite_add_tcase(suite, texts);
    tcase_add_test(runs, each_round_runs_each_point_once);
    tcase_add_test(runs, the_same_seed_gives_the_same_order);
    tcase_add_test(runs, there_are_runs_until_there_are_enough);
    tcase_add_test(runs, slow_programs_run_as_often_as_their_number_asks_for);
    tcase_add_test(runs, a_failure_ends_all_unless_it_is_ignored);
    tcase_add_test(runs, an_interruption_ends_all_without_an_error);
    tcase_add_test(runs, a_run_that_timed_out_is_one_of_the_runs);
    suite_add_tcase(suite, runs);
    tcase_add_test(results, the_interval_of_the_median_needs_six);
    tcase_add_test(results, the_interval_of_the_median_has_the_ranks_of_the_tables);
    tcase_add_test(results, a_verdict_needs_a_difference_and_enough_runs);
    tcase_add_loop_test(results, of_equal_programs_at_most_5_of_100_benchmarks_say_otherwise, 0,
                        sizeof equals / sizeof *equals);
    tcase_add_test(results, what_took_nothing_is_faster_than_what_took_something);
    tcase_add_test(results, runs_that_are_enough_for_one_comparison_are_too_few_for_two);
    tcase_add_test(results, many_commands_need_more_runs);
    tcase_add_test(results, a_parameter_and_a_metric_of_one_name_have_two_columns);
    tcase_add_test(results, results_tell_the_ratio_and_the_rates);
    tcase_add_test(results, flops_that_differ_are_not_told);
    tcase_add_test(results, the_knee_is_the_smallest_value_near_the_best);
    tcase_add_test(results, the_knee_fits_the_limits);
    tcase_add_test(results, what_is_not_known_is_no_knee);
    tcase_add_test(results, a_sweep_finds_what_a_batch_costs);
    tcase_add_test(results, parts_are_summed_and_fitted);
    tcase_add_test(results, too_few_sizes_are_refused);
    tcase_add_test(results, what_grows_otherwise_than_its_flops_is_explained);
    tcase_add_test(results, a_sum_of_powers_has_an_exponent_between_them);
    suite_add_tcase(suite, results);
    return suite_run(suite);
}
