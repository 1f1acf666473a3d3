/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions made by hand.
 */
#include "made_session.h"

#include <check.h>
#include <string.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_beats.h"
#include "model/session_chains.h"
#include "model/session_growth.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_layers.h"
#include "model/session_process.h"
#include "model/session_requests.h"
#include "model/session_resident.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "symbols/symbols.h"

enum { CALLS = 1024, MOMENT_NS = 1000000 };

/* By the address of a call, which is its index. */
static struct symbols_frame names[CALLS];

static void find_names(const struct session *session, uint32_t call,
                       const struct symbols_frame **frames, size_t *count)
{
    (void)session;
    *frames = &names[call];
    *count = 1;
}

struct analysis_options made_options(void)
{
    struct analysis_options options = analysis_defaults();

    options.find_frames = find_names;
    return options;
}

static void *add(struct array *array)
{
    void *item = array_add(array);

    ck_assert_ptr_nonnull(item);
    return item;
}

uint32_t made_add_thread(struct session *session)
{
    uint32_t index = (uint32_t)session->threads.count;
    struct session_course *course = add(&session->courses);

    *(struct session_thread *)add(&session->threads) =
        (struct session_thread){
            .id = 100 + index, .cpu_ns = SESSION_UNKNOWN, .delay_ns = SESSION_UNKNOWN};
    array_init(&course->calls, sizeof(struct course_call));
    course->is_whole = true;
    return index;
}

static void init_arrays(struct session *session)
{
    array_init(&session->bindings, sizeof(struct session_binding));
    array_init(&session->slots, sizeof(struct session_slot));
    array_init(&session->laps, sizeof(struct session_lap));
    array_init(&session->growths, sizeof(struct session_growth));
    array_init(&session->courses, sizeof(struct session_course));
    array_init(&session->hooks, sizeof(struct session_hook));
    array_init(&session->metrics, sizeof(struct session_metric));
    array_init(&session->modules, sizeof(struct session_module));
    array_init(&session->threads, sizeof(struct session_thread));
    array_init(&session->regions, sizeof(struct session_region));
    array_init(&session->ops, sizeof(struct session_op));
    array_init(&session->op_ties, sizeof(struct session_op_tie));
    array_init(&session->layers, sizeof(struct session_layer));
    array_init(&session->beats, sizeof(struct session_beat));
    array_init(&session->readings, sizeof(struct session_reading));
    array_init(&session->residents, sizeof(struct session_resident));
    array_init(&session->samples, sizeof(struct session_sample));
    array_init(&session->waits, sizeof(struct session_wait));
    array_init(&session->wait_calls, sizeof(struct session_wait_call));
    array_init(&session->served, sizeof(struct session_request));
    array_init(&session->request_sums, sizeof(struct session_request_sums));
    array_init(&session->wakes, sizeof(struct session_wake));
    array_init(&session->unjoined, sizeof(struct session_unjoined));
    array_init(&session->ticks, sizeof(struct session_tick));
    array_init(&session->calls, sizeof(struct session_call));
    array_init(&session->sites, sizeof(struct session_site));
    array_init(&session->mappings, sizeof(struct session_mapping));
    array_init(&session->heap.moments, sizeof(struct session_moment));
    array_init(&session->heap.mark_rows, sizeof(uint32_t));
    array_init(&session->heap.marks, sizeof(struct session_mark));
    array_init(&session->stages.changes, sizeof(struct session_stage));
    text_list_init(&session->doubts);
}

static void set_unknown(struct session *session)
{
    for (int i = 0; i < TRACE_STAGES; i++)
        session->stages.exact_ns[i] = SESSION_UNKNOWN;
    session->process.memory_limit_bytes = SESSION_UNKNOWN;
    session->process.own_bytes = SESSION_UNKNOWN;
    session->process.children_ns = SESSION_UNKNOWN;
    session->process.first.rss_bytes = SESSION_UNKNOWN;
    session->process.last.rss_bytes = SESSION_UNKNOWN;
    session->process.last.peak_rss_bytes = SESSION_UNKNOWN;
    session->framework.off_ns = SESSION_UNKNOWN;
}

