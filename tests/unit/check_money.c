/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Other machines, other recordings and money, on sessions made by hand: times that can be checked
 * by hand, unknown values, and one whole screen.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "made_kernels.h"
#include "made_session.h"
#include "model/course.h"
#include "model/known_machines.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "money/cost.h"
#include "money/crossover.h"
#include "money/reference.h"
#include "money/whatif.h"
#include "money/whatif_report.h"
#include "page.h"
#include "render/render.h"
#include "suite.h"

enum { PAGE_WIDTH = 110 };

static const char page[] = "whatif.case", cost_page[] = "cost.case";

static struct session session;
static struct machine machine;
static struct catalog_arena arena;
static struct analysis_options options;
static struct groups groups;
static struct whatif_place place;

static void make_process(struct session *of, uint64_t wall_ns)
{
    struct session_thread *thread;

    made_init(of);
    text_list_init(&of->process.environment);
    thread = array_at(&of->threads, 0);
    of->process.cpu_count = 1;
    of->process.wall_ns = of->thread_ns = thread->last_ns = wall_ns;
    thread->kernel_ns = 1;
}

static void setup(void)
{
    make_process(&session, 1000000000);
    made_read_machine(&machine, page);
    made_read_catalog(&session, &arena, page);
    options = analysis_defaults();
    options.machine = &machine;
    groups = (struct groups){.calls = 0};
    whatif_place_init(&place);
    snprintf(place.name, sizeof place.name, "there");
}

static void teardown(void)
{
    whatif_place_fini(&place);
    text_list_fini(&session.process.environment);
    made_fini_calls(&session);
    made_fini(&session);
    machine_fini(&machine);
    free(arena.base);
}

static void gather(void)
{
    groups_init(&groups, &session, &options);
}

/* Ten times the peak and the bandwidth of here. */
static void place_at(double flops_per_second, double bytes_per_second)
{
    machine_init_given(&place.machine, flops_per_second, bytes_per_second);
}

/* The first row of the calls' times there. */
static struct whatif_row place_calls(struct whatif_sums *sums)
{
    struct whatif whatif;
    struct whatif_row row;
    struct wall wall;

    gather();
    wall_init(&wall, &session);
    whatif_init(&whatif, &(struct whatif_source){&session, &options, &groups, &wall}, &place);
    row = *(struct whatif_row *)array_at(&whatif.rows, 0);
    *sums = whatif.sums;
    return row;
}

/* ---- another roofline ------------------------------------------------------------ */

START_TEST(a_kernel_keeps_its_part_of_the_roof_and_the_rest_its_time)
{
    struct whatif_sums sums;
    struct whatif_row row;

    place_at(1000e9, 100e9);
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    row = place_calls(&sums);
    ck_assert_double_eq_tol(row.best_ns, 20e6, 1);
    ck_assert_double_eq_tol(row.there_ns, 40e6, 1);
    ck_assert_int_eq(row.bound, WHATIF_COMPUTE);
    ck_assert_double_eq_tol(sums.kernel_fraction, 0.4, 1e-12);
    ck_assert_double_eq_tol(sums.whole_there_ns, 640e6, 1);
    ck_assert_double_eq_tol(sums.whole_best_ns, 620e6, 1);
}
END_TEST

START_TEST(without_a_calibration_kernels_are_placed_at_the_roof)
{
    struct whatif_sums sums;
    struct whatif_row row;

    options.machine = NULL;
    place_at(1000e9, 100e9);
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    row = place_calls(&sums);
    ck_assert_double_eq_tol(row.there_ns, row.best_ns, 1e-9);
    ck_assert_double_eq_tol(sums.unjudged_ns, 400e6, 1);
}
END_TEST

/* 1000 products of order 10 take 2 us each; the roof explains 0.02 us. */
START_TEST(what_latency_takes_stays_on_a_processor)
{
    struct whatif_sums sums;
    struct whatif_row row;

    place_at(1000e9, 100e9);
    made_add_calls(&session, "cblas_sgemm 10 10 10 1000 2000");
    row = place_calls(&sums);
    ck_assert_int_eq(row.here.bound, JUDGE_LATENCY);
    ck_assert_double_eq_tol(row.there_ns, 2e6 - 0.9 * row.here.least_ns, 1);
}
END_TEST

