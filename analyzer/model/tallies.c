/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact totals of a trace: threads, regions and slots.
 *
 * A node is made after its parent, and a slot after its node, so a cell refers only to lower
 * numbers.  One pass in the order of the numbers suffices, and damage cannot make a circle.
 *
 * Decisions: doc/decisions/flops-in-the-analyzer, kernel-calls-kept-twice.
 */
#include "model/tallies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/tallies_parts.h"

enum {
    TALLIES_PATH_MAX = 4096, /* a longer path is cut: depth times label */
    /* How far table numbers may run ahead of the existing tables. */
    TALLIES_GAP_MAX = 8
};

struct tallies_region_key {
    uint64_t parent;
    const char *label;
};

struct tallies_region {
    struct tallies_region_key key;
    uint32_t index;
    uint32_t last_thread; /* the thread counted last in it */
    UT_hash_handle hh;
};

void tallies_init(struct tallies *tallies, struct facts *facts, const struct clock *clock)
{
    *tallies = (struct tallies){.session = facts->session, .facts = facts, .clock = clock};
    array_init(&tallies->lanes, sizeof(struct tallies_lane));
    array_init(&tallies->thread_ticks, sizeof(uint64_t));
}

void tallies_fini(struct tallies *tallies)
{
    struct tallies_lane *lane = tallies->lanes.items;
    struct tallies_region *region;
    struct tallies_region *next;

    for (size_t i = 0; i < tallies->lanes.count; i++)
        array_fini(&lane[i].cells);
    array_fini(&tallies->lanes);
    array_fini(&tallies->thread_ticks);
    tallies_ops_fini(tallies);
    tallies_spans_fini(tallies);
    HASH_ITER(hh, tallies->regions, region, next)
    {
        HASH_DEL(tallies->regions, region);
        free(region);
    }
}

static uint64_t find_ns(const struct tallies *tallies, uint64_t ticks)
{
    return clock_convert_length(tallies->clock, ticks);
}

static const char *make_path(struct tallies *tallies, const struct session_region *parent,
                             const struct session_region *region)
{
    struct text path;

    text_init(&path);
    text_append(&path, parent->path);
    if (parent->depth > 0)
        text_append(&path, "/");
    if (region->look.domain)
        text_appendf(&path, "%s:", region->look.domain);
    text_append(&path, region->label);
    size_t size = path.size < TALLIES_PATH_MAX ? path.size : TALLIES_PATH_MAX;
    const char *kept = storage_keep(tallies->facts->storage, path.bytes, size);
    text_fini(&path);
    return kept;
}

/* The events may supply it later. */
static void forget_heap(struct session_region *region)
{
    region->freed_bytes = SESSION_UNKNOWN;
    region->begin_heap_bytes = SESSION_UNKNOWN;
    region->end_heap_bytes = SESSION_UNKNOWN;
    region->peak_heap_bytes = SESSION_UNKNOWN;
}

/* `label`: of the node, whose text this is. */
static void add_region(struct tallies *tallies, uint32_t parent, const char *text, uint32_t label)
{
    struct array *regions = &tallies->session->regions;
    struct session_region *region = array_add(regions);

    const struct session_region *above = array_at(regions, parent);
    region->label = text;
    if (label & TRACE_LABEL_RANGE) {
        region->label = session_split_range(tallies->facts->storage, text, &region->look);
        facts_find_look(tallies->facts, label & ~TRACE_LABEL_FLAGS, &region->look);
    }
    region->path = make_path(tallies, above, region);
    region->parent = parent;
    region->depth = above->depth + 1;
    forget_heap(region);
}

static struct tallies_region *new_entry(struct tallies *tallies,
                                        const struct tallies_region_key *key)
{
    struct tallies_region *entry = memory_get_zeros(1, sizeof *entry);

    entry->key = *key;
    entry->index = (uint32_t)tallies->session->regions.count;
    entry->last_thread = UINT32_MAX;
    HASH_ADD(hh, tallies->regions, key, sizeof entry->key, entry);
    return entry;
}

/* Each label is stored once, so its address identifies it. */
static void find_region(struct tallies *tallies, uint32_t parent, uint32_t label,
                        struct tallies_region **found)
{
    const char *text = facts_string(tallies->facts, label & ~TRACE_LABEL_FLAGS);
    const struct tallies_region_key key = {parent, text};

    HASH_FIND(hh, tallies->regions, &key, sizeof key, *found);
    if (*found)
        return;
    *found = new_entry(tallies, &key);
    add_region(tallies, parent, text, label);
}

