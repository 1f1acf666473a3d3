/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory reports on sessions made by hand: sums, shares, places, trees, histograms, differences,
 * and sentences that are printed only when they are true.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "heap/memory.h"
#include "heap/memory_options.h"
#include "heap/memory_parts.h"
#include "heap/resident.h"
#include "made_session.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "suite.h"

static struct session session;
static struct table table;
static struct document document;
static struct analysis_options options;
static struct memory_options memory_options;

/* main calls load, which calls xmalloc, and step, which uses new in two ways. */
static void setup(void)
{
    uint32_t start, begin, load, step, inner;

    made_init(&session);
    options = made_options();
    memory_options = *options.memory;
    options.memory = &memory_options;
    start = made_add_call(&session, 0, "_start", NULL, 0);
    begin = made_add_call(&session, start, "main", "src/main.c", 10);
    load = made_add_call(&session, begin, "load", "src/load.c", 20);
    step = made_add_call(&session, begin, "step", "src/step.c", 30);
    inner = made_add_call(&session, load, "xmalloc", "src/xmalloc.c", 5);
    made_add_site(&session, inner, 1000, 60, 0);
    inner = made_add_call(&session, step, "operator new(unsigned long)", NULL, 0);
    made_add_site(&session, inner, 100, 300, 300);
    step = made_add_call(&session, begin, "step", "src/step.c", 31);
    made_add_site(&session, step, 10, 1000, 500);
}

static void teardown(void)
{
    made_fini(&session);
}

static void build(enum analysis_by by)
{
    options.by = by;
    analysis_find("memory")->build(&session, &options, &table);
}

static void compose(void)
{
    analysis_find("memory")->compose(&session, &options, &document);
}

static const struct field *summary_field(const char *key)
{
    const struct section *section = document_section(&document, 0);

    for (size_t i = 0; i < record_field_count(&section->record); i++) {
        const struct field *field = record_field(&section->record, i);

        if (strcmp(field->column.key, key) == 0)
            return field;
    }
    ck_abort_msg("no field %s", key);
}

static const struct value *summary(const char *key)
{
    return &summary_field(key)->value;
}

/* Of the lines for people. */
static const char *head_line(const char *key)
{
    for (size_t i = 0; i < document_section_count(&document); i++) {
        const struct section *section = document_section(&document, i);

        if (section->kind != SECTION_RECORD || strcmp(section->key, "head") != 0)
            continue;
        for (size_t j = 0; j < record_field_count(&section->record); j++)
            if (strcmp(record_field(&section->record, j)->column.key, key) == 0)
                return record_field(&section->record, j)->value.text;
    }
    ck_abort_msg("no line %s", key);
}

static const struct value *cell(size_t row, const char *key)
{
    size_t column = table_find_column(&table, key);

    ck_assert_uint_lt(column, table.schema->column_count);
    ck_assert_uint_lt(row, table_row_count(&table));
    return &table_row(&table, row)[column];
}

static double sum(const char *key)
{
    double total = 0;

    for (size_t i = 0; i < table_row_count(&table); i++)
        total += value_number(cell(i, key));
    return total;
}

/* ---- sites --------------------------------------------------------------------- */

START_TEST(a_site_is_where_the_plumbing_was_called)
{
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table_row_count(&table), 3);
    ck_assert_str_eq(cell(0, "function")->text, "load");
    ck_assert_str_eq(cell(0, "file")->text, "src/load.c");
    ck_assert_int_eq(cell(0, "line")->integer, 20);
    ck_assert_str_eq(cell(0, "module")->text, "libmade.so");
    ck_assert_str_eq(cell(0, "place")->text, "load.c:20 load");
    ck_assert_str_eq(cell(1, "function")->text, "step");
    table_fini(&table);
}
END_TEST

/* The offset is then at the end, which no narrow page cuts. */
START_TEST(an_address_is_said_once_with_its_module)
{
    uint32_t outer = made_add_call(&session, 0, "libmade.so+0x20", NULL, 0);
    uint32_t inner = made_add_call(&session, outer, "libmade.so+0xde137", NULL, 0);

    made_add_site(&session, inner, 5000, 100, 0);
    build(ANALYSIS_BY_SITE);
    ck_assert_str_eq(cell(0, "place")->text, "libmade.so+0xde137");
    ck_assert_str_eq(cell(0, "module")->text, "libmade.so");
    const struct table *chain = cell(0, "chain")->table;
    ck_assert_str_eq(table_row(chain, 1)[table_find_column(chain, "place")].text,
                     "libmade.so+0x20");
    ck_assert_int_eq(table_row(chain, 1)[table_find_column(chain, "location")].kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

static const char *find_note(const char *part)
{
    for (size_t i = 0; i < text_list_count(&table.notes); i++)
        if (strstr(text_list_at(&table.notes, i), part))
            return text_list_at(&table.notes, i);
    return NULL;
}

/* Such as the places of a library without symbols: 10,000 bytes besides 100,000 with names, and
 * then 300,000. */
START_TEST(where_most_places_are_addresses_a_note_says_what_helps)
{
    uint32_t inner = made_add_call(&session, 0, "libmade.so+0xde137", NULL, 0);

    made_add_site(&session, inner, 1000, 10, 0);
    build(ANALYSIS_BY_SITE);
    ck_assert_ptr_null(find_note("addresses without names"));
    table_fini(&table);
    made_add_site(&session, inner, 1000, 290, 0);
    build(ANALYSIS_BY_SITE);
    ck_assert_ptr_nonnull(find_note("75.0 % of these rows is at addresses without names: "
                                    "libmade.so is not here"));
    table_fini(&table);
}
END_TEST

START_TEST(the_whole_chain_is_kept_and_the_callers_are_shown)
{
    const struct table *chain;

    build(ANALYSIS_BY_SITE);
    chain = cell(0, "chain")->table;
    ck_assert_uint_eq(table_row_count(chain), 4);
    ck_assert_str_eq(table_row(chain, 0)[0].text, "xmalloc");
    ck_assert_str_eq(table_row(chain, 3)[0].text, "_start");
    ck_assert_uint_eq(chain->shown_from, 2);
    ck_assert_uint_eq(chain->shown_count, 1); /* main; its starter is no information */
    table_fini(&table);
}
END_TEST

START_TEST(shares_are_of_the_measure_and_sum_to_1)
{
    static const enum analysis_measure measures[] = {
        ANALYSIS_ALLOCATED, ANALYSIS_PEAK, ANALYSIS_LIVE, ANALYSIS_COUNT, ANALYSIS_TEMPORARY};

    options.measure = measures[_i];
    build(ANALYSIS_BY_SITE);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(a_row_has_its_sums)
{
    options.measure = ANALYSIS_COUNT;
    build(ANALYSIS_BY_SITE);
    ck_assert_int_eq(cell(0, "allocations")->integer, 1000);
    ck_assert_int_eq(cell(0, "allocated_bytes")->integer, 10000);
    ck_assert_int_eq(cell(0, "live_bytes")->integer, 5000);
    ck_assert_int_eq(cell(0, "peak_bytes")->integer, 5000);
    ck_assert_double_eq_tol(cell(0, "temporary_fraction")->real, 0.5, 1e-12);
    ck_assert_double_eq_tol(cell(0, "mean_lifetime_ns")->real, 10, 1e-12);
    ck_assert_double_eq_tol(cell(0, "mean_bytes")->real, 10, 1e-12);
    ck_assert_double_eq_tol(cell(0, "share")->real, 1000.0 / 1360, 1e-12);
    ck_assert_double_eq(cell(0, "error")->real, 0);
    table_fini(&table);
}
END_TEST

/* One of the two sites of step has no block at the peak. */
START_TEST(an_owners_row_has_all_of_its_sites)
{
    options.measure = ANALYSIS_PEAK;
    build(ANALYSIS_BY_OWNER);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(1, "function")->text, "step");
    ck_assert_int_eq(cell(1, "peak_bytes")->integer, 5000);
    ck_assert_int_eq(cell(1, "allocations")->integer, 1300);
    ck_assert_int_eq(cell(1, "allocated_bytes")->integer, 40000);
    table_fini(&table);
    options.measure = ANALYSIS_LIVE;
    ((struct session_site *)session.sites.items)[2].live_bytes = 0;
    build(ANALYSIS_BY_OWNER);
    ck_assert_uint_eq(table_row_count(&table), 1); /* owners own something */
    table_fini(&table);
}
END_TEST

START_TEST(a_site_that_frees_nothing_has_no_mean_lifetime)
{
    build(ANALYSIS_BY_SITE);
    ck_assert_int_eq(cell(0, "mean_lifetime_ns")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(rows_beyond_the_limit_are_counted)
{
    options.limit = 1;
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table_row_count(&table), 1);
    ck_assert_uint_eq(table.rows_cut, 2);
    table_fini(&table);
}
END_TEST

/* As with TPROF_ALLOC=count: totals are known, but no single blocks. */
START_TEST(without_records_the_totals_are_told_and_no_zeros)
{
    array_truncate(&session.sites, 0);
    session.heap.is_exact = false;
    session.heap.reason = "TPROF_ALLOC=count keeps totals only";
    session.heap.peak_bytes = session.heap.live_bytes = SESSION_UNKNOWN;
    build(ANALYSIS_BY_TREE);
    ck_assert_uint_eq(table_row_count(&table), 1);
    ck_assert_int_eq(cell(0, "amount")->integer, 100000);
    ck_assert_int_eq(cell(0, "self_amount")->integer, 100000);
    ck_assert_int_eq(cell(0, "allocations")->integer, 1360);
    table_fini(&table);
    options.measure = ANALYSIS_LIVE;
    build(ANALYSIS_BY_TREE);
    ck_assert_int_eq(cell(0, "amount")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "self_amount")->kind, VALUE_NULL);
    table_fini(&table);
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table_row_count(&table), 0);
    ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, 0), "No records of blocks: TPROF_"));
    table_fini(&table);
    compose();
    ck_assert_int_eq(summary("unknown_frees")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("allocated_bytes")->integer, 100000);
    document_fini(&document);
    session.heap.allocations = session.heap.allocated_bytes = SESSION_UNKNOWN;
    options.measure = ANALYSIS_ALLOCATED;
    build(ANALYSIS_BY_TREE);
    ck_assert_int_eq(cell(0, "amount")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "allocations")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