START_TEST(an_accelerator_has_the_cost_of_a_launch_instead)
{
    struct whatif_sums sums;
    struct whatif_row row;

    place_at(1000e9, 100e9);
    place.is_accelerator = true;
    place.launch_ns = 5000;
    place.link_bytes_per_second = 32e9;
    made_add_calls(&session, "cblas_sgemm 10 10 10 1000 2000");
    row = place_calls(&sums);
    ck_assert_double_eq_tol(row.there_ns, 5e6 + 0.1 * row.here.least_ns, 1);
    ck_assert_int_eq(row.bound, WHATIF_LAUNCH);
    ck_assert_double_eq_tol(row.transfer_ns, 1e9 * 1000 * 1600 / 32e9, 1e-3);
}
END_TEST

START_TEST(a_precision_without_a_peak_there_is_left_as_it_is)
{
    struct machine_peak *peak;
    struct whatif_sums sums;
    struct whatif_row row;

    machine_init_given(&place.machine, (double)NAN, 100e9);
    peak = array_add(&place.machine.peaks);
    ck_assert_ptr_nonnull(peak);
    *peak = (struct machine_peak){.precision = MACHINE_F64, .flops_per_second = 1e12};
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    row = place_calls(&sums);
    ck_assert(isnan(row.there_ns));
    ck_assert_int_eq(row.bound, WHATIF_UNKNOWN);
    ck_assert_double_eq_tol(sums.roofless_ns, 400e6, 1);
    ck_assert_double_eq_tol(sums.whole_there_ns, 1e9, 1);
}
END_TEST

START_TEST(products_may_have_units_of_their_own)
{
    struct whatif_sums sums;

    place_at(1000e9, 100e9);
    place.product_peaks[MACHINE_F32] = 10000e9;
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    ck_assert_double_eq_tol(place_calls(&sums).best_ns, 2e6, 1);
    ck_assert_double_eq_tol(whatif_peak(&place, MACHINE_F32, false), 1000e9, 1);
}
END_TEST

/* Two threads that are in kernels for 0.9 and 0.1 s of a second.  Their calls are missing, so the
 * second is assumed to be inside with the first, as in the findings. */
START_TEST(without_calls_the_busiest_thread_is_inside_with_the_others)
{
    struct session_thread *second = array_add(&session.threads);
    struct whatif_sums sums;

    ck_assert_ptr_nonnull(second);
    *second = (struct session_thread){.last_ns = 1000000000, .kernel_ns = 100000000};
    place_at(1000e9, 100e9);
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 25 1000000");
    ((struct session_thread *)session.threads.items)->kernel_ns = 900000000;
    place_calls(&sums);
    ck_assert_double_eq_tol(sums.kernel_fraction, 0.9, 1e-12);
}
END_TEST

static void add_course_call(uint32_t thread, uint64_t start_ns, uint64_t end_ns)
{
    struct session_course *course = array_at(&session.courses, thread);

    course_add(course,
                   &(struct course_call){start_ns, 0, course_pack_length(end_ns - start_ns)});
    course->is_whole = true;
}

/* Two threads that live for half of the wall time, and are in kernels at once for 250 ms. */
START_TEST(kernels_at_once_share_their_wall_time)
{
    struct session_thread *threads = session.threads.items, *second;
    struct whatif_sums sums;

    threads->last_ns = 500000000;
    second = array_add(&session.threads);
    ck_assert_ptr_nonnull(second);
    *second = (struct session_thread){.last_ns = 500000000, .kernel_ns = 1};
    course_fini_all(&session);
    course_make_all(&session);
    add_course_call(0, 0, 250000000);
    add_course_call(1, 0, 250000000);
    place_at(1000e9, 100e9);
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 500000");
    place_calls(&sums);
    ck_assert_double_eq_tol(sums.kernel_fraction, 0.25, 1e-9);
    course_fini_all(&session);
}
END_TEST