void made_init(struct session *session)
{
    struct session_module *module;
    struct session_call *root;

    memset(session, 0, sizeof *session);
    init_arrays(session);
    set_unknown(session);
    session->path = "made.tprof";
    session->sampling.ticks_of = 1;
    session->heap.is_exact = session->heap.has_chains = true;
    session->heap.peak_site = SESSION_NONE;
    *(struct session_region *)add(&session->regions) =
        (struct session_region){.label = "", .path = ""};
    *(struct session_op *)add(&session->ops) = (struct session_op){.name = "", .framework = ""};
    *(struct session_layer *)add(&session->layers) = (struct session_layer){.name = ""};
    made_add_thread(session);
    root = add(&session->calls);
    *root = (struct session_call){
        .module = SESSION_NONE, .binding = SESSION_NONE, .kind = SESSION_CALL_ROOT};
    module = add(&session->modules);
    module->path = "/usr/lib/libmade.so";
}

void made_fini(struct session *session)
{
    array_fini(&session->bindings);
    array_fini(&session->slots);
    array_fini(&session->laps);
    array_fini(&session->growths);
    course_fini_all(session);
    array_fini(&session->hooks);
    array_fini(&session->metrics);
    array_fini(&session->modules);
    array_fini(&session->threads);
    array_fini(&session->regions);
    array_fini(&session->ops);
    array_fini(&session->op_ties);
    array_fini(&session->layers);
    array_fini(&session->beats);
    array_fini(&session->readings);
    array_fini(&session->residents);
    array_fini(&session->samples);
    array_fini(&session->waits);
    array_fini(&session->wait_calls);
    array_fini(&session->served);
    array_fini(&session->request_sums);
    array_fini(&session->wakes);
    array_fini(&session->unjoined);
    array_fini(&session->ticks);
    array_fini(&session->calls);
    array_fini(&session->sites);
    array_fini(&session->mappings);
    array_fini(&session->heap.moments);
    array_fini(&session->heap.mark_rows);
    array_fini(&session->heap.marks);
    array_fini(&session->stages.changes);
    text_list_fini(&session->doubts);
}

uint32_t made_add_op(struct session *session, uint32_t parent, const char *name)
{
    uint32_t index = (uint32_t)session->ops.count;
    uint32_t depth = session_op_at(session, parent)->depth + 1;

    *(struct session_op *)add(&session->ops) = (struct session_op){
        .name = name, .framework = "torch", .parent = parent, .depth = depth};
    return index;
}

uint32_t made_add_wait(struct session *session, const struct session_wait *of)
{
    struct session_wait *wait = add(&session->waits);

    *wait = *of;
    wait->class = TRACE_WAIT_CLASS_IDLE;
    wait->chain = SESSION_NONE;
    return (uint32_t)session->waits.count - 1;
}

struct session_wait_call *made_add_wait_call(struct session *session, uint32_t wait,
                                             uint64_t start_ns, uint64_t end_ns)
{
    struct session_wait_call *call = add(&session->wait_calls);

    *call = (struct session_wait_call){
        .wait = wait, .start_ns = start_ns, .end_ns = end_ns, .chain = SESSION_NONE};
    ((struct session_wait *)array_at(&session->waits, wait))->calls++;
    return call;
}

uint32_t made_add_layer(struct session *session, uint32_t outer, const char *name)
{
    uint32_t index = (uint32_t)session->layers.count;

    *(struct session_layer *)add(&session->layers) =
        (struct session_layer){.name = name, .id = index, .outer = outer, .number = 1};
    return index;
}

uint32_t made_add_call(struct session *session, uint32_t parent, const char *function,
                       const char *file, uint32_t line)
{
    uint32_t index = (uint32_t)session->calls.count;
    struct session_call *call = add(&session->calls);

    ck_assert_uint_lt(index, CALLS);
    *call = (struct session_call){.address = index,
                                  .parent = parent,
                                  .module = 0,
                                  .binding = SESSION_NONE,
                                  .kind = SESSION_CALL_PLAIN};
    names[index] = (struct symbols_frame){.function = function, .file = file, .line = line};
    return index;
}

void made_set_line(uint32_t call, uint32_t line)
{
    names[call].line = line;
}

void made_set_file(uint32_t call, const char *file)
{
    names[call].file = file;
}

static void add_sums(struct session_heap *heap, const struct session_site *site)
{
    heap->allocations += site->allocations;
    heap->allocated_bytes += site->allocated_bytes;
    heap->frees += site->frees;
    heap->live_bytes += site->live_bytes;
    heap->live_blocks += site->live_blocks;
    heap->peak_bytes += site->peak_bytes;
    heap->temporary += site->temporary;
}

