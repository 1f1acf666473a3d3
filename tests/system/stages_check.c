/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stages_check TRACE [TRUTH]: replay the blocks of a trace as a reader must, with nothing of the
 * analyzer but the decoding of records, and compare with the truth of stages.c.
 *
 * Until stage BLOCKS starts, every block is known.  Then undrawn blocks are forgotten, late records
 * of others are ignored, and each drawn one represents 1 / p.  Prints lines "key value".
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/merge.h"
#include "reader/reader.h"

enum { PLACES = 1 << 20, LANES = 256, SIZE_UNIT = 16, SIZE_REST = 5 };

struct block {
    uint64_t address; /* 0: a free place */
    uint64_t size;
    uint32_t distance; /* 0: not drawn */
    uint32_t excess;   /* usable bytes beyond its size, of a drawn one */
    bool is_live;
    bool is_true; /* the truth has it */
};

/* Bytes that drawn blocks represent. */
struct estimate {
    double bytes;
    double variance;
};

struct replay {
    struct block blocks[PLACES];
    struct block released[LANES]; /* by lane, until realloc reports the outcome */
    uint64_t blocks_ticks;        /* when stage BLOCKS started; UINT64_MAX: it did not */
    bool has_begun;
    uint64_t drawn, plain, chained, late, unknown, replaced, heaps, stages;
    struct estimate obtained;
    uint64_t misjudged; /* drawn blocks of the truth with other usable bytes */
};

static struct replay replay;

static void say(const char *key, uint64_t value)
{
    printf("%s %" PRIu64 "\n", key, value);
}

static struct block *find(uint64_t address)
{
    size_t at = (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 44);

    while (replay.blocks[at % PLACES].address != 0 && replay.blocks[at % PLACES].address != address)
        at++;
    return &replay.blocks[at % PLACES];
}

static double call_bytes; /* of the header */

static void forget_undrawn(void)
{
    replay.has_begun = true;
    for (size_t i = 0; i < PLACES; i++)
        replay.blocks[i].is_live = replay.blocks[i].is_live && replay.blocks[i].distance != 0;
}

static void add_block(struct estimate *estimate, const struct block *block)
{
    double size = (double)block->size;
    double p = block->distance != 0 ? -expm1(-(size + call_bytes) / block->distance) : 1;

    if (block->size == 0)
        return;
    estimate->bytes += size / p;
    estimate->variance += size * size * (1 - p) / (p * p);
}

static void say_estimate(const char *key, struct estimate estimate)
{
    printf("%s_estimate %.0f\n%s_error %.0f\n", key, estimate.bytes, key, sqrt(estimate.variance));
}

static void on_obtained(const struct reader_event *event)
{
    struct block *block = find(event->address);
    const struct block obtained = {
        event->address, event->size, event->distance, event->distance != 0 ? event->excess : 0,
        true,           false};

    if (event->distance != 0)
        add_block(&replay.obtained, &obtained);
    replay.drawn += event->distance != 0;
    replay.plain += event->distance == 0;
    replay.chained += event->distance == 0 && event->cell != 0;
    if (event->kind == TRACE_EVENT_REALLOC)
        replay.released[event->source % LANES].is_live = false;
    if (replay.has_begun && event->distance == 0) {
        replay.late++;
        return;
    }
    replay.replaced += block->is_live;
    *block = (struct block){
        event->address, event->size, event->distance, event->distance != 0 ? event->excess : 0,
        true,           false};
}

/* Until the call returns, the lane keeps the released block. */
static void on_release(const struct reader_event *event)
{
    struct block *block = find(event->address);

    replay.released[event->source % LANES] = *block;
    replay.unknown += !block->is_live;
    block->is_live = false;
}

static void on_restore(const struct reader_event *event)
{
    struct block *released = &replay.released[event->source % LANES];

    if (released->is_live && (released->distance != 0 || !replay.has_begun))
        *find(event->address) = *released;
    released->is_live = false;
}

/* After a release it ends the release, and the place may already be another block's. */
static void on_free(const struct reader_event *event)
{
    struct block *released = &replay.released[event->source % LANES];
    struct block *block = find(event->address);

    if (released->is_live && released->address == event->address) {
        released->is_live = false;
        return;
    }
    replay.unknown += !block->is_live;
    block->is_live = false;
}

static void on_event(const struct reader_event *event)
{
    if (!replay.has_begun && event->ticks >= replay.blocks_ticks)
        forget_undrawn();
    switch (event->kind) {
    case TRACE_EVENT_MALLOC:
    case TRACE_EVENT_CALLOC:
    case TRACE_EVENT_REALLOC:
    case TRACE_EVENT_ALIGNED: on_obtained(event); break;
    case TRACE_EVENT_FREE: on_free(event); break;
    case TRACE_EVENT_RELEASE: on_release(event); break;
    case TRACE_EVENT_RESTORE: on_restore(event); break;
    case TRACE_EVENT_EXTENDED:
        replay.heaps += event->type == TRACE_EXTENDED_HEAP;
        replay.stages += event->type == TRACE_EXTENDED_STAGE;
        break;
    case TRACE_EVENT_NONE:
    case TRACE_EVENT_TIME:
    case TRACE_EVENT_KERNEL:
    case TRACE_EVENT_ENTER:
    case TRACE_EVENT_LEAVE:
    case TRACE_EVENT_DRAWN:
    case TRACE_EVENT_KINDS: break;
    }
}