START_TEST(a_recording_without_kernels_has_no_time_elsewhere)
{
    struct whatif_sums sums;
    struct whatif whatif;
    struct wall wall;

    place_at(1000e9, 100e9);
    gather();
    wall_init(&wall, &session);
    whatif_init(&whatif, &(struct whatif_source){&session, &options, &groups, &wall}, &place);
    sums = whatif.sums;
    ck_assert(isnan(sums.whole_there_ns) && isnan(sums.kernel_fraction));
}
END_TEST

/* The example of the manual: a FLOP for each number of 4 bytes. */
START_TEST(four_bytes_a_flop_reach_225_gflops_of_100_tflops)
{
    struct whatif_sums sums;
    struct whatif_row row;

    place_at(100e12, 900e9);
    made_add_calls(&session, "cblas_saxpy 1000000 10 8000");
    row = place_calls(&sums);
    ck_assert_double_eq_tol(row.here.intensity, 0.25, 1e-12);
    ck_assert_double_eq_tol(machine_attainable(&row.roof, 0.25), 225e9, 1);
    ck_assert_double_eq_tol(machine_attainable(&row.roof, 0.25) / row.roof.peak, 0.00225, 1e-12);
    ck_assert_double_eq_tol(machine_ridge(&row.roof), 111.1, 0.02);
    ck_assert_int_eq(row.bound, WHATIF_MEMORY);
}
END_TEST

/* ---- crossover ------------------------------------------------------------------- */

static const struct crossover_line slow = {MACHINE_F32, 2000, 0.1, 3, NULL};
static const struct crossover_line fast = {MACHINE_F32, 12000, 0.01, 3, NULL};

/* 10 us are 111,111 FLOPs of 0.09 ns each: n = 38.2. */
START_TEST(lines_cross_where_the_calls_cost_is_earned_back)
{
    struct crossover found = crossover_find(&slow, &fast, (double)NAN);

    ck_assert_int_eq(found.kind, CROSSOVER_FROM);
    ck_assert_double_eq(found.order, 39);
}
END_TEST

/* 2 n^3 0.09 = 10,000 + 3 n^2 4 / 16: n = 39.9. */
START_TEST(operands_that_cross_a_link_move_the_crossing)
{
    struct crossover found = crossover_find(&slow, &fast, 16e9);

    ck_assert_int_eq(found.kind, CROSSOVER_FROM);
    ck_assert_double_eq(found.order, 40);
}
END_TEST

/* Small products gain 3 us a call, large ones 0.9 ps a FLOP; at n = 177 moving the operands takes
 * 15 us, and from 237 on the FLOPs outweigh it: 2 n^3 0.0009 + 3000 = 3 n^2 4 / 25. */
START_TEST(between_small_and_large_products_moving_may_cost_more)
{
    static const struct crossover_line here = {MACHINE_F32, 8000, 0.001, 3, NULL},
                                       there = {MACHINE_F32, 5000, 0.0001, 0, NULL};
    struct crossover found = crossover_find(&here, &there, 25e9);

    ck_assert_int_eq(found.kind, CROSSOVER_FROM);
    ck_assert_double_eq(found.order, 237);
    ck_assert_int_eq(crossover_find(&here, &there, 2500e9).kind, CROSSOVER_ALWAYS);
    ck_assert_int_eq(crossover_find(&here, &there, (double)NAN).kind, CROSSOVER_ALWAYS);
}
END_TEST

/* The opposite case: n = 38.2. */
START_TEST(a_cheaper_call_may_make_small_products_alone_faster)
{
    struct crossover found = crossover_find(&fast, &slow, (double)NAN);

    ck_assert_int_eq(found.kind, CROSSOVER_UP_TO);
    ck_assert_double_eq(found.order, 38);
}
END_TEST

START_TEST(what_is_slower_in_every_way_is_never_faster)
{
    ck_assert_int_eq(
        crossover_find(&fast, &(struct crossover_line){MACHINE_F32, 13000, 0.02, 0, 0}, (double)NAN)
            .kind,
        CROSSOVER_NEVER);
    ck_assert_int_eq(
        crossover_find(&slow, &(struct crossover_line){MACHINE_F32, 1000, 0.02, 0, 0}, (double)NAN)
            .kind,
        CROSSOVER_ALWAYS);
    ck_assert_int_eq(
        crossover_find(&slow, &(struct crossover_line){.flop_ns = (double)NAN}, (double)NAN).kind,
        CROSSOVER_UNKNOWN);
}
END_TEST

