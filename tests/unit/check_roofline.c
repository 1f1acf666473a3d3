/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The roofline on sessions made by hand: the bounds of a call, impossible rates, unknown values;
 * and one whole screen, against its page of tests/cases.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/analysis.h"
#include "kernels/flops_options.h"
#include "kernels/judge.h"
#include "kernels/kernel_precision.h"
#include "kernels/utilization.h"
#include "made_kernels.h"
#include "made_session.h"
#include "model/machine_file.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "page.h"
#include "render/render.h"
#include "suite.h"

enum { PAGE_WIDTH = 110 };

static const char page[] = "roofline.case";

static struct session session;
static struct machine machine;
static struct catalog_arena arena;
static struct analysis_options options;
static struct flops_options flops_options;

/* ---- a session of the page --------------------------------------------------- */

static void read_calls(void)
{
    char *text = page_section(page, "calls"), *rest = text, *line;

    while ((line = strsep(&rest, "\n")))
        if (line[0] != '\0')
            made_add_calls(&session, line);
    free(text);
}

static void setup(void)
{
    made_init(&session);
    text_list_init(&session.process.environment);
    session.process.cpu_count = 1;
    session.process.wall_ns = 1000000000;
    session.thread_ns = 1000000000;
    made_read_machine(&machine, page);
    made_read_catalog(&session, &arena, page);
    options = analysis_defaults();
    flops_options = *options.flops;
    options.flops = &flops_options;
    options.machine = &machine;
}

static void teardown(void)
{
    text_list_fini(&session.process.environment);
    made_fini(&session);
    machine_fini(&machine);
    free(arena.base);
}

/* ---- one row ------------------------------------------------------------------- */

static struct judgement judge_calls(const char *line)
{
    struct judge judge = judge_init(&session, &options);
    struct judgement judgement;
    struct groups groups;

    made_add_calls(&session, line);
    groups_init(&groups, &session, &options);
    judgement = judge_group(&judge, array_at(&groups.rows, 0));
    return judgement;
}

/* 2e9 FLOPs in 40 ms are 50 GFLOP/s, half of the peak; 125 FLOP/B. */
START_TEST(a_call_beyond_the_ridge_is_bound_by_compute)
{
    struct judgement row = judge_calls("cblas_sgemm 1000 1000 1000 10 400000");

    ck_assert_int_eq(row.bound, JUDGE_COMPUTE);
    ck_assert_int_eq(row.precision, MACHINE_F32);
    ck_assert_double_eq_tol(row.intensity, 125, 1e-9);
    ck_assert_double_eq_tol(row.flops_per_second, 50e9, 1);
    ck_assert_double_eq_tol(row.peak_fraction, 0.5, 1e-9);
    ck_assert_double_eq_tol(row.roof_fraction, 0.5, 1e-9);
    ck_assert_double_eq_tol(row.wasted_ns, 200e6, 1);
}
END_TEST

/* 3 calls in 3 ms; the first took 2.8; rates are of all. */
START_TEST(the_mean_of_a_call_leaves_out_the_first)
{
    const uint64_t durations_ns[] = {2800000, 90000, 110000};
    struct judge judge = judge_init(&session, &options);
    struct session_slot *slot = made_add_calls(&session, "cblas_sgemm 100 100 100 3 3000");
    struct judgement row;
    struct groups groups;

    for (size_t i = 0; i < 3; i++)
        *(uint64_t *)array_add(&slot->durations_ns) = durations_ns[i];
    options.warmup = 1 + 2 * (unsigned)_i;
    groups_init(&groups, &session, &options);
    row = judge_group(&judge, array_at(&groups.rows, 0));
    ck_assert(_i == 1 ? isnan(row.call_ns) : fabs(row.call_ns - 100000) < 1e-6);
    ck_assert_double_eq_tol(row.flops_per_second, 3 * 2e6 / 3e-3, 1);
    array_fini(&slot->durations_ns);
    slot->durations_ns = (struct array){.item_size = sizeof(uint64_t)};
}
END_TEST

/* 24 MB in 4 ms are 6 GB/s of 10, and 75 % of the triad's 8. */
START_TEST(a_call_before_the_ridge_is_bound_by_memory)
{
    struct judgement row = judge_calls("cblas_daxpy 1000000 5 20000");

    ck_assert_int_eq(row.bound, JUDGE_MEMORY);
    ck_assert_int_eq(row.roof.level, MACHINE_DRAM);
    ck_assert_double_eq_tol(row.bandwidth_fraction, 0.6, 1e-9);
    ck_assert_double_eq_tol(row.stream_fraction, 0.75, 1e-9);
    ck_assert_double_eq_tol(row.roof_fraction, 0.6, 1e-9);
    ck_assert_double_eq_tol(row.wasted_ns, 8e6, 1);
}
END_TEST

