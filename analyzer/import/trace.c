/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Collects an imported trace.
 *
 * Times become relative when the trace is written: the first call may come last in a log.
 */
#include "import/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "import/trace_parts.h"

enum { PIECE = 8192 };

/* An element below another, by its key. */
struct import_child {
    UT_hash_handle hh;
    struct {
        uint64_t around, what;
    } key;
    import_index index;
};

static void add_fact(struct import_trace *trace, enum trace_fact_kind kind, const void *head,
                     size_t head_size, const char *text, size_t text_size)
{
    const struct trace_fact fact = {kind, (uint32_t)(head_size + text_size)};

    text_append_bytes(&trace->facts, (const char *)&fact, sizeof fact);
    text_append_bytes(&trace->facts, head, head_size);
    text_append_bytes(&trace->facts, text, text_size);
    text_append_bytes(&trace->facts, "\0\0\0\0\0\0\0", -(size_t)fact.size % TRACE_WORD_SIZE);
}

void import_trace_init(struct import_trace *trace)
{
    *trace = (struct import_trace){.first_ns = UINT64_MAX, .pid = 1};
    text_init(&trace->facts);
    array_init(&trace->lanes, sizeof(struct import_lane));
}

static void free_children(struct import_child **children)
{
    struct import_child *child, *next;

    HASH_ITER(hh, *children, child, next)
    {
        HASH_DEL(*children, child);
        free(child);
    }
}

void import_trace_fini(struct import_trace *trace)
{
    struct import_lane *lane = trace->lanes.items;

    for (size_t i = 0; i < trace->lanes.count; i++) {
        array_fini(&lane[i].cells);
        array_fini(&lane[i].events);
        array_fini(&lane[i].calls);
        free_children(&lane[i].nodes);
        free_children(&lane[i].chains);
    }
    array_fini(&trace->lanes);
    text_fini(&trace->facts);
    text_index_fini(&trace->strings);
    text_index_fini(&trace->shapes);
}

/* ---- facts --------------------------------------------------------------------------------- */

void import_trace_fact(struct import_trace *trace, enum trace_fact_kind kind,
                       const struct text *payload)
{
    add_fact(trace, kind, NULL, 0, payload->bytes, payload->size);
}

void import_trace_property(struct import_trace *trace, const char *key, const char *value)
{
    add_fact(trace, TRACE_FACT_PROPERTY, key, strlen(key) + 1, value, strlen(value));
}

uint32_t import_trace_string(struct import_trace *trace, const char *words)
{
    struct trace_string head = {0, 0};
    struct text text;
    long number;

    text_init(&text);
    text_append(&text, words);
    number = text_index_add(&trace->strings, &text);
    text_fini(&text);
    head.id = (uint32_t)(number + 1);
    if (head.id > trace->string_count) {
        trace->string_count = head.id;
        add_fact(trace, TRACE_FACT_STRING, &head, sizeof head, words, strlen(words));
    }
    return head.id;
}

void import_trace_catalog(struct import_trace *trace, const struct catalog *catalog,
                          const char *text, const char *function)
{
    const struct trace_binding binding = {.id = 1, .kernel = 0};
    size_t size = strlen(text);

    trace->catalog = catalog;
    add_fact(trace, TRACE_FACT_BINDING, &binding, sizeof binding, function, strlen(function));
    for (size_t done = 0; done < size; done += PIECE)
        add_fact(trace, TRACE_FACT_CATALOG, NULL, 0, text + done,
                 size - done < PIECE ? size - done : PIECE);
}

/* ---- threads and their contents ------------------------------------------------------------ */

static struct import_lane *lane_at(const struct import_trace *trace, import_index thread)
{
    return array_at(&trace->lanes, thread);
}

static union trace_cell *cell_at(const struct import_lane *lane, import_index index)
{
    return array_at(&lane->cells, index);
}

static import_index add_cell(struct import_lane *lane, const union trace_cell *cell)
{
    union trace_cell *place = array_add(&lane->cells);

    *place = *cell;
    return (import_index)(lane->cells.count - 1);
}

size_t import_trace_number(struct text_index *index, const char *words)
{
    long number = text_index_add_words(index, words);

    return (size_t)number;
}

