/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tests of the way from a trace to a session: the whole way from bytes, for a sound trace and for
 * many damaged ones.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_open.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "suite.h"
#include "trace_builder.h"

enum {
    EVENT_CHUNK = 4096,
    FACT_CHUNK = 8192,
    START = 1000, /* tick at which the builder's recording starts */
    THREAD = 1,   /* cells of the sample's first lane */
    OUTER = 2,
    INNER = 3,
    SLOT = 4,
    NESTED = 5
};

static const char catalog_text[] =
    "family fortran\n"
    "  symbols int32 %_\n"
    "\n"
    "kernel dgemm\n"
    "  family fortran\n"
    "  proto void (const integer *m, const integer *n, const integer *k)\n"
    "  shape m n k\n"
    "  flops 2*m*n*k exact\n"
    "  bytes 8*(m*k + k*n + 2*m*n)\n"
    "  class matmul\n"
    "  check m=2 n=3 k=4 = 48\n"
    "  source LAWN 41\n"
    "kernel product\n"
    "  proto void (int b, int m, int n)\n"
    "  shape b m n\n"
    "  flops 2*b*m*n exact\n";

/* ---- the sample -------------------------------------------------------- */

static void add_modules(struct trace_builder *builder)
{
    struct trace_module module = {
        .id = 5, .epoch = 1, .start = 0x4000, .end = 0x5000, .build_id_size = 2};

    trace_builder_fact(builder, TRACE_FACT_MODULE, &module, sizeof module, "\xab\x01/lib/old.so",
                       13);
    module.id = 6;
    module.epoch = 2;
    trace_builder_fact(builder, TRACE_FACT_MODULE, &module, sizeof module, "\xab\x02/lib/blas.so",
                       14);
}

static void add_bindings(struct trace_builder *builder)
{
    const struct trace_binding binding = {9, 0, 0x4100, 0x900};
    const struct trace_hook hooked = {5, 9, 3, TRACE_HOOK_HOOKED};
    const struct trace_hook missed = {99, 0, 1, TRACE_HOOK_READ_ONLY};

    trace_builder_fact(builder, TRACE_FACT_BINDING, &binding, sizeof binding, "dgemm_", 6);
    trace_builder_fact(builder, TRACE_FACT_HOOK, &hooked, sizeof hooked, "dgemm_", 6);
    trace_builder_fact(builder, TRACE_FACT_HOOK, &missed, sizeof missed, "sgemm_", 6);
}

static void add_facts(struct trace_builder *builder, const char *alloc_option)
{
    size_t half = sizeof catalog_text / 2;

    trace_builder_chunk(builder, TRACE_FACTS, 0, 0, FACT_CHUNK, START + 5);
    trace_builder_fact(builder, TRACE_FACT_PROPERTY, "command", 8, "./model\0--size\0\0", 16);
    trace_builder_property(builder, "program", "/usr/bin/model");
    trace_builder_property(builder, "host", "node7");
    trace_builder_property(builder, "cpu_count", "8");
    trace_builder_property(builder, "environment", "OMP_NUM_THREADS=4");
    trace_builder_property(builder, "option", alloc_option);
    trace_builder_property(builder, "of-the-future", "x");
    trace_builder_string(builder, 1, "model");
    trace_builder_string(builder, 2, "layer");
    trace_builder_string(builder, 3, "accuracy");
    trace_builder_fact(builder, TRACE_FACT_CATALOG, NULL, 0, catalog_text, half);
    trace_builder_fact(builder, TRACE_FACT_CATALOG, NULL, 0, catalog_text + half,
                       sizeof catalog_text - 1 - half);
    add_modules(builder);
    add_bindings(builder);
}

/* model 10000 ticks, inside it layer 4000, inside that a kernel of 1000. */
static void add_tallies(struct trace_builder *builder, uint32_t lane)
{
    const struct trace_node thread = {.thread = 70 + lane,
                                      .cpu_ns = 400000,
                                      .first_ticks = START + 1000,
                                      .last_ticks = START + 501000,
                                      .allocations = 2,
                                      .allocated_bytes = 300,
                                      .frees = 1,
                                      .extended = 3};
    const struct trace_node outer = {.parent = THREAD,
                                     .label = 1,
                                     .calls = 1,
                                     .ticks = 10000,
                                     .inner_ticks = 4000,
                                     .cpu_ns = 9000,
                                     .items = 32,
                                     .allocations = 1,
                                     .allocated_bytes = 1000,
                                     .frees = 1};
    const struct trace_node inner = {.parent = OUTER, .label = 2, .calls = 1, .ticks = 4000};
    const struct trace_slot slot = {.binding = 9,
                                    .node = INNER,
                                    .dims = 3,
                                    .site = 0x1234,
                                    .calls = 2,
                                    .ticks = 1500,
                                    .inner_ticks = 100,
                                    .min_ticks = 500,
                                    .max_ticks = 1000,
                                    .shape = {2, 3, 4}};
    const struct trace_slot nested = {.binding = 9,
                                      .node = INNER,
                                      .dims = 2,
                                      .flags = TRACE_SLOT_NESTED,
                                      .calls = 1,
                                      .ticks = 100,
                                      .min_ticks = 100,
                                      .max_ticks = 100};

    trace_builder_chunk(builder, TRACE_TALLIES, lane, 0, TRACE_TALLY_CHUNK_SIZE, START + 10);
    ck_assert_uint_eq(trace_builder_node(builder, &thread), THREAD);
    ck_assert_uint_eq(trace_builder_node(builder, &outer), OUTER);
    ck_assert_uint_eq(trace_builder_node(builder, &inner), INNER);
    ck_assert_uint_eq(trace_builder_slot(builder, &slot), SLOT);
    ck_assert_uint_eq(trace_builder_slot(builder, &nested), NESTED);
}

static void add_calls(struct trace_builder *builder)
{
    trace_builder_call(builder, TRACE_EVENT_ENTER, START + 4000, INNER, 0);
    trace_builder_call(builder, TRACE_EVENT_KERNEL, START + 5000, SLOT, 500);
    trace_builder_call(builder, TRACE_EVENT_KERNEL, START + 5500, NESTED, 100);
    trace_builder_call(builder, TRACE_EVENT_KERNEL, START + 6000, SLOT, 1000);
    trace_builder_call(builder, TRACE_EVENT_LEAVE, START + 8000, INNER, 4000);
}

/* Live before, in, and after "model": 300, up to 1300, 200. */
static void add_events(struct trace_builder *builder, uint32_t lane, uint64_t base)
{
    const uint64_t metric[2] = {3, 0x3fe0000000000000}; /* 0.5 */
    const uint64_t request = lane;

    trace_builder_chunk(builder, TRACE_EVENTS, lane, 0, EVENT_CHUNK, START + 20);
    trace_builder_block(builder, TRACE_EVENT_MALLOC, START + 1012, base, 100);
    trace_builder_block(builder, TRACE_EVENT_CALLOC, START + 1044, base + 512, 200);
    trace_builder_extended(builder, START + 2000, TRACE_EXTENDED_REQUEST_BEGIN, &request, 1);
    trace_builder_call(builder, TRACE_EVENT_ENTER, START + 3000, OUTER, 0);
    trace_builder_block(builder, TRACE_EVENT_MALLOC, START + 3200, base + 1024, 1000);
    trace_builder_block(builder, TRACE_EVENT_FREE, START + 3600, base + 1024, 0);
    add_calls(builder);
    trace_builder_call(builder, TRACE_EVENT_LEAVE, START + 13000, OUTER, 10000);
    trace_builder_block(builder, TRACE_EVENT_FREE, START + 14008, base, 0);
    trace_builder_extended(builder, START + 15000, TRACE_EXTENDED_METRIC, metric, 2);
    trace_builder_extended(builder, START + 16000, TRACE_EXTENDED_REQUEST_END, &request, 1);
}

static void build_sample(struct trace_builder *builder, const char *alloc_option)
{
    trace_builder_init(builder);
    trace_builder_header(builder)->overhead = (struct trace_overhead){.kernel = 25600,
                                                                      .kernel_inner = 12800,
                                                                      .entry = 25600,
                                                                      .entry_inner = 12800,
                                                                      .region = 2560,
                                                                      .allocation = 5120,
                                                                      .resolution = 256};
    add_facts(builder, alloc_option);
    add_tallies(builder, 1);
    add_events(builder, 1, 0x10000);
}

static void open_as(const struct trace_builder *builder, struct session *session,
                    const struct session_options *options)
{
    char path[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic = {.text = ""};

    trace_builder_write(builder, builder->size, path);
    enum status status = session_open(session, path, options, &diagnostic);
    unlink(path);
    ck_assert_msg(!status, "%s", diagnostic.text);
}

static void open_built(const struct trace_builder *builder, struct session *session)
{
    const struct session_options options = session_defaults();

    open_as(builder, session, &options);
}

static struct session open_sample(const char *alloc_option)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, alloc_option);
    open_built(&builder, &session);
    trace_builder_fini(&builder);
    return session;
}

/* Returns: whether some doubt has these words. */
static bool doubts(const struct session *session, const char *words)
{
    for (size_t i = 0; i < text_list_count(&session->doubts); i++)
        if (strstr(text_list_at(&session->doubts, i), words))
            return true;
    return false;
}

/* ---- a sound trace ----------------------------------------------------- */

START_TEST(session_knows_the_process)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_process *process = &session.process;

    ck_assert_uint_eq(text_list_count(&process->command), 3);
    ck_assert_str_eq(text_list_at(&process->command, 1), "--size");
    ck_assert_str_eq(text_list_at(&process->command, 2), "");
    ck_assert_str_eq(process->name, "model");
    ck_assert_str_eq(process->host, "node7");
    ck_assert_ptr_null(process->cpu);
    ck_assert_uint_eq(process->cpu_count, 8);
    ck_assert_uint_eq(process->memory_limit_bytes, SESSION_UNKNOWN);
    ck_assert_str_eq(text_list_at(&process->environment, 0), "OMP_NUM_THREADS=4");
    ck_assert_int_eq(process->ending, SESSION_EXITED);
    ck_assert_uint_eq(process->wall_ns, 1000000000);
    ck_assert_uint_eq(text_list_count(&session.doubts), 0);
    session_close(&session);
}
END_TEST

START_TEST(session_finds_modules_of_the_newest_load_map)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_binding *binding = session.bindings.items;
    const struct session_hook *hooks = session.hooks.items;

    ck_assert_str_eq(binding->symbol, "dgemm_");
    ck_assert_str_eq(binding->kernel->name, "dgemm");
    ck_assert_str_eq(binding->module->path, "/lib/blas.so");
    ck_assert_str_eq(binding->module->build_id, "ab02");
    ck_assert_uint_eq(binding->calls, 3);
    ck_assert_ptr_eq(hooks[0].binding, binding);
    ck_assert_str_eq(hooks[0].module->path, "/lib/old.so");
    ck_assert_ptr_null(hooks[1].binding);
    ck_assert_ptr_null(hooks[1].module);
    ck_assert_ptr_null(session_find_module(&session, 0x5000));
    session_close(&session);
}
END_TEST

