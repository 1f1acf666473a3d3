/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chunks of an imported trace: facts, a thread and its slots, and its calls.
 */
#include "import/trace.h"

#include <string.h>

#include "spec/trace.h"

enum { FIRST_TICKS = 1000, PIECE = 8192, FIRST_SLOT = 2, CELLS = TRACE_TALLY_CELLS };

struct import_call {
    uint64_t end_ns, duration_ns;
    uint64_t slot; /* from 0 on */
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

void import_trace_init(struct import_trace *trace, const struct catalog *catalog,
                       const char *function)
{
    const struct trace_binding binding = {.id = 1, .kernel = 0};

    *trace = (struct import_trace){.catalog = catalog, .first_ns = UINT64_MAX};
    text_init(&trace->facts);
    text_init(&trace->events);
    text_init(&trace->slots);
    add_fact(trace, TRACE_FACT_BINDING, &binding, sizeof binding, function, strlen(function));
}

void import_trace_fini(struct import_trace *trace)
{
    text_fini(&trace->facts);
    text_fini(&trace->events);
    text_fini(&trace->slots);
    text_index_fini(&trace->shapes);
}

void import_trace_property(struct import_trace *trace, const char *key, const char *value)
{
    add_fact(trace, TRACE_FACT_PROPERTY, key, strlen(key) + 1, value, strlen(value));
}

void import_trace_catalog(struct import_trace *trace, const char *text, size_t size)
{
    for (size_t done = 0; done < size; done += PIECE)
        add_fact(trace, TRACE_FACT_CATALOG, NULL, 0, text + done,
                 size - done < PIECE ? size - done : PIECE);
}

static struct trace_slot *slot_at(struct import_trace *trace, size_t index)
{
    return (struct trace_slot *)(void *)trace->slots.memory + index;
}

static void add_slot(struct import_trace *trace, const struct import_shape *shape, uint32_t id)
{
    const struct trace_shape head = {
        .id = id,
        .kernel = shape->kernel ? (uint32_t)(shape->kernel - trace->catalog->kernels) : 0,
        .count = shape->kernel ? shape->kernel->shape_count : 0};
    struct trace_slot slot = {.kind = TRACE_CELL_SLOT, .binding = 1, .node = 1,
                              .dims = TRACE_DIMS_WIDE, .min_ticks = UINT64_MAX};
    struct text body;

    slot.shape[0] = shape->kernel ? id : 0;
    text_init(&body);
    text_append_bytes(&body, (const char *)shape->values, head.count * sizeof *shape->values);
    text_append(&body, shape->implementation);
    if (shape->kernel)
        add_fact(trace, TRACE_FACT_SHAPE, &head, sizeof head, body.bytes, body.size);
    trace->facts.failed = trace->facts.failed || body.failed;
    text_append_bytes(&trace->slots, (const char *)&slot, sizeof slot);
    text_fini(&body);
}

/* Returns: the number of the slot of a shape; -1 without memory. */
static long find_slot(struct import_trace *trace, const struct import_shape *shape)
{
    size_t count = trace->slots.size / sizeof(struct trace_slot);
    struct text key;
    long number;

    text_init(&key);
    text_index_append_part(&key, shape->kernel ? shape->kernel->name : NULL);
    text_index_append_part(&key, shape->kernel ? shape->implementation : NULL);
    for (unsigned i = 0; shape->kernel && i < shape->kernel->shape_count; i++)
        text_appendf(&key, "%lld,", (long long)shape->values[i]);
    number = text_index_add(&trace->shapes, &key);
    text_fini(&key);
    if (number >= 0 && (size_t)number == count)
        add_slot(trace, shape, (uint32_t)count + 1);
    return trace->slots.failed ? -1 : number;
}

enum status import_trace_call(struct import_trace *trace, const struct import_shape *shape,
                              uint64_t start_ns, uint64_t end_ns)
{
    long number = find_slot(trace, shape);
    const struct import_call call = {end_ns, end_ns - start_ns, (uint64_t)number};
    struct trace_slot *slot;

    if (number < 0)
        return STATUS_OUT_OF_MEMORY;
    slot = slot_at(trace, (size_t)number);
    slot->calls++;
    slot->ticks += call.duration_ns;
    if (call.duration_ns < slot->min_ticks)
        slot->min_ticks = call.duration_ns;
    if (call.duration_ns > slot->max_ticks)
        slot->max_ticks = call.duration_ns;
    if (start_ns < trace->first_ns)
        trace->first_ns = start_ns;
    if (end_ns > trace->last_ns)
        trace->last_ns = end_ns;
    text_append_bytes(&trace->events, (const char *)&call, sizeof call);
    return STATUS_OK;
}

/* ---- writing ------------------------------------------------------------------------------ */

struct output {
    FILE *out;
    uint64_t offset;
};

static void put(struct output *output, const void *bytes, size_t size)
{
    output->offset += fwrite(bytes, 1, size, output->out);
}

static void pad(struct output *output, uint64_t end)
{
    static const char zeros[TRACE_CHUNK_ALIGN];

    while (output->offset < end && !ferror(output->out))
        put(output, zeros, end - output->offset < sizeof zeros ? (size_t)(end - output->offset)
                                                                : sizeof zeros);
}

static uint64_t align(uint64_t size)
{
    return (size + TRACE_CHUNK_ALIGN - 1) / TRACE_CHUNK_ALIGN * TRACE_CHUNK_ALIGN;
}

static void put_chunk(struct output *output, struct trace_chunk head, const void *bytes,
                      size_t size)
{
    uint64_t used = head.kind == TRACE_TALLIES ? sizeof(union trace_cell) : sizeof head;

    head.magic = TRACE_CHUNK_MAGIC;
    head.offset = output->offset;
    head.used = used + size;
    head.size = head.kind == TRACE_TALLIES ? TRACE_TALLY_CHUNK_SIZE : align(head.used);
    head.clock = (struct trace_clock_pair){FIRST_TICKS, FIRST_TICKS};
    put(output, &head, sizeof head);
    pad(output, head.offset + used);
    put(output, bytes, size);
    pad(output, head.offset + head.size);
}

/* Cell 1 is the thread, and slots follow it. */
static void put_tallies(struct output *output, const struct import_trace *trace, uint32_t pid)
{
    size_t count = 1 + trace->slots.size / sizeof(struct trace_slot);
    const union trace_cell *slots = (const union trace_cell *)(const void *)trace->slots.bytes;
    union trace_cell cells[CELLS - 1];

    for (size_t done = 0, sequence = 0; done < count; sequence++) {
        size_t piece = 0;

        for (; piece < CELLS - 1 && done < count; piece++, done++) {
            memset(&cells[piece], 0, sizeof cells[piece]);
            if (done > 0)
                cells[piece] = slots[done - 1];
            else
                cells[piece].node = (struct trace_node){
                    .kind = TRACE_CELL_NODE, .thread = pid, .first_ticks = FIRST_TICKS,
                    .last_ticks = FIRST_TICKS + trace->last_ns - trace->first_ns,
                    .delay_ns = UINT64_MAX};
        }
        put_chunk(output,
                  (struct trace_chunk){.kind = TRACE_TALLIES, .lane = 1,
                                       .sequence = (uint32_t)sequence},
                  cells, piece * sizeof *cells);
    }
}

/* Returns: the number of a slot's cell: the first of each chunk is its head. */
static uint64_t cell_of(uint64_t slot)
{
    uint64_t place = slot + 1;

    return place / (CELLS - 1) * CELLS + place % (CELLS - 1) + 1;
}

/* Each call behind a TIME, so that no difference is too large. */
static enum status put_events(struct output *output, const struct import_trace *trace)
{
    const struct import_call *calls = (const void *)trace->events.bytes;
    size_t count = trace->events.size / sizeof *calls;
    enum status status;
    struct text words;