START_TEST(estimates_have_their_standard_error)
{
    struct session_estimate estimates[2] = {{.live_drawn = 0}};
    struct session_site *site = session.sites.items;

    session.heap.is_exact = false;
    session.heap.sample_bytes = 512 << 10;
    session.heap.is_estimated = session.heap.has_estimated_sites = true;
    site[1].allocated_error = 300;
    site[2].allocated_error = 400;
    site[1].estimate = &estimates[0];
    site[2].estimate = &estimates[1];
    site[1].drawn = site[2].drawn = 1;
    build(ANALYSIS_BY_FUNCTION); /* both are step: errors add as squares */
    ck_assert_str_eq(cell(1, "function")->text, "step");
    ck_assert_double_eq_tol(cell(1, "error")->real, 500, 1e-9);
    ck_assert(cell(1, "live_error_bytes")->kind == VALUE_NULL); /* no live block was drawn */
    ck_assert(cell(0, "error")->kind == VALUE_NULL);            /* none at all was */
    ck_assert(cell(1, "allocated_bytes")->is_estimate && cell(1, "share")->is_estimate);
    ck_assert_str_eq(text_list_at(&table.notes, 1),
                     "From the start, one block per 512 KiB of allocated memory was recorded.");
    ck_assert_str_eq(text_list_at(&table.notes, 2), "~ marks estimates; ± is one standard error.");
    table_fini(&table);
}
END_TEST

/* Drawn since the second 48, in usable bytes. */
static void draw_blocks(uint64_t peak_ns)
{
    const struct session_stage blocks = {TRACE_STAGE_BLOCKS, TRACE_STAGE_CAUSE_DISK, 48000000000,
                                         512 << 10, 512 << 10};

    made_add_stage(&session, &blocks);
    session.heap.is_exact = false;
    session.heap.is_estimated = session.heap.has_estimated_sites = true;
    session.heap.live_unit = SESSION_HEAP_USABLE;
    session.heap.unseen_bytes = 1536 << 10;
    session.heap.peak_time_ns = peak_ns;
}

static const char *const drawn_notes[] = {
    "The trace is exact until 48.00 s. Then tprof recorded one block in 512 KiB.",
    "~ marks estimates; ± is one standard error.",
    "With 95 % confidence, any site without a recorded block obtained less than 1.50 MiB since "
    "sampling began.",
    "Bytes at the end are usable bytes: the requested bytes, rounded up by malloc.",
};

START_TEST(rows_say_until_when_they_are_exact_and_mark_what_is_not)
{
    options.measure = ANALYSIS_PEAK;
    draw_blocks(1000);
    build(ANALYSIS_BY_SITE);
    ck_assert(cell(0, "allocated_bytes")->is_estimate && cell(0, "live_bytes")->is_estimate);
    ck_assert(!cell(0, "peak_bytes")->is_estimate && !cell(0, "share")->is_estimate);
    for (size_t i = 0; i < sizeof drawn_notes / sizeof *drawn_notes; i++)
        ck_assert_str_eq(text_list_at(&table.notes, i + 1), drawn_notes[i]);
    table_fini(&table);
}
END_TEST

START_TEST(what_was_at_a_peak_among_drawn_blocks_is_an_estimate)
{
    options.measure = ANALYSIS_PEAK;
    draw_blocks(49000000000);
    build(ANALYSIS_BY_SITE);
    ck_assert(cell(0, "peak_bytes")->is_estimate && cell(0, "share")->is_estimate);
    table_fini(&table);
}
END_TEST

/* With only the owners of drawn blocks, sizes are known. */
START_TEST(blocks_are_exact_while_only_chains_are_drawn)
{
    const struct session_stage chains = {TRACE_STAGE_CHAINS, TRACE_STAGE_CAUSE_TIME, 1, 4096, 4096};

    made_add_stage(&session, &chains);
    session.heap.has_estimated_sites = true;
    session.heap.sizes.counts[3] = 5;
    build(ANALYSIS_BY_FUNCTION);
    ck_assert(cell(0, "allocated_bytes")->is_estimate);
    table_fini(&table);
    build(ANALYSIS_BY_SIZE);
    ck_assert(!cell(0, "blocks")->is_estimate);
    ck_assert_uint_eq(text_list_count(&table.notes), 0);
    table_fini(&table);
}
END_TEST

START_TEST(what_a_sample_cannot_tell_is_null)
{
    session.heap.sample_bytes = 512 << 10;
    session.heap.is_estimated = session.heap.has_estimated_sites = true;
    session.heap.temporary = session.heap.moved = SESSION_UNKNOWN;
    for (size_t i = 0; i < session.sites.count; i++) {
        struct session_site *site = array_at(&session.sites, i);

        site->temporary = site->moved = site->grown_bytes = SESSION_UNKNOWN;
    }
    build(ANALYSIS_BY_FUNCTION);
    ck_assert_int_eq(cell(0, "temporary")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "temporary_fraction")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "grown_bytes")->kind, VALUE_NULL);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
    options.measure = ANALYSIS_TEMPORARY;
    build(ANALYSIS_BY_TREE);
    ck_assert_int_eq(cell(0, "share")->kind, VALUE_NULL);
    ck_assert_int_eq(cell(0, "amount")->kind, VALUE_NULL);
    table_fini(&table);
    ck_assert(isnan(memory_temporary_fraction(&session)));
}
END_TEST

START_TEST(without_chains_there_is_one_site_and_a_hint)
{
    array_truncate(&session.sites, 0);
    made_add_site(&session, 0, 8, 10, 0);
    session.heap.has_chains = false;
    build(ANALYSIS_BY_SITE);
    ck_assert_str_eq(cell(0, "place")->text, "(no call chain)");
    ck_assert_int_eq(cell(0, "function")->kind, VALUE_NULL);
    ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, 1), "TPROF_ALLOC=full"));
    table_fini(&table);
}
END_TEST

static bool has_note(const char *text)
{
    bool is_there = false;

    build(ANALYSIS_BY_SITE);
    for (size_t i = 0; i < text_list_count(&table.notes); i++)
        is_there |= strstr(text_list_at(&table.notes, i), text) != NULL;
    table_fini(&table);
    return is_there;
}

START_TEST(a_python_that_could_name_its_functions_is_told_how)
{
    static const char hint[] = "-X perf adds";
    struct session_process *process = &session.process;

    text_list_init(&process->environment);
    text_list_init(&process->command);
    ck_assert(!has_note(hint));
    process->program = "/usr/bin/python3.11";
    ck_assert(!has_note(hint));
    process->program = "/usr/bin/python3.12";
    ck_assert(has_note(hint));
    session.heap.has_chains = false;
    ck_assert(!has_note(hint));
    session.heap.has_chains = true;
    text_list_add(&process->environment, "PYTHONPERFSUPPORT=1");
    ck_assert(!has_note(hint));
    text_list_fini(&process->environment);
    text_list_init(&process->environment);
    for (int i = 0; i < 3; i++) {
        static const char *const arguments[] = {"python3", "-X", "perf_jit"};

        ck_assert(has_note(hint));
        text_list_add(&process->command, arguments[i]);
    }
    ck_assert(!has_note(hint));
    process->program = "/usr/bin/python3";
    text_list_fini(&process->command);
    text_list_init(&process->command);
    ck_assert(!has_note(hint));
}
END_TEST

/* A chain that was lost behind a wrapper. */
START_TEST(what_stands_for_outer_calls_is_no_owner)
{
    uint32_t lost = made_add_call(&session, 0, NULL, NULL, 0);
    uint32_t call = made_add_call(&session, lost, "xmalloc", "a.c", 2);
    struct places *places = places_new(&session, options.find_frames);
    struct place owner;

    ((struct session_call *)array_at(&session.calls, lost))->kind = SESSION_CALL_LOST;
    ck_assert_ptr_nonnull(places);
    ck_assert(places_find_owner_of(places, call, &owner));
    ck_assert_str_eq(owner.function->name, "xmalloc");
    ck_assert(places_find_owner_of(places, lost, &owner));
    ck_assert_str_eq(owner.function->name, "(outer calls unknown)");
}
END_TEST

START_TEST(a_file_may_have_any_name)
{
    uint32_t call = made_add_call(&session, 0, "load", "a.c", 2);
    struct session_module *module = array_at(&session.modules, 0);
    struct places *places = places_new(&session, options.find_frames);
    struct place owner;

    module->path = "/lib/lib\nof two lines.so";
    ck_assert_ptr_nonnull(places);
    ck_assert(places_find_owner_of(places, call, &owner));
    ck_assert_str_eq(owner.function->name, "load");
    ck_assert_str_eq(owner.function->module, "lib\nof two lines.so");
}
END_TEST

static const struct short_case {
    const char *name;
    const char *shortly;
} short_cases[] = {
    {"load(std::vector<int> const&)", "load(std::vector<int> const&)+0x1f"},
    {"model::load(std::vector<float, std::allocator<float> >&, unsigned long, bool (*)(int))",
     "model::load(...)+0x1f"},
    {"model::operator()(std::vector<float, std::allocator<float> >&, unsigned long) const [clone]",
     "model::operator()(...) const [clone]+0x1f"},
    {"a_name_of_c_that_is_as_long_as_only_names_of_c_plus_plus_may_be_in_most_programs",
     "a_name_of_c_that_is_as_long_as_only_names_of_c_plus_plus_may_be_in_most_programs+0x1f"},
    {"a_very_long_name_space_of_a_program::inner_space::(anonymous namespace)::load_it",
     "a_very_long_name_space_of_a_program::inner_space::(anonymous namespace)::load_it+0x1f"},
};

START_TEST(a_sentence_leaves_out_the_arguments_of_a_long_name)
{
    const struct places_function function = {.name = short_cases[_i].name};
    const struct place place = {.function = &function, .offset = 0x1f};
    struct text text;

    text_init(&text);
    place_append_short_name(&text, &place);
    ck_assert_str_eq(text.bytes, short_cases[_i].shortly);
    text_fini(&text);
}
END_TEST