START_TEST(session_counts_time_inside_kernels_and_regions_once)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_region *region = session.regions.items;
    const struct session_thread *thread = session.threads.items;

    ck_assert_uint_eq(session.regions.count, 3);
    ck_assert_str_eq(region[0].path, "");
    ck_assert_str_eq(region[1].path, "model");
    ck_assert_str_eq(region[2].path, "model/layer");
    ck_assert_uint_eq(region[2].depth, 2);
    ck_assert_uint_eq(region[0].inclusive_ns, 500000);
    ck_assert_uint_eq(region[0].exclusive_ns, 490000);
    ck_assert_uint_eq(region[1].inclusive_ns, 10000);
    ck_assert_uint_eq(region[1].exclusive_ns, 6000);
    ck_assert_uint_eq(region[2].kernel_ns, 1500 - 3 * 50);
    ck_assert_uint_eq(thread->kernel_ns, 1500 - 3 * 50);
    ck_assert_uint_eq(thread->first_ns, 1000);
    ck_assert_uint_eq(thread->last_ns, 501000);
    ck_assert_uint_eq(thread->cpu_ns, 400000);
    ck_assert_uint_eq(session.thread_ns, 500000);
    session_close(&session);
}
END_TEST

START_TEST(session_works_out_the_flops_of_shapes_the_catalog_knows)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_slot *slot = session.slots.items;
    const uint64_t *durations = slot->durations_ns.items;

    ck_assert_uint_eq(session.slots.count, 2);
    ck_assert(slot[0].flops_each == 48);
    ck_assert(slot[0].bytes_each == 8 * (8 + 12 + 12));
    ck_assert(isnan(slot[1].flops_each));
    ck_assert(slot[1].nested);
    ck_assert_uint_eq(slot->durations_ns.count, 2);
    ck_assert_uint_eq(durations[0], 500);
    ck_assert_uint_eq(durations[1], 1000);
    const struct session_course *course = course_of(&session, slot->thread);
    const struct course_call *calls = course->calls.items;
    ck_assert(course->is_whole);
    ck_assert_uint_eq(course->calls.count, 2);
    ck_assert_uint_eq(calls[0].start_ns, 4500);
    ck_assert_uint_eq(course_end_ns(&calls[1]), 6000);
    session_close(&session);
}
END_TEST

/* How the doubt begins when half a paragraph is there, by whether a chunk found
 * no room. */
static const struct {
    uint64_t failed_chunks;
    const char *doubt;
} catalog_cases[] = {{0, "Line 8 of the trace's kernel catalog has a mistake"},
                     {1, "Part of the kernel catalog is missing"}};

START_TEST(session_tells_a_catalog_that_is_not_whole_from_one_with_a_mistake)
{
    const size_t half = (size_t)(strstr(catalog_text, "*m*n*k exact") - catalog_text);
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_header(&builder)->failed_chunks = catalog_cases[_i].failed_chunks;
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, FACT_CHUNK, START);
    trace_builder_fact(&builder, TRACE_FACT_CATALOG, NULL, 0, catalog_text, half);
    open_built(&builder, &session);
    trace_builder_fini(&builder);
    ck_assert(doubts(&session, catalog_cases[_i].doubt));
    session_close(&session);
}
END_TEST

/* The built-in catalog as a frame, which may be cut, and the user's addition. */
static void open_packed(struct session *session, double part)
{
    const char *users = strstr(catalog_text, "kernel product");
    struct trace_builder builder;
    char packed[1024];
    size_t size =
        ZSTD_compress(packed, sizeof packed, catalog_text, (size_t)(users - catalog_text), 3);
    size_t half = size / 2, rest = (size_t)((double)(size - half) * part);

    ck_assert(!ZSTD_isError(size));
    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, FACT_CHUNK, START);
    trace_builder_fact(&builder, TRACE_FACT_CATALOG, NULL, 0, users, strlen(users));
    trace_builder_fact(&builder, TRACE_FACT_PACKED_CATALOG, NULL, 0, packed, half);
    trace_builder_fact(&builder, TRACE_FACT_PACKED_CATALOG, NULL, 0, packed + half, rest);
    open_built(&builder, session);
    trace_builder_fini(&builder);
}

START_TEST(session_unpacks_the_catalog_and_adds_what_the_user_did)
{
    struct session session;

    open_packed(&session, 1);
    ck_assert_uint_eq(session.catalog.kernel_count, 2);
    ck_assert_str_eq(session.catalog.kernels[0].name, "dgemm");
    ck_assert_str_eq(session.catalog.kernels[1].name, "product");
    ck_assert(!doubts(&session, "Part of the kernel catalog is missing"));
    session_close(&session);
}
END_TEST

START_TEST(session_doubts_a_packed_catalog_without_its_end)
{
    struct session session;

    open_packed(&session, 0.5);
    ck_assert(doubts(&session, "Part of the kernel catalog is missing"));
    session_close(&session);
}
END_TEST

/* What libtprof of this build writes. */
static const unsigned char own_catalog[] = {
#define PACKED(byte) byte,
#include "kernels.def"
#undef PACKED
    0};

/* Returns: how many kernels of a catalog were read. */
static unsigned count_read(const struct catalog *catalog)
{
    unsigned count = 0;

    for (unsigned i = 0; i < catalog->kernel_count; i++)
        count += catalog->kernels[i].name != NULL;
    return count;
}

/* One binding, of a kernel that stands far behind the first. */
START_TEST(session_reads_kernels_of_its_own_catalog_when_they_are_bound)
{
    const struct trace_binding binding = {9, 1000, 0x4100, 0x900};
    const char *text = (const char *)own_catalog;
    const size_t size = sizeof own_catalog - 1, half = size / 2;
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, 4 * FACT_CHUNK, START);
    trace_builder_fact(&builder, TRACE_FACT_PACKED_CATALOG, NULL, 0, text, half);
    trace_builder_fact(&builder, TRACE_FACT_PACKED_CATALOG, NULL, 0, text + half, size - half);
    trace_builder_fact(&builder, TRACE_FACT_BINDING, &binding, sizeof binding, "dgemm_", 6);
    open_built(&builder, &session);
    trace_builder_fini(&builder);
    ck_assert_uint_eq(count_read(&session.catalog), 1);
    ck_assert_ptr_eq(session_binding_at(&session, 0)->kernel, &session.catalog.kernels[1000]);
    ck_assert_uint_gt(session.catalog.kernels[1000].symbol_count, 0);
    ck_assert_uint_eq(count_read(session_read_catalog(&session)), session.catalog.kernel_count);
    session_close(&session);
}
END_TEST

/* A slot of a thread of its own, called with an object of this shape. */
static void add_wide_slot(struct trace_builder *builder, int64_t id)
{
    const struct trace_slot slot = {.binding = 9,
                                    .node = THREAD,
                                    .dims = TRACE_DIMS_WIDE,
                                    .calls = 1,
                                    .ticks = 100,
                                    .min_ticks = 100,
                                    .max_ticks = 100,
                                    .shape = {id}};

    trace_builder_slot(builder, &slot);
}

static void add_shape(struct trace_builder *builder, uint32_t id, uint32_t kernel, uint32_t count)
{
    struct {
        struct trace_shape head;
        int64_t values[3];
    } shape = {{id, kernel, count, 0}, {5, 6, 7}};

    trace_builder_fact(builder, TRACE_FACT_SHAPE, &shape, sizeof shape, "jit:avx2", 8);
}

START_TEST(session_takes_kernel_and_shape_of_the_object_that_was_called)
{
    const struct trace_node thread = {.thread = 80, .first_ticks = START, .last_ticks = 2000};
    struct trace_builder builder;
    struct session session;
    const struct session_slot *slot;

    build_sample(&builder, "TPROF_ALLOC=full");
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 1, FACT_CHUNK, START + 6);
    add_shape(&builder, 1, 1, 3);
    add_shape(&builder, 2, 99, 3);                    /* of no kernel */
    add_shape(&builder, 3, 1, CATALOG_SHAPE_MAX + 1); /* makes no sense */
    trace_builder_chunk(&builder, TRACE_TALLIES, 9, 0, TRACE_TALLY_CHUNK_SIZE, START + 10);
    trace_builder_node(&builder, &thread);
    for (int64_t id = 0; id < 4; id++)
        add_wide_slot(&builder, id);
    open_built(&builder, &session);
    trace_builder_fini(&builder);
    ck_assert_uint_eq(session.slots.count, 6);
    slot = array_at(&session.slots, 2);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(session_name_slot(&session, &slot[i]), i == 1 ? "product" : "dgemm_");
    ck_assert_str_eq(slot[1].implementation, "jit:avx2");
    ck_assert_uint_eq(slot[1].dims, 3);
    ck_assert(slot[1].flops_each == 2 * 5 * 6 * 7);
    ck_assert(isnan(slot[0].flops_each));
    ck_assert(isnan(slot[2].flops_each));
    ck_assert_ptr_null(slot[3].implementation);
    ck_assert(doubts(&session, "So the FLOPs of their executions are unknown"));
    ck_assert_uint_eq(session.losses.bad_records, 1);
    session_close(&session);
}
END_TEST

START_TEST(session_replays_the_heap_to_the_byte)
{
    struct session session = open_sample("TPROF_ALLOC=nostack");
    const struct session_region *region = session.regions.items;

    ck_assert_msg(session.heap.is_exact, "%s", session.heap.reason);
    ck_assert_uint_eq(session.heap.peak_bytes, 1300);
    ck_assert_uint_eq(session.heap.peak_time_ns, 3192);
    ck_assert_uint_eq(session.heap.live_bytes, 200);
    ck_assert_uint_eq(session.heap.live_blocks, 1);
    ck_assert_uint_eq(session.heap.allocations, 3);
    ck_assert_uint_eq(session.heap.allocated_bytes, 1300);
    ck_assert_uint_eq(region[0].peak_heap_bytes, 1300);
    ck_assert_uint_eq(region[1].peak_heap_bytes, 1300);
    ck_assert_uint_eq(region[2].peak_heap_bytes, 300);
    session_close(&session);
}
END_TEST

START_TEST(session_takes_numbers_that_the_program_states)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_metric *metric = session.metrics.items;

    ck_assert_uint_eq(session.metrics.count, 1);
    ck_assert_str_eq(metric->name, "accuracy");
    ck_assert(metric->value == 0.5);
    ck_assert_uint_eq(session.items, 32);
    ck_assert_uint_eq(session.requests, 1);
    ck_assert_uint_eq(*(uint64_t *)session.requests_ns.items, 14000);
    session_close(&session);
}
END_TEST

START_TEST(session_prices_recording_by_what_the_shim_measured)
{
    struct session session = open_sample("TPROF_ALLOC=full");

    ck_assert(session.overhead.kernel_ns == 100);
    ck_assert(session.overhead.kernel_inner_ns == 50);
    ck_assert_uint_eq(session.overhead.total_ns, 3 * 100 + 2 * 10 + 5 * 20);
    ck_assert(fabs(session.overhead.fraction - 420 / 500000.0) < 1e-12);
    session_close(&session);
}
END_TEST

START_TEST(session_merges_regions_of_threads_by_their_path)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    add_tallies(&builder, 2);
    add_events(&builder, 2, 0x20000);
    open_built(&builder, &session);
    const struct session_region *region = session.regions.items;
    ck_assert_uint_eq(session.regions.count, 3);
    ck_assert_uint_eq(session.threads.count, 2);
    ck_assert_uint_eq(region[0].threads, 2);
    ck_assert_uint_eq(region[2].threads, 2);
    ck_assert_uint_eq(region[2].calls, 2);
    ck_assert_uint_eq(region[2].inclusive_ns, 8000);
    ck_assert_uint_eq(session.heap.peak_bytes, 2600);
    ck_assert_uint_eq(region[1].peak_heap_bytes, 2600);
    ck_assert_uint_eq(region[2].peak_heap_bytes, 600);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- realloc ----------------------------------------------------------- */