/* 3 us + F / 50 GFLOP/s. */
START_TEST(a_line_is_fitted_to_the_products_that_were_recorded)
{
    struct crossover_line line;

    made_add_calls(&session, "cblas_sgemm 50 50 50 10 80");
    made_add_calls(&session, "cblas_sgemm 100 100 100 10 430");
    made_add_calls(&session, "cblas_sgemm 200 200 200 10 3230");
    made_add_calls(&session, "cblas_dgemm 100 100 100 1 77");
    gather();
    crossover_fit(&line, &groups);
    ck_assert_ptr_null(line.refusal);
    ck_assert_int_eq(line.precision, MACHINE_F32);
    ck_assert_uint_eq(line.sizes, 3);
    ck_assert_double_eq_tol(line.call_ns, 3000, 1e-6);
    ck_assert_double_eq_tol(line.flop_ns, 0.02, 1e-12);
}
END_TEST

START_TEST(two_sizes_are_too_few_for_a_line)
{
    struct crossover_line line;

    made_add_calls(&session, "cblas_sgemm 50 50 50 10 50");
    made_add_calls(&session, "cblas_sgemm 200 200 200 10 3200");
    gather();
    crossover_fit(&line, &groups);
    ck_assert_ptr_nonnull(line.refusal);
    ck_assert_double_eq(line.call_ns, 0);
    ck_assert_double_eq_tol(line.flop_ns, 0.02, 1e-12);
}
END_TEST

START_TEST(without_products_there_is_no_line)
{
    struct crossover_line line;

    made_add_calls(&session, "cblas_daxpy 1000 1 50");
    gather();
    crossover_fit(&line, &groups);
    ck_assert_int_eq(line.precision, MACHINE_PRECISIONS);
    ck_assert_int_eq(crossover_find(&line, &fast, (double)NAN).kind, CROSSOVER_UNKNOWN);
}
END_TEST

/* ---- a reference ----------------------------------------------------------------- */

static struct session other;
static struct catalog_arena other_arena;

static void setup_other(void)
{
    setup();
    make_process(&other, 100000000);
    made_read_catalog(&other, &other_arena, page);
}

static void teardown_other(void)
{
    text_list_fini(&other.process.environment);
    made_fini_calls(&other);
    made_fini(&other);
    free(other_arena.base);
    teardown();
}

/* Here 20 GFLOP in 400 ms of 1 s; there 10 GFLOP in 50 ms of 100 ms. */
START_TEST(factors_multiply_to_the_ratio_of_the_wall_times)
{
    struct reference reference;
    struct reference_factors of;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&other, "cblas_sgemm 1000 1000 1000 5 50000");
    reference_init(&reference, &session, &other, &options);
    of = reference_factors(&reference);
    ck_assert_double_eq_tol(of.wall, 10, 1e-9);
    ck_assert(isnan(of.items));
    ck_assert_double_eq_tol(of.flops, 2, 1e-9);
    ck_assert_double_eq_tol(of.kernel_seconds, 4, 1e-9);
    ck_assert_double_eq_tol(of.outside, 1.25, 1e-9);
    ck_assert_double_eq_tol(of.flops * of.kernel_seconds * of.outside, of.wall, 1e-9);
}
END_TEST

START_TEST(items_are_a_factor_where_both_counted_them)
{
    struct reference reference;
    struct reference_factors of;

    session.items = 40;
    other.items = 10;
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&other, "cblas_sgemm 1000 1000 1000 5 50000");
    reference_init(&reference, &session, &other, &options);
    of = reference_factors(&reference);
    ck_assert_double_eq_tol(of.items, 4, 1e-9);
    ck_assert_double_eq_tol(of.flops, 0.5, 1e-9);
    ck_assert_double_eq_tol(of.items * of.flops * of.kernel_seconds * of.outside, of.wall, 1e-9);
}
END_TEST