static void add_root(struct tallies *tallies)
{
    struct session_region *root = array_add(&tallies->session->regions);

    *root = (struct session_region){.label = "", .path = ""};
    forget_heap(root);
}

/* The amounts that belong to thread, region and process alike. */
static void count_node(struct tallies *tallies, const struct trace_node *node,
                       struct session_region *region, struct session_thread *thread)
{
    struct session *session = tallies->session;

    region->allocations += node->allocations;
    region->allocated_bytes += node->allocated_bytes;
    region->frees += node->frees;
    region->items += node->items;
    thread->allocations += node->allocations;
    thread->allocated_bytes += node->allocated_bytes;
    thread->frees += node->frees;
    thread->failed_allocations += node->failed_allocations;
    session->heap.allocations += node->allocations;
    session->heap.allocated_bytes += node->allocated_bytes;
    session->heap.frees += node->frees;
    session->heap.failed_allocations += node->failed_allocations;
    session->items += node->items;
}

/* Counts that only the node of a thread has. */
static void count_losses(struct tallies *tallies, struct tallies_lane *lane,
                         const struct trace_node *node, struct session_thread *thread)
{
    struct session_losses *losses = &tallies->session->losses;

    thread->lost_records += node->lost_records;
    thread->unmatched += node->unmatched;
    losses->lost_records += node->lost_records;
    losses->unmatched += node->unmatched;
    lane->lost += node->lost_records;
}

/* A start and an end are one record each; a region that is still open is unknown. */
static void count_records(struct tallies_lane *lane, const struct trace_node *node,
                          struct session_thread *thread)
{
    uint64_t others = 2 * node->calls + node->extended;

    lane->blocks += node->allocations + node->frees;
    lane->others += others;
    thread->records += node->allocations + node->frees + others;
}

/* The known end of an unended thread comes from its regions here, and from its events later. */
static void note_seen(const struct tallies *tallies, struct session_thread *thread, uint64_t ticks)
{
    uint64_t ns = clock_convert(tallies->clock, ticks);

    if (!thread->has_ended && ns > thread->last_ns)
        thread->last_ns = ns;
}

/* Older traces have other data there. */
static uint64_t find_delay_ns(const struct tallies *tallies, const struct session_thread *thread,
                              const struct trace_node *node)
{
    return thread->has_ended && tallies->has_delays ? node->delay_ns : SESSION_UNKNOWN;
}

static void read_thread(struct tallies *tallies, struct tallies_lane *lane,
                        const struct trace_node *node, struct tallies_cell *cell)
{
    struct array *threads = &tallies->session->threads;
    struct session_thread *thread = array_add(threads);
    uint64_t *first_ticks = array_add(&tallies->thread_ticks);
    struct session_region *root = array_at(&tallies->session->regions, 0);

    *first_ticks = node->first_ticks;
    *cell = (struct tallies_cell){.kind = TRACE_CELL_NODE, .thread = (uint32_t)threads->count - 1};
    thread->id = node->thread;
    thread->lane = lane->number;
    thread->first_ns = clock_convert(tallies->clock, node->first_ticks);
    thread->last_ns = thread->first_ns;
    thread->born_ns = node->born_ns;
    thread->cpu_ns = SESSION_UNKNOWN;
    note_seen(tallies, thread, node->last_ticks);
    thread->has_ended = node->last_ticks != 0;
    if (thread->has_ended && node->cpu_ns != 0)
        thread->cpu_ns = node->cpu_ns;
    thread->delay_ns = find_delay_ns(tallies, thread, node);
    count_node(tallies, node, root, thread);
    count_records(lane, node, thread);
    count_losses(tallies, lane, node, thread);
    lane->thread_count++;
    root->threads++;
}

static void add_region_times(struct tallies *tallies, const struct trace_node *node,
                             struct session_region *region)
{
    uint64_t ns = find_ns(tallies, node->ticks);
    uint64_t inner_ns = find_ns(tallies, node->inner_ticks);

    region->calls += node->calls;
    region->cpu.own_ns += (double)find_ns(tallies, node->own_ticks);
    region->inclusive_ns += ns;
    region->exclusive_ns += ns > inner_ns ? ns - inner_ns : 0;
    if (region->parent == 0)
        tallies->root_inner_ns += ns;
}