import_index import_trace_thread(struct import_trace *trace, uint32_t id)
{
    const union trace_cell cell = {
        .node = {.kind = TRACE_CELL_NODE, .thread = id, .delay_ns = UINT64_MAX}};
    struct import_lane *lane = array_add(&trace->lanes);

    *lane = (struct import_lane){.first_ns = UINT64_MAX};
    array_init(&lane->cells, sizeof(union trace_cell));
    array_init(&lane->events, sizeof(struct import_event));
    array_init(&lane->calls, sizeof(struct trace_call));
    add_cell(lane, &cell);
    return (import_index)(trace->lanes.count - 1);
}

/* Returns: the child; a new child has the next index; NULL without memory. */
static struct import_child *find_child(struct import_child **children, uint64_t around,
                                       uint64_t what)
{
    struct import_child like = {.key = {around, what}}, *child;

    HASH_FIND(hh, *children, &like.key, sizeof like.key, child);
    if (child)
        return child;
    child = memory_get(sizeof *child);
    if (child) {
        *child = like;
        HASH_ADD(hh, *children, key, sizeof child->key, child);
        return child;
        free(child);
    }
    return NULL;
}

import_index import_trace_node(struct import_trace *trace, import_index thread, import_index around,
                               uint32_t label)
{
    struct import_lane *lane = lane_at(trace, thread);
    const union trace_cell cell = {.node = {.kind = TRACE_CELL_NODE,
                                            .parent = import_cell_number(around),
                                            .label = label,
                                            .thread = cell_at(lane, 0)->node.thread}};
    struct import_child *child = find_child(&lane->nodes, around, label);

    if (child && child->index == 0)
        child->index = add_cell(lane, &cell);
    return child ? child->index : 0;
}

/* ---- events -------------------------------------------------------------------------------- */

static void note_time(struct import_trace *trace, struct import_lane *lane, uint64_t ns)
{
    if (ns < lane->first_ns)
        lane->first_ns = ns;
    if (ns > lane->last_ns)
        lane->last_ns = ns;
    if (ns < trace->first_ns)
        trace->first_ns = ns;
    if (ns > trace->last_ns)
        trace->last_ns = ns;
}

static void add_event(struct import_trace *trace, struct import_lane *lane, uint64_t ns,
                      const uint64_t words[2])
{
    struct import_event *event = array_add(&lane->events);

    note_time(trace, lane, ns);
    *event = (struct import_event){ns, {words[0], words[1]}};
}

static uint64_t word_of(enum trace_event_kind kind, import_index cell)
{
    return (uint64_t)kind | (uint64_t)import_cell_number(cell) << TRACE_KIND_BITS;
}

static void note_node(struct trace_node *node, uint64_t start_ns, uint64_t end_ns)
{
    if (node->calls == 0)
        node->first_ticks = start_ns;
    node->last_ticks = end_ns;
    node->calls++;
    node->ticks += end_ns - start_ns;
}

/* A region counts the time of inner regions, an op that of inner ops. */
static void note_inner(const struct import_lane *lane, const struct trace_node *node,
                       uint64_t ticks)
{
    const uint32_t bits = TRACE_LABEL_OP | TRACE_LABEL_SITE;
    const uint32_t kind = node->label & bits;
    uint32_t around = node->parent;

    while (around != 0) {
        struct trace_node *outer = &cell_at(lane, import_cell_index(around))->node;

        around = outer->parent;
        if (around != 0 && (outer->label & bits) == kind) {
            outer->inner_ticks += ticks;
            return;
        }
    }
}

void import_trace_enter(struct import_trace *trace, import_index thread, import_index node,
                        uint64_t ns)
{
    const uint64_t words[2] = {word_of(TRACE_EVENT_ENTER, node), 0};

    add_event(trace, lane_at(trace, thread), ns, words);
}

void import_trace_leave(struct import_trace *trace, import_index thread, import_index node,
                        uint64_t start_ns, uint64_t end_ns)
{
    const uint64_t words[2] = {word_of(TRACE_EVENT_LEAVE, node), end_ns - start_ns};
    struct import_lane *lane = lane_at(trace, thread);

    add_event(trace, lane, end_ns, words);
    note_node(&cell_at(lane, node)->node, start_ns, end_ns);
    note_inner(lane, &cell_at(lane, node)->node, end_ns - start_ns);
}

/* ---- kernels ------------------------------------------------------------------------------- */

