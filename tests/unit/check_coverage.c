/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage of a session made by hand without its files: the distinctions of the trace alone, and
 * the whole of the share.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "kernels/coverage.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "spec/catalog_read.h"
#include "suite.h"

enum { MEMORY_SIZE = 1 << 20 };

static const char catalog_text[] = "kernel gemm\n"
                                   "  proto void gemm(int m)\n"
                                   "  shape m\n"
                                   "kernel bare\n"
                                   "  library libmine*\n"
                                   "  proto void bare(int m)\n"
                                   "  shape m\n"
                                   "kernel many\n"
                                   "  symbol my_*\n";

static struct session session;
static struct catalog_arena arena;
static struct coverage coverage;

static void add_module(const char *path, uint32_t known)
{
    struct session_module *module = array_add(&session.modules);

    ck_assert_ptr_nonnull(module);
    module->path = path;
    module->fact.known_symbols = known;
}

static struct session_module *module(size_t index)
{
    return array_at(&session.modules, index);
}

static struct session_binding *add_binding(const char *symbol, size_t of, uint64_t calls)
{
    struct session_binding *binding = array_add(&session.bindings);

    ck_assert_ptr_nonnull(binding);
    *binding = (struct session_binding){.symbol = symbol, .module = module(of), .calls = calls};
    return binding;
}

/* `binding`: its index, or -1 for slots that could not be hooked. */
static void add_hook(const char *symbol, size_t caller, int binding, uint32_t slots)
{
    struct session_hook *hook = array_add(&session.hooks);

    ck_assert_ptr_nonnull(hook);
    hook->symbol = symbol;
    hook->module = module(caller);
    hook->binding = binding < 0 ? NULL : array_at(&session.bindings, (size_t)binding);
    hook->slots = slots;
    hook->outcome = binding < 0 ? TRACE_HOOK_NO_CLONE : TRACE_HOOK_HOOKED;
}

static void add_thread(uint64_t kernel_ns, uint64_t cpu_ns)
{
    struct session_thread *thread = array_add(&session.threads);

    ck_assert_ptr_nonnull(thread);
    thread->kernel_ns = kernel_ns;
    thread->cpu_ns = cpu_ns;
}

/* A program that calls gemm of one of two libraries. */
static void setup(void)
{
    struct catalog_error error;

    memset(&session, 0, sizeof session);
    arena = (struct catalog_arena){malloc(MEMORY_SIZE), MEMORY_SIZE, 0};
    ck_assert(catalog_read(&session.catalog, &arena, catalog_text, strlen(catalog_text), &error));
    array_init(&session.modules, sizeof(struct session_module));
    array_init(&session.bindings, sizeof(struct session_binding));
    array_init(&session.hooks, sizeof(struct session_hook));
    array_init(&session.slots, sizeof(struct session_slot));
    array_init(&session.threads, sizeof(struct session_thread));
    add_module("/nowhere/program", 0);
    add_module("/nowhere/libone.so", 2);
    add_module("/nowhere/libtwo.so", 5);
}

static void teardown(void)
{
    array_fini(&session.modules);
    array_fini(&session.bindings);
    array_fini(&session.hooks);
    array_fini(&session.slots);
    array_fini(&session.threads);
    free(arena.base);
}

static void gather(bool reads_files)
{
    coverage_init(&coverage, &session, reads_files);
}

static const struct coverage_row *find_row(const char *symbol, const char *library)
{
    for (size_t i = 0; i < coverage.rows.count; i++) {
        const struct coverage_row *row = array_at(&coverage.rows, i);
        const struct coverage_library *of = coverage_library_of(&coverage, row);

        if (strcmp(row->symbol, symbol) == 0 &&
            (of ? library && strcmp(of->name, library) == 0 : library == NULL))
            return row;
    }
    ck_abort_msg("no row of %s", symbol);
    return NULL;
}

START_TEST(kernels_are_called_or_not_used_or_not_hooked)
{
    add_binding("gemm", 1, 7);
    add_binding("gemm", 2, 0);
    add_hook("gemm", 0, 0, 2);
    add_hook("gemm", 2, 0, 1);
    add_hook("gemm", 1, 1, 3);
    add_hook("gemv", 0, -1, 4);
    gather(false);

    ck_assert_uint_eq(coverage.rows.count, 3);
    ck_assert_int_eq(find_row("gemm", "libone.so")->state, COVERAGE_CALLED);
    ck_assert_uint_eq(find_row("gemm", "libone.so")->slots, 3);
    ck_assert_uint_eq(find_row("gemm", "libone.so")->callers, 2);
    ck_assert_int_eq(find_row("gemm", "libtwo.so")->state, COVERAGE_NOT_USED);
    ck_assert_ptr_eq(find_row("gemm", "libtwo.so")->caller, module(1));
    ck_assert_int_eq(find_row("gemv", NULL)->state, COVERAGE_NOT_HOOKED);
    ck_assert_str_eq(find_row("gemv", NULL)->reason,
                     "all wrapper clones of this prototype are taken");
    ck_assert_uint_eq(coverage.slots, 6);
    ck_assert_uint_eq(coverage.missed, 4);
}
END_TEST