static void build_blocks(struct trace_builder *builder)
{
    trace_builder_init(builder);
    trace_builder_chunk(builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, START);
    trace_builder_block(builder, TRACE_EVENT_MALLOC, START + 16, 0x100, 100);
}

START_TEST(session_puts_a_block_back_when_realloc_failed)
{
    struct trace_builder builder;
    struct session session;

    build_blocks(&builder);
    trace_builder_block(&builder, TRACE_EVENT_RELEASE, START + 32, 0x100, 0);
    trace_builder_block(&builder, TRACE_EVENT_RESTORE, START + 48, 0x100, 0);
    trace_builder_block(&builder, TRACE_EVENT_RELEASE, START + 64, 0x900, 0);
    trace_builder_block(&builder, TRACE_EVENT_RESTORE, START + 80, 0x900, 0);
    open_built(&builder, &session);
    ck_assert_msg(session.heap.is_exact, "%s", session.heap.reason);
    ck_assert_uint_eq(session.heap.live_bytes, 100);
    ck_assert_uint_eq(session.heap.peak_bytes, 100);
    ck_assert_uint_eq(session.heap.unknown_frees, 0);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_holds_two_blocks_never_while_realloc_moves_one)
{
    struct trace_builder builder;
    struct session session;

    build_blocks(&builder);
    trace_builder_block(&builder, TRACE_EVENT_RELEASE, START + 32, 0x100, 0);
    trace_builder_block(&builder, TRACE_EVENT_REALLOC, START + 48, 0x200, 150);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.heap.peak_bytes, 150);
    ck_assert_uint_eq(session.heap.live_blocks, 1);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_shows_the_live_heap_of_each_reading)
{
    struct trace_builder builder;
    struct session session;
    uint64_t words[1 + BUILDER_READING_WORDS] = {7, 4096};

    build_blocks(&builder);
    trace_builder_extended(&builder, START + 40, TRACE_EXTENDED_READING, words + 1,
                           BUILDER_READING_WORDS);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, START + 56, 0x200, 50);
    trace_builder_extended(&builder, START + 90, TRACE_EXTENDED_SNAPSHOT, words,
                           1 + BUILDER_READING_WORDS);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(session.readings.count, 2);
    ck_assert_uint_eq(reading[0].live_heap_bytes, 100);
    ck_assert_ptr_null(reading[0].label);
    ck_assert_uint_eq(reading[0].values.rss_bytes, 4096);
    ck_assert_uint_eq(reading[1].live_heap_bytes, 150);
    ck_assert_str_eq(reading[1].label, "?");
    ck_assert_uint_eq(reading[1].time_ns, 90);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_keeps_the_heap_of_a_reading_when_the_heap_moves_after_it)
{
    const uint64_t near[] = {4000, 5000, START + 30}, later[] = {100, 5000, START + 30};
    struct trace_builder builder;
    struct session session;
    uint64_t words[BUILDER_READING_WORDS] = {4096};

    build_blocks(&builder);
    trace_builder_extended(&builder, START + 30, TRACE_EXTENDED_HEAP, later, 3);
    trace_builder_extended(&builder, START + 40, TRACE_EXTENDED_READING, words,
                           BUILDER_READING_WORDS);
    trace_builder_extended(&builder, START + 41, TRACE_EXTENDED_HEAP, near, 3);
    trace_builder_extended(&builder, START + 60, TRACE_EXTENDED_HEAP, later, 3);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(session.readings.count, 1);
    ck_assert_uint_eq(reading[0].usable_heap_bytes, 4000);
    ck_assert_uint_eq(session.losses.bad_records, 0);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* Of three threads one is joined, and one detaches itself before its creator has written. */
START_TEST(session_tells_which_threads_nobody_joined)
{
    struct trace_builder builder;
    struct session session;

    build_blocks(&builder);
    trace_builder_extended(&builder, START + 30, TRACE_EXTENDED_THREAD,
                           (const uint64_t[]){0x100, 8192, 0}, 3);
    trace_builder_extended(&builder, START + 31, TRACE_EXTENDED_JOINED, (const uint64_t[]){0x300},
                           1);
    trace_builder_extended(&builder, START + 32, TRACE_EXTENDED_THREAD,
                           (const uint64_t[]){0x200, 8192, 0}, 3);
    trace_builder_extended(&builder, START + 33, TRACE_EXTENDED_THREAD,
                           (const uint64_t[]){0x300, 8192, 0}, 3);
    trace_builder_extended(&builder, START + 34, TRACE_EXTENDED_JOINED, (const uint64_t[]){0x100},
                           1);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.unjoined.count, 1);
    const struct session_unjoined *unjoined = session.unjoined.items;
    ck_assert_uint_eq(unjoined->count, 1);
    ck_assert_uint_eq(unjoined->stack_bytes, 8192);
    ck_assert_uint_eq(unjoined->chain, SESSION_NONE);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- memory ------------------------------------------------------------ */

enum { CHAIN = 5, INNER_CHAIN = 6, MAPPER_CHAIN = 7, PAGE = 4096 };

static void add_departure(struct trace_builder *builder)
{
    const struct trace_gone gone = {5, 2};

    trace_builder_chunk(builder, TRACE_FACTS, 0, 1, EVENT_CHUNK, START);
    trace_builder_fact(builder, TRACE_FACT_GONE, &gone, sizeof gone, "", 0);
}

static void add_stacks(struct trace_builder *builder, uint32_t lane)
{
    const struct trace_call root = {1, 0, TRACE_CHAIN_WHOLE};
    const struct trace_call outer = {0x4100, 4, 0};
    const struct trace_call inner = {0x4200, CHAIN, 0};
    const struct trace_call mapper = {0x4300, CHAIN, 0};

    trace_builder_chunk(builder, TRACE_STACKS, lane, 0, TRACE_STACK_CHUNK_SIZE, START);
    ck_assert_uint_eq(trace_builder_stack(builder, &root), 4);
    ck_assert_uint_eq(trace_builder_stack(builder, &outer), CHAIN);
    ck_assert_uint_eq(trace_builder_stack(builder, &inner), INNER_CHAIN);
    ck_assert_uint_eq(trace_builder_stack(builder, &mapper), MAPPER_CHAIN);
}

static void add_chained(struct trace_builder *builder, uint64_t ticks, uint64_t address,
                        uint64_t size)
{
    const struct trace_builder_block block = {address, size, size % 2 ? CHAIN : INNER_CHAIN};

    trace_builder_chained(builder, TRACE_EVENT_MALLOC, START + ticks, &block);
}

static void add_mapping(struct trace_builder *builder, uint64_t ticks)
{
    const uint64_t map[4] = {PAGE, 10 * PAGE - 1, 3, CHAIN};
    const uint64_t unmap[2] = {2 * PAGE, PAGE};
    const uint64_t remap[5] = {5 * PAGE, 6 * PAGE, 90 * PAGE, 9 * PAGE, MAPPER_CHAIN};

    trace_builder_extended(builder, START + ticks, TRACE_EXTENDED_MAP, map, 4);
    trace_builder_extended(builder, START + ticks + 1, TRACE_EXTENDED_UNMAP, unmap, 2);
    trace_builder_extended(builder, START + ticks + 2, TRACE_EXTENDED_REMAP, remap, 5);
}

static void add_border(struct trace_builder *builder, uint64_t ticks, uint64_t is_begin)
{
    uint64_t words[2 + BUILDER_READING_WORDS] = {1, is_begin, 8192};

    trace_builder_extended(builder, START + ticks, TRACE_EXTENDED_BORDER, words,
                           2 + BUILDER_READING_WORDS);
}

/* A thread of lane 2 with blocks of two chains: sizes that are odd are CHAIN's. */
static void build_memory(struct trace_builder *builder)
{
    trace_builder_init(builder);
    trace_builder_header(builder)->page_size = PAGE;
    add_facts(builder, "TPROF_ALLOC=full");
    add_departure(builder);
    add_stacks(builder, 2);
    trace_builder_chunk(builder, TRACE_EVENTS, 2, 0, EVENT_CHUNK, START);
    add_border(builder, 16, 1);
    add_chained(builder, 32, 0x1000, 101);
    add_chained(builder, 64, 0x2000, 200);
    trace_builder_block(builder, TRACE_EVENT_FREE, START + 96, 0x2000, 0);
    add_chained(builder, 128, 0x3000, 51);
    add_mapping(builder, 160);
    add_border(builder, 176, 0);
    trace_builder_block(builder, TRACE_EVENT_FREE, START + 192, 0x1000, 0);
}

static const struct session_site *find_site(const struct session *session, uint64_t address)
{
    const struct session_site *site = session->sites.items;
    const struct session_call *call = session->calls.items;

    for (size_t i = 0; i < session->sites.count; i++)
        if (call[site[i].call].address == address)
            return &site[i];
    ck_abort_msg("no site has its call at %llx", (unsigned long long)address);
}

START_TEST(session_tells_what_became_of_the_blocks_of_each_site)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    ck_assert_msg(session.heap.is_exact, "%s", session.heap.reason);
    const struct session_site *outer = find_site(&session, 0x40ff);
    ck_assert_uint_eq(outer->records, 2);
    ck_assert_uint_eq(outer->allocations, 2);
    ck_assert_uint_eq(outer->allocated_bytes, 152);
    ck_assert_uint_eq(outer->frees, 1);
    ck_assert_uint_eq(outer->freed_bytes, 101);
    ck_assert_uint_eq(outer->live_blocks, 1);
    ck_assert_uint_eq(outer->live_bytes, 51);
    ck_assert_uint_eq(outer->peak_blocks, 1);
    ck_assert_uint_eq(outer->peak_bytes, 101);
    ck_assert_uint_eq(outer->temporary, 0);
    ck_assert_uint_eq(outer->short_lived, 1);
    ck_assert_uint_eq(outer->lifetime_ns, 160);
    ck_assert_uint_eq(outer->min_size, 51);
    ck_assert_uint_eq(outer->max_size, 101);
    ck_assert(outer->allocated_error == 0 && outer->live_error == 0);
    const struct session_site *inner = find_site(&session, 0x41ff);
    ck_assert_uint_eq(inner->temporary, 1);
    ck_assert_uint_eq(inner->peak_bytes, 200);
    ck_assert_uint_eq(inner->live_bytes, 0);
    ck_assert_ptr_eq(array_at(&session.sites, session.heap.peak_site), inner);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_sums_its_sites_up)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    ck_assert(session.heap.has_chains);
    ck_assert_uint_eq(session.heap.temporary, 1);
    ck_assert_uint_eq(session.heap.short_lived, 2);
    ck_assert_uint_eq(session.heap.moved, 0);
    ck_assert_uint_eq(session.heap.strange_frees, 0);
    ck_assert_uint_eq(session.heap.peak_blocks, 2);
    ck_assert_uint_eq(session.heap.sizes.counts[6], 1);
    ck_assert_uint_eq(session.heap.sizes.bytes[7], 200);
    ck_assert_uint_eq(session.heap.lifetimes.counts[5], 1);
    ck_assert_uint_eq(session.heap.lifetimes.bytes[7], 101);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_takes_for_short_what_it_is_asked_to)
{
    const struct session_options options = {.short_ns = 32};
    struct trace_builder builder;
    struct session session;
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    build_memory(&builder);
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(session.heap.short_lived, 1);
    session_close(&session);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

/* A program that another one became has the other's sums. */
static void build_readings(struct trace_builder *builder)
{
    struct trace_reading reading = {.rss_bytes = 8 << 20,
                                    .peak_rss_bytes = 6 << 20,
                                    .user_ns = 5500,
                                    .minor_faults = 950,
                                    .thread_cpu_ns = 60,
                                    .io_pressure_ns = UINT64_MAX};
    struct trace_header *header;

    build_blocks(builder);
    trace_builder_extended(builder, START + 40, TRACE_EXTENDED_READING, (const uint64_t *)&reading,
                           BUILDER_READING_WORDS);
    header = trace_builder_header(builder);
    header->first = (struct trace_reading){.rss_bytes = 2 << 20,
                                           .peak_rss_bytes = 3 << 20,
                                           .user_ns = 5000,
                                           .minor_faults = 900,
                                           .io_pressure_ns = UINT64_MAX};
    header->last = (struct trace_reading){.rss_bytes = 1 << 20,
                                          .peak_rss_bytes = 7 << 20,
                                          .user_ns = 7000,
                                          .minor_faults = 980,
                                          .io_pressure_ns = UINT64_MAX};
}

START_TEST(session_counts_from_the_start_of_the_recording)
{
    struct trace_builder builder;
    struct session session;

    build_readings(&builder);
    open_built(&builder, &session);
    const struct session_process *process = &session.process;
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(process->first.user_ns, 0);
    ck_assert_uint_eq(reading[0].values.user_ns, 500);
    ck_assert_uint_eq(reading[0].values.minor_faults, 50);
    ck_assert_uint_eq(reading[0].values.thread_cpu_ns, 60);
    ck_assert_uint_eq(process->last.user_ns, 2000);
    ck_assert_uint_eq(process->last.minor_faults, 80);
    ck_assert_uint_eq(process->last.io_pressure_ns, SESSION_UNKNOWN);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_without_a_reading_does_not_know_what_was_used)
{
    struct trace_builder builder;
    struct session session;

    build_blocks(&builder);
    trace_builder_header(&builder)->ending = TRACE_RUNNING;
    open_built(&builder, &session);
    ck_assert_uint_eq(session.process.last.user_ns, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.process.last.minor_faults, SESSION_UNKNOWN);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_has_no_peak_below_a_reading)
{
    struct trace_builder builder;
    struct session session;

    build_readings(&builder);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(session.process.first.peak_rss_bytes, 3 << 20);
    ck_assert_uint_eq(reading[0].values.peak_rss_bytes, 8 << 20);
    ck_assert_uint_eq(session.process.last.peak_rss_bytes, 8 << 20);
    ck_assert_uint_eq(session.process.last.rss_bytes, 1 << 20);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* While mremap moves ten pages from 100 to 200, another thread maps four of the old ones and takes
 * a reading. */
START_TEST(session_lets_others_map_what_mremap_takes)
{
    const uint64_t map[4] = {100 * PAGE, 10 * PAGE}, meanwhile[4] = {102 * PAGE, 4 * PAGE};
    const uint64_t gone[2] = {100 * PAGE, 10 * PAGE};
    const uint64_t remap[5] = {100 * PAGE, 10 * PAGE, 200 * PAGE, 10 * PAGE};
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_header(&builder)->page_size = PAGE;
    add_facts(&builder, "TPROF_ALLOC=full");
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, START);
    trace_builder_extended(&builder, START + 10, TRACE_EXTENDED_MAP, map, 4);
    trace_builder_extended(&builder, START + 20, TRACE_EXTENDED_REMAP_BEGIN, gone, 2);
    trace_builder_extended(&builder, START + 50, TRACE_EXTENDED_REMAP, remap, 5);
    trace_builder_chunk(&builder, TRACE_EVENTS, 2, 0, EVENT_CHUNK, START);
    trace_builder_extended(&builder, START + 30, TRACE_EXTENDED_MAP, meanwhile, 4);
    add_border(&builder, 40, 1);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(reading[0].mapped_bytes, 14 * PAGE);
    ck_assert_uint_eq(session.heap.mapped_bytes, 14 * PAGE);
    ck_assert_uint_eq(session.heap.peak_mapped_bytes, 14 * PAGE);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_follows_what_the_program_maps)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    const struct session_module *module = session.modules.items;
    ck_assert_uint_eq(session.heap.maps, 1);
    ck_assert_uint_eq(session.heap.unmaps, 1);
    ck_assert_uint_eq(session.heap.mapped_bytes, 12 * PAGE);
    ck_assert_uint_eq(session.heap.peak_mapped_bytes, 12 * PAGE);
    ck_assert_uint_eq(session.heap.peak_mapped_time_ns, 162);
    ck_assert_uint_eq(reading[0].mapped_bytes, 0);
    ck_assert_uint_eq(reading[1].mapped_bytes, 12 * PAGE);
    ck_assert_uint_eq(module[0].gone_epoch, 2);
    ck_assert_uint_eq(module[1].gone_epoch, UINT32_MAX);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

static const struct session_mapping *find_mapping(const struct session *session, uint64_t address)
{
    const struct session_mapping *mapping = session->mappings.items;
    const struct session_call *call = session->calls.items;

    for (size_t i = 0; i < session->mappings.count; i++)
        if (call[mapping[i].call].address == address)
            return &mapping[i];
    ck_abort_msg("no mapping has its call at %llx", (unsigned long long)address);
}

/* The call of the first chain has obtained blocks, too; that of mremap none. */
START_TEST(session_tells_who_mapped)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    const struct session_mapping *outer = find_mapping(&session, 0x40ff);
    ck_assert_uint_eq(session.mappings.count, 2);
    ck_assert_uint_eq(outer->calls, 1);
    ck_assert_uint_eq(outer->bytes, 10 * PAGE);
    ck_assert_uint_eq(outer->live_bytes, 3 * PAGE);
    ck_assert_uint_eq(outer->live_ranges, 2);
    ck_assert_uint_eq(outer->peak_bytes, 3 * PAGE);
    const struct session_mapping *inner = find_mapping(&session, 0x42ff);
    ck_assert_uint_eq(inner->live_bytes, 9 * PAGE);
    ck_assert_uint_eq(inner->live_ranges, 1);
    ck_assert_uint_eq(inner->peak_bytes, 9 * PAGE);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* As with TPROF_ALLOC=nostack, and as in a trace that is damaged. */
START_TEST(session_tells_of_mappings_whose_chain_is_not_there)
{
    static const struct {
        uint64_t chain;
        enum session_call_kind kind;
    } cases[] = {
        {0, SESSION_CALL_ROOT}, {5000, SESSION_CALL_LOST}, {1ull << 40, SESSION_CALL_LOST}};
    const uint64_t map[4] = {PAGE, PAGE, 3, cases[_i].chain};
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    trace_builder_extended(&builder, START + 208, TRACE_EXTENDED_MAP, map, 4);
    open_built(&builder, &session);
    const struct session_mapping *mapping = array_at(&session.mappings, 2);
    const struct session_call *call = array_at(&session.calls, mapping->call);
    ck_assert_int_eq(call->kind, cases[_i].kind);
    ck_assert_uint_eq(mapping->calls, 1);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_takes_readings_at_the_borders_of_regions)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(session.readings.count, 2);
    ck_assert_int_eq(reading[0].kind, SESSION_READING_BEGIN);
    ck_assert_int_eq(reading[1].kind, SESSION_READING_END);
    ck_assert_str_eq(reading[0].label, "model");
    ck_assert_uint_eq(reading[1].values.rss_bytes, 8192);
    ck_assert_uint_eq(reading[0].live_heap_bytes, 0);
    ck_assert_uint_eq(reading[1].live_heap_bytes, 152);
    ck_assert_uint_eq(reading[1].begin_heap_bytes, SESSION_UNKNOWN); /* no region ended */
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* Steps that follow one another have a reading only at their end. */
START_TEST(session_knows_the_heap_at_the_begin_of_the_region_whose_end_it_reads)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    add_border(&builder, 17000, 0);
    open_built(&builder, &session);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(session.readings.count, 1);
    ck_assert_uint_eq(reading->live_heap_bytes, 200);
    ck_assert_uint_eq(reading->begin_heap_bytes, 300);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_shows_how_the_heap_went_without_a_gap)
{
    struct trace_builder builder;
    struct session session;
    uint64_t most = 0;

    build_memory(&builder);
    open_built(&builder, &session);
    const struct session_moment *moment = session.heap.moments.items;
    size_t count = session.heap.moments.count;
    ck_assert_uint_ge(count, SESSION_MOMENTS / 2);
    ck_assert_uint_le(count, SESSION_MOMENTS);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_eq(moment[i].time_ns, i * moment[1].time_ns);
        most = moment[i].max_bytes > most ? moment[i].max_bytes : most;
    }
    ck_assert_uint_le(moment[count - 1].time_ns, session.process.wall_ns);
    ck_assert_uint_eq(most, session.heap.peak_bytes);
    ck_assert_uint_eq(moment[count - 1].last_bytes, session.heap.live_bytes);
    ck_assert_uint_eq(moment[count - 1].last_blocks, session.heap.live_blocks);
    ck_assert_uint_eq(moment[count - 1].mapped_bytes, session.heap.mapped_bytes);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* 300 bytes are live at the start and end of "model"; 1000 come and go in it. */
