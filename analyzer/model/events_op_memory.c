/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A block belongs to the innermost op that was open on its thread at the allocation.
 *
 * A block was kept for the backward pass if a forward op allocated it, and it is freed while
 * gradients are computed or after those of its op have started.  A block was live at the peak if
 * its sequence number existed by then, and no higher peak came before its free.
 */
#include "model/events_parts.h"

#include "model/session_unknown.h"

/* The birth of a block that was obtained while gradients were computed; for any other block, the
 * birth is the sequence number of its op, 0 if there was none. */
#define IN_BACKWARD UINT64_MAX

struct op_heap {
    uint64_t live_bytes;
    uint64_t peak_bytes; /* live at the peak of that epoch of the heap */
    uint64_t epoch;
    uint64_t kept_bytes;
    uint64_t kept_blocks;
    uint64_t kept_peak_bytes; /* part of these live at the peak of the epoch below */
    uint64_t kept_epoch;
};

void op_memory_init(struct op_memory *memory, const struct session *session)
{
    array_init(&memory->ops, sizeof(struct op_heap));
    if (session->ops.count <= 1)
        return;
    for (size_t i = 0; i < session->ops.count; i++)
        array_add(&memory->ops);
    heap_map_init(&memory->map);
}

void op_memory_fini(struct op_memory *memory)
{
    array_fini(&memory->ops);
    heap_map_fini(&memory->map);
}

/* Most blocks have no records from now on.  The figures of an earlier peak stay valid. */
static bool is_over(const struct events *events)
{
    return events->heap.stage == HEAP_BLOCKS;
}

/* Before an op changes, note its present bytes: they were the same at the last peak. */
static void note(struct events *events, struct op_heap *op)
{
    if (op->epoch == events->heap.epoch)
        return;
    op->peak_bytes = op->live_bytes;
    op->epoch = events->heap.epoch;
}

/* A peak may have come since the last block. */
static void follow_peak(struct events *events)
{
    struct op_memory *memory = &events->op_memory;

    if (memory->epoch == events->heap.epoch)
        return;
    memory->epoch = events->heap.epoch;
    memory->peak_sequence = memory->last_sequence;
}

static void add_live(struct events *events, uint32_t index, uint64_t bytes)
{
    struct op_heap *op = array_at(&events->op_memory.ops, index);

    if (is_over(events))
        return;
    note(events, op);
    op->live_bytes += bytes;
}

static struct op_heap *drop(struct events *events, struct heap_block *place)
{
    struct op_memory *memory = &events->op_memory;
    struct op_heap *op = array_at(&memory->ops, place->site);

    if (!is_over(events)) {
        note(events, op);
        op->live_bytes -= place->size;
    }
    heap_map_clear(&memory->map, place);
    memory->count--;
    return op;
}

void op_memory_obtain(struct events *events, const struct reader_event *event)
{
    struct op_memory *memory = &events->op_memory;
    const struct events_lane *lane = events_find_lane(events, event);
    struct events_sequence sequence = events_find_sequence(lane);
    struct heap_block *place;

    if (memory->ops.count == 0 || event->address == 0)
        return;
    follow_peak(events);
    if (sequence.number > memory->last_sequence)
        memory->last_sequence = sequence.number;
    place = heap_map_find(&memory->map, event->address);
    if (place)
        op_growth_drop(events, place->site, place->size, event->ticks);
    if (place)
        drop(events, place);
    if (lane->op == 0)
        return;
    *heap_map_claim(&memory->map, event->address) = (struct heap_block){
        .address = event->address,
        .size = event->size,
        .birth = events_is_backward(lane) ? IN_BACKWARD : sequence.number,
        .site = lane->op,
        .thread = sequence.op,
    };
    add_live(events, lane->op, event->size);
    op_growth_add(events, lane->op, event->size);
    if (heap_map_is_full(&memory->map, ++memory->count))
        heap_map_grow(&memory->map);
}

static bool was_kept(const struct events *events, const struct events_lane *lane,
                     const struct heap_block *block)
{
    const struct events_sequence sequence = {block->birth, block->thread};

    if (block->birth == IN_BACKWARD)
        return false;
    return events_is_backward(lane) ||
           (block->birth != 0 && events_has_gradients(events, lane, &sequence));
}

static void add_kept(struct events *events, struct op_heap *op, const struct heap_block *block)
{
    op->kept_bytes += block->size;
    op->kept_blocks++;
    if (block->birth > events->op_memory.peak_sequence)
        return;
    if (op->kept_epoch != events->heap.epoch)
        op->kept_peak_bytes = 0;
    op->kept_epoch = events->heap.epoch;
    op->kept_peak_bytes += block->size;
}

void op_memory_free(struct events *events, const struct reader_event *event)
{
    struct op_memory *memory = &events->op_memory;
    struct heap_block *place, block;
    struct op_heap *op;

    if (memory->ops.count == 0 || event->address == 0)
        return;
    place = heap_map_find(&memory->map, event->address);
    if (!place)
        return;
    follow_peak(events);
    block = *place;
    op = drop(events, place);
    if (was_kept(events, events_find_lane(events, event), &block))
        add_kept(events, op, &block);
    op_growth_drop(events, block.site, block.size, event->ticks);
}

void op_memory_restart(struct op_memory *memory)
{
    struct op_heap *op = memory->ops.items;

    for (size_t i = 0; i < memory->ops.count; i++)
        op[i].kept_bytes = op[i].kept_blocks = op[i].kept_peak_bytes = 0;
}

/* Some kept bytes were freed after records ended. */
static void finish(const struct events *events, const struct op_heap *op, struct session_op *to)
{
    const struct heap *heap = &events->heap;

    to->peak_bytes = to->kept_bytes = to->kept_blocks = to->kept_peak_bytes = SESSION_UNKNOWN;
    if (heap->options.sample_bytes > 0 || !heap_has_plain_peak(heap))
        return;
    to->peak_bytes =
        op->epoch == (is_over(events) ? heap->blocks_epoch : heap->epoch) ? op->peak_bytes
                                                                          : op->live_bytes;
    if (is_over(events))
        return;
    to->kept_bytes = op->kept_bytes;
    to->kept_blocks = op->kept_blocks;
    to->kept_peak_bytes = op->kept_epoch == heap->epoch ? op->kept_peak_bytes : 0;
}

void op_memory_finish(struct events *events)
{
    static const struct op_heap none = {.live_bytes = 0};
    struct session_op *to = events->session->ops.items;
    const struct op_heap *op = events->op_memory.ops.items;

    for (size_t i = 0; i < events->session->ops.count; i++)
        finish(events, i < events->op_memory.ops.count ? &op[i] : &none, &to[i]);
}
