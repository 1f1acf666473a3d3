/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces made by hand, for tests of their readers.
 */
#include "trace_builder.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUILDER_ALIGN = 8, BUILDER_TYPE_SHIFT = 4, BUILDER_COUNT_SHIFT = 12 };

static void trace_builder_grow(struct trace_builder *builder, size_t size)
{
    size_t needed = builder->size + size;

    if (needed > builder->capacity) {
        builder->capacity = 2 * needed;
        builder->bytes = realloc(builder->bytes, builder->capacity);
        ck_assert_ptr_nonnull(builder->bytes);
    }
    memset(builder->bytes + builder->size, 0, size);
    builder->size = needed;
    trace_builder_header(builder)->size = needed;
}

struct trace_header *trace_builder_header(struct trace_builder *builder)
{
    return (void *)builder->bytes;
}

struct trace_chunk *trace_builder_head(struct trace_builder *builder)
{
    return (void *)(builder->bytes + builder->chunk);
}

void trace_builder_init(struct trace_builder *builder)
{
    *builder = (struct trace_builder){0};
    trace_builder_grow(builder, TRACE_HEADER_SIZE);

    struct trace_header *header = trace_builder_header(builder);
    memcpy(header->magic, TRACE_MAGIC, sizeof header->magic);
    header->version = TRACE_VERSION;
    header->byte_order = TRACE_BYTE_ORDER;
    header->machine = TRACE_X86_64;
    header->clock = TRACE_CLOCK_COUNTER;
    header->pid = 42;
    header->start = (struct trace_clock_pair){1000, 5000000000};
    header->end = (struct trace_clock_pair){1000001000, 6000000000};
    header->ending = TRACE_EXITED;
}

void trace_builder_fini(struct trace_builder *builder)
{
    free(builder->bytes);
    *builder = (struct trace_builder){0};
}

void trace_builder_chunk(struct trace_builder *builder, enum trace_chunk_kind kind, uint32_t lane,
                         uint32_t sequence, uint64_t size, uint64_t ticks)
{
    builder->chunk = builder->size;
    builder->ticks = ticks;
    trace_builder_grow(builder, size);

    const struct trace_clock_pair start = trace_builder_header(builder)->start;
    *trace_builder_head(builder) = (struct trace_chunk){
        .magic = TRACE_CHUNK_MAGIC,
        .kind = kind,
        .lane = lane,
        .sequence = sequence,
        .offset = builder->chunk,
        .size = size,
        .used = kind == TRACE_TALLIES ? sizeof(union trace_cell) : sizeof(struct trace_chunk),
        .clock = {ticks, start.monotonic_ns + (ticks - start.ticks)},
    };
}

void trace_builder_add(struct trace_builder *builder, const void *bytes, size_t size)
{
    struct trace_chunk *head = trace_builder_head(builder);

    ck_assert_uint_le(size, head->size - head->used);
    memcpy((char *)head + head->used, bytes, size);
    head->used += size;
}

/* ---- events ------------------------------------------------------------ */

/* Returns: the difference to write; the builder is then at `ticks`. */
static uint64_t trace_builder_delta(struct trace_builder *builder, uint64_t ticks, unsigned bits,
                                    unsigned shift)
{
    const uint64_t time[2] = {TRACE_EVENT_TIME, ticks};
    uint64_t delta = (ticks - builder->ticks) >> shift;

    if (delta >> bits != 0) {
        trace_builder_add(builder, time, sizeof time);
        builder->ticks = ticks;
        return 0;
    }
    builder->ticks += delta << shift;
    return delta;
}

/* Returns: the first word of a block's record, whose time is then the builder's. */
static uint64_t trace_builder_block_head(struct trace_builder *builder, enum trace_event_kind kind,
                                         uint64_t ticks, uint64_t address)
{
    uint64_t delta = trace_builder_delta(builder, ticks, TRACE_ALLOC_DELTA_BITS, TRACE_TICK_SHIFT);

    return kind | delta << TRACE_KIND_BITS |
           address >> TRACE_ALLOC_ADDRESS_SHIFT << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
}

/* Returns: the second. */
static uint64_t trace_builder_block_size(const struct trace_builder_block *block)
{
    uint64_t size = block->size < TRACE_SIZE_LARGE ? block->size : TRACE_SIZE_LARGE;

    return size | (uint64_t)block->chain << TRACE_SIZE_BITS;
}

void trace_builder_chained(struct trace_builder *builder, enum trace_event_kind kind,
                           uint64_t ticks, const struct trace_builder_block *block)
{
    size_t count = kind >= TRACE_EVENT_FREE ? 1 : 2 + (block->size >= TRACE_SIZE_LARGE);
    const uint64_t words[3] = {trace_builder_block_head(builder, kind, ticks, block->address),
                               trace_builder_block_size(block), block->size};

    trace_builder_add(builder, words, count * sizeof *words);
}

void trace_builder_drawn(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                         const struct trace_builder_block *block,
                         const struct trace_builder_draw *draw)
{
    size_t count = 3 + (block->size >= TRACE_SIZE_LARGE);
    const uint64_t words[4] = {
        trace_builder_block_head(builder, TRACE_EVENT_DRAWN, ticks, block->address),
        trace_builder_block_size(block),
        kind | draw->distance << TRACE_KIND_BITS |
            draw->excess << (TRACE_KIND_BITS + TRACE_DISTANCE_BITS),
        block->size};

    trace_builder_add(builder, words, count * sizeof *words);
}