static void add_region_node(struct tallies *tallies, const struct trace_node *node,
                            const struct tallies_cell *parent, struct tallies_cell *cell)
{
    struct tallies_region *entry;

    find_region(tallies, parent->index, node->label, &entry);
    cell->index = entry->index;
    struct session_region *region = array_at(&tallies->session->regions, entry->index);
    region->threads += entry->last_thread != parent->thread;
    entry->last_thread = parent->thread;
    add_region_times(tallies, node, region);
}

/* A region, or an op, or the place of ops. */
static void read_inner(struct tallies *tallies, struct tallies_lane *lane,
                       const struct trace_node *node, struct tallies_cell *cell)
{
    const struct tallies_cell *parent = tallies_find_cell(lane, node->parent, TRACE_CELL_NODE);

    if (!parent) {
        tallies->bad_cells++;
        return;
    }
    *cell = *parent;
    if (node->label & (TRACE_LABEL_SPAN | TRACE_LABEL_MARK)) {
        tallies_spans_add(tallies, node, cell);
        return;
    }
    cell->is_op = false;
    cell->site = 0;
    if (node->label & TRACE_LABEL_OP)
        tallies_ops_add(tallies, node, parent, cell);
    else if (node->label & TRACE_LABEL_SITE)
        cell->site = node->label & ~TRACE_LABEL_SITE;
    else
        add_region_node(tallies, node, parent, cell);
    struct session_thread *thread = array_at(&tallies->session->threads, cell->thread);
    count_node(tallies, node, array_at(&tallies->session->regions, cell->index), thread);
    count_records(lane, node, thread);
    note_seen(tallies, thread, node->last_ticks);
}

static void read_node(struct tallies *tallies, struct tallies_lane *lane,
                      const union trace_cell *raw, struct tallies_cell *cell)
{
    if (raw->node.parent == 0) {
        read_thread(tallies, lane, &raw->node, cell);
        return;
    }
    read_inner(tallies, lane, &raw->node, cell);
}

/* Arguments that a function refuses, such as an order of -1, may give negative work: the function
 * then did nothing.  Two negative arguments may give positive work, which was not done either.  NAN
 * stays NAN. */
static long double work_done(const struct catalog_kernel *kernel,
                             const struct catalog_formula *formula, const int64_t *shape)
{
    long double work = catalog_evaluate(formula, shape);

    return work < 0 || (work > 0 && catalog_has_negative(kernel, formula, shape)) ? 0 : work;
}

/* Takes the shape from a record.
 * Returns: false when its words are not the catalog's: nothing can be computed from it. */
static bool unpack(const struct trace_slot *raw, struct session_slot *slot)
{
    memcpy(slot->shape, raw->shape, sizeof raw->shape);
    slot->dims = raw->dims;
    if (!slot->kernel || catalog_count_words(slot->kernel) != raw->dims)
        return false;
    catalog_unpack(slot->kernel, raw->shape, slot->shape);
    slot->dims = slot->kernel->shape_count;
    return true;
}

/* Takes kernel and shape from the called object; if the object is unknown, the kernel stays the
 * called function. */
static bool unpack_object(struct tallies *tallies, const struct trace_slot *raw,
                          struct session_slot *slot)
{
    const struct facts_shape *shape = facts_find_shape(tallies->facts, (uint64_t)raw->shape[0]);
    const struct catalog_kernel *kernel =
        shape ? facts_find_kernel(tallies->facts, shape->kernel) : NULL;

    if (!kernel)
        return false;
    slot->kernel = kernel;
    slot->implementation = shape->implementation;
    slot->dims = shape->count;
    memcpy(slot->shape, shape->values, sizeof shape->values);
    return slot->dims == slot->kernel->shape_count;
}

static void find_work(struct tallies *tallies, const struct trace_slot *raw,
                      struct session_slot *slot)
{
    const struct session_binding *binding = session_binding_at(tallies->session, slot->binding);
    bool is_known;

    slot->kernel = binding->kernel;
    is_known = raw->dims == TRACE_DIMS_WIDE ? unpack_object(tallies, raw, slot) : unpack(raw, slot);
    slot->flops_each =
        is_known ? work_done(slot->kernel, &slot->kernel->flops, slot->shape) : (long double)NAN;
    slot->bytes_each =
        is_known ? work_done(slot->kernel, &slot->kernel->bytes, slot->shape) : (long double)NAN;
}

/* Returns: timed calls of a slot that were recorded each. */
static uint64_t count_recorded(const struct tallies *tallies, const struct trace_slot *slot)
{
    return slot->calls < tallies->events_each ? slot->calls : tallies->events_each;
}