START_TEST(differences_of_the_rows_sum_to_that_of_the_wall_times)
{
    struct reference reference;
    double sum = 0;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&session, "cblas_daxpy 1000000 5 20000");
    made_add_calls(&session, "solve 10 1 500");
    made_add_calls(&other, "cblas_dgemm 1000 1000 1000 5 50000");
    reference_init(&reference, &session, &other, &options);
    for (size_t i = 0; i < reference.rows.count; i++) {
        const struct reference_row *row = array_at(&reference.rows, i);

        sum += row->ns[0] - row->ns[1];
    }
    ck_assert_double_eq_tol(sum, 900e6, 1);
}
END_TEST

START_TEST(without_kernels_in_the_reference_factors_are_unknown)
{
    struct reference reference;
    struct reference_factors of;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    reference_init(&reference, &session, &other, &options);
    of = reference_factors(&reference);
    ck_assert_double_eq_tol(of.wall, 10, 1e-9);
    ck_assert(isnan(of.flops) && isnan(of.kernel_seconds) && isnan(of.outside));
}
END_TEST

/* ---- known machines -------------------------------------------------------------- */

static const struct {
    const char *asked;
    const char *name; /* NULL: refused */
} names[] = {
    {"h200", "NVIDIA H200 SXM"},
    {"L4", "NVIDIA L4"},
    {"EPYC-9654", "AMD EPYC 9654"},
    {"8480+", "Intel Xeon Platinum 8480+"},
    {"A100", NULL},
    {"nothing", NULL},
    {"", NULL},
    {"NVIDIA", NULL},
    {"mi250", "AMD Instinct MI250"},
};

START_TEST(a_machine_is_found_by_what_its_name_holds)
{
    struct diagnostic diagnostic;
    struct known_machine known;
    enum status status = known_machine_find(names[_i].asked, &known, &diagnostic);

    ck_assert_int_eq(status == STATUS_OK, names[_i].name != NULL);
    if (names[_i].name)
        ck_assert_str_eq(known.name, names[_i].name);
}
END_TEST

START_TEST(a_processor_is_found_by_how_it_names_itself)
{
    struct known_machine known;

    ck_assert(known_machine_of_cpu("AMD EPYC 7763 64-Core Processor", &known));
    ck_assert_str_eq(known.name, "AMD EPYC 7763");
    ck_assert(known_machine_of_cpu("Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz", &known));
    ck_assert(!known_machine_of_cpu("AMD EPYC", &known));
    ck_assert(!known_machine_of_cpu(NULL, &known));
}
END_TEST

START_TEST(known_machines_have_sane_figures_and_a_source)
{
    struct known_machine known;

    for (size_t i = 0; known_machine_at(i, &known); i++) {
        ck_assert_msg(known.peaks[MACHINE_F32] > 1e11 && known.peaks[MACHINE_F32] < 1e15, "%s",
                      known.name);
        ck_assert_msg(known.bytes_per_second > 1e10 && known.bytes_per_second < 1e13, "%s",
                      known.name);
        ck_assert_msg(isnan(known.peaks[MACHINE_F64]) ||
                          known.peaks[MACHINE_F64] <= known.peaks[MACHINE_F32],
                      "%s", known.name);
        ck_assert_msg(isfinite(known.link_bytes_per_second) == known.is_accelerator, "%s",
                      known.name);
        ck_assert_msg(strlen(known.source) > 10, "%s", known.name);
    }
}
END_TEST

START_TEST(some_of_the_cores_have_some_of_the_peak)
{
    struct diagnostic diagnostic;
    struct known_machine known;

    ck_assert_int_eq(known_machine_find("EPYC 9654", &known, &diagnostic), STATUS_OK);
    known_machine_describe(&known, 24, &place.machine);
    ck_assert_double_eq_tol(machine_peak(&place.machine, MACHINE_F64, 0), 24 * 2.4e9 * 16, 1);
    ck_assert(isnan(machine_peak(&place.machine, MACHINE_I8, 0)));
}
END_TEST

/* ---- money ----------------------------------------------------------------------- */

static struct cost_terms terms;