static const struct owner_case {
    const char *name;
    bool is_plumbing;
} owner_cases[] = {
    {"malloc", true},
    {"my_malloc", false},
    {"operator new(unsigned long)", true},
    {"operator new[](unsigned long)", true},
    {"my::pool::operator new(unsigned long)", false},
    {"std::vector<int, std::allocator<int> >::vector(unsigned long)", true},
    {"_IO_file_doallocate", true},
    {"__fopen_internal", true},
    {"__fprintf_chk", true},
    {"__printf", true},
    {"printf", true},
    {"model_printf", false},
    {"void std::vector<int, std::allocator<int> >::_M_realloc_insert<int>(int&&)", true},
    {"std::vector<int, std::allocator<int> > load<float>(int)", false},
    {"load(std::vector<int, std::allocator<int> > const&)", false},
    {"my::std::copy(int)", false},
    {"alloc::alloc::realloc", true},
    {"alloc::raw_vec::RawVec<T,A>::grow_one", true},
    {"<alloc::alloc::Global as core::alloc::Allocator>::grow", true},
    {"<alloc::vec::Vec<u8>>::with_capacity", true},
    {"<str>::repeat", true},
    {"<i32 as core::fmt::Display>::fmt", true},
    {"hashbrown::raw::RawTableInner::resize_inner", true},
    {"__rustc::__rust_alloc", true},
    {"<T as alloc::slice::hack::ConvertVec>::to_vec", true},
    {"core::ops::function::FnOnce::call_once", true},
    {"r::grow", false},
    {"<r::Model as core::clone::Clone>::clone", false},
    {"alloc::pool::take", false}, /* a namespace of C++ */
    {"core::Engine::load()", false},
    {"PyObject_Malloc", true},
    {"onnxruntime::BFCArena::Reserve(unsigned long)", true},
    {"std::unique_ptr<void, std::function<void (void*)> > onnxruntime::IAllocator::MakeUniquePtr<"
     "void>(std::shared_ptr<onnxruntime::IAllocator>, unsigned long)",
     true},
    {"onnxruntime::Gemm<float>::PrePack(onnxruntime::Tensor const&, int)", false},
    {"xmalloc", true},
};

START_TEST(plumbing_is_known_by_its_own_name)
{
    const struct owner_case *of = &owner_cases[_i];
    uint32_t caller = made_add_call(&session, 0, "caller", "c.c", 1);
    uint32_t call = made_add_call(&session, caller, of->name, "a.c", 2);
    struct places *places = places_new(&session, options.find_frames);
    struct place owner;

    ck_assert_ptr_nonnull(places);
    ck_assert(places_find_owner_of(places, call, &owner));
    ck_assert_str_eq(owner.function->name, of->is_plumbing ? "caller" : of->name);
}
END_TEST

static const struct nameless_case {
    const char *path, *owner;
} nameless_cases[] = {
    {"/lib/libc10.so.1.13", "at::native::randn"},
    {"/lib/libtorch_cpu.so.2", "at::native::randn"},
    {"/lib/libc1000.so.1", "libc1000.so.1+0x"},
    {"/lib/libmine.so.1", "libmine.so.1+0x"},
};

/* A stripped allocator has one address for all; the chain is shown whole. */
START_TEST(what_has_no_name_in_an_allocators_library_is_plumbing)
{
    const struct nameless_case *of = &nameless_cases[_i];
    uint32_t caller = made_add_call(&session, 0, "at::native::randn", "c.c", 1);
    uint32_t nameless = made_add_call(&session, caller, NULL, NULL, 0);
    uint32_t call = made_add_call(&session, nameless, "c10::alloc_cpu(unsigned long)", "a.c", 2);
    struct session_module *module = array_add(&session.modules);
    struct places *places = places_new(&session, options.find_frames);
    struct array chain;
    struct place owner;

    ck_assert(module && places);
    *module = (struct session_module){.path = of->path};
    ((struct session_call *)array_at(&session.calls, nameless))->module =
        (uint32_t)session.modules.count - 1;
    array_init(&chain, sizeof(struct place));
    ck_assert(places_find_owner_of(places, call, &owner));
    ck_assert_int_eq(strncmp(owner.function->name, of->owner, strlen(of->owner)), 0);
    places_fill_chain(places, call, &chain);
    ck_assert_uint_eq(chain.count, 3);
    array_fini(&chain);
}
END_TEST

static uint32_t add_nameless(uint32_t parent, uint32_t module)
{
    uint32_t call = made_add_call(&session, parent, NULL, NULL, 0);

    ((struct session_call *)array_at(&session.calls, call))->module = module;
    return call;
}

static void add_module(const char *path)
{
    struct session_module *module = array_add(&session.modules);

    ck_assert(module);
    *module = (struct session_module){.path = path};
}

/* Of a C library without symbols, __libc_start_call_main, clone3 and start_thread have no name. */
START_TEST(outermost_functions_of_a_stripped_c_library_are_starters)
{
    uint32_t libc = (uint32_t)session.modules.count, other = libc + 1;
    uint32_t start = made_add_call(&session, 0, "_start", NULL, 0);
    uint32_t begin = made_add_call(&session, start, "__libc_start_main", NULL, 0);
    uint32_t calls_main = add_nameless(begin, libc), clone3 = add_nameless(0, libc);
    uint32_t caller = made_add_call(&session, calls_main, "main", "a.c", 1);
    uint32_t start_thread = add_nameless(clone3, libc);
    const struct {
        uint32_t call;
        bool is_starter;
    } cases[] = {{add_nameless(start_thread, libc), false},
                 {calls_main, true},
                 {start_thread, true},
                 {clone3, true},
                 {add_nameless(caller, libc), false},
                 {add_nameless(0, other), false},
                 {add_nameless(begin, other), false}};
    struct places *places = places_new(&session, options.find_frames);

    add_module("/lib/libc.so.6");
    add_module("/lib/libother.so.1");
    ck_assert_ptr_nonnull(places);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        places_look_up(places, cases[i].call);
        ck_assert_int_eq(places_known(places, cases[i].call)->places->function->is_starter,
                         cases[i].is_starter);
    }
}
END_TEST

/* 60, 30 and 10 % of the bytes. */
START_TEST(small_sites_are_gathered_when_asked_for)
{
    memory_options.least_fraction = 0.5;
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(1, "place")->text, "(2 others)");
    ck_assert_int_eq(cell(1, "allocated_bytes")->integer, 40000);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
    options.limit = 1; /* the row of the others is cut */
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table_row_count(&table), 1);
    ck_assert_uint_eq(table.rows_cut, 1);
    table_fini(&table);
    memory_options.least_fraction = 0.2;
    build(ANALYSIS_BY_SITE);
    ck_assert_uint_eq(table.rows_cut, 2); /* one large site and the others */
    table_fini(&table);
}
END_TEST

/* ---- gathered -------------------------------------------------------------------- */

START_TEST(functions_gather_their_lines)
{
    build(ANALYSIS_BY_FUNCTION);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(1, "function")->text, "step");
    ck_assert_int_eq(cell(1, "allocated_bytes")->integer, 40000);
    ck_assert_int_eq(cell(1, "min_bytes")->integer, 10);
    ck_assert_int_eq(cell(1, "max_bytes")->integer, 100);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(lines_are_told_apart)
{
    build(ANALYSIS_BY_LINE);
    ck_assert_uint_eq(table_row_count(&table), 3);
    ck_assert_str_eq(cell(1, "place")->text, "step.c:30 step");
    ck_assert_str_eq(cell(2, "place")->text, "step.c:31 step");
    table_fini(&table);
}
END_TEST

START_TEST(lines_below_the_least_share_are_one_row)
{
    memory_options.least_fraction = 0.10001;
    build(ANALYSIS_BY_LINE);
    ck_assert_uint_eq(table_row_count(&table), 3);
    ck_assert_str_eq(cell(2, "place")->text, "(1 other)");
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(kernels_gather_what_was_allocated_in_them)
{
    struct session_binding *binding = array_add(&session.bindings);

    ck_assert_ptr_nonnull(binding);
    binding->symbol = "cblas_sgemm";
    ((struct session_site *)array_at(&session.sites, 0))->binding = 0;
    build(ANALYSIS_BY_KERNEL);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(0, "kernel")->text, "cblas_sgemm");
    ck_assert_str_eq(cell(1, "place")->text, "(in no kernel)");
    ck_assert_int_eq(cell(1, "kernel")->kind, VALUE_NULL);
    table_fini(&table);
}
END_TEST

/* ---- mappings ------------------------------------------------------------------ */

static void add_mappings(void)
{
    uint32_t begin = made_add_call(&session, 0, "main", "src/main.c", 40);

    made_add_mapping(&session, made_add_call(&session, begin, "grow", "src/grow.c", 1), 1000, 10,
                     0);
    made_add_mapping(&session, made_add_call(&session, begin, "swing", "src/swing.c", 2), 5000, 6,
                     5);
    made_add_mapping(&session, 0, 20, 3, 3);
}

static const struct {
    enum analysis_measure measure;
    const char *function; /* of the first row */
    double share;
    size_t rows;
    const char *whole;
} mapping_cases[] = {
    {ANALYSIS_ALLOCATED, "swing", 30000.0 / 40060, 3, "of 39.1 KiB mapped at the peak"},
    {ANALYSIS_PEAK, "swing", 30000.0 / 40060, 3, "of 39.1 KiB mapped at the peak"},
    {ANALYSIS_LIVE, "grow", 10000.0 / 15000, 2, "of 14.6 KiB mapped at the end"},
    {ANALYSIS_COUNT, "grow", 10.0 / 19, 3, "of 19 calls of mmap"},
};

START_TEST(mappings_have_the_sums_of_their_site)
{
    add_mappings();
    options.measure = mapping_cases[_i].measure;
    build(ANALYSIS_BY_MAPPING);
    ck_assert_uint_eq(table_row_count(&table), mapping_cases[_i].rows);
    ck_assert_str_eq(cell(0, "function")->text, mapping_cases[_i].function);
    ck_assert_double_eq_tol(cell(0, "share")->real, mapping_cases[_i].share, 1e-9);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-9);
    ck_assert_double_eq_tol(sum("live_bytes"), 15000, 0.5);
    ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, 0), mapping_cases[_i].whole));
    table_fini(&table);
}
END_TEST