/* Adds the timed calls; model/estimates.c adds those that were only counted. */
static void add_slot_times(const struct tallies *tallies, const struct trace_slot *raw,
                           struct session_slot *slot)
{
    slot->timed_calls = raw->calls;
    slot->recorded_calls = count_recorded(tallies, raw);
    slot->calls = raw->calls + raw->untimed;
    slot->total_ns = find_ns(tallies, raw->ticks);
    slot->self_ns =
        find_ns(tallies, raw->ticks > raw->inner_ticks ? raw->ticks - raw->inner_ticks : 0);
    slot->min_ns = find_ns(tallies, raw->min_ticks);
    slot->max_ns = find_ns(tallies, raw->max_ticks);
}

/* Kernels that are sampled anyway are not left out for the budget's sake. */
static void count_left_out(struct tallies *tallies, const struct trace_slot *raw, uint32_t binding)
{
    const struct session_binding *of = session_binding_at(tallies->session, binding);

    if ((raw->flags & TRACE_SLOT_OVER_BUDGET) && !(of->kernel && of->kernel->is_sampled))
        tallies->session->overhead.left_out_calls += raw->untimed;
}

static void count_slot(struct tallies *tallies, struct session_slot *slot)
{
    const struct session *session = tallies->session;
    struct session_thread *thread = array_at(&session->threads, slot->thread);
    struct session_binding *binding = array_at(&session->bindings, slot->binding);

    thread->records += slot->timed_calls;
    binding->calls += slot->calls;
    binding->timed_calls += slot->timed_calls;
}

static void add_slot(struct tallies *tallies, const struct trace_slot *raw,
                     const struct tallies_cell *node)
{
    struct session_slot *slot = array_add(&tallies->session->slots);

    array_init(&slot->durations_ns, sizeof(uint64_t));
    array_init(&slot->around, sizeof(struct session_around));
    slot->thread = node->thread;
    slot->region = node->index;
    slot->op = node->op;
    slot->nested = (raw->flags & TRACE_SLOT_NESTED) != 0;
    slot->site = raw->site;
    add_slot_times(tallies, raw, slot);
    facts_find_binding(tallies->facts, raw->binding, &slot->binding);
    slot->is_sequel = (raw->flags & TRACE_SLOT_OVER_BUDGET) != 0;
    count_left_out(tallies, raw, slot->binding);
    find_work(tallies, raw, slot);
    count_slot(tallies, slot);
}

void tallies_describe_slot(struct tallies *tallies, const struct trace_slot *raw,
                           struct session_slot *slot)
{
    *slot = (struct session_slot){.nested = (raw->flags & TRACE_SLOT_NESTED) != 0,
                                  .site = raw->site,
                                  .flops_each = (long double)NAN};
    facts_find_binding(tallies->facts, raw->binding, &slot->binding);
    if (raw->dims <= TRACE_SHAPE_MAX || raw->dims == TRACE_DIMS_WIDE)
        find_work(tallies, raw, slot);
}

/* A slot without calls belongs to a call that never returned, or was left by a jump: it is not
 * reported. */
static void read_slot(struct tallies *tallies, struct tallies_lane *lane,
                      const union trace_cell *raw, struct tallies_cell *cell)
{
    const struct trace_slot *slot = &raw->slot;
    const struct tallies_cell *node = tallies_find_cell(lane, slot->node, TRACE_CELL_NODE);

    if (!node || (slot->dims > TRACE_SHAPE_MAX && slot->dims != TRACE_DIMS_WIDE)) {
        tallies->bad_cells++;
        return;
    }
    if (slot->calls == 0)
        return;
    *cell = (struct tallies_cell){.kind = TRACE_CELL_SLOT,
                                  .index = (uint32_t)tallies->session->slots.count,
                                  .thread = node->thread};
    lane->others += count_recorded(tallies, slot);
    add_slot(tallies, slot, node);
}

/* An unfinished call has no data. */
static void read_wait(struct tallies *tallies, const struct tallies_lane *lane,
                      const union trace_cell *raw, struct tallies_cell *cell)
{
    const struct trace_wait *wait = &raw->wait;
    const struct tallies_cell *node = tallies_find_cell(lane, wait->node, TRACE_CELL_NODE);

    if (!node || wait->call >= TRACE_WAIT_CALLS) {
        tallies->bad_cells++;
        return;
    }
    if (wait->calls == 0)
        return;
    *cell = (struct tallies_cell){.kind = TRACE_CELL_WAIT,
                                  .index = (uint32_t)tallies->session->waits.count,
                                  .thread = node->thread};
    waits_add(tallies, wait, node);
}