START_TEST(session_knows_the_heap_at_the_borders_of_each_region)
{
    struct session session = open_sample("TPROF_ALLOC=full");
    const struct session_region *region = session.regions.items;

    ck_assert_uint_eq(region[1].begin_heap_bytes, 300);
    ck_assert_uint_eq(region[1].end_heap_bytes, 300);
    ck_assert_uint_eq(region[1].freed_bytes, 1000);
    ck_assert_uint_eq(region[2].freed_bytes, 0);
    ck_assert_uint_eq(region[0].begin_heap_bytes, 0);
    ck_assert_uint_eq(region[0].end_heap_bytes, 200);
    ck_assert_uint_eq(region[0].freed_bytes, 100);
    ck_assert_uint_eq(session.heap.peak_region, 1);
    ck_assert_uint_eq(session.heap.peak_thread, 0);
    session_close(&session);
}
END_TEST

/* Thread 1 takes over lane 1 from thread 0, and frees the block that thread 0 left. */
START_TEST(session_tells_threads_of_one_lane_apart)
{
    struct trace_builder builder;
    struct session session;
    struct trace_node thread = {.thread = 7, .first_ticks = START + 100, .last_ticks = START + 500};

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START);
    trace_builder_node(&builder, &thread);
    thread.first_ticks = START + 1001;
    trace_builder_node(&builder, &thread);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, START);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, START + 112, 0x1000, 10);
    trace_builder_block(&builder, TRACE_EVENT_FREE, START + 992, 0x1000, 0);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, START + 1024, 0x1000, 20);
    trace_builder_block(&builder, TRACE_EVENT_FREE, START + 1040, 0x1000, 0);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.heap.strange_frees, 1);
    ck_assert_uint_eq(session.heap.temporary, 1);
    ck_assert_uint_eq(session.heap.peak_thread, 1);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_knows_no_thread_of_a_lane_without_tallies)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.heap.peak_thread, SESSION_NONE);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