START_TEST(mappings_below_the_least_share_are_one_row)
{
    add_mappings();
    memory_options.least_fraction = 0.5;
    build(ANALYSIS_BY_MAPPING);
    ck_assert_uint_eq(table_row_count(&table), 2);
    ck_assert_str_eq(cell(1, "place")->text, "(2 others)");
    ck_assert_int_eq(cell(1, "peak_bytes")->integer, 10060);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-9);
    table_fini(&table);
    memory_options.least_fraction = 0.2;
    build(ANALYSIS_BY_MAPPING);
    ck_assert_str_eq(cell(2, "place")->text, "(1 other)");
    table_fini(&table);
}
END_TEST

/* Nothing is counted twice for its blocks: with the C library's malloc, which maps unseen. */
START_TEST(whether_malloc_maps_among_them_is_said)
{
    static const struct {
        const char *allocator;
        const char *sentence;
    } cases[] = {{NULL, "These rows leave out memory that malloc itself maps."},
                 {"/lib/libc.so.6", "These rows leave out memory that malloc itself maps."},
                 {"/lib/libjemalloc.so.2",
                  "Some of these rows may be memory that libjemalloc.so.2 maps for malloc."}};

    add_mappings();
    session.process.allocator = cases[_i].allocator;
    build(ANALYSIS_BY_MAPPING);
    ck_assert_str_eq(text_list_at(&table.notes, 2), cases[_i].sentence);
    table_fini(&table);
}
END_TEST

START_TEST(mappings_that_are_not_known_are_not_none)
{
    session.heap.maps = session.heap.mapped_bytes = session.heap.peak_mapped_bytes =
        SESSION_UNKNOWN;
    session.heap.reason = "records were lost";
    build(ANALYSIS_BY_MAPPING);
    ck_assert_str_eq(text_list_at(&table.notes, 0),
                     "The program's mappings are unknown: records were lost.");
    table_fini(&table);
}
END_TEST

/* A program that maps nothing has no table that says so. */
START_TEST(people_see_the_mappings_where_there_are_some)
{
    const struct section *section = NULL;

    if (_i == 1)
        add_mappings();
    compose();
    for (size_t i = 0; i < document_section_count(&document); i++)
        if (strcmp(document_section(&document, i)->key, "mappings") == 0)
            section = document_section(&document, i);
    ck_assert_ptr_nonnull(section);
    ck_assert(section_is_in(section, SECTION_IN_JSON));
    ck_assert(section_is_in(section, SECTION_IN_TEXT) == (_i == 1));
    document_fini(&document);
}
END_TEST

/* ---- trees ------------------------------------------------------------------------ */