static struct machine_bandwidth *bandwidth_of_memory(void)
{
    return array_at(&machine.bandwidths, machine.bandwidths.count - 1);
}

/* 24 MB in 1.6 ms are 15 GB/s: more than memory is read with, and all that updates have. */
START_TEST(updates_in_place_are_judged_by_their_own_loop)
{
    struct judgement row;

    bandwidth_of_memory()->bytes_per_second[MACHINE_UPDATE] = 15e9;
    row = judge_calls("daxpy 1000000 5 8000");
    ck_assert(!row.is_invalid);
    ck_assert_int_eq(row.bound, JUDGE_MEMORY);
    ck_assert_double_eq_tol(row.bandwidth_fraction, 1, 1e-9);
    ck_assert_double_eq_tol(row.wasted_ns, 0, 1);
}
END_TEST

START_TEST(what_only_reads_has_no_bandwidth_of_updates)
{
    struct judgement row;

    bandwidth_of_memory()->bytes_per_second[MACHINE_UPDATE] = 15e9;
    row = judge_calls("ddot 1000000 6 6400");
    ck_assert(row.is_invalid);
    ck_assert_double_eq_tol(row.bandwidth_fraction, 1.5, 1e-9);
}
END_TEST

/* It may update in place; whether it does is unknown. */
START_TEST(a_kernel_of_unknown_moves_is_invalid_only_above_all_loops)
{
    bool is_above = _i != 0;
    struct judgement row;

    bandwidth_of_memory()->bytes_per_second[MACHINE_UPDATE] = is_above ? 14e9 : 15e9;
    row = judge_calls("cblas_daxpy 1000000 5 8000");
    ck_assert_int_eq(row.is_invalid, is_above);
    ck_assert_double_eq_tol(row.bandwidth_fraction, is_above ? 15. / 14 : 1, 1e-9);
}
END_TEST

/* Below the rate of the older loops, they are the roof; above it, there is none. */
START_TEST(a_calibration_without_the_loop_makes_nothing_invalid)
{
    bool is_above = _i != 0;
    struct judgement row = judge_calls(is_above ? "daxpy 1000000 5 8000" : "daxpy 1000000 5 20000");

    ck_assert(!row.is_invalid);
    ck_assert_int_eq(row.lack, is_above ? JUDGE_LACKS_LOOP : JUDGE_LACKS_NOTHING);
    ck_assert_int_eq(row.bound, is_above ? JUDGE_UNKNOWN : JUDGE_MEMORY);
    ck_assert(is_above || fabs(row.bandwidth_fraction - 0.6) < 1e-9);
}
END_TEST

/* 16 MB at 15 GB/s, while 10 were measured over more, and over less. */
START_TEST(fewer_bytes_than_were_measured_may_be_faster)
{
    bool is_fewer = _i != 0;
    struct judgement row;

    bandwidth_of_memory()->working_set_bytes = is_fewer ? 100000000 : 10000000;
    ((struct machine_bandwidth *)array_at(&machine.bandwidths, 0))->bytes_per_second[MACHINE_READ] =
        20e9;
    row = judge_calls("ddot 1000000 6 6400");
    ck_assert_int_eq(row.is_invalid, !is_fewer);
    ck_assert_int_eq(row.roof.level, is_fewer ? MACHINE_L1 : MACHINE_DRAM);
}
END_TEST

START_TEST(a_short_call_far_from_both_roofs_is_bound_by_latency)
{
    struct judgement row = judge_calls("cblas_sgemm 8 8 8 100 100");

    ck_assert_int_eq(row.bound, JUDGE_LATENCY);
    ck_assert_int_eq(row.roof.level, MACHINE_L1);
    ck_assert_double_eq_tol(row.call_ns, 1000, 1e-9);
}
END_TEST

/* 65536 FLOPs in 1 us are 66 % of the peak. */
START_TEST(a_short_call_near_its_roof_is_not_bound_by_latency)
{
    struct judgement row = judge_calls("cblas_sgemm 32 32 32 100 100");

    ck_assert_double_eq_tol(row.peak_fraction, 0.65536, 1e-9);
    ck_assert_int_eq(row.bound, JUDGE_COMPUTE);
}
END_TEST