static void read_command(struct tallies *tallies, const struct tallies_lane *lane,
                         const union trace_cell *raw, struct tallies_cell *cell)
{
    const struct trace_command *command = &raw->command;
    const struct tallies_cell *node = tallies_find_cell(lane, command->node, TRACE_CELL_NODE);

    if (!node || command->what >= TRACE_COMMAND_KINDS) {
        tallies->bad_cells++;
        return;
    }
    *cell = (struct tallies_cell){.kind = TRACE_CELL_COMMAND,
                                  .index = (uint32_t)tallies->session->devices.sums.count,
                                  .thread = node->thread};
    commands_add(tallies, command, node, tallies_find_cell(lane, command->slot, TRACE_CELL_SLOT));
}

/* A cell gets its number only now, so that none can refer to itself. */
static void read_cell(struct tallies *tallies, struct tallies_lane *lane,
                      const union trace_cell *raw)
{
    struct tallies_cell cell = {.kind = TRACE_CELL_NONE};

    if (raw->kind == TRACE_CELL_NODE)
        read_node(tallies, lane, raw, &cell);
    else if (raw->kind == TRACE_CELL_SLOT)
        read_slot(tallies, lane, raw, &cell);
    else if (raw->kind == TRACE_CELL_WAIT)
        read_wait(tallies, lane, raw, &cell);
    else if (raw->kind == TRACE_CELL_COMMAND)
        read_command(tallies, lane, raw, &cell);
    else if (raw->kind != TRACE_CELL_NONE)
        tallies->bad_cells++;
    struct tallies_cell *place = array_add(&lane->cells);
    *place = cell;
}

/* Fills the numbers up to `count` with unknown cells. */
static void skip_cells(struct tallies_lane *lane, size_t count)
{
    while (lane->cells.count < count)
        array_add(&lane->cells);
}

static void read_table(struct tallies *tallies, struct tallies_lane *lane,
                       const struct reader *reader, const struct reader_chunk *chunk)
{
    size_t first = (size_t)chunk->sequence * TRACE_TALLY_CELLS;
    size_t size;
    union trace_cell raw;

    if (lane->cells.count > first)
        return; /* its numbers are used already: a second table of this place */
    char *bytes = reader_load(reader, chunk, &size);
    skip_cells(lane, first + 1);
    /* The head of the chunk takes half of the first cell's space. */
    for (size_t at = sizeof raw - sizeof(struct trace_chunk); at + sizeof raw <= size;
         at += sizeof raw) {
        memcpy(&raw, bytes + at, sizeof raw);
        read_cell(tallies, lane, &raw);
    }
    free(bytes);
}

static void read_lane(struct tallies *tallies, const struct reader *reader,
                      struct reader_span tables)
{
    struct tallies_lane *lane = array_add(&tallies->lanes);
    size_t most = 2 * (size_t)(tables.end - tables.first) + TALLIES_GAP_MAX;

    lane->number = tables.first->lane;
    lane->source = -1;
    lane->first_thread = (uint32_t)tallies->session->threads.count;
    array_init(&lane->cells, sizeof(struct tallies_cell));
    for (; tables.first < tables.end; tables.first++) {
        if (tables.first->sequence < most)
            read_table(tallies, lane, reader, tables.first);
        else
            tallies->bad_cells++;
    }
}

void tallies_read(struct tallies *tallies, const struct reader *reader)
{
    struct reader_span rest = reader_chunks(reader, TRACE_TALLIES);

    add_root(tallies);
    tallies_ops_begin(tallies);
    tallies->has_delays = reader->header.version >= TRACE_VERSION_9;
    tallies->events_each = reader->header.events_each > 0 ? reader->header.events_each : UINT64_MAX;

    while (rest.first < rest.end)
        read_lane(tallies, reader, reader_next_lane(&rest));
}

static int compare_lane(const void *number, const void *lane)
{
    uint32_t a = *(const uint32_t *)number;
    uint32_t b = ((const struct tallies_lane *)lane)->number;

    return (a > b) - (a < b);
}

struct tallies_lane *tallies_find_lane(const struct tallies *tallies, uint32_t number)
{
    if (tallies->lanes.count == 0)
        return NULL;
    return bsearch(&number, tallies->lanes.items, tallies->lanes.count, sizeof(struct tallies_lane),
                   compare_lane);
}