static void note_progress(void *of, uint64_t done, uint64_t whole)
{
    uint64_t *last = of;

    ck_assert_uint_ge(done, *last);
    ck_assert_uint_le(done, whole);
    *last = done;
}

START_TEST(session_tells_how_far_it_has_read)
{
    uint64_t last = 0;
    const struct session_options options = {
        .short_ns = 1, .on_progress = note_progress, .progress_of = &last};
    struct trace_builder builder;
    struct session session;
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    build_memory(&builder);
    trace_builder_write(&builder, builder.size, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert_uint_eq(last, trace_builder_head(&builder)->used);
    session_close(&session);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- samples ----------------------------------------------------------- */

/* Each block of 100 bytes represents 1 / (1 - exp(-100 / 1000)) = 10.508. */
static void build_sampled(struct trace_builder *builder)
{
    trace_builder_init(builder);
    add_facts(builder, "TPROF_ALLOC=sample:1000");
    add_tallies(builder, 1);
    trace_builder_header(builder)->sample_bytes = 1000;
    trace_builder_chunk(builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, START);
    for (uint64_t i = 1; i <= 3; i++)
        trace_builder_block(builder, TRACE_EVENT_MALLOC, START + 1000 + 16 * i, 0x1000 * i, 100);
    trace_builder_block(builder, TRACE_EVENT_FREE, START + 1064, 0x1000, 0);
}

START_TEST(session_estimates_a_sampled_heap_and_says_so)
{
    struct trace_builder builder;
    struct session session;

    build_sampled(&builder);
    open_built(&builder, &session);
    const struct session_heap *heap = &session.heap;
    const struct session_site *site = session.sites.items;
    ck_assert(!heap->is_exact);
    ck_assert_str_eq(heap->reason, "allocations were sampled");
    ck_assert_uint_eq(heap->sample_bytes, 1000);
    ck_assert_uint_eq(heap->peak_blocks, 32);
    ck_assert_uint_eq(heap->peak_bytes, 3152);
    ck_assert_uint_eq(heap->live_bytes, 2102);
    ck_assert_uint_eq(site->records, 3);
    ck_assert_uint_eq(site->allocations, 32);
    ck_assert_uint_eq(site->frees, 11);
    ck_assert_uint_eq(site->freed_bytes, 1051);
    ck_assert(fabs(site->allocations_error - sqrt(3 * 99.917)) < 0.01);
    ck_assert(fabs(site->allocated_error - 100 * sqrt(3 * 99.917)) < 1);
    ck_assert(fabs(site->live_error - 100 * sqrt(2 * 99.917)) < 1);
    ck_assert(fabs(heap->peak_error - 100 * sqrt(3 * 99.917)) < 1);
    ck_assert_uint_eq(heap->sizes.counts[6], 32);
    ck_assert_uint_eq(site->temporary, SESSION_UNKNOWN);
    ck_assert_uint_eq(site->moved, SESSION_UNKNOWN);
    ck_assert_uint_eq(heap->grown_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(heap->allocations, 3);
    ck_assert_uint_eq(session.losses.overwritten_records, 0);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_estimates_nothing_when_samples_are_missing)
{
    struct trace_builder builder;
    struct session session;

    build_sampled(&builder);
    trace_builder_header(&builder)->lost_records = 1;
    open_built(&builder, &session);
    ck_assert_str_eq(session.heap.reason, "records were lost");
    ck_assert_uint_eq(session.heap.live_bytes, SESSION_UNKNOWN);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* A forgotten sample is missing in every sum. */
START_TEST(session_estimates_nothing_when_samples_found_no_room)
{
    struct trace_builder builder;
    struct session session;

    build_sampled(&builder);
    trace_builder_header(&builder)->lost_samples = 3;
    open_built(&builder, &session);
    ck_assert_uint_eq(session.heap.lost_samples, 3);
    ck_assert_str_eq(session.heap.reason, "some sampled blocks found no room in the trace");
    ck_assert_uint_eq(session.heap.peak_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.live_bytes, SESSION_UNKNOWN);
    ck_assert(doubts(&session, "Of 6 sampled blocks, 3 found no room"));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- when the heap is not exact ---------------------------------------- */

static void lose_in_header(struct trace_builder *builder)
{
    trace_builder_header(builder)->lost_records = 1;
}

static void reuse_chunks(struct trace_builder *builder)
{
    trace_builder_header(builder)->reused_chunks = 1;
}

static void claim_more(struct trace_builder *builder)
{
    trace_builder_header(builder)->size += 4096;
}

static void obtain_twice(struct trace_builder *builder)
{
    trace_builder_block(builder, TRACE_EVENT_MALLOC, START + 17000, 0x10200, 1);
}

static void take_events(struct trace_builder *builder)
{
    trace_builder_head(builder)->used = sizeof(struct trace_chunk);
}

static void own_malloc(struct trace_builder *builder)
{
    trace_builder_chunk(builder, TRACE_FACTS, 0, 1, FACT_CHUNK, START);
    trace_builder_property(builder, "malloc_owner", "/lib/jemalloc.so");
}

static void change_nothing(struct trace_builder *builder)
{
    (void)builder;
}

static const struct {
    void (*change)(struct trace_builder *);
    const char *option;
    const char *reason;
    uint64_t allocated_bytes; /* the tallies hold, unless allocations went elsewhere */
} heap_cases[] = {
    {change_nothing, "TPROF_ALLOC=count", "keeps totals only", 1300},
    {change_nothing, "TPROF_ALLOC=off", "records no allocations", SESSION_UNKNOWN},
    {change_nothing, "TPROF_ALLOC=dream", "does not know", 1300},
    {lose_in_header, "TPROF_ALLOC=full", "records were lost", 1300},
    {reuse_chunks, "TPROF_ALLOC=full", "overwritten", 1300},
    {claim_more, "TPROF_ALLOC=full", "cannot be read", 1300},
    {obtain_twice, "TPROF_ALLOC=full", "invalid", 1300},
    {take_events, "TPROF_ALLOC=full", "records were lost", 1300},
    {own_malloc, "TPROF_ALLOC=full", "another library", SESSION_UNKNOWN},
};

START_TEST(session_claims_no_peak_when_the_replay_cannot_be_exact)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, heap_cases[_i].option);
    heap_cases[_i].change(&builder);
    open_built(&builder, &session);
    const struct session_region *region = session.regions.items;
    ck_assert(!session.heap.is_exact);
    ck_assert_msg(strstr(session.heap.reason, heap_cases[_i].reason), "%s", session.heap.reason);
    ck_assert_uint_eq(session.heap.peak_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.live_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.allocated_bytes, heap_cases[_i].allocated_bytes);
    ck_assert_uint_eq(region[1].peak_heap_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(region[1].begin_heap_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(region[1].freed_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.temporary, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.peak_site, SESSION_NONE);
    ck_assert_uint_eq(session.heap.moments.count, 0);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_forgets_what_was_live_and_mapped_when_records_are_missing)
{
    struct trace_builder builder;
    struct session session;

    build_memory(&builder);
    trace_builder_header(&builder)->lost_records = 1;
    open_built(&builder, &session);
    const struct session_site *site = find_site(&session, 0x40ff);
    const struct session_reading *reading = session.readings.items;
    ck_assert_uint_eq(site->allocations, 2);
    ck_assert_uint_eq(site->live_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(site->peak_blocks, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.maps, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.peak_mapped_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.mappings.count, 0);
    ck_assert_uint_eq(reading->mapped_bytes, SESSION_UNKNOWN);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_tells_why_snapshots_by_signal_are_missing)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    if (_i == 1) {
        trace_builder_chunk(&builder, TRACE_FACTS, 0, 1, FACT_CHUNK, START);
        trace_builder_property(&builder, "snapshot_obstacle", "SIGUSR2 was ignored");
    }
    open_built(&builder, &session);
    ck_assert_int_eq(doubts(&session, "asked for are missing: SIGUSR2 was ignored"), _i == 1);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* The sample's tallies say 16 records; each lane may have one more unwritten. */
static const struct {
    bool is_reused;
    uint64_t overwritten;
} overwritten_cases[] = {{true, 14}, {false, 0}};

START_TEST(session_counts_what_was_overwritten_only_when_chunks_were_reused)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    take_events(&builder);
    trace_builder_header(&builder)->reused_chunks = overwritten_cases[_i].is_reused;
    open_built(&builder, &session);
    ck_assert_uint_eq(session.losses.overwritten_records, overwritten_cases[_i].overwritten);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_cannot_count_what_was_overwritten_of_a_sample)
{
    struct trace_builder builder;
    struct session session;

    build_sampled(&builder);
    trace_builder_header(&builder)->reused_chunks = 2;
    open_built(&builder, &session);
    ck_assert_uint_eq(session.losses.overwritten_records, SESSION_UNKNOWN);
    ck_assert_str_eq(session.heap.reason, "the oldest records were overwritten");
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- calls that were counted only -------------------------------------- */

enum { THREAD_NS = 500000, DOT_BINDING = 10 };

/* A kernel that is always counted. */
static void add_dot(struct trace_builder *builder)
{
    static const char text[] = "kernel ddot\n"
                               "  family fortran\n"
                               "  proto void (const integer *n)\n"
                               "  shape n\n"
                               "  flops 2*n exact\n"
                               "  bytes 16*n\n"
                               "  class elementwise\n"
                               "  timing sampled\n"
                               "  check n=10 = 20\n"
                               "  source LAWN 41\n";
    const struct trace_binding binding = {DOT_BINDING, 2, 0x4200, 0x900};

    trace_builder_fact(builder, TRACE_FACT_CATALOG, NULL, 0, text, sizeof text - 1);
    trace_builder_fact(builder, TRACE_FACT_BINDING, &binding, sizeof binding, "ddot_", 5);
}

/* One thread, whose processor time of 0 means unknown, and slots of a kernel of 48 FLOPs; the
 * durations are of the first.  Between its timed calls there is time for the others. */
static void open_counted_by(struct session *session, uint64_t cpu_ns, uint64_t delay_ns,
                            const struct trace_slot *slots, size_t count, const uint64_t *durations,
                            size_t duration_count)
{
    const struct trace_node thread = {
        .thread = 71, .first_ticks = START, .last_ticks = START + THREAD_NS, .cpu_ns = cpu_ns,
        .delay_ns = delay_ns};
    struct trace_builder builder;

    trace_builder_init(&builder);
    add_facts(&builder, "full");
    add_dot(&builder);
    trace_builder_chunk(&builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START + 10);
    trace_builder_node(&builder, &thread);
    for (size_t i = 0; i < count; i++)
        trace_builder_slot(&builder, &slots[i]);
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, START);
    for (size_t i = 0; i < duration_count; i++)
        trace_builder_call(&builder, TRACE_EVENT_KERNEL, START + 50000 + 4000 * i, THREAD + 1,
                           durations[i]);
    open_built(&builder, session);
    trace_builder_fini(&builder);
}

static void open_counted(struct session *session, const struct trace_slot *slots, size_t count,
                         const uint64_t *durations, size_t duration_count)
{
    open_counted_by(session, 0, 0, slots, count, durations, duration_count);
}

static struct trace_slot counted_slot(uint64_t calls, uint64_t ticks, uint64_t untimed)
{
    return (struct trace_slot){.binding = 9,
                               .node = THREAD,
                               .dims = 3,
                               .calls = calls,
                               .ticks = ticks,
                               .min_ticks = 100,
                               .max_ticks = 40000,
                               .untimed = untimed,
                               .shape = {2, 3, 4}};
}

/* 40000 + 100 + 300 of those timed, 100 times the mean of the two that were drawn.
 * Their variance is 20000: a sum of 100 is off by the root of 100 (100 + 2) / 2 times
 * as much. */
START_TEST(session_lets_the_first_call_of_a_slot_stand_for_itself)
{
    const uint64_t durations[] = {40000, 100, 300};
    const struct trace_slot slot = counted_slot(3, 40400, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 3);
    const struct session_slot *read = array_at(&session.slots, 0);
    const struct session_thread *thread = array_at(&session.threads, 0);
    ck_assert_uint_eq(read->calls, 103);
    ck_assert_uint_eq(read->timed_calls, 3);
    ck_assert_uint_eq(read->total_ns, 60400);
    ck_assert_uint_eq(read->self_ns, 60400);
    ck_assert_uint_eq(read->estimated_ns, 20000);
    ck_assert_double_eq_tol(read->total_error_ns, sqrt(20000.0 * 100 * 102 / 2), 1e-6);
    ck_assert_uint_eq(thread->kernel_ns, 60400);
    session_close(&session);
}
END_TEST

/* The second took as long, so the third was timed, too; the others were drawn. */
START_TEST(session_lets_long_first_calls_stand_for_themselves)
{
    const uint64_t durations[] = {250000, 200000, 140, 100, 300};
    struct trace_slot slot = counted_slot(5, 450540, 100);
    struct session session;

    slot.binding = DOT_BINDING;
    open_counted(&session, &slot, 1, durations, 5);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->estimated_ns, 20000);
    ck_assert_uint_eq(read->total_ns, 470540);
    ck_assert_double_eq_tol(read->total_error_ns, sqrt(20000.0 * 100 * 102 / 2), 1e-6);
    session_close(&session);
}
END_TEST

/* Records that are left are all of drawn calls; without any, the longest was first. */
START_TEST(session_knows_drawn_calls_when_the_first_record_is_gone)
{
    const uint64_t durations[] = {100, 300};
    const struct trace_slot slot = counted_slot(3, 40400, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 2 * (size_t)_i);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, 60400);
    ck_assert(_i == 1 || isnan(read->total_error_ns));
    session_close(&session);
}
END_TEST

/* A kernel's calls of 100 to 199 ns, 4 us apart, and the first at 49 us. */
static void build_calls(struct trace_builder *builder, size_t count, unsigned doublings)
{
    const struct trace_node thread = {
        .thread = 71, .first_ticks = START, .last_ticks = START + 4000 * count + 60000};
    const struct trace_slot slot = counted_slot(count, 150 * count, 0);

    trace_builder_init(builder);
    add_facts(builder, "full");
    trace_builder_chunk(builder, TRACE_TALLIES, 1, 0, TRACE_TALLY_CHUNK_SIZE, START + 10);
    trace_builder_node(builder, &thread);
    trace_builder_slot(builder, &slot);
    trace_builder_chunk(builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK * (2 + 16 * count / EVENT_CHUNK),
                        START);
    for (size_t i = 0; i < count; i++)
        trace_builder_call(builder, TRACE_EVENT_KERNEL, START + 50000 + 4000 * i, THREAD + 1,
                           (100 + i % 100) | (uint64_t)doublings << TRACE_DURATION_BITS);
}

static double mean_of(const struct array *durations_ns)
{
    const uint64_t *ns = durations_ns->items;
    double sum = 0;

    for (size_t i = 0; i < durations_ns->count; i++)
        sum += (double)ns[i];
    return sum / (double)durations_ns->count;
}

/* A mean of more than 1000 of them is off by 0.9 by chance. */
START_TEST(session_draws_calls_where_they_are_too_many)
{
    enum { CALLS = 50000, MOST = 4000 };
    struct session_options options = session_defaults();
    struct trace_builder builder;
    struct session session;

    options.calls_most = MOST;
    build_calls(&builder, CALLS, 0);
    open_as(&builder, &session, &options);
    const struct session_slot *slot = array_at(&session.slots, 0);
    const struct session_course *course = array_at(&session.courses, 0);
    ck_assert(session.has_drawn_calls);
    ck_assert_uint_eq(slot->calls, CALLS);
    ck_assert_uint_eq(slot->total_ns, 150 * CALLS);
    ck_assert_uint_gt(slot->durations_ns.count, 400);
    ck_assert_uint_le(slot->durations_ns.count, MOST);
    ck_assert_uint_le(course->calls.count, 2 * MOST);
    ck_assert_double_eq_tol(mean_of(&slot->durations_ns), 149.5, 6);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* From 58 us to 66.05 us: of the calls that end at 58, 62 and 66 us one began before. */
START_TEST(session_tells_whole_calls_in_a_window)
{
    struct session_options options = session_defaults();
    struct trace_builder builder;
    struct session session;
    const uint64_t stands_for = UINT64_C(1) << _i;

    options.window = (struct session_window){.is_cut = true, .from_ns = 58000, .to_ns = 66050};
    build_calls(&builder, 10, (unsigned)_i);
    open_as(&builder, &session, &options);
    const struct session_slot *slot = array_at(&session.slots, 0);
    const struct session_thread *thread = array_at(&session.threads, 0);
    ck_assert_uint_eq(slot->timed_calls, 2);
    ck_assert_uint_eq(slot->calls, 2 * stands_for);
    ck_assert(slot->has_estimated_calls == (_i > 0));
    ck_assert_uint_eq(slot->total_ns - slot->estimated_ns, 103 + 104);
    ck_assert_uint_eq(slot->min_ns, 103);
    ck_assert_uint_eq(session.process.wall_ns, 8050);
    ck_assert_uint_eq(session.window.to_ns, 66050);
    ck_assert_uint_eq(thread->first_ns, 0);
    ck_assert_uint_eq(thread->last_ns, 8050);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* The second slot is of the same kernel and shape from another place. */
START_TEST(session_takes_drawn_calls_of_the_same_work_elsewhere)
{
    const uint64_t durations[] = {40000, 100, 300};
    struct trace_slot slots[] = {counted_slot(3, 40400, 100), counted_slot(1, 5000, 10)};
    struct session session;

    slots[1].site = 0x4444;
    open_counted(&session, slots, 2, durations, 3);
    const struct session_slot *read = array_at(&session.slots, 1);
    ck_assert_uint_eq(read->total_ns, 5000 + 10 * 200);
    ck_assert(isnan(read->total_error_ns));
    session_close(&session);
}
END_TEST

/* Nothing was drawn, and the first call 100 times would be 4 ms of a life of 0.5. */
START_TEST(session_lets_no_thread_compute_longer_than_it_lived)
{
    const uint64_t durations[] = {40000};
    const struct trace_slot slot = counted_slot(1, 40000, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 1);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, THREAD_NS);
    ck_assert(isnan(read->total_error_ns));
    session_close(&session);
}
END_TEST

/* 250 us, while the others take some hundred ns: the processor was away.  Without it, 200 is the
 * mean of three, and their variance is 10000. */
START_TEST(session_lets_an_interrupted_call_stand_for_itself)
{
    const uint64_t durations[] = {40000, 100, 250000, 300, 200};
    const struct trace_slot slot = counted_slot(5, 290600, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 5);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->interrupted_calls, 1);
    ck_assert_uint_eq(read->total_ns, 290600 + 100 * 200);
    ck_assert_double_eq_tol(read->total_error_ns, sqrt(10000.0 * 100 * 103 / 3), 1e-6);
    session_close(&session);
}
END_TEST

/* Of two drawn calls one may be interrupted: the shorter one counts. */
START_TEST(session_knows_an_interrupted_call_beside_one_other)
{
    const uint64_t durations[] = {400, 100, 250000};
    struct trace_slot slot = counted_slot(3, 250500, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 3);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->interrupted_calls, 1);
    ck_assert_uint_eq(read->total_ns, 250500 + 100 * 100);
    ck_assert(isnan(read->total_error_ns));
    session_close(&session);
}
END_TEST

/* If the only drawn call was interrupted, only the time of the first one is left. */
START_TEST(session_takes_the_first_call_where_all_others_were_interrupted)
{
    const uint64_t durations[] = {400, 250000};
    const struct trace_slot slot = counted_slot(2, 250400, 100);
    struct session session;

    open_counted(&session, &slot, 1, durations, 2);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, 250400 + 100 * 400);
    ck_assert(isnan(read->total_error_ns));
    session_close(&session);
}
END_TEST

/* Times of the kernel itself all belong to the sample, however they differ. */
START_TEST(session_takes_slow_calls_for_usual)
{
    const uint64_t durations[] = {100, 100, 20000, 300};
    const struct trace_slot slot = counted_slot(4, 20500, 10);
    struct session session;

    open_counted(&session, &slot, 1, durations, 4);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->interrupted_calls, 0);
    ck_assert_uint_eq(read->total_ns, 20500 + 10 * 6800);
    session_close(&session);
}
END_TEST

