/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Analyses on a session made by hand: their counts, the wholes of their shares,
 * and unknown values.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "kernels/groups.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/report.h"
#include "spec/catalog_read.h"
#include "suite.h"

enum { MEMORY_SIZE = 1 << 20 };

static const char catalog_text[] = "kernel gemm\n"
                                   "  proto void gemm(int m, int n, int k)\n"
                                   "  shape m n k\n"
                                   "  flops 2*m*n*k exact\n"
                                   "  bytes 4*(m*k + k*n + 2*m*n)\n"
                                   "  class matmul\n"
                                   "kernel mystery\n"
                                   "  proto void mystery(int n)\n"
                                   "  shape n\n"
                                   "  flops unknown\n";

static struct session session;
static struct catalog_arena arena;
static struct table table;

static void add_binding(unsigned kernel)
{
    struct session_binding *binding = array_add(&session.bindings);

    ck_assert_ptr_nonnull(binding);
    binding->kernel = &session.catalog.kernels[kernel];
    binding->symbol = binding->kernel->name;
}

/* A slot with `calls` calls of 100 ns each. */
static struct session_slot *add_slot(unsigned binding, int64_t m, uint64_t calls, bool nested)
{
    struct session_slot *slot = array_add(&session.slots);
    const struct session_binding *of = array_at(&session.bindings, binding);

    ck_assert_ptr_nonnull(slot);
    slot->binding = binding;
    slot->kernel = of->kernel;
    slot->nested = nested;
    slot->dims = of->kernel->shape_count;
    for (unsigned i = 0; i < slot->dims; i++)
        slot->shape[i] = m;
    slot->calls = slot->timed_calls = calls;
    slot->total_ns = slot->self_ns = 100 * calls;
    slot->min_ns = slot->max_ns = 100;
    slot->flops_each = catalog_evaluate(&of->kernel->flops, slot->shape);
    slot->bytes_each = catalog_evaluate(&of->kernel->bytes, slot->shape);
    array_init(&slot->durations_ns, sizeof(uint64_t));
    for (uint64_t i = 0; i < calls; i++)
        *(uint64_t *)array_add(&slot->durations_ns) = 100;
    return slot;
}