    text_init(&words);
    for (size_t i = 0; i < count; i++) {
        const uint64_t event[4] = {TRACE_EVENT_TIME,
                                   FIRST_TICKS + calls[i].end_ns - trace->first_ns,
                                   TRACE_EVENT_KERNEL | cell_of(calls[i].slot) << TRACE_KIND_BITS,
                                   calls[i].duration_ns};

        text_append_bytes(&words, (const char *)event, sizeof event);
    }
    status = text_status(&words);
    if (!status)
        put_chunk(output, (struct trace_chunk){.kind = TRACE_EVENTS, .lane = 1}, words.bytes,
                  words.size);
    text_fini(&words);
    return status;
}

static struct trace_header make_header(const struct import_trace *trace, uint64_t size)
{
    uint64_t end = FIRST_TICKS + trace->last_ns - trace->first_ns;
    struct trace_header header = {.version = TRACE_VERSION,
                                  .byte_order = TRACE_BYTE_ORDER,
                                  .machine = TRACE_X86_64,
                                  .clock = TRACE_CLOCK_MONOTONIC,
                                  .pid = 1,
                                  .start = {FIRST_TICKS, FIRST_TICKS},
                                  .end = {end, end},
                                  .realtime_start_ns = trace->realtime_ns,
                                  .size = size,
                                  .ending = TRACE_EXITED,
                                  .exit_status = TRACE_STATUS_UNKNOWN,
                                  .page_size = 4096,
                                  .sampling_off = TRACE_SAMPLING_IMPORTED};

    memcpy(header.magic, TRACE_MAGIC, sizeof header.magic);
    memset(&header.first, 0xff, sizeof header.first); /* nothing was read */
    memset(&header.last, 0xff, sizeof header.last);
    return header;
}

enum status import_trace_write(const struct import_trace *trace, FILE *out)
{
    size_t slots = 1 + trace->slots.size / sizeof(struct trace_slot);
    uint64_t tallies = (slots + CELLS - 2) / (CELLS - 1) * (uint64_t)TRACE_TALLY_CHUNK_SIZE;
    uint64_t events = trace->events.size / sizeof(struct import_call) * 4 * TRACE_WORD_SIZE;
    struct trace_header header = make_header(
        trace, TRACE_HEADER_SIZE + align(sizeof(struct trace_chunk) + trace->facts.size) + tallies +
                   align(sizeof(struct trace_chunk) + events));
    struct output output = {out, 0};

    if (text_status(&trace->facts) || text_status(&trace->events))
        return STATUS_OUT_OF_MEMORY;
    put(&output, &header, sizeof header);
    pad(&output, TRACE_HEADER_SIZE);
    put_chunk(&output, (struct trace_chunk){.kind = TRACE_FACTS}, trace->facts.bytes,
              trace->facts.size);
    put_tallies(&output, trace, header.pid);
    return put_events(&output, trace);
}