START_TEST(moved_bytes_have_a_roof_without_flops)
{
    struct judgement row = judge_calls("reorder 1000000 1 1600");

    ck_assert_int_eq(row.bound, JUDGE_MEMORY);
    ck_assert_double_eq_tol(row.roof_fraction, 0.5, 1e-9);
    ck_assert_double_eq(row.intensity, 0);
}
END_TEST

START_TEST(what_is_faster_than_the_machine_is_invalid)
{
    struct judgement row = judge_calls("cblas_dgemm 500 500 500 2 5000");

    ck_assert(row.is_invalid);
    ck_assert_int_eq(row.bound, JUDGE_UNKNOWN);
}
END_TEST

/* 1 GFLOP in 1 ms, in a kernel with unknown bytes. */
START_TEST(what_is_faster_than_the_peak_is_invalid_without_its_bytes)
{
    struct judgement row = judge_calls("sum 1000000000 1 1000");

    ck_assert(isnan(row.call_bytes) && row.is_invalid);
    ck_assert_int_eq(row.bound, JUDGE_UNKNOWN);
    ck_assert_int_eq(row.lack, JUDGE_LACKS_NOTHING);
    row = judge_calls("sum 1000000 1 2000");
    ck_assert(!row.is_invalid);
}
END_TEST

/* A table's notes, for any kind of rows. */
static void check_notes(const struct analysis *analysis, const char *expected)
{
    static const enum analysis_by all[] = {ANALYSIS_BY_DEFAULT, ANALYSIS_BY_OP, ANALYSIS_BY_KERNEL,
                                           ANALYSIS_BY_SHAPE, ANALYSIS_BY_CLASS};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct table table;
        bool has_note = false;

        options.by = all[i];
        analysis->build(&session, &options, &table);
        for (size_t j = 0; j < text_list_count(&table.notes); j++)
            has_note |= strstr(text_list_at(&table.notes, j), "! Invalid: ") != NULL;
        ck_assert_msg(has_note == (expected != NULL), "%s, rows %d", analysis->name, (int)all[i]);
        for (size_t j = 0; j < text_list_count(&table.notes) && expected; j++)
            if (strstr(text_list_at(&table.notes, j), "! Invalid: "))
                ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, j), expected));
        table_fini(&table);
    }
}

START_TEST(rates_above_the_peak_are_marked_wherever_they_stand)
{
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 4000000");
    check_notes(&analysis_top, NULL);
    check_notes(&analysis_flops, NULL);
    made_add_calls(&session, "cblas_sgemm 1000 1000 500 1 1000");
    check_notes(&analysis_top,
                "cblas_sgemm m=1000 n=1000 k=500: 1.00 TFLOP/s would be 1000.0 % of");
    check_notes(&analysis_flops, "cblas_sgemm m=1000 n=1000 k=500: 1.00 TFLOP/s would be 1000.0 %");
    options.machine = NULL;
    check_notes(&analysis_top, NULL);
}
END_TEST

START_TEST(five_percent_above_the_peak_are_believed)
{
    ck_assert(!judge_calls("cblas_dgemm 500 500 500 2 9600").is_invalid);
}
END_TEST

START_TEST(unknown_flops_have_no_bound)
{
    struct judgement row = judge_calls("solve 10 1 500");

    ck_assert_int_eq(row.bound, JUDGE_UNKNOWN);
    ck_assert(isnan(row.roof_fraction) && isnan(row.wasted_ns) && !row.is_invalid);
}
END_TEST

START_TEST(without_a_calibration_rates_stay_and_roofs_go)
{
    struct judgement row;

    options.machine = NULL;
    row = judge_calls("cblas_sgemm 1000 1000 1000 10 400000");
    ck_assert_double_eq_tol(row.flops_per_second, 50e9, 1);
    ck_assert(isnan(row.peak_fraction) && isnan(row.roof_fraction) && isnan(row.wasted_ns));
    ck_assert_int_eq(row.bound, JUDGE_UNKNOWN);
    ck_assert_ptr_null(judge_bound_name(row.bound));
}
END_TEST

/* ---- threads ------------------------------------------------------------------- */

static struct judge judge_with(const char *variable)
{
    if (variable)
        text_list_add(&session.process.environment, variable);
    return judge_init(&session, &options);
}

/* A thread of 1 s that is in kernels for half of it, and a process of 4.5 s: while it was in
 * kernels, 8 processors worked. */