static void setup(void)
{
    struct catalog_error error;

    memset(&session, 0, sizeof session);
    for (int i = 0; i < TRACE_STAGES; i++)
        session.stages.exact_ns[i] = SESSION_UNKNOWN;
    arena = (struct catalog_arena){malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    ck_assert(catalog_read(&session.catalog, &arena, catalog_text, strlen(catalog_text), &error));
    array_init(&session.bindings, sizeof(struct session_binding));
    array_init(&session.slots, sizeof(struct session_slot));
    array_init(&session.threads, sizeof(struct session_thread));
    array_init(&session.regions, sizeof(struct session_region));
    session.thread_ns = 10000;
    add_binding(0);
    add_binding(1);
}

static void teardown(void)
{
    for (size_t i = 0; i < session.slots.count; i++)
        array_fini(&((struct session_slot *)array_at(&session.slots, i))->durations_ns);
    array_fini(&session.bindings);
    array_fini(&session.slots);
    array_fini(&session.threads);
    array_fini(&session.regions);
    free(arena.base);
}

static const struct value *cell(size_t row, const char *key)
{
    size_t column = table_find_column(&table, key);

    ck_assert_uint_lt(column, table.schema->column_count);
    return &table_row(&table, row)[column];
}

static void build(const char *name)
{
    struct analysis_options options = analysis_defaults();

    analysis_find(name)->build(&session, &options, &table);
}

/* ---- timing and FLOPs -------------------------------------------------- */

START_TEST(calls_of_one_shape_from_two_places_are_one_row)
{
    add_slot(0, 4, 10, false)->site = 1;
    add_slot(0, 4, 5, false)->site = 2;
    build("timing");
    ck_assert_uint_eq(table_row_count(&table), 1);
    ck_assert_int_eq(cell(0, "calls")->integer, 15);
    ck_assert_int_eq(cell(0, "flops")->integer, 15 * 2 * 4 * 4 * 4);
    ck_assert_double_eq_tol(cell(0, "share")->real, 0.15, 1e-12);
    table_fini(&table);
}
END_TEST

static bool has_note(const char *words)
{
    for (size_t i = 0; i < text_list_count(&table.notes); i++)
        if (strstr(text_list_at(&table.notes, i), words))
            return true;
    return false;
}

/* Of 100 calls of 100 ns, ten were timed: 10 us, known to 3 us or 2. */
static const char *const estimated[] = {"timing", "top", "flops"};

START_TEST(a_time_that_is_known_to_a_quarter_or_worse_stands_with_its_error)
{
    struct session_slot *slot = add_slot(0, 4, 100, false);

    slot->timed_calls = 10;
    slot->total_error_ns = 3000;
    slot->interrupted_calls = 1;
    build(estimated[_i]);
    ck_assert(has_note("10.0 us +- 3.00 us"));
    ck_assert(has_note("Estimates leave it out.") == (strcmp(estimated[_i], "flops") != 0));
    table_fini(&table);

    slot->total_error_ns = 2000;
    build(estimated[_i]);
    ck_assert(!has_note("+-") && !has_note("The error of"));
    table_fini(&table);
}
END_TEST

/* From one call alone: of 10 us, 3 us or 2 may be wrong. */
START_TEST(a_time_by_too_few_calls_stands_with_an_unknown_error)
{
    struct session_slot *slot = add_slot(0, 4, 100, false);

    slot->timed_calls = 2;
    slot->total_error_ns = (double)NAN;
    slot->estimated_ns = 3000;
    build(estimated[_i]);
    ck_assert(has_note("10.0 us +- unknown"));
    table_fini(&table);

    slot->estimated_ns = 2000;
    build(estimated[_i]);
    ck_assert(!has_note("+-"));
    ck_assert(has_note("The error of 1 row is unknown.") ==
              (strcmp(estimated[_i], "flops") != 0));
    table_fini(&table);

    slot->estimated_ns = 9000;
    slot->timed_calls = 10; /* whose records were overwritten */
    build(estimated[_i]);
    ck_assert(!has_note("+-"));
    table_fini(&table);
}
END_TEST

START_TEST(times_of_calls_that_were_counted_are_marked)
{
    static const char *const totals[] = {"self_ns", "self_ns", "flops_per_second"};
    struct session_slot *slot = add_slot(0, 4, 100, false);

    build(estimated[_i]);
    ck_assert(!cell(0, totals[_i])->is_estimate && !has_note("~"));
    table_fini(&table);
    slot->timed_calls = 10;
    build(estimated[_i]);
    ck_assert(cell(0, totals[_i])->is_estimate && !cell(0, "calls")->is_estimate);
    ck_assert(has_note("~ marks estimates."));
    table_fini(&table);
}
END_TEST

START_TEST(statistics_of_drawn_calls_are_marked_and_totals_are_not)
{
    struct session_slot *slot = add_slot(0, 4, 100, false);

    session.stages.exact_ns[TRACE_STAGE_KERNELS] = 5000000000;
    build("timing");
    ck_assert(!cell(0, "mean_ns")->is_estimate);
    table_fini(&table);
    array_truncate(&slot->durations_ns, 50);
    build("timing");
    ck_assert(cell(0, "mean_ns")->is_estimate && !cell(0, "total_ns")->is_estimate);
    ck_assert(has_note("The trace is exact until 5.000 s."));
    table_fini(&table);
}
END_TEST

START_TEST(what_takes_little_is_not_named_for_its_error)
{
    struct session_slot *slot = add_slot(0, 4, 100, false);

    slot->timed_calls = 10;
    slot->total_error_ns = 3000;
    add_slot(0, 8, 10000, false);
    build("timing");
    ck_assert(!has_note("+-"));
    table_fini(&table);
}
END_TEST

/* Also on the screen, which is made separately from the rows. */
START_TEST(the_screen_of_flops_tells_what_is_known_badly)
{
    struct analysis_options options = analysis_defaults();
    struct session_slot *slot = add_slot(0, 4, 100, false);
    struct document document;
    bool is_told = false;

    slot->timed_calls = 10;
    slot->total_error_ns = 3000;
    analysis_find("flops")->compose(&session, &options, &document);
    for (size_t i = 0; i < document_section_count(&document); i++) {
        const struct section *section = document_section(&document, i);

        if (section->kind != SECTION_TABLE)
            continue;
        for (size_t j = 0; j < text_list_count(&section->table.notes); j++)
            is_told |= strstr(text_list_at(&section->table.notes, j), "+- 3.00 us") != NULL;
    }
    ck_assert(is_told);
    document_fini(&document);
}
END_TEST

START_TEST(the_first_three_calls_of_a_place_are_warm_up)
{
    add_slot(0, 4, 10, false);
    build("timing");
    ck_assert_int_eq(cell(0, "warmup_calls")->integer, 3);
    ck_assert_int_eq(cell(0, "samples")->integer, 7);
    table_fini(&table);
}
END_TEST

START_TEST(a_nested_call_adds_no_flops_and_has_a_rate)
{
    struct session_slot *nested;

    add_slot(0, 4, 10, false);
    nested = add_slot(0, 8, 10, true);
    build("flops");
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_double_eq_tol(cell(0, "share")->real, 1, 1e-12);
    ck_assert_int_eq(cell(1, "flops")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(1, "nested_calls")->integer, 10);
    ck_assert_double_eq_tol(cell(1, "flops_per_second")->real, (double)nested->flops_each / 100e-9,
                            1);
    table_fini(&table);
}
END_TEST

/* 200 calls of cblas_dgemm; each calls dgemm_. */
static void add_wrapped(const char *outer_name, const char *inner_name, uint32_t around)
{
    struct session_binding *bindings = session.bindings.items;
    struct session_slot *inner;

    bindings[0].symbol = outer_name;
    bindings[1].symbol = inner_name;
    ((struct session_slot *)add_slot(0, 8, 200, false))->self_ns = 2000;
    inner = add_slot(1, 8, 200, true);
    inner->total_ns = inner->self_ns = 18000;
    inner->flops_each = ((struct session_slot *)array_at(&session.slots, 0))->flops_each;
    array_init(&inner->around, sizeof(struct session_around));
    *(struct session_around *)array_add(&inner->around) = (struct session_around){around, 18000};
}

static void free_wrapped(void)
{
    array_fini(&((struct session_slot *)array_at(&session.slots, 1))->around);
}

START_TEST(calls_inside_others_of_the_same_routine_are_one_row)
{
    static const struct {
        const char *outer, *inner;
        uint32_t around;
        bool is_same;
    } cases[] = {
        {"cblas_dgemm", "dgemm_", 0, true},
        {"cblas_dgemm", "dgemm_64_", 0, true},
        {"LAPACKE_dgesv", "dgesv_", 0, true},
        {"LAPACKE_dgesv", "LAPACKE_dgesv_work", 0, true},
        {"cblas_dgemm", "dgemm_", SESSION_NONE, false},
        {"cblas_dgemm", "sgemm_", 0, false},
        {"dgetrf_", "dgetrf2_", 0, false},
    };
    struct analysis_options options = analysis_defaults();
    struct groups groups;

    add_wrapped(cases[_i].outer, cases[_i].inner, cases[_i].around);
    groups_init(&groups, &session, &options);
    ck_assert_uint_eq(groups.rows.count, 2);
    ck_assert_uint_eq(groups.own_rows, cases[_i].is_same ? 1 : 2);
    ck_assert_uint_eq(groups.calls, cases[_i].is_same ? 200 : 400);
    ck_assert_uint_eq(groups.self_ns, 20000);
    if (cases[_i].is_same) {
        const struct group *rows = groups.rows.items;

        ck_assert_str_eq(rows[0].name, cases[_i].outer);
        ck_assert_uint_eq(rows[0].calls, 200);
        ck_assert_uint_eq(rows[0].self_ns, 20000);
        ck_assert_uint_eq(rows[1].self_ns, 0);
        ck_assert_uint_eq(rows[1].calls, 200);
    }
    free_wrapped();
}
END_TEST

static double rate_of(const char *name, enum analysis_by by, size_t row)
{
    struct analysis_options options = analysis_defaults();
    double rate;

    options.by = by;
    analysis_find(name)->build(&session, &options, &table);
    rate = cell(row, "flops_per_second")->real;
    table_fini(&table);
    return rate;
}

/* 1280 FLOPs in 1000 ns, with 900 in inner kernels.  These kernels, and inner calls of the same
 * kernel, own no FLOPs, and their time does not belong to the others. */
START_TEST(rates_are_by_the_time_of_the_calls_that_own_the_flops)
{
    static const enum analysis_by by[] = {ANALYSIS_BY_SHAPE, ANALYSIS_BY_KERNEL, ANALYSIS_BY_CLASS};
    static const char *const names[] = {"top", "timing", "flops"};

    add_slot(0, 4, 10, false)->self_ns = 100;
    add_slot(0, 4, 9, true);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        for (size_t j = 0; j < sizeof names / sizeof *names; j++)
            ck_assert_double_eq_tol(rate_of(names[j], by[i], 0), 1280 / 1000e-9, 1);
}
END_TEST

START_TEST(unknown_flops_are_null_and_never_0)
{
    add_slot(1, 4, 10, false);
    build("flops");
    ck_assert_int_eq(cell(0, "flops")->kind, VALUE_NULL);
    ck_assert_str_eq(cell(0, "accuracy")->text, "unknown");
    ck_assert_int_eq(cell(0, "macs")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(our_own_cost_is_taken_out_of_every_call)
{
    session.overhead.kernel_inner_ns = session.overhead.entry_inner_ns = 30;
    add_slot(0, 4, 10, false);
    build("timing");
    ck_assert_int_eq(cell(0, "self_ns")->integer, 700);
    ck_assert_double_eq_tol(cell(0, "mean_ns")->real, 70, 1e-9);
    table_fini(&table);
}
END_TEST

START_TEST(a_session_without_kernels_has_an_empty_table)
{
    build("timing");
    ck_assert_uint_eq(table_row_count(&table), 0);
    table_fini(&table);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("analysis");
    TCase *tests = tcase_create("analysis");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, calls_of_one_shape_from_two_places_are_one_row);
    tcase_add_loop_test(tests, a_time_that_is_known_to_a_quarter_or_worse_stands_with_its_error, 0,
                        sizeof estimated / sizeof *estimated);
    tcase_add_loop_test(tests, a_time_by_too_few_calls_stands_with_an_unknown_error, 0, 3);
    tcase_add_loop_test(tests, times_of_calls_that_were_counted_are_marked, 0,
                        sizeof estimated / sizeof *estimated);
    tcase_add_test(tests, statistics_of_drawn_calls_are_marked_and_totals_are_not);
    tcase_add_test(tests, what_takes_little_is_not_named_for_its_error);
    tcase_add_test(tests, the_screen_of_flops_tells_what_is_known_badly);
    tcase_add_test(tests, the_first_three_calls_of_a_place_are_warm_up);
    tcase_add_test(tests, a_nested_call_adds_no_flops_and_has_a_rate);
    tcase_add_loop_test(tests, calls_inside_others_of_the_same_routine_are_one_row, 0, 7);
    tcase_add_test(tests, rates_are_by_the_time_of_the_calls_that_own_the_flops);
    tcase_add_test(tests, unknown_flops_are_null_and_never_0);
    tcase_add_test(tests, our_own_cost_is_taken_out_of_every_call);
    tcase_add_test(tests, a_session_without_kernels_has_an_empty_table);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_analysis(void)
{
    return suite_run_in_pool(make_suite());
}