static void add_slot(struct import_trace *trace, const struct import_shape *shape, uint32_t id)
{
    const struct trace_shape head = {
        .id = id,
        .kernel = shape->kernel ? (uint32_t)(shape->kernel - trace->catalog->kernels) : 0,
        .count = shape->kernel ? shape->kernel->shape_count : 0};
    union trace_cell cell = {.slot = {.kind = TRACE_CELL_SLOT, .binding = 1, .node = 1,
                                      .dims = TRACE_DIMS_WIDE, .min_ticks = UINT64_MAX}};
    struct text body;

    cell.slot.shape[0] = shape->kernel ? id : 0;
    text_init(&body);
    text_append_bytes(&body, (const char *)&head, sizeof head);
    text_append_bytes(&body, (const char *)shape->values, head.count * sizeof *shape->values);
    text_append(&body, shape->implementation);
    if (shape->kernel)
        import_trace_fact(trace, TRACE_FACT_SHAPE, &body);
    text_fini(&body);
    add_cell(lane_at(trace, 0), &cell);
}

/* Returns: the cell of a shape, which follows the thread's cell. */
static import_index find_slot(struct import_trace *trace, const struct import_shape *shape)
{
    size_t count = lane_at(trace, 0)->cells.count;
    struct text key;
    long number;

    text_init(&key);
    text_index_append_part(&key, shape->kernel ? shape->kernel->name : NULL);
    text_index_append_part(&key, shape->kernel ? shape->implementation : NULL);
    for (unsigned i = 0; shape->kernel && i < shape->kernel->shape_count; i++)
        text_appendf(&key, "%lld,", (long long)shape->values[i]);
    number = text_index_add(&trace->shapes, &key);
    text_fini(&key);
    if ((size_t)number + 1 == count)
        add_slot(trace, shape, (uint32_t)count);
    return (import_index)(number + 1);
}

void import_trace_call(struct import_trace *trace, const struct import_shape *shape,
                       uint64_t start_ns, uint64_t end_ns)
{
    const uint64_t ticks = end_ns - start_ns;
    struct import_lane *lane = lane_at(trace, 0);
    import_index index = find_slot(trace, shape);
    const uint64_t words[2] = {word_of(TRACE_EVENT_KERNEL, index), ticks};
    struct trace_slot *slot;

    slot = &cell_at(lane, index)->slot;
    slot->calls++;
    slot->ticks += ticks;
    if (ticks < slot->min_ticks)
        slot->min_ticks = ticks;
    if (ticks > slot->max_ticks)
        slot->max_ticks = ticks;
    note_time(trace, lane, start_ns);
    add_event(trace, lane, end_ns, words);
}

/* ---- samples ------------------------------------------------------------------------------- */

static import_index add_call(struct import_lane *lane, const struct trace_call *call)
{
    struct trace_call *place = array_add(&lane->calls);

    *place = *call;
    return (import_index)(lane->calls.count - 1);
}

/* The roots of a thread's chains come before all other chains. */
static void need_roots(struct import_lane *lane)
{
    if (lane->calls.count > 0)
        return;
    add_call(lane, &(struct trace_call){.flags = TRACE_CHAIN_WHOLE});
    add_call(lane, &(struct trace_call){.flags = TRACE_CHAIN_CUT});
}

import_index import_trace_chain(struct import_trace *trace, import_index thread,
                                import_index around, uint64_t address)
{
    struct import_lane *lane = lane_at(trace, thread);
    struct import_child *child = find_child(&lane->chains, around, address);

    need_roots(lane);
    if (child && child->index == 0)
        child->index = add_call(
            lane, &(struct trace_call){address, import_call_number(around), TRACE_CALL_EXACT});
    return child ? child->index : 0;
}

void import_trace_sample(struct import_trace *trace, import_index thread, import_index call,
                         uint32_t periods, uint64_t ns)
{
    const uint32_t most = (1 << TRACE_NOTE_BITS) - 1, payload = 1;
    const uint64_t note = periods < most ? periods : most;
    const uint64_t cell = import_cell_number(0);
    const uint64_t words[2] = {
        TRACE_EVENT_EXTENDED | TRACE_EXTENDED_SAMPLE << TRACE_KIND_BITS |
            payload << (TRACE_KIND_BITS + 8) | note << TRACE_NOTE_SHIFT,
        (call > IMPORT_CHAIN_CUT ? import_call_number(call) : 0) | cell << TRACE_CHAIN_BITS};
    struct import_lane *lane = lane_at(trace, thread);

    cell_at(lane, 0)->node.extended++;
    add_event(trace, lane, ns, words);
}