/* 100 calls of 1000 are more than the thread computed, which dot does not without. */
START_TEST(session_lets_level_1_take_no_more_than_was_computed)
{
    const uint64_t durations[] = {1000, 1000, 1000};
    struct trace_slot slot = counted_slot(3, 3000, 100);
    struct session session;

    slot.binding = _i == 0 ? DOT_BINDING : 9;
    slot.dims = _i == 0 ? 1 : 3;
    open_counted_by(&session, 50000, 0, &slot, 1, durations, 3);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, _i == 0 ? 50000 : 103000);
    session_close(&session);
}
END_TEST

/* 50 timed calls of 1000 and 60 others, in a thread that had a processor for half of the time that
 * it wanted one: of its 50000, the others get what half of the timed ones' time leaves. */
START_TEST(session_leaves_level_1_its_part_where_timed_calls_waited_for_a_processor)
{
    uint64_t durations[50];
    struct trace_slot slot = counted_slot(50, 50000, 60);
    struct session session;

    for (int i = 0; i < 50; i++)
        durations[i] = 1000;
    slot.binding = DOT_BINDING;
    slot.dims = 1;
    slot.max_ticks = 1000;
    open_counted_by(&session, 50000, 50000, &slot, 1, durations, 50);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, 50000 + 25000);
    session_close(&session);
}
END_TEST

/* The first call was longer than the thread computed: it waited, and the others computed. */
START_TEST(session_keeps_room_for_level_1_behind_a_first_call_that_waited)
{
    const uint64_t durations[] = {400000, 1000, 1000};
    struct trace_slot slot = counted_slot(3, 402000, 40 + 20 * (uint64_t)_i);
    struct session session;

    slot.binding = DOT_BINDING;
    slot.dims = 1;
    open_counted_by(&session, 50000, 0, &slot, 1, durations, 3);
    const struct session_slot *read = array_at(&session.slots, 0);
    ck_assert_uint_eq(read->total_ns, 402000 + (_i == 0 ? 40000 : 50000 - 3000));
    session_close(&session);
}
END_TEST