void trace_builder_block(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                         uint64_t address, uint64_t size)
{
    const struct trace_builder_block block = {address, size, 0};

    trace_builder_chained(builder, kind, ticks, &block);
}

void trace_builder_call(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                        uint32_t cell, uint64_t duration)
{
    uint64_t delta = trace_builder_delta(builder, ticks, TRACE_DELTA_BITS, 0);
    const uint64_t words[2] = {kind | (uint64_t)cell << TRACE_KIND_BITS | delta << TRACE_DELTA_BITS,
                               duration};

    trace_builder_add(builder, words, sizeof words);
}

void trace_builder_extended(struct trace_builder *builder, uint64_t ticks,
                            enum trace_extended_type type, const uint64_t *words, unsigned count)
{
    uint64_t delta = trace_builder_delta(builder, ticks, TRACE_DELTA_BITS, 0);
    const uint64_t head = TRACE_EVENT_EXTENDED | (uint64_t)type << BUILDER_TYPE_SHIFT |
                          (uint64_t)count << BUILDER_COUNT_SHIFT | delta << TRACE_DELTA_BITS;

    trace_builder_add(builder, &head, sizeof head);
    trace_builder_add(builder, words, count * sizeof *words);
}

void trace_builder_sample(struct trace_builder *builder, uint64_t ticks, unsigned periods,
                          const struct trace_builder_sample *sample)
{
    uint64_t delta = trace_builder_delta(builder, ticks, TRACE_DELTA_BITS, 0);
    const uint64_t words[2] = {
        TRACE_EVENT_EXTENDED | (uint64_t)TRACE_EXTENDED_SAMPLE << BUILDER_TYPE_SHIFT |
            UINT64_C(1) << BUILDER_COUNT_SHIFT | (uint64_t)periods << TRACE_NOTE_SHIFT |
            delta << TRACE_DELTA_BITS,
        sample->chain | (uint64_t)sample->cell << TRACE_CHAIN_BITS |
            (uint64_t)sample->flags << (TRACE_CHAIN_BITS + TRACE_CELL_BITS)};

    trace_builder_add(builder, words, sizeof words);
}

/* ---- tallies ----------------------------------------------------------- */

static uint32_t trace_builder_cell(struct trace_builder *builder, const union trace_cell *cell)
{
    const struct trace_chunk *head = trace_builder_head(builder);
    uint32_t place = (uint32_t)(head->used / sizeof *cell);
    uint32_t number = head->sequence * TRACE_TALLY_CELLS + place;

    trace_builder_add(builder, cell, sizeof *cell);
    return number;
}

uint32_t trace_builder_node(struct trace_builder *builder, const struct trace_node *node)
{
    union trace_cell cell = {.node = *node};

    cell.node.kind = TRACE_CELL_NODE;
    return trace_builder_cell(builder, &cell);
}

uint32_t trace_builder_slot(struct trace_builder *builder, const struct trace_slot *slot)
{
    union trace_cell cell = {.slot = *slot};

    cell.slot.kind = TRACE_CELL_SLOT;
    return trace_builder_cell(builder, &cell);
}

/* ---- call chains ------------------------------------------------------- */

uint32_t trace_builder_stack(struct trace_builder *builder, const struct trace_call *call)
{
    const struct trace_chunk *head = trace_builder_head(builder);
    uint32_t place = (uint32_t)(head->used / sizeof *call);
    uint32_t number = head->sequence * TRACE_STACK_CALLS + place;

    trace_builder_add(builder, call, sizeof *call);
    return number;
}

/* ---- facts ------------------------------------------------------------- */

void trace_builder_fact(struct trace_builder *builder, enum trace_fact_kind kind, const void *head,
                        size_t head_size, const char *text, size_t text_size)
{
    const struct trace_fact fact = {kind, (uint32_t)(head_size + text_size)};
    const char padding[BUILDER_ALIGN] = "";

    trace_builder_add(builder, &fact, sizeof fact);
    if (head_size > 0)
        trace_builder_add(builder, head, head_size);
    trace_builder_add(builder, text, text_size);
    trace_builder_add(builder, padding, -(size_t)fact.size % BUILDER_ALIGN);
}

void trace_builder_property(struct trace_builder *builder, const char *key, const char *value)
{
    trace_builder_fact(builder, TRACE_FACT_PROPERTY, key, strlen(key) + 1, value, strlen(value));
}

void trace_builder_string(struct trace_builder *builder, uint32_t id, const char *text)
{
    const struct trace_string head = {id, 0};

    trace_builder_fact(builder, TRACE_FACT_STRING, &head, sizeof head, text, strlen(text));
}

void trace_builder_write(const struct trace_builder *builder, size_t size,
                         char path[BUILDER_PATH_SIZE])
{
    strcpy(path, "/tmp/tprof-check-XXXXXX");
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(builder->bytes, 1, size, file), size);
    ck_assert_int_eq(fclose(file), 0);
}