static void setup_cost(void)
{
    const double unknown = (double)NAN;

    setup();
    terms = (struct cost_terms){.price_per_hour = 3.6,
                                .items = unknown,
                                .runs_per_day = unknown,
                                .grams_per_kwh = unknown,
                                .watts = unknown,
                                .target = unknown,
                                .job_flops = unknown,
                                .peak = unknown};
    session.process.has_last = true;
    session.process.last.user_ns = 500000000;
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
}

static struct cost reckon(void)
{
    struct cost cost;

    cost_of_run(&cost, &session, &options, &terms);
    return cost;
}

/* Its use until the last reading is less than its whole use. */
START_TEST(the_use_of_a_killed_run_is_unknown)
{
    session.process.has_last = false;
    ck_assert(isnan(reckon().used_fraction));
    ck_assert_double_eq_tol(reckon().run, 0.001, 1e-12);
}
END_TEST

/* A second of 3.6 an hour is 0.001; 20 GFLOP are 0.02 TFLOP. */
START_TEST(a_run_costs_its_part_of_the_hour)
{
    struct cost cost;

    terms.items = 50;
    terms.runs_per_day = 1000;
    cost = reckon();
    ck_assert_double_eq_tol(cost.run, 0.001, 1e-12);
    ck_assert_double_eq_tol(cost.used_fraction, 0.5, 1e-12);
    ck_assert_double_eq_tol(cost.per_1000_items, 0.02, 1e-12);
    ck_assert_double_eq_tol(cost.per_tflop, 0.05, 1e-12);
    ck_assert_double_eq_tol(cost.per_year, 365.25, 1e-9);
    ck_assert_double_eq_tol(cost.machines, 1000 / 86400.0, 1e-12);
}
END_TEST

START_TEST(a_price_of_a_processor_is_paid_for_each)
{
    session.process.cpu_count = 4;
    terms.is_per_processor = true;
    ck_assert_double_eq_tol(reckon().run, 0.004, 1e-12);
    session.process.cpu_count = SESSION_UNKNOWN;
    ck_assert(isnan(reckon().run));
}
END_TEST

/* 20 GFLOP of 100 in a second. */
START_TEST(at_twice_the_utilization_it_costs_half)
{
    struct cost cost;

    terms.target = 0.4;
    cost = reckon();
    ck_assert_double_eq_tol(cost.utilization.mfu, 0.2, 1e-12);
    ck_assert_double_eq_tol(cost.target_run, 0.0005, 1e-12);
    options.machine = NULL;
    ck_assert(isnan(reckon().target_run));
}
END_TEST

/* 72 TFLOP at 20 GFLOP/s take an hour; at 0.4 of 100 GFLOP/s, half an hour. */
START_TEST(a_job_is_predicted_from_its_flops)
{
    struct cost cost;

    terms.job_flops = 72e12;
    terms.target = 0.4;
    cost = reckon();
    ck_assert_double_eq_tol(cost.job_hours, 1, 1e-9);
    ck_assert_double_eq_tol(cost.job, 3.6, 1e-9);
    ck_assert_double_eq_tol(cost.target_job_hours, 0.5, 1e-9);
    terms.peak = 100e9;
    cost_of_job(&cost, &terms);
    ck_assert_double_eq_tol(cost.target_job, 1.8, 1e-9);
    ck_assert(isnan(cost.run) && isnan(cost.job));
}
END_TEST

START_TEST(metered_energy_goes_before_estimates)
{
    struct cost cost;

    terms.watts = 36;
    terms.grams_per_kwh = 1e6;
    session.process.cpu = "AMD EPYC 7763 64-Core Processor";
    cost = reckon();
    ck_assert_int_eq(cost.energy_from, COST_ENERGY_WATTS);
    ck_assert_double_eq_tol(cost.energy_joules, 36, 1e-9);
    ck_assert_double_eq_tol(cost.carbon_grams, 10, 1e-9);
    session.counters[TRACE_COUNTER_PACKAGE_ENERGY] = (struct session_counter){true, 7e6, 1, NULL};
    cost = reckon();
    ck_assert_int_eq(cost.energy_from, COST_ENERGY_METERED);
    ck_assert_double_eq_tol(cost.energy_joules, 7, 1e-9);
    session.counters[TRACE_COUNTER_DRAM_ENERGY] = (struct session_counter){true, 2e6, 1, NULL};
    ck_assert_double_eq_tol(reckon().energy_joules, 9, 1e-9);
}
END_TEST