START_TEST(a_tree_from_the_top_has_callers_above)
{
    static const char *const expected[] = {"(all)", "  main", "    load", "    step"};

    build(ANALYSIS_BY_TREE);
    ck_assert_uint_eq(table_row_count(&table), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_str_eq(cell(i, "place")->text, expected[i]);
    ck_assert_double_eq_tol(cell(1, "share")->real, 1, 1e-12);
    ck_assert_double_eq_tol(cell(1, "self_share")->real, 0, 1e-12);
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(a_tree_from_below_has_callers_below)
{
    static const char *const expected[] = {"(all)", "  load", "    main", "  step", "    main"};

    build(ANALYSIS_BY_CALLERS);
    ck_assert_uint_eq(table_row_count(&table), 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(cell(i, "place")->text, expected[i]);
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(a_tree_from_below_is_as_deep_as_asked)
{
    memory_options.callers = 1;
    build(ANALYSIS_BY_CALLERS);
    ck_assert_uint_eq(table_row_count(&table), 3);
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

/* From both ends: of starters and plumbing, if a chain has nothing else. */
START_TEST(trees_show_chains_without_an_owner)
{
    uint32_t start = made_add_call(&session, 0, "_start", NULL, 0);
    uint32_t begin = made_add_call(&session, start, "__libc_start_main", NULL, 0);
    uint32_t outer = made_add_call(&session, 0, "operator new(unsigned long)", NULL, 0);
    uint32_t inner = made_add_call(&session, outer, "xmalloc", NULL, 0);

    made_add_site(&session, begin, 300000, 10, 0);
    made_add_site(&session, inner, 200000, 10, 0);
    build(_i ? ANALYSIS_BY_CALLERS : ANALYSIS_BY_TREE);
    ck_assert_str_eq(cell(1, "place")->text, _i ? "  __libc_start_main" : "  _start");
    ck_assert_str_eq(cell(2, "place")->text, _i ? "    _start" : "    __libc_start_main");
    ck_assert_str_eq(cell(3, "place")->text, _i ? "  xmalloc" : "  operator new(unsigned long)");
    ck_assert_str_eq(cell(4, "place")->text,
                     _i ? "    operator new(unsigned long)" : "    xmalloc");
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(what_is_below_one_percent_is_gathered)
{
    uint32_t tiny = made_add_call(&session, 2, "tiny", "src/tiny.c", 1);
    uint32_t small = made_add_call(&session, 2, "small", "src/tiny.c", 2);

    made_add_site(&session, tiny, 100, 1, 0);
    made_add_site(&session, small, 200, 1, 0);
    build(ANALYSIS_BY_TREE);
    ck_assert_uint_eq(table_row_count(&table), 5);
    ck_assert_str_eq(cell(4, "place")->text, "    (others)");
    ck_assert_int_eq(cell(4, "amount")->integer, 300);
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

/* Nothing live: the rows would all be of nothing. */
START_TEST(a_tree_of_nothing_is_its_root)
{
    options.measure = ANALYSIS_LIVE;
    for (size_t i = 0; i < session.sites.count; i++)
        ((struct session_site *)array_at(&session.sites, i))->live_bytes = 0;
    build(_i ? ANALYSIS_BY_CALLERS : ANALYSIS_BY_TREE);
    ck_assert_uint_eq(table_row_count(&table), 1);
    table_fini(&table);
}
END_TEST

enum { DEEPEST = 512, FRAMES = 256 };

static void find_frames(const struct session *of, uint32_t call,
                        const struct symbols_frame **frames, size_t *count)
{
    static struct symbols_frame inlined[FRAMES];

    (void)of;
    for (size_t i = 0; i < FRAMES; i++)
        inlined[i].function = (call + i) % 2 ? "odd" : "even";
    *frames = inlined;
    *count = FRAMES;
}

/* The largest depth of chains, with the most inlined functions in each call. */
START_TEST(a_tree_is_as_deep_as_chains_are)
{
    uint32_t call = 0;

    for (uint32_t i = 0; i < DEEPEST; i++)
        call = made_add_call(&session, call, "", NULL, 0);
    made_add_site(&session, call, 1000000, 10, 0);
    options.find_frames = find_frames;
    build(_i ? ANALYSIS_BY_CALLERS : ANALYSIS_BY_TREE);
    ck_assert_uint_ge(table_row_count(&table), DEEPEST * FRAMES);
    ck_assert_double_eq_tol(sum("self_share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

/* ---- histograms --------------------------------------------------------------------- */

START_TEST(bins_have_their_edges)
{
    session.heap.sizes.counts[0] = 5;
    session.heap.sizes.counts[3] = 15;
    session.heap.sizes.bytes[3] = 150;
    session.heap.sizes.counts[63] = 1;
    build(ANALYSIS_BY_SIZE);
    ck_assert_uint_eq(table_row_count(&table), 64);
    ck_assert_str_eq(cell(0, "range")->text, "0 B .. 2 B");
    ck_assert_str_eq(cell(3, "range")->text, "8 B .. 16 B");
    ck_assert_int_eq(cell(3, "blocks")->integer, 15);
    ck_assert_int_eq(cell(3, "bytes")->integer, 150);
    ck_assert_str_eq(cell(63, "range")->text, "from 8 EiB");
    ck_assert_int_eq(cell(63, "below_bytes")->kind, VALUE_NULL);
    ck_assert_double_eq_tol(sum("share"), 1, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(people_see_few_bins_and_lose_no_block)
{
    const struct section *section;

    for (unsigned i = 4; i < 40; i++)
        session.heap.lifetimes.counts[i] = 1;
    compose();
    for (size_t i = 0; i < document_section_count(&document); i++) {
        section = document_section(&document, i);
        if (section->kind != SECTION_TABLE || strcmp(section->key, "shown") != 0)
            continue;
        table = section->table;
    }
    ck_assert_uint_le(table_row_count(&table), 8);
    ck_assert_double_eq_tol(sum("blocks"), 36, 1e-9);
    ck_assert_uint_eq(table_row_count(document_find_table(&document, "lifetimes")), 36);
    document_fini(&document);
}
END_TEST

/* ---- regions and threads ---------------------------------------------------------------- */

START_TEST(regions_have_a_baseline_an_end_and_a_peak)
{
    struct session_region *region = array_add(&session.regions);

    ck_assert_ptr_nonnull(region);
    *region = (struct session_region){.label = "epoch",
                                      .path = "epoch",
                                      .allocations = 10,
                                      .allocated_bytes = 25000,
                                      .freed_bytes = SESSION_UNKNOWN,
                                      .begin_heap_bytes = 100,
                                      .end_heap_bytes = 200,
                                      .peak_heap_bytes = 300};
    build(ANALYSIS_BY_REGION);
    ck_assert_str_eq(cell(0, "path")->text, "(no region)");
    ck_assert_int_eq(cell(1, "begin_heap_bytes")->integer, 100);
    ck_assert_int_eq(cell(1, "end_heap_bytes")->integer, 200);
    ck_assert_int_eq(cell(1, "peak_heap_bytes")->integer, 300);
    ck_assert_int_eq(cell(1, "freed_bytes")->kind, VALUE_NULL);
    ck_assert_double_eq_tol(cell(1, "share")->real, 0.25, 1e-12);
    table_fini(&table);
}
END_TEST

START_TEST(threads_have_their_totals)
{
    struct session_thread *thread = array_at(&session.threads, 0);

    thread->allocations = 1360;
    thread->allocated_bytes = 100000;
    thread->last_ns = 1000000000;
    build(ANALYSIS_BY_THREAD);
    ck_assert_int_eq(cell(0, "thread")->integer, 100);
    ck_assert_double_eq_tol(cell(0, "share")->real, 1, 1e-12);
    ck_assert_double_eq_tol(cell(0, "allocations_per_second")->real, 1360, 1e-9);
    table_fini(&table);
}
END_TEST

/* ---- the head ----------------------------------------------------------------------------- */

START_TEST(the_head_names_the_site_of_the_peak)
{
    session.heap.peak_site = 1;
    session.heap.peak_time_ns = 5000;
    compose();
    ck_assert_str_eq(summary("peak_site")->text, "step.c:30 step");
    ck_assert_int_eq(summary("peak_heap_bytes")->integer, 65000);
    ck_assert_int_eq(summary("freed_bytes")->integer, 35000);
    ck_assert_double_eq_tol(summary("temporary_fraction")->real, 800.0 / 1360, 1e-12);
    ck_assert(summary("exact")->boolean);
    document_fini(&document);
}
END_TEST

/* Exactly 90,000 bytes were obtained; of the sample 35,000 bytes were freed. */
START_TEST(what_was_freed_is_estimated_like_what_is_live)
{
    struct session_site *site = session.sites.items;

    session.heap.is_exact = false;
    session.heap.sample_bytes = 512 << 10;
    session.heap.is_estimated = session.heap.has_estimated_sites = true;
    session.heap.allocated_bytes = 90000;
    site[1].allocated_error = 300;
    site[2].allocated_error = 500;
    site[2].live_error = 300;
    compose();
    ck_assert_int_eq(summary("freed_bytes")->integer, 35000);
    ck_assert_double_eq_tol(summary("freed_error_bytes")->real, 500, 1e-9);
    document_fini(&document);
    session.heap.allocated_bytes = 1000; /* less than the estimated live bytes */
    compose();
    ck_assert_int_eq(summary("freed_bytes")->integer, 35000);
    document_fini(&document);
}
END_TEST

START_TEST(programs_are_told_the_doubts)
{
    text_list_add(&session.doubts, "some blocks are elsewhere");
    compose();
    ck_assert_uint_eq(text_list_count(&summary_field("doubts")->list), 1);
    document_fini(&document);
}
END_TEST

START_TEST(what_is_unknown_is_null)
{
    session.heap.is_exact = false;
    session.heap.reason = "records were lost";
    session.heap.peak_bytes = session.heap.live_bytes = SESSION_UNKNOWN;
    compose();
    ck_assert_int_eq(summary("peak_heap_bytes")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("live_at_exit_bytes")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("temporary_fraction")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("fragmentation_bytes")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("pattern")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("peak_site")->kind, VALUE_NULL);
    document_fini(&document);
}
END_TEST

/* As with TPROF_ALLOC=count, but mappings have a record each. */
START_TEST(mappings_are_known_where_blocks_are_only_counted)
{
    session.heap.is_exact = false;
    session.heap.reason = "TPROF_ALLOC=count records totals alone";
    session.heap.peak_bytes = session.heap.live_bytes = SESSION_UNKNOWN;
    add_mappings();
    compose();
    ck_assert_int_eq(summary("maps")->integer, 19);
    ck_assert_int_eq(summary("mapped_bytes")->integer, 15000);
    ck_assert_ptr_nonnull(strstr(head_line("mapped"), "14.6 KiB at the end"));
    document_fini(&document);
    session.heap.maps = session.heap.mapped_bytes = session.heap.peak_mapped_bytes =
        SESSION_UNKNOWN;
    compose();
    ck_assert_int_eq(summary("maps")->kind, VALUE_NULL);
    ck_assert_int_eq(summary("mapped_bytes")->kind, VALUE_NULL);
    document_fini(&document);
}
END_TEST

/* ---- findings ------------------------------------------------------------------------------- */

static const uint64_t mib = 1 << 20;

static const char *find(const char *id)
{
    static char text[512];
    struct array findings;

    text[0] = '\0';
    array_init(&findings, sizeof(struct memory_finding));
    memory_find_problems(&findings, &session);
    for (size_t i = 0; i < findings.count; i++) {
        const struct memory_finding *finding = array_at(&findings, i);

        if (strcmp(finding->id, id) == 0)
            snprintf(text, sizeof text, "%s", finding->text);
    }
    return text[0] ? text : NULL;
}

START_TEST(high_memory_is_found_by_size_and_by_limit)
{
    ck_assert_ptr_null(find("RAM-16G"));
    session.process.last.peak_rss_bytes = 14 * (mib << 10);
    ck_assert_ptr_null(find("RAM-16G"));
    session.process.last.peak_rss_bytes = 16000000001;
    ck_assert_ptr_nonnull(strstr(find("RAM-16G"), "consider reducing batch size or model size"));
    session.process.last.peak_rss_bytes = 95 * mib;
    session.process.memory_limit_bytes = 100 * mib;
    ck_assert_ptr_nonnull(
        strstr(find("RAM-16G"), "95.0 % of the control group's limit of 100 MiB"));
    session.process.memory_limit_bytes = 110 * mib;
    ck_assert_ptr_null(find("RAM-16G"));
}
END_TEST

START_TEST(fragments_are_neither_live_nor_mapped_nor_of_files)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 400 * mib);

    reading->values.rss_bytes = 1000 * mib;
    ck_assert_ptr_nonnull(strstr(find("FRAG"), "600 MiB of 1000 MiB"));
    reading->mapped_bytes = 500 * mib;
    ck_assert_ptr_null(find("FRAG"));
    reading->mapped_bytes = 0;
    reading->shared_bytes = 100 * mib;
    ck_assert_ptr_nonnull(strstr(find("FRAG"), "500 MiB of 1000 MiB"));
    ck_assert_ptr_nonnull(strstr(find("FRAG"), "another 100 MiB"));
    reading->shared_bytes = 400 * mib;
    ck_assert_ptr_null(find("FRAG"));
    reading->shared_bytes = 0;
    reading->live_heap_bytes = 800 * mib;
    ck_assert_ptr_null(find("FRAG"));
}
END_TEST

/* What Linux and the replay say of one moment, in MiB, and the parts that follow. */
static const struct resident_case {
    const char *name;
    unsigned break_mib, arenas_mib, areas_mib, mapped_mib; /* resident */
    unsigned requested_mib, chunk_mib, large_mib;          /* of live blocks; their large part */
    unsigned usable_mib;                                   /* 0: unknown, like the others */
    bool is_forked;
    const char *allocator;
    unsigned heap, overhead, kept, malloc, before_fork, mapped, rest;
} resident_cases[] = {
    {"small blocks have headers", 20, 0, 0, 0, 14, 20, 0, 0, false, NULL, 14, 6, 0, 0, 0, 0, 0},
    {"freed blocks are kept", 20, 80, 0, 0, 8, 10, 0, 0, false, NULL, 8, 2, 90, 0, 0, 0, 0},
    {"large blocks are in use", 1, 0, 40, 0, 40, 41, 40, 0, false, NULL, 40, 1, 0, 0, 0, 0, 0},
    {"blocks that are not touched", 4, 0, 10, 0, 70, 72, 60, 0, false, NULL, 12, 2, 0, 0, 0, 0, 0},
    {"the program's mappings", 4, 0, 30, 25, 4, 4, 0, 0, false, NULL, 4, 0, 0, 0, 0, 25, 5},
    {"large blocks anywhere in a page", 2, 0, 8, 0, 10, 10, 0, 0, false, NULL, 10, 0, 0, 0, 0, 0,
     0},
    {"counted bytes", 30, 0, 20, 0, 0, 0, 0, 35, false, NULL, 35, 0, 15, 0, 0, 0, 0},
    {"nothing counted", 30, 0, 20, 0, 0, 0, 0, 0, false, NULL, 0, 0, 0, 50, 0, 0, 0},
    {"a forked child", 10, 0, 50, 0, 1, 1, 0, 30, true, NULL, 30, 0, 0, 0, 30, 0, 0},
    {"another allocator", 0, 0, 50, 0, 30, 40, 0, 0, false, "/usr/lib/libjemalloc.so.2", 30, 0, 20,
     0, 0, 0, 0},
};

static void make_resident(const struct resident_case *of)
{
    struct session_resident *resident = array_add(&session.residents);
    bool is_recorded = of->requested_mib > 0;

    resident->parts[TRACE_RESIDENT_BREAK].bytes = of->break_mib * mib;
    resident->parts[TRACE_RESIDENT_ARENAS].bytes = of->arenas_mib * mib;
    resident->parts[TRACE_RESIDENT_AREAS].bytes = of->areas_mib * mib;
    resident->bytes = (of->break_mib + of->arenas_mib + of->areas_mib) * mib;
    resident->mapped_bytes = of->mapped_mib * mib;
    resident->requested_bytes = is_recorded ? of->requested_mib * mib : SESSION_UNKNOWN;
    resident->chunk_bytes = is_recorded ? of->chunk_mib * mib : SESSION_UNKNOWN;
    resident->large_bytes = resident->large_requested = of->large_mib * mib;
    resident->usable_bytes = of->usable_mib > 0 ? of->usable_mib * mib : SESSION_UNKNOWN;
    resident->blocks = SESSION_UNKNOWN;
    session.process.is_forked = of->is_forked;
    session.process.allocator = of->allocator;
}

START_TEST(parts_of_resident_memory_add_up)
{
    const struct resident_case *of = &resident_cases[_i];
    struct resident_split split;
    uint64_t sum = 0;

    make_resident(of);
    resident_split(&split, &session, 0);
    for (unsigned part = 0; part < RESIDENT_PARTS; part++)
        sum += split.parts[part];
    ck_assert_msg(sum == split.bytes, "%s: the sum", of->name);
    ck_assert_msg(split.parts[RESIDENT_HEAP] == of->heap * mib, "%s: heap", of->name);
    ck_assert_msg(split.parts[RESIDENT_OVERHEAD] == of->overhead * mib, "%s: overhead", of->name);
    ck_assert_msg(split.parts[RESIDENT_KEPT] == of->kept * mib, "%s: kept", of->name);
    ck_assert_msg(split.parts[RESIDENT_MALLOC] == of->malloc * mib, "%s: malloc", of->name);
    ck_assert_msg(split.parts[RESIDENT_INHERITED] == of->before_fork * mib, "%s: fork", of->name);
    ck_assert_msg(split.parts[RESIDENT_MAPPED] == of->mapped * mib, "%s: mapped", of->name);
    ck_assert_msg(split.parts[RESIDENT_REST] == of->rest * mib, "%s: rest", of->name);
}
END_TEST

START_TEST(resident_memory_is_split_when_its_heap_is_fullest)
{
    static const unsigned bytes[] = {50, 98, 100}, usable[] = {50, 90, 10};

    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        struct session_resident *resident = array_add(&session.residents);

        resident->bytes = bytes[i] * mib;
        resident->usable_bytes = usable[i] * mib;
    }
    ck_assert(resident_find_peak(&session)->bytes == 98 * mib);
}
END_TEST

START_TEST(fragments_are_what_malloc_kept)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 400 * mib);

    reading->values.rss_bytes = 1000 * mib;
    make_resident(&(struct resident_case){.break_mib = 500,
                                          .areas_mib = 500,
                                          .mapped_mib = 500,
                                          .requested_mib = 400,
                                          .chunk_mib = 400});
    ck_assert_ptr_null(find("FRAG"));
    session.residents.count = 0;
    make_resident(
        &(struct resident_case){.break_mib = 1000, .requested_mib = 400, .chunk_mib = 400});
    ck_assert_ptr_nonnull(strstr(find("FRAG"), "600 MiB of 1000 MiB"));
}
END_TEST

START_TEST(memory_of_an_own_allocator_is_told_only_when_malloc_cannot_have_it)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 10 * mib);

    reading->values.rss_bytes = 500 * mib;
    session.process.first.rss_bytes = 5 * mib;
    session.heap.peak_bytes = 10 * mib;
    ck_assert_ptr_nonnull(strstr(find("OWN-ALLOCATOR"), "485 MiB of 500 MiB"));
    session.heap.peak_bytes = 400 * mib; /* malloc may have kept this */
    ck_assert_ptr_null(find("OWN-ALLOCATOR"));
}
END_TEST

START_TEST(a_runtime_with_a_heap_of_its_own_is_named)
{
    struct session_module *module = array_add(&session.modules);

    ck_assert_ptr_null(find("OWN-HEAP"));
    ck_assert_ptr_nonnull(module);
    module->path = "/usr/lib/jvm/lib/server/libjvm.so";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "Java"));
}
END_TEST

/* For example node with the runtime of a model that it loads. */
START_TEST(each_of_several_runtimes_is_named_once)
{
    static const char *const paths[] = {"/usr/lib/libnode.so.108", "/opt/libonnxruntime.so.1"};
    struct array findings;
    size_t named[2] = {0};

    session.process.program = "/usr/bin/node";
    for (size_t i = 0; i < 2; i++) {
        struct session_module *module = array_add(&session.modules);

        ck_assert_ptr_nonnull(module);
        module->path = paths[i];
    }
    array_init(&findings, sizeof(struct memory_finding));
    memory_find_problems(&findings, &session);
    for (size_t i = 0; i < findings.count; i++) {
        const struct memory_finding *finding = array_at(&findings, i);

        named[0] += strstr(finding->text, "V8") != NULL;
        named[1] += strstr(finding->text, "ONNX Runtime") != NULL;
    }
    ck_assert_uint_eq(named[0], 1);
    ck_assert_uint_eq(named[1], 1);
}
END_TEST

START_TEST(one_call_is_no_calls)
{
    const struct section *head;
    const char *mapped = NULL;

    session.heap.is_exact = true;
    session.heap.maps = session.heap.unmaps = 1;
    session.heap.peak_mapped_bytes = 4096;
    compose();
    head = document_section(&document, 1);
    for (size_t i = 0; i < record_field_count(&head->record); i++)
        if (strcmp(record_field(&head->record, i)->column.key, "mapped") == 0)
            mapped = record_field(&head->record, i)->value.text;
    ck_assert_ptr_nonnull(mapped);
    ck_assert_ptr_nonnull(strstr(mapped, "in 1 mmap call and 1 munmap call"));
    document_fini(&document);
}
END_TEST

START_TEST(the_peak_of_no_block_has_no_time)
{
    session.heap.is_exact = true;
    session.heap.peak_bytes = session.heap.peak_time_ns = 0;
    session.heap.peak_site = session.heap.peak_region = SESSION_NONE;
    compose();
    ck_assert_int_eq(summary("peak_heap_bytes")->integer, 0);
    ck_assert_int_eq(summary("peak_heap_time_ns")->kind, VALUE_NULL);
    document_fini(&document);
}
END_TEST

/* Such as Debian's perl, and node as its makers build it. */
START_TEST(a_program_with_its_runtime_within_is_named)
{
    session.process.program = "/usr/bin/perlsky";
    ck_assert_ptr_null(find("OWN-HEAP"));
    session.process.program = "/usr/bin/perl5.36.0";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "Perl"));
    session.process.program = "/opt/bin/node";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "V8"));
    session.process.program = "/usr/bin/luajit-2.1.0-beta3";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "LuaJIT"));
    session.process.program = "/usr/bin/sbcl";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "SBCL"));
    session.process.program = "/usr/bin/php8.2";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "USE_ZEND_ALLOC=0"));
    session.process.program = "/usr/lib/erlang/erts-13.1.5/bin/beam.smp";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "Erlang"));
    session.process.program = "/usr/bin/mono-sgen";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "Mono"));
}
END_TEST