START_TEST(processor_time_beyond_the_calling_thread_is_the_librarys)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    session.process.cpu_count = 16;
    thread->last_ns = 1000000000;
    thread->cpu_ns = SESSION_UNKNOWN;
    thread->kernel_ns = 500000000;
    session.process.last.user_ns = 4500000000;
    ck_assert_uint_eq(judge_with(NULL).threads, 8);
    session.process.cpu_count = 4;
    ck_assert_uint_eq(judge_with(NULL).threads, 4);
    ck_assert_int_eq(judge_with(NULL).threads_from, JUDGE_FROM_TIME);
}
END_TEST

START_TEST(the_environment_is_believed_before_processor_time)
{
    session.process.cpu_count = 16;
    ck_assert_uint_eq(judge_with("OPENBLAS_NUM_THREADS=6").threads, 6);
    ck_assert_int_eq(judge_with("OMP_NUM_THREADS=3").threads_from, JUDGE_FROM_ENVIRONMENT);
    ck_assert_uint_eq(judge_with(NULL).threads, 3);
    session.process.cpu_count = 2;
    ck_assert_uint_eq(judge_with(NULL).threads, 2);
    options.call_threads = 5;
    ck_assert_uint_eq(judge_with(NULL).threads, 5);
}
END_TEST

START_TEST(a_process_that_computed_nothing_has_one_thread)
{
    ck_assert_uint_eq(judge_with("OMP_NUM_THREADS=none").threads, 1);
}
END_TEST

/* ---- utilization ---------------------------------------------------------------- */

/* 20 GFLOP of 100 in f32 and 10 MFLOP of 50 GFLOP/s in f64 in a second. */
START_TEST(each_precision_is_used_against_its_own_peak)
{
    struct utilization of;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&session, "cblas_daxpy 1000000 5 20000");
    of = utilization_of(&session, &options);
    ck_assert_double_eq_tol(of.mfu, 0.2, 1e-12);
    ck_assert_double_eq_tol(of.hfu, 0.2002, 1e-12);
    options.by = ANALYSIS_BY_REGION;
    of = utilization_of(&session, &options);
    ck_assert_double_eq_tol(of.mfu, 0.2, 1e-12);
    options.machine = NULL;
    of = utilization_of(&session, &options);
    ck_assert(isnan(of.mfu) && isnan(of.hfu));
}
END_TEST

/* 16 MFLOP of 20 GFLOP and 16 MFLOP are in bf16; the page has no peak for bf16. */
START_TEST(what_has_no_peak_leaves_its_utilization_unknown)
{
    struct utilization of;
    struct text reason;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&session, "cblas_sbgemm 200 200 200 1 1000");
    of = utilization_of(&session, &options);
    ck_assert(isnan(of.mfu) && isnan(of.hfu));
    ck_assert_double_eq_tol(of.unjudged[MACHINE_BF16], 16. / 20016, 1e-12);
    text_init(&reason);
    utilization_append_reason(&reason, &of);
    ck_assert_str_eq(
        reason.bytes,
        "MFU and HFU are unknown. The peak of bf16, used for 0.1 % of the FLOPs, is unknown. "
        "For the other 99.9 % of the FLOPs, MFU is 20.0 % and HFU 20.0 %.");
    text_fini(&reason);
}
END_TEST

/* Nothing but bf16: there is no other part to report. */
START_TEST(what_has_no_peak_at_all_has_no_utilization_of_a_part)
{
    struct utilization of;
    struct text reason;

    made_add_calls(&session, "cblas_sbgemm 200 200 200 1 1000");
    of = utilization_of(&session, &options);
    text_init(&reason);
    utilization_append_reason(&reason, &of);
    ck_assert_str_eq(
        reason.bytes,
        "MFU and HFU are unknown. The peak of bf16, used for 100.0 % of the FLOPs, is unknown.");
    text_fini(&reason);
}
END_TEST

/* Some work was done, but none of it is known. */
START_TEST(calls_of_unknown_work_alone_have_no_utilization)
{
    struct utilization of;

    made_add_calls(&session, "solve 10 1 1000");
    of = utilization_of(&session, &options);
    ck_assert(isnan(of.mfu) && isnan(of.hfu));
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    of = utilization_of(&session, &options);
    ck_assert_double_eq_tol(of.mfu, 0.2, 1e-12);
}
END_TEST