/* 280 W of 64 cores, half a second of one. */
START_TEST(a_known_processor_gives_an_estimate)
{
    struct cost cost;

    session.process.cpu = "AMD EPYC 7763 64-Core Processor";
    cost = reckon();
    ck_assert_int_eq(cost.energy_from, COST_ENERGY_TDP);
    ck_assert_double_eq_tol(cost.energy_joules, 280.0 / 64 / 2, 1e-9);
    ck_assert(isnan(cost.carbon_grams));
}
END_TEST

START_TEST(energy_of_an_unknown_processor_is_unknown)
{
    struct cost cost = reckon();

    ck_assert_int_eq(cost.energy_from, COST_ENERGY_UNKNOWN);
    ck_assert(isnan(cost.energy_joules) && isnan(cost.carbon_grams));
}
END_TEST

/* ---- the screen ------------------------------------------------------------------ */

static void add_page_calls(void)
{
    char *text = page_section(page, "calls"), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        if (line[0] != '\0')
            made_add_calls(&session, line);
    free(text);
}

static void place_known(const char *name)
{
    struct diagnostic diagnostic;
    struct known_machine known;

    ck_assert_int_eq(known_machine_find(name, &known, &diagnostic), STATUS_OK);
    known_machine_describe(&known, 0, &place.machine);
    snprintf(place.name, sizeof place.name, "%s", known.name);
    place.is_accelerator = known.is_accelerator;
    place.link_bytes_per_second = known.link_bytes_per_second;
    place.launch_ns = 5000;
}

static char *render(const char *format)
{
    const struct whatif_question question = {&session, &options, &place, 1, NULL, NULL};
    const struct render_options how = {.width = PAGE_WIDTH};
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    struct document document;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(render_find(format, &renderer, &diagnostic), STATUS_OK);
    whatif_report_build(&question, &document);
    ck_assert_int_eq(renderer->document(&document, &how, out, &diagnostic), STATUS_OK);
    document_fini(&document);
    fclose(out);
    return bytes;
}

START_TEST(the_screen_is_that_of_its_page)
{
    char *found;

    add_page_calls();
    place_known("H100 PCIe");
    found = render("text");
    page_compare(page, "text", found);
    free(found);
}
END_TEST

START_TEST(the_screen_of_costs_is_that_of_its_page)
{
    const struct render_options how = {.width = PAGE_WIDTH};
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    struct document document;
    struct cost cost;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_ptr_nonnull(out);
    snprintf(terms.currency, sizeof terms.currency, "USD");
    terms.items = 50;
    terms.runs_per_day = 86400;
    terms.grams_per_kwh = 400;
    terms.watts = 360;
    terms.target = 0.4;
    terms.job_flops = 72e15;
    made_add_calls(&session, "solve 10 1 100000");
    cost = reckon();
    ck_assert_int_eq(render_find("text", &renderer, &diagnostic), STATUS_OK);
    cost_report_build(&cost, 1, &terms, &document);
    ck_assert_int_eq(renderer->document(&document, &how, out, &diagnostic), STATUS_OK);
    document_fini(&document);
    fclose(out);
    page_compare(cost_page, "text", bytes);
    free(bytes);
}
END_TEST

START_TEST(unknown_times_are_null_in_json)
{
    char *found;

    made_add_calls(&session, "solve 10 1 500");
    place_known("H100 PCIe");
    found = render("json");
    ck_assert_ptr_nonnull(strstr(found, "\"there_ns\": null"));
    ck_assert_ptr_nonnull(strstr(found, "\"crossover\": null"));
    ck_assert_ptr_nonnull(strstr(found, "\"roofless_ns\": 500000"));
    free(found);
}
END_TEST