/* The sums of all nodes, threads and regions alike. */
static void add_chunk(struct trace_node *sum, const char *bytes, size_t size)
{
    struct trace_node node;

    /* The head of the chunk is in its first cell. */
    for (size_t at = sizeof node - sizeof(struct trace_chunk); at + sizeof node <= size;
         at += sizeof node) {
        memcpy(&node, bytes + at, sizeof node);
        if (node.kind != TRACE_CELL_NODE)
            continue;
        sum->allocations += node.allocations;
        sum->allocated_bytes += node.allocated_bytes;
        sum->frees += node.frees;
        sum->failed_allocations += node.failed_allocations;
        sum->lost_records += node.parent == 0 ? node.lost_records : 0;
    }
}

static void say_tallies(const struct reader *reader)
{
    struct reader_span span = reader_chunks(reader, TRACE_TALLIES);
    struct trace_node sum = {0};

    for (const struct reader_chunk *chunk = span.first; chunk < span.end; chunk++) {
        size_t size = 0;
        char *bytes = reader_load(reader, chunk, &size);

        add_chunk(&sum, bytes, bytes ? size : 0);
        free(bytes);
    }
    say("allocations", sum.allocations);
    say("allocated_bytes", sum.allocated_bytes);
    say("frees", sum.frees);
    say("failed", sum.failed_allocations);
    say("lost", sum.lost_records);
}

static bool is_of_program(const struct block *block)
{
    return block->is_live && block->size % SIZE_UNIT == SIZE_REST;
}

/* A block of the truth that the replay does not have, though every block has a record. */
static uint64_t compare_line(const char *line)
{
    unsigned long address;
    size_t size, usable;
    struct block *block;

    if (sscanf(line, "live %lx %zu %zu", &address, &size, &usable) != 3)
        return 0;
    block = find(address);
    if (!is_of_program(block) || block->size != size)
        return 1;
    block->is_true = true;
    replay.misjudged += block->distance != 0 && block->size + block->excess != usable;
    return 0;
}

static void compare(FILE *truth)
{
    char line[256];
    uint64_t missing = 0, wrong = 0;

    while (fgets(line, sizeof line, truth))
        missing += compare_line(line);
    for (size_t i = 0; i < PLACES; i++)
        wrong += is_of_program(&replay.blocks[i]) && !replay.blocks[i].is_true;
    say("missing", missing);
    say("wrong", wrong);
    say("misjudged", replay.misjudged);
}

static void say_live(void)
{
    struct estimate live = {0, 0};

    for (size_t i = 0; i < PLACES; i++)
        if (is_of_program(&replay.blocks[i]))
            add_block(&live, &replay.blocks[i]);
    say_estimate("live", live);
}

static void say_header(const struct trace_header *header)
{
    say("heap_live", header->heap_live_bytes);
    say("heap_first", header->heap_first_bytes);
    say("heap_peak", header->heap_peak_bytes);
    say("is_counted", header->heap_peak_ticks != 0);
    say("peak_is_within",
        header->heap_peak_ticks >= header->start.ticks &&
            (header->end.ticks == 0 || header->heap_peak_ticks <= header->end.ticks));
    say("chains", header->stage_ticks[TRACE_STAGE_CHAINS] != 0);
    say("blocks", header->stage_ticks[TRACE_STAGE_BLOCKS] != 0);
    say("lost_samples", header->lost_samples);
}

static void run(struct merge *merge)
{
    for (const struct reader_event *event = merge_next(merge); event; event = merge_next(merge))
        on_event(event);
    if (!replay.has_begun && replay.blocks_ticks != UINT64_MAX)
        forget_undrawn();
    say("drawn", replay.drawn);
    say("plain", replay.plain);
    say("chained", replay.chained);
    say("late", replay.late);
    say("unknown", replay.unknown);
    say("replaced", replay.replaced);
    say("heaps", replay.heaps);
    say("stages", replay.stages);
}

int main(int argc, char **argv)
{
    struct diagnostic diagnostic;
    struct reader reader;
    struct merge merge;
    FILE *truth = argc == 3 ? fopen(argv[2], "r") : NULL;
    uint64_t begin;

    if (argc < 2 || reader_open(&reader, argv[1], &diagnostic))
        return 2;
    call_bytes = (double)reader.header.call_bytes;
    begin = reader.header.stage_ticks[TRACE_STAGE_BLOCKS];
    replay.blocks_ticks = reader.header.sample_bytes != 0 ? 0 : begin != 0 ? begin : UINT64_MAX;
    merge_open(&merge, &reader);
    say_header(&reader.header);
    run(&merge);
    say_tallies(&reader);
    if (truth)
        compare(truth);
    say_live();
    say_estimate("obtained", replay.obtained);
    merge_close(&merge);
    reader_close(&reader);
    return 0;
}