/* 10 MFLOP of 50 GFLOP/s in f64 in a second, and none of them a model's. */
START_TEST(without_products_the_part_that_a_model_used_has_no_meaning)
{
    struct utilization of;
    struct text reason;

    made_add_calls(&session, "cblas_daxpy 1000000 5 20000");
    of = utilization_of(&session, &options);
    ck_assert(isnan(of.mfu) && isnan(of.mfu_judged));
    ck_assert_double_eq_tol(of.hfu, 0.0002, 1e-12);
    ck_assert_ptr_null(utilization_model_name(&of));
    text_init(&reason);
    utilization_append(&reason, &of);
    ck_assert_str_eq(reason.bytes, "HFU (all FLOPs) is <0.1 % of the peak of 1 allowed processor. "
                                   "MFU has no meaning: no FLOPs of matrix products were counted.");
    text_fini(&reason);
}
END_TEST

/* Products of a precision without a peak are products. */
START_TEST(products_without_a_peak_are_not_taken_for_none)
{
    made_add_calls(&session, "cblas_sbgemm 200 200 200 1 1000");
    ck_assert(!utilization_of(&session, &options).lacks_products);
}
END_TEST

static void find_line(char *line, size_t size,
                      void (*append)(struct text *line, const struct utilization *of))
{
    struct utilization of = utilization_of(&session, &options);
    struct text text;

    text_init(&text);
    append(&text, &of);
    snprintf(line, size, "%s", text.size > 0 ? text.bytes : "");
    text_fini(&text);
}

/* Of 25 GFLOP, 5 are in a region marked as recomputation. */
START_TEST(what_regions_compute_again_is_not_the_models)
{
    uint32_t backward = made_add_region(&session, 0, "backward");
    uint32_t again = made_add_region(&session, backward, "recompute_block3");
    uint32_t inside = made_add_region(&session, again, "mlp");
    struct utilization of;
    char line[400];

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 5 100000")->region = backward;
    made_add_calls(&session, "cblas_sgemm 1000 500 1000 10 200000");
    made_add_calls(&session, "cblas_sgemm 500 1000 500 10 100000")->region = inside;
    of = utilization_of(&session, &options);
    ck_assert_double_eq_tol(of.hfu, 0.25, 1e-12);
    ck_assert_double_eq_tol(of.mfu, 0.2, 1e-12);
    ck_assert_double_eq_tol(of.recomputed, 0.2, 1e-12);
    ck_assert_str_eq(utilization_model_name(&of), "regions");
    find_line(line, sizeof line, utilization_append_mfu);
    ck_assert_ptr_nonnull(strstr(line, "leaves out 20.0 % of the products' FLOPs"));
}
END_TEST

START_TEST(what_the_user_says_of_the_model_is_its_utilization)
{
    struct utilization of;
    char line[400];

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    find_line(line, sizeof line, utilization_append_mfu);
    ck_assert_ptr_nonnull(strstr(line, "counts recomputed products as model work"));
    flops_options.model_flops = 15e9;
    of = utilization_of(&session, &options);
    ck_assert_double_eq_tol(of.hfu, 0.2, 1e-12);
    ck_assert_double_eq_tol(of.mfu, 0.15, 1e-12);
    ck_assert_str_eq(utilization_model_name(&of), "--model-flops");
    find_line(line, sizeof line, utilization_append_mfu);
    ck_assert_ptr_nonnull(strstr(line, "75.0 % of the products' FLOPs"));
    ck_assert_ptr_null(strstr(line, "exceeds the FLOPs that tprof counted"));
    flops_options.model_flops = 30e9;
    find_line(line, sizeof line, utilization_append_mfu);
    ck_assert_ptr_nonnull(strstr(line, "exceeds the FLOPs that tprof counted"));
    ck_assert_ptr_null(strstr(line, "the peak allows"));
    flops_options.model_flops = 300e9;
    find_line(line, sizeof line, utilization_append_mfu);
    ck_assert_ptr_nonnull(strstr(line, "! This MFU is more than the peak allows."));
    ck_assert(!utilization_of(&session, &options).is_impossible);
    ck_assert_ptr_nonnull(strstr(line, "MFU (products) is 300.0 % of the peak"));
}
END_TEST

START_TEST(the_model_has_no_more_than_all_by_rounding)
{
    made_add_calls(&session, "cblas_sgemm 7 13 29 3 400000");
    for (uint64_t i = 1; i <= 1000; i++) {
        struct utilization of;

        session.process.wall_ns = 1000003 * i;
        of = utilization_of(&session, &options);
        ck_assert_double_eq(of.mfu, of.hfu);
    }
}
END_TEST

START_TEST(a_model_without_products_has_no_utilization_that_the_user_could_state)
{
    made_add_calls(&session, "cblas_daxpy 1000000 5 20000");
    flops_options.model_flops = 1e6;
    ck_assert(isnan(utilization_of(&session, &options).mfu));
}
END_TEST