int check_money(void)
{
    Suite *suite = suite_create("money");
    TCase *elsewhere = tcase_create("elsewhere"), *crossing = tcase_create("crossing"),
          *against = tcase_create("reference"), *known = tcase_create("known"),
          *money = tcase_create("money"), *screen = tcase_create("screen");

    tcase_add_checked_fixture(elsewhere, setup, teardown);
    tcase_add_test(elsewhere, a_kernel_keeps_its_part_of_the_roof_and_the_rest_its_time);
    tcase_add_test(elsewhere, without_a_calibration_kernels_are_placed_at_the_roof);
    tcase_add_test(elsewhere, what_latency_takes_stays_on_a_processor);
    tcase_add_test(elsewhere, an_accelerator_has_the_cost_of_a_launch_instead);
    tcase_add_test(elsewhere, a_precision_without_a_peak_there_is_left_as_it_is);
    tcase_add_test(elsewhere, products_may_have_units_of_their_own);
    tcase_add_test(elsewhere, without_calls_the_busiest_thread_is_inside_with_the_others);
    tcase_add_test(elsewhere, kernels_at_once_share_their_wall_time);
    tcase_add_test(elsewhere, a_recording_without_kernels_has_no_time_elsewhere);
    tcase_add_test(elsewhere, four_bytes_a_flop_reach_225_gflops_of_100_tflops);
    suite_add_tcase(suite, elsewhere);
    tcase_add_checked_fixture(crossing, setup, teardown);
    tcase_add_test(crossing, lines_cross_where_the_calls_cost_is_earned_back);
    tcase_add_test(crossing, operands_that_cross_a_link_move_the_crossing);
    tcase_add_test(crossing, between_small_and_large_products_moving_may_cost_more);
    tcase_add_test(crossing, a_cheaper_call_may_make_small_products_alone_faster);
    tcase_add_test(crossing, what_is_slower_in_every_way_is_never_faster);
    tcase_add_test(crossing, a_line_is_fitted_to_the_products_that_were_recorded);
    tcase_add_test(crossing, two_sizes_are_too_few_for_a_line);
    tcase_add_test(crossing, without_products_there_is_no_line);
    suite_add_tcase(suite, crossing);
    tcase_add_checked_fixture(against, setup_other, teardown_other);
    tcase_add_test(against, factors_multiply_to_the_ratio_of_the_wall_times);
    tcase_add_test(against, items_are_a_factor_where_both_counted_them);
    tcase_add_test(against, differences_of_the_rows_sum_to_that_of_the_wall_times);
    tcase_add_test(against, without_kernels_in_the_reference_factors_are_unknown);
    suite_add_tcase(suite, against);
    tcase_add_checked_fixture(known, setup, teardown);
    tcase_add_loop_test(known, a_machine_is_found_by_what_its_name_holds, 0,
                        sizeof names / sizeof *names);
    tcase_add_test(known, a_processor_is_found_by_how_it_names_itself);
    tcase_add_test(known, known_machines_have_sane_figures_and_a_source);
    tcase_add_test(known, some_of_the_cores_have_some_of_the_peak);
    suite_add_tcase(suite, known);
    tcase_add_checked_fixture(money, setup_cost, teardown);
    tcase_add_test(money, the_use_of_a_killed_run_is_unknown);
    tcase_add_test(money, a_run_costs_its_part_of_the_hour);
    tcase_add_test(money, a_price_of_a_processor_is_paid_for_each);
    tcase_add_test(money, at_twice_the_utilization_it_costs_half);
    tcase_add_test(money, a_job_is_predicted_from_its_flops);
    tcase_add_test(money, metered_energy_goes_before_estimates);
    tcase_add_test(money, a_known_processor_gives_an_estimate);
    tcase_add_test(money, energy_of_an_unknown_processor_is_unknown);
    tcase_add_test(money, the_screen_of_costs_is_that_of_its_page);
    suite_add_tcase(suite, money);
    tcase_add_checked_fixture(screen, setup, teardown);
    tcase_add_test(screen, the_screen_is_that_of_its_page);
    tcase_add_test(screen, unknown_times_are_null_in_json);
    suite_add_tcase(suite, screen);
    return suite_run_in_pool(suite);
}