START_TEST(what_jemalloc_gives_beside_malloc_is_named)
{
    struct session_module *module = array_add(&session.modules);

    ck_assert_ptr_nonnull(module);
    module->path = "/usr/lib/x86_64-linux-gnu/libjemalloc.so.2";
    ck_assert_ptr_nonnull(strstr(find("OWN-HEAP"), "mallocx"));
}
END_TEST

static void see_end(uint64_t resident_bytes)
{
    session.heap.is_exact = true;
    session.heap.peak_bytes = 70;
    session.heap.live_bytes = 30;
    session.process.has_last = true;
    session.process.wall_ns = UINT64_C(1) << 40;
    session.process.last.rss_bytes = session.process.last.peak_rss_bytes = resident_bytes;
}

/* The reading was before the program did anything. */
START_TEST(the_last_gap_is_that_of_the_end_where_it_was_seen)
{
    struct memory_gap gap;

    made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 10)->values.rss_bytes = 40;
    see_end(120);
    ck_assert(memory_find_last_gap(&gap, &session));
    ck_assert_uint_eq(gap.resident_bytes, 120);
    ck_assert_uint_eq(gap.gap_bytes, 90);
    ck_assert(memory_find_peak_gap(&gap, &session));
    ck_assert_uint_eq(gap.resident_bytes, 120);
}
END_TEST

static const struct {
    uint64_t resident_mib;
    uint64_t live_mib;
    uint64_t peak_mib;
    uint64_t first_mib; /* 0: unknown */
    uint64_t own_mib;
    uint64_t mapped_mib;
    const char *line;
} gap_cases[] = {
    {5, 0, 0, 2, 1, 0,
     "5.00 MiB of 5.00 MiB resident memory at the end (18.3 min) is code, libraries and stacks, "
     "as in any program. 2.00 MiB was resident when recording began. 1.00 MiB belongs to tprof."},
    {120, 100, 100, 0, 0, 0,
     "20.0 MiB of 120 MiB resident memory at the end (18.3 min) is code, libraries and stacks, "
     "as in any program."},
    {40, 0, 0, 2, 10, 0,
     "40.0 MiB of 40.0 MiB resident memory at the end (18.3 min) is code, libraries and stacks, "
     "as in any program. 2.00 MiB was resident when recording began. 10.0 MiB belongs to tprof."},
    /* malloc may have kept it. */
    {20, 0, 15, 2, 1, 0,
     "20.0 MiB (100.0 %) of 20.0 MiB resident memory at the end (18.3 min) is not live heap. The "
     "difference is code, stacks, mappings and freed blocks."},
    /* The program may have mapped it. */
    {20, 0, 0, 2, 1, 15,
     "20.0 MiB (100.0 %) of 20.0 MiB resident memory at the end (18.3 min) is not live heap. The "
     "difference is code, stacks, mappings and freed blocks."},
    /* More than libraries take. */
    {50, 0, 0, 2, 1, 0,
     "50.0 MiB (100.0 %) of 50.0 MiB resident memory at the end (18.3 min) is not live heap. The "
     "difference is code, stacks, mappings and freed blocks."},
};

/* A little program is nearly all code and libraries: that is no alarm. */
START_TEST(what_any_program_has_beside_its_heap_is_no_alarm)
{
    see_end(gap_cases[_i].resident_mib * mib);
    session.heap.live_bytes = gap_cases[_i].live_mib * mib;
    session.heap.peak_bytes = gap_cases[_i].peak_mib * mib;
    session.heap.mapped_bytes = gap_cases[_i].mapped_mib * mib;
    if (gap_cases[_i].first_mib > 0)
        session.process.first.rss_bytes = gap_cases[_i].first_mib * mib;
    if (gap_cases[_i].own_mib > 0)
        session.process.own_bytes = gap_cases[_i].own_mib * mib;
    compose();
    ck_assert_str_eq(head_line("gap"), gap_cases[_i].line);
    document_fini(&document);
}
END_TEST

enum { HELD_MOMENTS = 200 };

/* Many moments at a height, and the fall in the last two. */
static void make_teardown(uint64_t height_bytes)
{
    for (int i = 0; i < HELD_MOMENTS; i++)
        made_add_moment(&session, (double)height_bytes, (double)height_bytes);
    made_add_moment(&session, (double)height_bytes / 4, (double)height_bytes / 2);
    made_add_moment(&session, 0, (double)height_bytes / 4);
    session.heap.peak_bytes = height_bytes;
    session.heap.live_bytes = 0;
    session.heap.is_exact = true;
    session.process.has_last = true;
    session.process.last.rss_bytes = session.process.last.peak_rss_bytes = 1000 * mib;
}

static void add_reading_at(uint64_t time_ns, uint64_t live_bytes)
{
    struct session_reading *reading =
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, live_bytes);

    reading->time_ns = time_ns;
    reading->values.rss_bytes = 1000 * mib;
}