/* The state after a process was killed before it wrote its bindings. */
START_TEST(session_keeps_the_calls_of_kernels_without_a_name)
{
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    add_tallies(&builder, 1);
    add_events(&builder, 1, 0x10000);
    open_built(&builder, &session);
    const struct session_binding *binding = session.bindings.items;
    ck_assert_uint_eq(session.bindings.count, 1);
    ck_assert_str_eq(binding->symbol, SESSION_NAME_LOST);
    ck_assert_uint_eq(binding->calls, 3);
    ck_assert_ptr_null(binding->kernel);
    ck_assert_str_eq(session.process.name, SESSION_NAME_LOST);
    ck_assert(session.heap.is_exact);
    ck_assert(doubts(&session, "The trace lacks the names of"));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- endings ----------------------------------------------------------- */

static const struct {
    uint32_t ending;
    uint32_t waited;
    int32_t wait_status;
    enum session_ending told;
    int number; /* exit status or signal */
    const char *doubt;
} ending_cases[] = {
    {TRACE_EXITED, 0, 0, SESSION_EXITED, 3, NULL},
    {TRACE_QUIT, 0, 0, SESSION_QUIT, 3, NULL},
    {TRACE_QUIT, 1, 4 << 8, SESSION_QUIT, 4, NULL},
    {TRACE_EXECUTED, 0, 0, SESSION_EXECUTED, 3, NULL},
    {TRACE_EXECUTED, 1, 9, SESSION_EXECUTED, 3, NULL},
    {TRACE_RUNNING, 0, 0, SESSION_UNSEEN, 3, "made the exit system call directly"},
    {TRACE_RUNNING, 1, 9, SESSION_SIGNALLED, 9, "Signal 9"},
    {TRACE_RUNNING, 1, 4 << 8, SESSION_EXITED, 4, "ended without calling exit()"},
    {77, 0, 0, SESSION_UNSEEN, 3, "ends without an exit"},
};

START_TEST(session_tells_how_the_process_ended)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    struct trace_header *header = trace_builder_header(&builder);
    header->ending = ending_cases[_i].ending;
    header->exit_status = 256 + 3; /* waitpid gives 3 of it */
    header->waited = ending_cases[_i].waited;
    header->wait_status = ending_cases[_i].wait_status;
    open_built(&builder, &session);
    ck_assert_int_eq(session.process.ending, ending_cases[_i].told);
    ck_assert_int_eq(session.process.ending == SESSION_SIGNALLED ? session.process.signal
                                                                 : session.process.exit_status,
                     ending_cases[_i].number);
    if (ending_cases[_i].doubt)
        ck_assert(doubts(&session, ending_cases[_i].doubt));
    else
        ck_assert_uint_eq(text_list_count(&session.doubts), 0);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

static const struct {
    const char *program;
    const char *variable; /* or NULL */
    const char *command;  /* words, each with its end */
    size_t size;
    const char *doubt; /* a part of it; NULL: none */
} python_cases[] = {
#define COMMAND(words) words, sizeof words - 1
    {"/usr/bin/python3.11", NULL, COMMAND("python3\0a.py\0"), "PYTHONMALLOC=malloc shows them"},
    {"/usr/bin/pythonesque/model", NULL, COMMAND("model\0"), NULL},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0a.py\0-I\0"), NULL},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc_debug", COMMAND("python3\0-sS\0a.py\0"), NULL},
    {"/usr/bin/python3", "PYTHONMALLOC=pymalloc", COMMAND("python3\0a.py\0"), "shows them"},
    {"/usr/bin/python3", "PYTHONMALLOC=debug", COMMAND("python3\0a.py\0"), "shows them"},
    {"/usr/bin/python3", "PYTHONMALLOC=default", COMMAND("python3\0a.py\0"), "shows them"},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-I\0a.py\0"),
     "not with -I or -E"},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-sE\0a.py\0"),
     "not with -I or -E"},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-XI\0a.py\0"), NULL},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-W\0-E\0-m\0a\0-I\0"), NULL},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-X\0dev\0-I\0-"),
     "not with -I or -E"},
    {"/usr/bin/python3", "PYTHONMALLOC=malloc", COMMAND("python3\0-cI\0-I\0"), NULL},
    {"/opt/server", "PYTHONMALLOC=malloc", COMMAND("server\0-I\0"), NULL},
#undef COMMAND
};

START_TEST(session_doubts_the_allocations_of_a_python_with_its_own_allocator)
{
    static const char key[] = "command";
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, FACT_CHUNK, START + 5);
    trace_builder_property(&builder, "program", python_cases[_i].program);
    trace_builder_fact(&builder, TRACE_FACT_PROPERTY, key, sizeof key, python_cases[_i].command,
                       python_cases[_i].size);
    if (python_cases[_i].variable)
        trace_builder_property(&builder, "environment", python_cases[_i].variable);
    trace_builder_header(&builder)->ending = TRACE_EXITED;
    open_built(&builder, &session);
    ck_assert(doubts(&session, "CPython") == (python_cases[_i].doubt != NULL));
    if (python_cases[_i].doubt)
        ck_assert(doubts(&session, python_cases[_i].doubt));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* Libraries at 0x4000, where the chains of blocks lead, and after it. */
static const struct {
    const char *caller, *other;
    bool has_chains, is_doubted;
} embedding_cases[] = {
    {"/lib/libpython3.11.so.1.0", "/lib/model.so", true, true},
    {"/lib/model.so", "/lib/libpython3.11.so.1.0", true, false}, /* is only linked */
    {"/lib/model.so", "/lib/libpython3.11.so.1.0", false, true}, /* nobody knows */
    {"/lib/model.so", "/lib/other.so", false, false},
};