/* 2 GFLOP in 10 ms are above the peak of all processors; in a second they are not. */
START_TEST(more_than_the_peak_is_marked_in_the_time_of_kernels_too)
{
    struct text line;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 1 10000");
    ck_assert(utilization_of(&session, &options).is_impossible);
    text_init(&line);
    utilization_append_doubt(&line, false);
    ck_assert_uint_eq(line.size, 0);
    utilization_append_doubt(&line, true);
    ck_assert_ptr_nonnull(strstr(line.bytes, "% of the peak is impossible"));
    text_fini(&line);
}
END_TEST

START_TEST(less_than_the_peak_is_not_marked)
{
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 1 1000000");
    ck_assert(!utilization_of(&session, &options).is_impossible);
}
END_TEST

/* ---- precisions ------------------------------------------------------------------ */

static const struct {
    const char *symbol;
    const char *shape;
    enum machine_precision precision;
} names[] = {
    {"cblas_sgemm", "m=1", MACHINE_F32},
    {"dgemm_", "m=1", MACHINE_F64},
    {"zgemv_", "", MACHINE_F64},
    {"sbgemm_", "m=1", MACHINE_BF16},
    {"cblas_sbdot", "n=1", MACHINE_BF16},
    {"cblas_gemm_f16f16f32", "m=1", MACHINE_F16},
    {"cblas_cgemm", "", MACHINE_F32},
    {"scipy_dgemm_64_", "", MACHINE_F64},
    {"LAPACKE_zgetrf", "", MACHINE_F64},
    {"fftwf_execute", "n=8", MACHINE_F32},
    {"fftw_execute", "n=8", MACHINE_F64},
    {"fftwl_execute", "n=8", MACHINE_PRECISIONS},
    {"dnnl_convolution", "types=f32 mb=1", MACHINE_F32},
    {"dnnl_matmul", "types=bf16:f32 m=1", MACHINE_BF16},
    {"dnnl_matmul", "b=1 types=u8+s32", MACHINE_I8},
    {"softmax", "n=1", MACHINE_PRECISIONS},
    {"dropout", "prototypes=f32", MACHINE_PRECISIONS},
};

START_TEST(a_kernels_name_or_shape_tells_its_precision)
{
    const struct group group = {.symbol = names[_i].symbol, .shape = names[_i].shape};

    ck_assert_int_eq(kernel_precision_of(&group), names[_i].precision);
}
END_TEST

/* 50 kFLOP in 1 us are half of the peak of f32; the peak of i8 is unknown. */
START_TEST(what_a_kernel_says_of_its_precision_comes_first)
{
    struct judgement row = judge_calls("quantized 25000 0 1 1");

    ck_assert_int_eq(row.precision, MACHINE_F32);
    ck_assert_double_eq_tol(row.peak_fraction, 0.5, 1e-9);
}
END_TEST

START_TEST(a_precision_may_be_one_without_a_peak)
{
    struct judgement row = judge_calls("quantized 25000 2 1 1");

    ck_assert_int_eq(row.precision, MACHINE_I8);
    ck_assert_int_eq(row.lack, JUDGE_LACKS_PEAK);
    ck_assert_double_nan(row.peak_fraction);
}
END_TEST

START_TEST(calls_of_two_precisions_have_none_together)
{
    struct judgement row;

    made_add_calls(&session, "quantized 25000 2 1 1");
    row = judge_calls("quantized 25000 0 1 1");
    ck_assert_int_eq(row.precision, MACHINE_PRECISIONS);
    ck_assert_int_eq(kernel_precision_of_slot(&session, array_at(&session.slots, 0)), MACHINE_I8);
    ck_assert_int_eq(kernel_precision_of_slot(&session, array_at(&session.slots, 1)), MACHINE_F32);
}
END_TEST

START_TEST(a_users_kernel_has_the_precision_of_its_arguments)
{
    struct group group = {.symbol = "spin", .shape = ""};

    group.kernel =
        ((struct session_binding *)array_at(&session.bindings, made_find_binding(&session, "spin")))
            ->kernel;
    ck_assert_int_eq(kernel_precision_of(&group), MACHINE_F64);
}
END_TEST

/* ---- the screen -------------------------------------------------------------------- */