struct session_site *made_add_site(struct session *session, uint32_t call, uint64_t size,
                                   uint64_t allocations, uint64_t frees)
{
    struct session_site *site = add(&session->sites);

    *site = (struct session_site){
        .call = call,
        .binding = SESSION_NONE,
        .records = allocations,
        .allocations = allocations,
        .allocated_bytes = size * allocations,
        .frees = frees,
        .freed_bytes = size * frees,
        .live_blocks = allocations - frees,
        .live_bytes = size * (allocations - frees),
        .peak_blocks = allocations - frees,
        .peak_bytes = size * (allocations - frees),
        .temporary = frees,
        .lifetime_ns = 10 * frees,
        .min_size = size,
        .max_size = size,
    };
    add_sums(&session->heap, site);
    return site;
}

struct session_mapping *made_add_mapping(struct session *session, uint32_t call, uint64_t size,
                                         uint64_t maps, uint64_t unmaps)
{
    struct session_mapping *mapping = add(&session->mappings);

    *mapping = (struct session_mapping){
        .call = call,
        .calls = maps,
        .bytes = size * maps,
        .live_ranges = maps - unmaps,
        .live_bytes = size * (maps - unmaps),
        .peak_ranges = maps,
        .peak_bytes = size * maps,
    };
    session->heap.maps += maps;
    session->heap.unmaps += unmaps;
    session->heap.mapped_bytes += mapping->live_bytes;
    session->heap.peak_mapped_bytes += mapping->peak_bytes;
    return mapping;
}

void made_add_moment(struct session *session, double low, double high)
{
    uint64_t time_ns = session->heap.moments.count * MOMENT_NS;
    struct session_moment *moment = add(&session->heap.moments);

    low = low < 0 ? 0 : low;
    high = high < low ? low : high;
    *moment = (struct session_moment){.time_ns = time_ns,
                                      .min_bytes = (uint64_t)low,
                                      .max_bytes = (uint64_t)high,
                                      .last_bytes = (uint64_t)high};
    session->process.wall_ns = time_ns + MOMENT_NS;
}

struct session_reading *made_add_reading(struct session *session, enum session_reading_kind kind,
                                         const char *label, uint64_t live_bytes)
{
    uint64_t time_ns = session->readings.count * MOMENT_NS;
    struct session_reading *reading = add(&session->readings);

    *reading = (struct session_reading){.time_ns = time_ns,
                                        .kind = kind,
                                        .label = label,
                                        .delay_ns = SESSION_UNKNOWN,
                                        .live_heap_bytes = live_bytes,
                                        .begin_heap_bytes = SESSION_UNKNOWN,
                                        .usable_heap_bytes = SESSION_UNKNOWN};
    reading->values.rss_bytes = SESSION_UNKNOWN;
    return reading;
}

void made_add_course_call(struct session *session, uint32_t slot, uint64_t start_ns, uint64_t ns)
{
    const struct session_slot *of = array_at(&session->slots, slot);
    struct session_course *course = array_at(&session->courses, of->thread);
    struct session_thread *thread = array_at(&session->threads, of->thread);

    *(struct course_call *)add(&course->calls) =
        (struct course_call){.start_ns = start_ns, .slot = slot, .length = course_pack_length(ns)};
    thread->kernel_ns += ns;
}

void made_add_lap(struct session *session, uint32_t region, uint64_t start_ns, uint64_t end_ns)
{
    *(struct session_lap *)add(&session->laps) =
        (struct session_lap){.start_ns = start_ns, .end_ns = end_ns, .region = region};
}

void made_add_stage(struct session *session, const struct session_stage *stage)
{
    struct session_stages *stages = &session->stages;

    if (session_stage_is_exact(stages, stage->stage))
        stages->exact_ns[stage->stage] = stage->time_ns;
    *(struct session_stage *)add(&stages->changes) = *stage;
}

uint32_t made_add_region(struct session *session, uint32_t parent, const char *label)
{
    uint32_t index = (uint32_t)session->regions.count;
    uint32_t depth = ((const struct session_region *)array_at(&session->regions, parent))->depth;

    *(struct session_region *)add(&session->regions) = (struct session_region){
        .label = label, .path = label, .parent = parent, .depth = depth + 1};
    return index;
}