START_TEST(session_doubts_a_library_of_python_that_runs)
{
    struct trace_module module = {.id = 5, .epoch = 1, .start = 0x4000, .end = 0x5000};
    const char *caller = embedding_cases[_i].caller, *other = embedding_cases[_i].other;
    bool has_chains = embedding_cases[_i].has_chains;
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    trace_builder_chunk(&builder, TRACE_FACTS, 0, 0, FACT_CHUNK, START + 5);
    trace_builder_property(&builder, "program", "/usr/bin/model");
    trace_builder_fact(&builder, TRACE_FACT_MODULE, &module, sizeof module, caller, strlen(caller));
    module = (struct trace_module){.id = 6, .epoch = 1, .start = 0x5000, .end = 0x6000};
    trace_builder_fact(&builder, TRACE_FACT_MODULE, &module, sizeof module, other, strlen(other));
    if (has_chains)
        add_stacks(&builder, 2);
    trace_builder_chunk(&builder, TRACE_EVENTS, 2, 0, EVENT_CHUNK, START);
    if (has_chains)
        add_chained(&builder, 32, 0x1000, 101);
    else
        trace_builder_block(&builder, TRACE_EVENT_MALLOC, START + 32, 0x1000, 101);
    open_built(&builder, &session);
    ck_assert(session.heap.has_chains == has_chains);
    ck_assert(doubts(&session, "CPython") == embedding_cases[_i].is_doubted);
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* The last instant known is the last event, at 16000 ns. */
START_TEST(session_ends_with_the_last_record_when_no_end_was_seen)
{
    struct trace_builder builder;
    struct session session;

    build_sample(&builder, "TPROF_ALLOC=full");
    struct trace_header *header = trace_builder_header(&builder);
    header->ending = TRACE_RUNNING;
    header->end = (struct trace_clock_pair){0, 0};
    struct trace_node *thread = (struct trace_node *)(void *)(builder.bytes + TRACE_HEADER_SIZE +
                                                              FACT_CHUNK + sizeof *thread);
    ck_assert_uint_eq(thread->cpu_ns, 400000);
    thread->last_ticks = 0;
    open_built(&builder, &session);
    const struct session_thread *known = session.threads.items;
    ck_assert_uint_eq(session.process.wall_ns, 16000);
    ck_assert(!known->has_ended);
    ck_assert_uint_eq(known->last_ns, 16000);
    ck_assert_uint_eq(known->cpu_ns, SESSION_UNKNOWN);
    ck_assert(doubts(&session, "shorter than 1 ms"));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- clocks ------------------------------------------------------------ */

static const struct {
    uint64_t start_ticks;
    uint64_t end_ticks; /* one second later */
    uint64_t last_tick; /* a block is obtained here */
    uint64_t peak_ns;
    const char *doubt;
} clock_cases[] = {
    {1000, UINT64_C(3000001000), 1500001000, 500000000, NULL},
    {UINT64_C(1) << 63, (UINT64_C(1) << 63) + 2000000000, (UINT64_C(1) << 63) + 1000000000,
     500000000, NULL},
    {1000, 25001000, 12501000, 500000000, NULL},
    {1000, 0, 501000, 501000 - 1000, "only one reading of both clocks"},
};

START_TEST(session_turns_ticks_of_any_rate_into_time)
{
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    struct trace_header *header = trace_builder_header(&builder);
    header->start.ticks = clock_cases[_i].start_ticks;
    header->end.ticks = clock_cases[_i].end_ticks;
    trace_builder_chunk(&builder, TRACE_EVENTS, 1, 0, EVENT_CHUNK, clock_cases[_i].start_ticks);
    trace_builder_block(&builder, TRACE_EVENT_MALLOC, clock_cases[_i].last_tick, 0x100, 1);
    open_built(&builder, &session);
    ck_assert_uint_eq(session.heap.peak_time_ns, clock_cases[_i].peak_ns);
    ck_assert_uint_eq(text_list_count(&session.doubts), clock_cases[_i].doubt != NULL);
    if (clock_cases[_i].doubt)
        ck_assert(doubts(&session, clock_cases[_i].doubt));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_trusts_no_single_pair_of_instants)
{
    struct trace_builder builder;
    struct session session;

    trace_builder_init(&builder);
    for (uint32_t i = 0; i < 9; i++) {
        trace_builder_chunk(&builder, TRACE_EVENTS, 1, i, EVENT_CHUNK, 900000000 + i);
        if (i == 4)
            trace_builder_head(&builder)->clock.monotonic_ns += 50000000;
    }
    open_built(&builder, &session);
    ck_assert(fabs(session.ns_per_tick - 1) < 1e-9);
    ck_assert(doubts(&session, "disagree"));
    session_close(&session);
    trace_builder_fini(&builder);
}
END_TEST

/* ---- damage ------------------------------------------------------------ */

/* Opens any bytes; the sanitizers say whether that was right. */
static enum status open_bytes(const struct trace_builder *builder, size_t size)
{
    const struct session_options options = session_defaults();
    char path[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic = {.text = ""};
    struct session session;

    trace_builder_write(builder, size, path);
    enum status status = session_open(&session, path, &options, &diagnostic);
    unlink(path);
    if (status)
        ck_assert_str_ne(diagnostic.text, "");
    else
        session_close(&session);
    return status;
}

/* Every kind of record and chunk; sampled if there is a distance. */
static void build_everything(struct trace_builder *builder, uint64_t sample_bytes)
{
    build_memory(builder);
    trace_builder_header(builder)->sample_bytes = sample_bytes;
    add_stacks(builder, 1);
    add_tallies(builder, 1);
    add_events(builder, 1, 0x10000);
    trace_builder_block(builder, TRACE_EVENT_RELEASE, START + 20000, 0x10000 + 512, 0);
    trace_builder_block(builder, TRACE_EVENT_REALLOC, START + 20032, 0x30000, 700);
    trace_builder_block(builder, TRACE_EVENT_RELEASE, START + 20064, 0x30000, 0);
    trace_builder_block(builder, TRACE_EVENT_RESTORE, START + 20096, 0x30000, 0);
}

START_TEST(session_opens_a_trace_cut_off_at_any_byte)
{
    struct trace_builder builder;

    build_everything(&builder, 0);
    for (size_t size = 0; size < TRACE_HEADER_SIZE; size++)
        ck_assert_int_eq(open_bytes(&builder, size), STATUS_CORRUPT);
    for (size_t size = TRACE_HEADER_SIZE; size < builder.size; size += size % 4096 < 1024 ? 8 : 509)
        ck_assert_int_eq(open_bytes(&builder, size), STATUS_OK);
    trace_builder_fini(&builder);
}
END_TEST

enum { FLIPS = 4000, FLIPS_AT_ONCE = 4 };

static size_t random_below(size_t limit)
{
    return (size_t)((unsigned long)rand() % limit);
}

/* A byte with data: flipping the zeros of an empty tally shows little. */
static size_t choose_byte(const struct trace_builder *builder)
{
    size_t at;

    do
        at = random_below(builder->size);
    while (builder->bytes[at] == 0 && random_below(20) != 0);
    return at;
}

static const uint64_t damage_cases[] = {0, 512};

START_TEST(session_knows_no_totals_when_the_tallies_are_cut_off)
{
    const struct session_options options = session_defaults();
    struct trace_builder builder;
    struct session session;
    char path[BUILDER_PATH_SIZE];
    struct diagnostic diagnostic;

    build_sample(&builder, "full");
    trace_builder_header(&builder)->size = builder.size;
    trace_builder_write(&builder, TRACE_HEADER_SIZE, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_OK);
    ck_assert(session.losses.lacks_totals);
    ck_assert_uint_eq(session.heap.allocations, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.allocated_bytes, SESSION_UNKNOWN);
    ck_assert_uint_eq(session.heap.frees, SESSION_UNKNOWN);
    session_close(&session);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

START_TEST(session_survives_any_flipped_bits)
{
    struct trace_builder builder;
    struct trace_builder damaged;

    build_everything(&builder, damage_cases[_i]);
    srand(1);
    damaged = builder;
    damaged.bytes = malloc(builder.size);
    for (int i = 0; i < FLIPS; i++) {
        memcpy(damaged.bytes, builder.bytes, builder.size);
        for (int j = 0; j < FLIPS_AT_ONCE; j++)
            damaged.bytes[choose_byte(&builder)] ^= (char)(1 << random_below(8));
        open_bytes(&damaged, damaged.size);
    }
    trace_builder_fini(&damaged);
    trace_builder_fini(&builder);
}
END_TEST

/* Contents of no sense behind heads that are sound. */
START_TEST(session_survives_chunks_full_of_garbage)
{
    struct trace_builder builder;

    srand(2);
    for (int i = 0; i < FLIPS / 10; i++) {
        build_sample(&builder, "TPROF_ALLOC=full");
        for (uint32_t j = 0; j < 4; j++) {
            trace_builder_chunk(&builder, (enum trace_chunk_kind)(TRACE_EVENTS + j), 1, 1,
                                TRACE_TALLY_CHUNK_SIZE, START);
            struct trace_chunk *head = trace_builder_head(&builder);
            for (size_t at = sizeof *head; at < head->size; at++)
                ((char *)head)[at] = (char)(random_below(3) ? 0 : rand());
            head->used = head->size;
        }
        ck_assert_int_eq(open_bytes(&builder, builder.size), STATUS_OK);
        trace_builder_fini(&builder);
    }
}
END_TEST

static const char not_a_trace[] = "#!/bin/sh\nexit 0\n";

START_TEST(session_is_empty_when_it_cannot_be_opened)
{
    struct trace_builder builder;
    struct session session;
    const struct session_options options = session_defaults();
    struct diagnostic diagnostic;
    char path[BUILDER_PATH_SIZE];

    trace_builder_init(&builder);
    memcpy(builder.bytes, not_a_trace, sizeof not_a_trace);
    trace_builder_write(&builder, sizeof not_a_trace, path);
    ck_assert_int_eq(session_open(&session, path, &options, &diagnostic), STATUS_CORRUPT);
    ck_assert_ptr_nonnull(strstr(diagnostic.text, "not a tprof trace"));
    ck_assert_uint_eq(session.threads.count, 0);
    session_close(&session);
    unlink(path);
    trace_builder_fini(&builder);
}
END_TEST

static void add_sound_tests(TCase *tests)
{
    tcase_add_test(tests, session_knows_the_process);
    tcase_add_test(tests, session_finds_modules_of_the_newest_load_map);
    tcase_add_test(tests, session_counts_time_inside_kernels_and_regions_once);
    tcase_add_test(tests, session_works_out_the_flops_of_shapes_the_catalog_knows);
    tcase_add_test(tests, session_unpacks_the_catalog_and_adds_what_the_user_did);
    tcase_add_test(tests, session_doubts_a_packed_catalog_without_its_end);
    tcase_add_test(tests, session_reads_kernels_of_its_own_catalog_when_they_are_bound);
    tcase_add_loop_test(tests, session_tells_a_catalog_that_is_not_whole_from_one_with_a_mistake, 0,
                        sizeof catalog_cases / sizeof *catalog_cases);
    tcase_add_test(tests, session_takes_kernel_and_shape_of_the_object_that_was_called);
    tcase_add_test(tests, session_replays_the_heap_to_the_byte);
    tcase_add_test(tests, session_takes_numbers_that_the_program_states);
    tcase_add_test(tests, session_prices_recording_by_what_the_shim_measured);
    tcase_add_test(tests, session_merges_regions_of_threads_by_their_path);
    tcase_add_test(tests, session_puts_a_block_back_when_realloc_failed);
    tcase_add_test(tests, session_holds_two_blocks_never_while_realloc_moves_one);
    tcase_add_test(tests, session_shows_the_live_heap_of_each_reading);
    tcase_add_test(tests, session_keeps_the_heap_of_a_reading_when_the_heap_moves_after_it);
    tcase_add_test(tests, session_tells_which_threads_nobody_joined);
}

static void add_memory_tests(TCase *tests)
{
    tcase_add_test(tests, session_tells_what_became_of_the_blocks_of_each_site);
    tcase_add_test(tests, session_sums_its_sites_up);
    tcase_add_test(tests, session_takes_for_short_what_it_is_asked_to);
    tcase_add_test(tests, session_follows_what_the_program_maps);
    tcase_add_test(tests, session_tells_who_mapped);
    tcase_add_loop_test(tests, session_tells_of_mappings_whose_chain_is_not_there, 0, 3);
    tcase_add_test(tests, session_lets_others_map_what_mremap_takes);
    tcase_add_test(tests, session_takes_readings_at_the_borders_of_regions);
    tcase_add_test(tests, session_knows_the_heap_at_the_begin_of_the_region_whose_end_it_reads);
    tcase_add_test(tests, session_counts_from_the_start_of_the_recording);
    tcase_add_test(tests, session_without_a_reading_does_not_know_what_was_used);
    tcase_add_test(tests, session_has_no_peak_below_a_reading);
    tcase_add_test(tests, session_shows_how_the_heap_went_without_a_gap);
    tcase_add_test(tests, session_knows_the_heap_at_the_borders_of_each_region);
    tcase_add_test(tests, session_tells_threads_of_one_lane_apart);
    tcase_add_test(tests, session_knows_no_thread_of_a_lane_without_tallies);
    tcase_add_test(tests, session_tells_how_far_it_has_read);
    tcase_add_test(tests, session_estimates_a_sampled_heap_and_says_so);
    tcase_add_test(tests, session_estimates_nothing_when_samples_are_missing);
    tcase_add_test(tests, session_estimates_nothing_when_samples_found_no_room);
    tcase_add_test(tests, session_forgets_what_was_live_and_mapped_when_records_are_missing);
    tcase_add_loop_test(tests, session_tells_why_snapshots_by_signal_are_missing, 0, 2);
}

static void add_partial_tests(TCase *tests)
{
    tcase_add_loop_test(tests, session_claims_no_peak_when_the_replay_cannot_be_exact, 0,
                        sizeof heap_cases / sizeof *heap_cases);
    tcase_add_loop_test(tests, session_counts_what_was_overwritten_only_when_chunks_were_reused, 0,
                        sizeof overwritten_cases / sizeof *overwritten_cases);
    tcase_add_test(tests, session_cannot_count_what_was_overwritten_of_a_sample);
    tcase_add_test(tests, session_lets_the_first_call_of_a_slot_stand_for_itself);
    tcase_add_test(tests, session_lets_long_first_calls_stand_for_themselves);
    tcase_add_loop_test(tests, session_knows_drawn_calls_when_the_first_record_is_gone, 0, 2);
    tcase_add_test(tests, session_takes_drawn_calls_of_the_same_work_elsewhere);
    tcase_add_test(tests, session_lets_no_thread_compute_longer_than_it_lived);
    tcase_add_test(tests, session_lets_an_interrupted_call_stand_for_itself);
    tcase_add_test(tests, session_knows_an_interrupted_call_beside_one_other);
    tcase_add_test(tests, session_takes_the_first_call_where_all_others_were_interrupted);
    tcase_add_test(tests, session_takes_slow_calls_for_usual);
    tcase_add_loop_test(tests, session_lets_level_1_take_no_more_than_was_computed, 0, 2);
    tcase_add_test(tests, session_leaves_level_1_its_part_where_timed_calls_waited_for_a_processor);
    tcase_add_loop_test(tests, session_keeps_room_for_level_1_behind_a_first_call_that_waited, 0,
                        2);
    tcase_add_test(tests, session_draws_calls_where_they_are_too_many);
    tcase_add_loop_test(tests, session_tells_whole_calls_in_a_window, 0, 3);
    tcase_add_test(tests, session_keeps_the_calls_of_kernels_without_a_name);
    tcase_add_loop_test(tests, session_tells_how_the_process_ended, 0,
                        sizeof ending_cases / sizeof *ending_cases);
    tcase_add_loop_test(tests, session_doubts_the_allocations_of_a_python_with_its_own_allocator, 0,
                        sizeof python_cases / sizeof *python_cases);
    tcase_add_loop_test(tests, session_doubts_a_library_of_python_that_runs, 0,
                        sizeof embedding_cases / sizeof *embedding_cases);
    tcase_add_test(tests, session_ends_with_the_last_record_when_no_end_was_seen);
    tcase_add_loop_test(tests, session_turns_ticks_of_any_rate_into_time, 0,
                        sizeof clock_cases / sizeof *clock_cases);
    tcase_add_test(tests, session_trusts_no_single_pair_of_instants);
}

static void add_damage_tests(TCase *tests)
{
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, session_opens_a_trace_cut_off_at_any_byte);
    tcase_add_test(tests, session_knows_no_totals_when_the_tallies_are_cut_off);
    tcase_add_loop_test(tests, session_survives_any_flipped_bits, 0,
                        sizeof damage_cases / sizeof *damage_cases);
    tcase_add_test(tests, session_survives_chunks_full_of_garbage);
    tcase_add_test(tests, session_is_empty_when_it_cannot_be_opened);
}

int check_session(void)
{
    Suite *suite = suite_create("session");
    TCase *sound = tcase_create("sound");
    TCase *memory = tcase_create("memory");
    TCase *partial = tcase_create("partial");
    TCase *damaged = tcase_create("damaged");

    add_sound_tests(sound);
    add_memory_tests(memory);
    add_partial_tests(partial);
    add_damage_tests(damaged);
    suite_add_tcase(suite, sound);
    suite_add_tcase(suite, memory);
    suite_add_tcase(suite, partial);
    suite_add_tcase(suite, damaged);
    return suite_run(suite);
}