static char *render(const char *format)
{
    const struct render_options how = {.width = PAGE_WIDTH};
    const struct renderer *renderer;
    struct diagnostic diagnostic;
    struct document document;
    char *bytes = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&bytes, &size);

    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(render_find(format, &renderer, &diagnostic), STATUS_OK);
    analysis_roofline.compose(&session, &options, &document);
    ck_assert_int_eq(renderer->document(&document, &how, out, &diagnostic), STATUS_OK);
    document_fini(&document);
    fclose(out);
    return bytes;
}

START_TEST(the_screen_is_that_of_its_page)
{
    char *found;

    read_calls();
    found = render("text");
    page_compare(page, "text", found);
    free(found);
}
END_TEST

/* 2 MFLOP and 24 MB a call in 4 ms; 10 GB/s would move 40 MB in that time. */
START_TEST(bytes_reach_from_the_compulsory_ones_to_what_the_level_can_move)
{
    char *found;

    made_add_calls(&session, "cblas_daxpy 1000000 5 20000");
    found = render("json");
    ck_assert_ptr_nonnull(
        strstr(found, "\"flops_per_byte_range\": [\n        0.05,\n        0.08333"));
    ck_assert_ptr_nonnull(strstr(found, "\"flops_per_second_range\": null"));
    free(found);
}
END_TEST

START_TEST(an_invalid_rate_is_null_and_has_its_reason)
{
    char *found;

    made_add_calls(&session, "cblas_dgemm 500 500 500 2 5000");
    found = render("json");
    ck_assert_ptr_nonnull(strstr(found, "\"flops_per_second\": null"));
    ck_assert_ptr_nonnull(strstr(found, "\"roof_fraction\": null"));
    ck_assert_ptr_nonnull(strstr(found, "\"bound\": null"));
    ck_assert_ptr_nonnull(strstr(found, "200.0 % of the peak"));
    free(found);
}
END_TEST

/* 1 ms of 401 ms is without a roof, and no row is without a reason. */
START_TEST(what_has_no_roof_says_why)
{
    char *found;

    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    made_add_calls(&session, "cblas_sbgemm 200 200 200 1 1000");
    found = render("text");
    ck_assert_ptr_nonnull(strstr(found, "No roof"));
    ck_assert_ptr_nonnull(strstr(
        found, "1.00 ms of 401 ms in kernels, 0.2 %: the peak of bf16 is unknown (0.2 %)"));
    ck_assert_ptr_nonnull(strstr(found, "MFU and HFU are unknown. The peak of bf16"));
    free(found);
    found = render("json");
    ck_assert_ptr_nonnull(strstr(found, "\"no_roof\": \"the peak of bf16 is unknown\""));
    free(found);
}
END_TEST

/* Kernels called by a kernel of unknown FLOPs own theirs, and have a row: their time is no part of
 * the time without a roof. */
START_TEST(what_has_no_roof_is_without_the_kernels_inside)
{
    struct session_slot *slot = made_add_calls(&session, "solve 1000 1 401000");
    char *found;

    slot->self_ns = 1000000;
    made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    found = render("text");
    ck_assert_ptr_nonnull(
        strstr(found, "1.00 ms of 401 ms in kernels, 0.2 %: FLOPs or bytes are unknown (0.2 %)"));
    free(found);
    found = render("json");
    ck_assert_ptr_nonnull(strstr(found, "\"kernel_ns\": 401000000"));
    free(found);
}
END_TEST

/* The cost of recording them is subtracted from their time, and so from the time around them. */
START_TEST(kernels_are_counted_without_the_cost_of_those_inside)
{
    struct session_slot *slot = made_add_calls(&session, "cblas_sgemm 1000 1000 1000 10 400000");
    char *found;

    slot->self_ns = 3000000;
    slot = made_add_calls(&session, "cblas_sgemm 10 10 10 10 1000");
    slot->nested = true;
    slot->self_ns = slot->total_ns = 900000;
    found = render("json");
    ck_assert_ptr_nonnull(strstr(found, "\"kernel_ns\": 3900000"));
    free(found);
}
END_TEST

START_TEST(counted_misses_stand_beside_working_sets)
{
    char *found;

    session.counters[TRACE_COUNTER_L1D_LOADS] = (struct session_counter){true, 1000, 1, NULL};
    session.counters[TRACE_COUNTER_L1D_MISSES] = (struct session_counter){true, 125, 1, NULL};
    session.counters[TRACE_COUNTER_LLC_LOADS] = (struct session_counter){true, 100, 1, NULL};
    made_add_calls(&session, "cblas_sgemm 8 8 8 100 100");
    found = render("text");
    ck_assert_ptr_nonnull(strstr(found, "12.5 % of loads missed L1. The counts are of"));
    free(found);
}
END_TEST