/* Memory that stays resident after a heap was freed at exit does not count. */
START_TEST(a_heap_that_is_freed_at_the_end_is_not_fragmented)
{
    const struct session_moment *fall;
    struct memory_gap gap;

    make_teardown(900 * mib);
    fall = array_at(&session.heap.moments, HELD_MOMENTS);
    add_reading_at(0, 0);
    ck_assert(!memory_find_gap(&gap, &session));
    add_reading_at(fall->time_ns / 2, 850 * mib);
    add_reading_at(fall->time_ns + 1, 300 * mib);
    ck_assert(memory_find_gap(&gap, &session));
    ck_assert_uint_eq(gap.gap_bytes, 150 * mib);
    ck_assert_str_eq(memory_gap_when(&gap, &session), "before the final frees");
    ck_assert(memory_find_last_gap(&gap, &session));
    ck_assert_uint_eq(gap.gap_bytes, 1000 * mib);
    ck_assert_ptr_null(find("FRAG"));
}
END_TEST

/* A program frees its data, and its runtime frees more afterwards. */
START_TEST(a_heap_that_is_freed_in_two_steps_at_the_end_is_not_fragmented)
{
    const double kept_bytes = 60 * (double)mib;
    const struct session_moment *fall;
    struct memory_gap gap;

    make_teardown(900 * mib);
    for (int i = 0; i < HELD_MOMENTS / 20; i++)
        made_add_moment(&session, kept_bytes, kept_bytes);
    made_add_moment(&session, 0, kept_bytes);
    fall = array_at(&session.heap.moments, HELD_MOMENTS);
    add_reading_at(fall->time_ns / 2, 850 * mib);
    add_reading_at(fall[4].time_ns, 60 * mib);
    ck_assert(memory_find_gap(&gap, &session));
    ck_assert_uint_eq(gap.gap_bytes, 150 * mib);
    ck_assert_ptr_null(find("FRAG"));
}
END_TEST

/* A rest after the fall that is longer than a teardown means that the program went on. */
START_TEST(a_heap_that_is_freed_before_the_end_is_fragmented)
{
    struct memory_gap gap;

    make_teardown(900 * mib);
    for (int i = 0; i < HELD_MOMENTS; i++)
        made_add_moment(&session, 0, 0);
    add_reading_at(1, 850 * mib);
    ck_assert(memory_find_gap(&gap, &session));
    ck_assert_str_eq(memory_gap_when(&gap, &session), "at the end");
    ck_assert_ptr_nonnull(strstr(find("FRAG"), "1000 MiB of 1000 MiB"));
}
END_TEST

/* By frees of blocks without a record, or by memory that was resident at first. */
START_TEST(what_was_inherited_has_no_gap)
{
    struct memory_gap gap;

    made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 10)->values.rss_bytes = 40;
    see_end(100 * (uint64_t)mib);
    session.heap.unknown_frees = 1;
    ck_assert(!memory_find_last_gap(&gap, &session));
    ck_assert(!memory_find_peak_gap(&gap, &session));
    session.heap.unknown_frees = 0;
    session.process.first.rss_bytes = 60 * (uint64_t)mib;
    ck_assert(!memory_find_last_gap(&gap, &session));
    session.process.first.rss_bytes = 5 * (uint64_t)mib;
    ck_assert(memory_find_last_gap(&gap, &session));
}
END_TEST

/* Without /proc there is no first reading. */
START_TEST(what_was_inherited_is_told_without_a_first_reading)
{
    struct text line;

    session.heap.unknown_frees = 1;
    session.process.first.rss_bytes = SESSION_UNKNOWN;
    ck_assert(memory_is_inherited(&session));
    text_init(&line);
    memory_append_inherited(&line, &session);
    ck_assert_str_eq(
        line.bytes, "The live part of resident memory is unknown: blocks from before the recording "
                    "were freed, as in a forked process.");
    text_fini(&line);
}
END_TEST

/* If records are missing, such a free does not prove inherited blocks. */
START_TEST(missing_records_are_not_told_as_inherited)
{
    const struct field *freed;

    see_end(100 * (uint64_t)mib);
    session.heap.unknown_frees = 7;
    session.heap.is_exact = false;
    session.heap.reason = "the oldest records were overwritten";
    session.heap.peak_bytes = session.heap.live_bytes = SESSION_UNKNOWN;
    ck_assert(!memory_is_inherited(&session));
    compose();
    freed = record_field(&document_section(&document, 1)->record, 2);
    ck_assert_str_eq(freed->column.key, "freed");
    ck_assert_str_eq(freed->value.text,
                     "800 frees. 7 of them are for blocks without a recorded allocation.");
    document_fini(&document);
    build(ANALYSIS_BY_FUNCTION);
    ck_assert_ptr_nonnull(
        strstr(text_list_at(&table.notes, 1), "missing from these rows: the oldest records"));
    table_fini(&table);
}
END_TEST

START_TEST(the_gap_of_the_peak_is_that_of_the_highest_reading)
{
    struct memory_gap gap;

    made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 10)->values.rss_bytes = 100;
    made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 60)->values.rss_bytes = 80;
    ck_assert(memory_find_peak_gap(&gap, &session));
    ck_assert_uint_eq(gap.gap_bytes, 90);
    ck_assert(memory_find_last_gap(&gap, &session));
    ck_assert_uint_eq(gap.gap_bytes, 20);
    ck_assert_double_eq_tol(gap.fraction, 0.25, 1e-12);
}
END_TEST

/* ---- timeline -------------------------------------------------------------------------------- */

START_TEST(programs_see_all_readings_and_people_few_intervals)
{
    const struct table *readings;

    for (int i = 0; i < 100; i++)
        made_add_reading(&session, SESSION_READING_PERIODIC, NULL, 10);
    made_add_reading(&session, SESSION_READING_SNAPSHOT, "after load", 20);
    made_add_moment(&session, 1, 2);
    memory_options.timeline = true;
    compose();
    readings = document_find_table(&document, "readings");
    ck_assert_uint_eq(table_row_count(readings), 101);
    ck_assert_str_eq(table_row(readings, 100)[0].text, "after load");
    readings = document_find_table(&document, "shown");
    ck_assert_uint_eq(table_row_count(readings), 21);
    ck_assert_str_eq(table_row(readings, 20)[0].text, "after load");
    ck_assert_uint_eq(table_row_count(document_find_table(&document, "moments")), 1);
    document_fini(&document);
}
END_TEST

/* A program of a thousand steps, each with a snapshot and a region. */
static void add_steps(int count)
{
    for (int i = 0; i < count; i++) {
        made_add_reading(&session, SESSION_READING_BEGIN, "step", 10);
        made_add_reading(&session, SESSION_READING_SNAPSHOT, i + 1 < count ? "step" : "last", 20);
        made_add_reading(&session, SESSION_READING_END, "step", 10);
    }
}

static const struct {
    int steps;
    size_t limit;
    bool shows_all;
    size_t rows;
    const char *note;
} thinning_cases[] = {
    {1000, 0, false, 100,
     "Of 1,000 snapshots, 50 are shown. Of 1,000 begins of regions, 25 are shown. Of 1,000 ends of "
     "regions, 25 are shown. -n 0 shows all."},
    {1000, 0, true, 3000, NULL},
    {1000, 7, false, 21,
     "Of 1,000 snapshots, 7 are shown. Of 1,000 begins of regions, 7 are shown. Of 1,000 ends of "
     "regions, 7 are shown. -n 0 shows all."},
    {2, 1, false, 3,
     "Of 2 snapshots, 1 is shown. Of 2 begins of regions, 1 is shown. Of 2 ends of regions, 1 is "
     "shown. -n 0 shows all."},
    {25, 0, false, 75, NULL},
    {1, 1, false, 3, NULL},
};

START_TEST(people_see_few_readings_of_a_kind_and_are_told_how_to_see_all)
{
    const struct table *shown;

    add_steps(thinning_cases[_i].steps);
    memory_options.timeline = true;
    options.limit = thinning_cases[_i].limit;
    options.shows_all = thinning_cases[_i].shows_all;
    compose();
    shown = document_find_table(&document, "shown");
    ck_assert_uint_eq(table_row_count(shown), thinning_cases[_i].rows);
    if (thinning_cases[_i].note)
        ck_assert_str_eq(text_list_at(&shown->notes, 0), thinning_cases[_i].note);
    else
        ck_assert_uint_eq(text_list_count(&shown->notes), 0);
    ck_assert_uint_eq(table_row_count(document_find_table(&document, "readings")),
                      3 * (size_t)thinning_cases[_i].steps);
    document_fini(&document);
}
END_TEST

START_TEST(the_first_and_the_last_reading_of_a_kind_are_shown)
{
    const struct table *shown;

    add_steps(1000);
    memory_options.timeline = true;
    compose();
    shown = document_find_table(&document, "shown");
    ck_assert_int_eq(table_row(shown, 0)[table_find_column(shown, "time_ns")].integer, 0);
    ck_assert_str_eq(table_row(shown, table_row_count(shown) - 2)[0].text, "last");
    ck_assert_str_eq(
        table_row(shown, table_row_count(shown) - 1)[table_find_column(shown, "kind")].text, "end");
    document_fini(&document);
}
END_TEST

/* ---- differences ---------------------------------------------------------------------------- */

static struct session before;

/* The same program at other lines: one site less, one more, one that grew. */
static void make_before(void)
{
    uint32_t start, begin, load, step, inner;

    made_init(&before);
    start = made_add_call(&before, 0, "_start", NULL, 0);
    begin = made_add_call(&before, start, "main", "src/main.c", 10);
    load = made_add_call(&before, begin, "load", "src/load.c", 20);
    step = made_add_call(&before, begin, "step", "src/step.c", 30);
    inner = made_add_call(&before, load, "xmalloc", "src/xmalloc.c", 5);
    made_add_site(&before, inner, 1000, 20, 0);
    inner = made_add_call(&before, step, "operator new(unsigned long)", NULL, 0);
    made_add_site(&before, inner, 100, 300, 300);
    inner = made_add_call(&before, begin, "step", "src/step.c", 31);
    made_add_site(&before, made_add_call(&before, inner, "old_way", "src/step.c", 99), 7, 10, 0);
}