START_TEST(a_library_that_came_twice_is_one)
{
    add_module("/nowhere/libone.so", 2);
    add_binding("gemm", 1, 1);
    add_binding("gemm", 3, 2);
    gather(false);

    ck_assert_uint_eq(coverage.libraries.count, 3);
    ck_assert_uint_eq(coverage.rows.count, 1);
    ck_assert_uint_eq(find_row("gemm", "libone.so")->calls, 3);
}
END_TEST

static const struct table *find_libraries(const struct document *document)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind == SECTION_TABLE && strcmp(section->key, "libraries") == 0)
            return &section->table;
    }
    ck_abort_msg("there are no libraries");
    return NULL;
}

/* Torch's own computing is unseen; unused libraries computed nothing. */
START_TEST(libraries_that_nobody_used_stand_last)
{
    static const char *const expected[] = {"libone.so", "libtorch_cpu.so.1.13", "libtwo.so"};
    const struct analysis_options options = analysis_defaults();
    struct document document;
    const struct table *table;

    add_module("/nowhere/libtorch_cpu.so.1.13", 0);
    add_binding("gemm", 2, 0);
    add_binding("gemm", 1, 7);
    add_hook("gemm", 0, 0, 1);
    add_hook("gemm", 0, 1, 1);
    analysis_find("coverage")->compose(&session, &options, &document);
    table = find_libraries(&document);
    ck_assert_uint_eq(table_row_count(table), 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_str_eq(table_row(table, i)[table_find_column(table, "library")].text,
                         expected[i]);
    document_fini(&document);
}
END_TEST

START_TEST(what_files_hold_is_unknown_when_they_are_gone)
{
    const struct coverage_library *library;

    gather(true);
    library = array_at(&coverage.libraries, 1);
    ck_assert_uint_eq(coverage.unread, 3);
    ck_assert_uint_eq(library->exported, 2);
    ck_assert(library->inner == SESSION_UNKNOWN);
}
END_TEST

START_TEST(the_share_is_of_the_cpu_time_of_the_process)
{
    session.process.has_last = true;
    session.process.last.user_ns = 800;
    session.process.last.system_ns = 200;
    add_thread(250, 400);
    add_thread(0, 300);
    gather(false);

    ck_assert_double_eq_tol(coverage_fraction(&coverage), 0.25, 1e-12);
    ck_assert_uint_eq(coverage.silent_cpu_ns, 600); /* 300, and 300 that nobody recorded */
}
END_TEST

/* Of a lifetime of 1000, 600 were waited, in kernels or not: of 700 in kernels, 100 to 400 were
 * computed. */
START_TEST(a_share_that_waiting_leaves_open_has_bounds)
{
    session.process.has_last = true;
    session.process.last.user_ns = 400;
    add_thread(700, 400);
    ((struct session_thread *)array_at(&session.threads, 0))->last_ns = 1000;
    gather(false);

    ck_assert(isnan(coverage_fraction(&coverage)));
    ck_assert_double_eq_tol(coverage_share(&coverage).least, 0.25, 1e-12);
    ck_assert_double_eq_tol(coverage_share(&coverage).most, 1, 1e-12);
}
END_TEST

/* A thread that waited a little in kernels was longer in them than the process computed. */
START_TEST(the_time_outside_of_kernels_is_never_below_nothing)
{
    session.process.has_last = true;
    session.process.last.user_ns = 1000;
    add_thread(1010, 1000);
    ((struct session_thread *)array_at(&session.threads, 0))->last_ns = 1012;
    gather(false);

    ck_assert_double_eq_tol(coverage_fraction(&coverage), 1, 1e-12);
    ck_assert_uint_eq(coverage_least_outside_ns(&coverage), 0);
}
END_TEST

START_TEST(kernels_of_a_thread_without_an_end_have_no_more_than_the_process)
{
    session.process.has_last = true;
    session.process.last.user_ns = 1000;
    add_thread(1500, SESSION_UNKNOWN);
    gather(false);

    ck_assert_uint_eq(coverage.most_kernel_cpu_ns, 1000);
    ck_assert_uint_eq(coverage_least_outside_ns(&coverage), 0);
}
END_TEST

/* Three processors are left for workers while a kernel lasts. */
START_TEST(workers_have_what_other_processors_do_in_kernels)
{
    session.process.has_last = true;
    session.process.cpu_count = 4;
    session.process.last.user_ns = 1000;
    add_thread(100, 200);
    gather(false);
    ck_assert_double_eq_tol(coverage_most_with_workers(&coverage, 0), 0.4, 1e-12);
    ck_assert_double_eq_tol(coverage_most_with_workers(&coverage, 2), 0.2, 1e-12);
    ck_assert_double_eq_tol(coverage_most_with_workers(&coverage, 1), 0.1, 1e-12);

    session.process.cpu_count = SESSION_UNKNOWN;
    gather(false);
    ck_assert_double_eq_tol(coverage_most_with_workers(&coverage, 0), 0.9, 1e-12);

    session.process.last.user_ns = SESSION_UNKNOWN;
    session.process.has_last = false;
    gather(false);
    ck_assert(isnan(coverage_most_with_workers(&coverage, 0)));
    ck_assert(coverage_least_outside_ns(&coverage) == SESSION_UNKNOWN);
}
END_TEST

/* The first line of the report. */
static void expect_share(const char *said)
{
    struct analysis_options options = analysis_defaults();
    struct document document;
    const struct section *head;

    analysis_find("coverage")->compose(&session, &options, &document);
    head = document_section(&document, 0);
    ck_assert_str_eq(record_field(&head->record, 0)->value.text, said);
    document_fini(&document);
}

START_TEST(the_rest_is_not_called_other_code_where_workers_may_have_had_it)
{
    session.process.has_last = true;
    session.process.last.user_ns = 1000;
    add_thread(250, 400);
    expect_share("Kernels take 25.0 % of the CPU time of the process (250 ns of 1.00 us). The rest "
                 "is other code, and threads that called no kernel.");

    add_thread(0, 600);
    session.process.last.user_ns = 400;
    expect_share("Kernels take 62.5 % of the CPU time of the process (250 ns of 400 ns). The rest "
                 "is other code.");
}
END_TEST

/* In the form of tprof report. */
START_TEST(the_time_of_a_kernel_is_without_our_own_cost)
{
    struct session_slot *slot = array_add(&session.slots);

    ck_assert_ptr_nonnull(slot);
    add_binding("gemm", 1, 10);
    *slot = (struct session_slot){.calls = 10, .total_ns = 1000, .self_ns = 1000};
    session.overhead.kernel_inner_ns = 30;
    gather(false);

    ck_assert_uint_eq(find_row("gemm", "libone.so")->time_ns, 700);
}
END_TEST

START_TEST(an_unknown_cpu_time_gives_no_share)
{
    add_thread(250, SESSION_UNKNOWN);
    gather(false);

    ck_assert(isnan(coverage_fraction(&coverage)));
    ck_assert(coverage.silent_cpu_ns == SESSION_UNKNOWN);
}
END_TEST

START_TEST(names_are_found_exactly_by_glob_and_by_library)
{
    struct coverage_names names;
    bool is_meant;

    coverage_names_init(&names, &session.catalog);
    ck_assert_ptr_nonnull(coverage_names_find(&names, "gemm", "libany.so", &is_meant));
    ck_assert(is_meant);
    ck_assert_ptr_nonnull(coverage_names_find(&names, "bare", "libmine.so", &is_meant));
    ck_assert(is_meant);
    ck_assert_ptr_nonnull(coverage_names_find(&names, "bare", "libother.so", &is_meant));
    ck_assert(!is_meant);
    ck_assert_ptr_nonnull(coverage_names_find(&names, "my_product", "libany.so", &is_meant));
    ck_assert_ptr_null(coverage_names_find(&names, "gem", "libany.so", &is_meant));
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("coverage");
    TCase *tests = tcase_create("coverage");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, kernels_are_called_or_not_used_or_not_hooked);
    tcase_add_test(tests, a_library_that_came_twice_is_one);
    tcase_add_test(tests, libraries_that_nobody_used_stand_last);
    tcase_add_test(tests, what_files_hold_is_unknown_when_they_are_gone);
    tcase_add_test(tests, the_share_is_of_the_cpu_time_of_the_process);
    tcase_add_test(tests, a_share_that_waiting_leaves_open_has_bounds);
    tcase_add_test(tests, the_time_outside_of_kernels_is_never_below_nothing);
    tcase_add_test(tests, kernels_of_a_thread_without_an_end_have_no_more_than_the_process);
    tcase_add_test(tests, workers_have_what_other_processors_do_in_kernels);
    tcase_add_test(tests, the_rest_is_not_called_other_code_where_workers_may_have_had_it);
    tcase_add_test(tests, the_time_of_a_kernel_is_without_our_own_cost);
    tcase_add_test(tests, an_unknown_cpu_time_gives_no_share);
    tcase_add_test(tests, names_are_found_exactly_by_glob_and_by_library);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_coverage(void)
{
    return suite_run_in_pool(make_suite());
}