START_TEST(a_session_without_kernels_has_no_drawing)
{
    char *found = render("text");

    ck_assert_ptr_nonnull(strstr(found, "(no rows)"));
    ck_assert_ptr_null(strstr(found, "peak f32"));
    free(found);
}
END_TEST

int check_roofline(void)
{
    Suite *suite = suite_create("roofline");
    TCase *tests = tcase_create("roofline");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_call_beyond_the_ridge_is_bound_by_compute);
    tcase_add_loop_test(tests, the_mean_of_a_call_leaves_out_the_first, 0, 2);
    tcase_add_test(tests, a_call_before_the_ridge_is_bound_by_memory);
    tcase_add_test(tests, updates_in_place_are_judged_by_their_own_loop);
    tcase_add_test(tests, what_only_reads_has_no_bandwidth_of_updates);
    tcase_add_loop_test(tests, a_kernel_of_unknown_moves_is_invalid_only_above_all_loops, 0, 2);
    tcase_add_loop_test(tests, a_calibration_without_the_loop_makes_nothing_invalid, 0, 2);
    tcase_add_loop_test(tests, fewer_bytes_than_were_measured_may_be_faster, 0, 2);
    tcase_add_test(tests, a_short_call_far_from_both_roofs_is_bound_by_latency);
    tcase_add_test(tests, a_short_call_near_its_roof_is_not_bound_by_latency);
    tcase_add_test(tests, moved_bytes_have_a_roof_without_flops);
    tcase_add_test(tests, what_is_faster_than_the_machine_is_invalid);
    tcase_add_test(tests, what_is_faster_than_the_peak_is_invalid_without_its_bytes);
    tcase_add_test(tests, rates_above_the_peak_are_marked_wherever_they_stand);
    tcase_add_test(tests, five_percent_above_the_peak_are_believed);
    tcase_add_test(tests, unknown_flops_have_no_bound);
    tcase_add_test(tests, without_a_calibration_rates_stay_and_roofs_go);
    tcase_add_test(tests, processor_time_beyond_the_calling_thread_is_the_librarys);
    tcase_add_test(tests, the_environment_is_believed_before_processor_time);
    tcase_add_test(tests, a_process_that_computed_nothing_has_one_thread);
    tcase_add_test(tests, each_precision_is_used_against_its_own_peak);
    tcase_add_test(tests, what_has_no_peak_leaves_its_utilization_unknown);
    tcase_add_test(tests, what_has_no_peak_at_all_has_no_utilization_of_a_part);
    tcase_add_test(tests, calls_of_unknown_work_alone_have_no_utilization);
    tcase_add_test(tests, without_products_the_part_that_a_model_used_has_no_meaning);
    tcase_add_test(tests, products_without_a_peak_are_not_taken_for_none);
    tcase_add_test(tests, what_regions_compute_again_is_not_the_models);
    tcase_add_test(tests, what_the_user_says_of_the_model_is_its_utilization);
    tcase_add_test(tests, the_model_has_no_more_than_all_by_rounding);
    tcase_add_test(tests, a_model_without_products_has_no_utilization_that_the_user_could_state);
    tcase_add_test(tests, more_than_the_peak_is_marked_in_the_time_of_kernels_too);
    tcase_add_test(tests, less_than_the_peak_is_not_marked);
    tcase_add_loop_test(tests, a_kernels_name_or_shape_tells_its_precision, 0,
                        sizeof names / sizeof *names);
    tcase_add_test(tests, what_a_kernel_says_of_its_precision_comes_first);
    tcase_add_test(tests, a_precision_may_be_one_without_a_peak);
    tcase_add_test(tests, calls_of_two_precisions_have_none_together);
    tcase_add_test(tests, a_users_kernel_has_the_precision_of_its_arguments);
    tcase_add_test(tests, the_screen_is_that_of_its_page);
    tcase_add_test(tests, bytes_reach_from_the_compulsory_ones_to_what_the_level_can_move);
    tcase_add_test(tests, an_invalid_rate_is_null_and_has_its_reason);
    tcase_add_test(tests, what_has_no_roof_says_why);
    tcase_add_test(tests, what_has_no_roof_is_without_the_kernels_inside);
    tcase_add_test(tests, kernels_are_counted_without_the_cost_of_those_inside);
    tcase_add_test(tests, counted_misses_stand_beside_working_sets);
    tcase_add_test(tests, a_session_without_kernels_has_no_drawing);
    suite_add_tcase(suite, tests);
    return suite_run_in_pool(suite);
}