/* Versions 1 and 2 of one program: its own functions are in files with other names. */
START_TEST(the_program_is_the_same_whatever_its_file_is_called)
{
    make_before();
    options.before = &before;
    ((struct session_module *)array_at(&before.modules, 0))->path = "/old/v1";
    ((struct session_module *)array_at(&session.modules, 0))->path = "/new/v2";
    compose();
    ck_assert_uint_eq(table_row_count(document_find_table(&document, "sites")), 6);
    document_fini(&document);
    before.process.program = "/old/v1";
    session.process.program = "/new/v2";
    compose();
    ck_assert_uint_eq(table_row_count(document_find_table(&document, "sites")), 3);
    document_fini(&document);
    made_fini(&before);
}
END_TEST

START_TEST(sites_without_records_are_not_new)
{
    make_before();
    options.before = &before;
    array_truncate(&before.sites, 0);
    before.heap.is_exact = false;
    before.heap.reason = "TPROF_ALLOC=count keeps totals only";
    before.heap.peak_bytes = before.heap.live_bytes = SESSION_UNKNOWN;
    compose();
    table = *document_find_table(&document, "sites");
    ck_assert_uint_eq(table_row_count(&table), 0);
    ck_assert_ptr_nonnull(strstr(text_list_at(&table.notes, 0), "cannot be compared"));
    document_fini(&document);
    made_fini(&before);
}
END_TEST

START_TEST(sites_are_the_same_by_the_names_of_their_functions)
{
    make_before();
    options.before = &before;
    compose();
    table = *document_find_table(&document, "sites");
    ck_assert_uint_eq(table_row_count(&table), 3);
    ck_assert_int_eq(cell(0, "change")->integer, 40000);
    ck_assert_int_eq(cell(0, "before")->integer, 20000);
    ck_assert_int_eq(cell(0, "after")->integer, 60000);
    ck_assert_double_eq_tol(cell(0, "ratio")->real, 3, 1e-12);
    ck_assert_str_eq(cell(0, "state")->text, "more");
    ck_assert_str_eq(cell(1, "state")->text, "new");
    ck_assert_int_eq(cell(1, "ratio")->kind, VALUE_NULL);
    ck_assert_str_eq(cell(2, "state")->text, "gone");
    ck_assert_int_eq(cell(2, "change")->integer, -70);
    document_fini(&document);
    made_fini(&before);
}
END_TEST

START_TEST(totals_are_compared)
{
    make_before();
    options.before = &before;
    before.heap.is_exact = false;
    compose();
    table = *document_find_table(&document, "totals");
    ck_assert_str_eq(cell(1, "name")->text, "allocated");
    ck_assert_int_eq(cell(1, "change")->integer, 100000 - 50070);
    ck_assert_int_eq(cell(0, "before")->kind, VALUE_NULL); /* the peak is not known */
    ck_assert_int_eq(cell(0, "change")->kind, VALUE_NULL);
    document_fini(&document);
    made_fini(&before);
}
END_TEST

static void add_tables(Suite *suite)
{
    TCase *tests = tcase_create("tables");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_site_is_where_the_plumbing_was_called);
    tcase_add_test(tests, what_stands_for_outer_calls_is_no_owner);
    tcase_add_loop_test(tests, a_sentence_leaves_out_the_arguments_of_a_long_name, 0,
                        sizeof short_cases / sizeof *short_cases);
    tcase_add_test(tests, an_address_is_said_once_with_its_module);
    tcase_add_test(tests, where_most_places_are_addresses_a_note_says_what_helps);
    tcase_add_test(tests, a_file_may_have_any_name);
    tcase_add_test(tests, the_whole_chain_is_kept_and_the_callers_are_shown);
    tcase_add_loop_test(tests, shares_are_of_the_measure_and_sum_to_1, 0, ANALYSIS_MEASURES);
    tcase_add_test(tests, a_row_has_its_sums);
    tcase_add_test(tests, an_owners_row_has_all_of_its_sites);
    tcase_add_test(tests, a_site_that_frees_nothing_has_no_mean_lifetime);
    tcase_add_test(tests, rows_beyond_the_limit_are_counted);
    tcase_add_test(tests, without_records_the_totals_are_told_and_no_zeros);
    tcase_add_test(tests, small_sites_are_gathered_when_asked_for);
    tcase_add_test(tests, estimates_have_their_standard_error);
    tcase_add_test(tests, rows_say_until_when_they_are_exact_and_mark_what_is_not);
    tcase_add_test(tests, what_was_at_a_peak_among_drawn_blocks_is_an_estimate);
    tcase_add_test(tests, blocks_are_exact_while_only_chains_are_drawn);
    tcase_add_test(tests, what_a_sample_cannot_tell_is_null);
    tcase_add_test(tests, without_chains_there_is_one_site_and_a_hint);
    tcase_add_test(tests, a_python_that_could_name_its_functions_is_told_how);
    tcase_add_loop_test(tests, plumbing_is_known_by_its_own_name, 0,
                        sizeof owner_cases / sizeof *owner_cases);
    tcase_add_test(tests, outermost_functions_of_a_stripped_c_library_are_starters);
    tcase_add_loop_test(tests, what_has_no_name_in_an_allocators_library_is_plumbing, 0,
                        sizeof nameless_cases / sizeof *nameless_cases);
    tcase_add_test(tests, functions_gather_their_lines);
    tcase_add_test(tests, lines_are_told_apart);
    tcase_add_test(tests, lines_below_the_least_share_are_one_row);
    tcase_add_test(tests, kernels_gather_what_was_allocated_in_them);
    tcase_add_loop_test(tests, mappings_have_the_sums_of_their_site, 0,
                        sizeof mapping_cases / sizeof *mapping_cases);
    tcase_add_test(tests, mappings_below_the_least_share_are_one_row);
    tcase_add_loop_test(tests, whether_malloc_maps_among_them_is_said, 0, 3);
    tcase_add_test(tests, mappings_that_are_not_known_are_not_none);
    tcase_add_test(tests, a_tree_from_the_top_has_callers_above);
    tcase_add_test(tests, a_tree_from_below_has_callers_below);
    tcase_add_test(tests, a_tree_from_below_is_as_deep_as_asked);
    tcase_add_loop_test(tests, trees_show_chains_without_an_owner, 0, 2);
    tcase_add_test(tests, what_is_below_one_percent_is_gathered);
    tcase_add_loop_test(tests, a_tree_of_nothing_is_its_root, 0, 2);
    tcase_add_loop_test(tests, a_tree_is_as_deep_as_chains_are, 0, 2);
    tcase_add_test(tests, bins_have_their_edges);
    tcase_add_test(tests, regions_have_a_baseline_an_end_and_a_peak);
    tcase_add_test(tests, threads_have_their_totals);
    suite_add_tcase(suite, tests);
}

static void add_documents(Suite *suite)
{
    TCase *tests = tcase_create("documents");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, people_see_few_bins_and_lose_no_block);
    tcase_add_loop_test(tests, people_see_the_mappings_where_there_are_some, 0, 2);
    tcase_add_test(tests, the_head_names_the_site_of_the_peak);
    tcase_add_test(tests, what_was_freed_is_estimated_like_what_is_live);
    tcase_add_test(tests, programs_are_told_the_doubts);
    tcase_add_test(tests, what_is_unknown_is_null);
    tcase_add_test(tests, mappings_are_known_where_blocks_are_only_counted);
    tcase_add_test(tests, high_memory_is_found_by_size_and_by_limit);
    tcase_add_test(tests, fragments_are_neither_live_nor_mapped_nor_of_files);
    tcase_add_test(tests, fragments_are_what_malloc_kept);
    tcase_add_test(tests, resident_memory_is_split_when_its_heap_is_fullest);
    tcase_add_loop_test(tests, parts_of_resident_memory_add_up, 0,
                        sizeof resident_cases / sizeof *resident_cases);
    tcase_add_test(tests, memory_of_an_own_allocator_is_told_only_when_malloc_cannot_have_it);
    tcase_add_test(tests, a_runtime_with_a_heap_of_its_own_is_named);
    tcase_add_test(tests, each_of_several_runtimes_is_named_once);
    tcase_add_test(tests, a_program_with_its_runtime_within_is_named);
    tcase_add_test(tests, what_jemalloc_gives_beside_malloc_is_named);
    tcase_add_test(tests, the_gap_of_the_peak_is_that_of_the_highest_reading);
    tcase_add_test(tests, the_last_gap_is_that_of_the_end_where_it_was_seen);
    tcase_add_loop_test(tests, what_any_program_has_beside_its_heap_is_no_alarm, 0,
                        sizeof gap_cases / sizeof *gap_cases);
    tcase_add_test(tests, what_was_inherited_has_no_gap);
    tcase_add_test(tests, what_was_inherited_is_told_without_a_first_reading);
    tcase_add_test(tests, one_call_is_no_calls);
    tcase_add_test(tests, the_peak_of_no_block_has_no_time);
    tcase_add_test(tests, a_heap_that_is_freed_at_the_end_is_not_fragmented);
    tcase_add_test(tests, a_heap_that_is_freed_in_two_steps_at_the_end_is_not_fragmented);
    tcase_add_test(tests, a_heap_that_is_freed_before_the_end_is_fragmented);
    tcase_add_test(tests, missing_records_are_not_told_as_inherited);
    tcase_add_test(tests, programs_see_all_readings_and_people_few_intervals);
    tcase_add_loop_test(tests, people_see_few_readings_of_a_kind_and_are_told_how_to_see_all, 0,
                        sizeof thinning_cases / sizeof *thinning_cases);
    tcase_add_test(tests, the_first_and_the_last_reading_of_a_kind_are_shown);
    tcase_add_test(tests, the_program_is_the_same_whatever_its_file_is_called);
    tcase_add_test(tests, sites_without_records_are_not_new);
    tcase_add_test(tests, sites_are_the_same_by_the_names_of_their_functions);
    tcase_add_test(tests, totals_are_compared);
    suite_add_tcase(suite, tests);
}

int check_memory(void)
{
    Suite *suite = suite_create("memory");

    add_tables(suite);
    add_documents(suite);
    return suite_run_in_pool(suite);
}
