/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * make_trace: a trace of a program that does nothing but allocate, to measure
 * how fast traces are read.
 *
 *     make_trace FILE EVENTS LIVE SITES LANES
 *
 * The number of live blocks wanders about LIVE.  Random numbers choose the block, the thread, and
 * whether the block is obtained or freed, so that a reader cannot predict anything.  Every other
 * freed block is the one that its thread obtained last.  Sites are drawn with few frequent and many
 * rare ones, each at the end of its own chain in a tree with eight branches at each call.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/trace.h"

enum {
    EVENT_CHUNK = 1 << 20,
    FACT_CHUNK = 4096,
    START = 1000,
    BRANCHES = 8,
    FIRST_CALL = 4, /* in a stack chunk: the head takes the places before */
    BLOCK_STRIDE = 64,
    MODULE_START = 0x400000,
    CALL_STRIDE = 16,
    STEPS_MAX = 8 /* steps of 16 ticks between two records */
};

static const uint64_t heap_start = UINT64_C(0x7f0000000000);

struct lane {
    char *chunk; /* the chunk being filled */
    uint64_t ticks;
    uint32_t sequence;
    uint64_t last; /* the last obtained block; 0 when it is gone */
    struct trace_node node;
};

struct maker {
    FILE *file;
    uint64_t size; /* size of the file so far */
    uint64_t ticks;
    uint64_t random;
    uint64_t sites;
    uint32_t lane_count;
    struct lane *lanes;
    uint32_t *live;   /* numbers of live blocks, followed by the others */
    uint64_t *places; /* position of a block's number in `live` */
    uint64_t live_count;
};

static void fail(const char *why)
{
    fprintf(stderr, "make_trace: %s\n", why);
    exit(1);
}

/* xorshift64* (Vigna 2016). */
static uint64_t draw(struct maker *maker)
{
    maker->random ^= maker->random >> 12;
    maker->random ^= maker->random << 25;
    maker->random ^= maker->random >> 27;
    return maker->random * UINT64_C(0x2545f4914f6cdd1d);
}

static uint64_t draw_below(struct maker *maker, uint64_t limit)
{
    return (draw(maker) >> 32) * limit >> 32;
}

static void write_bytes(struct maker *maker, const void *bytes, size_t size)
{
    if (fwrite(bytes, 1, size, maker->file) != size)
        fail("the file cannot be written");
    maker->size += size;
}

static char *make_chunk(enum trace_chunk_kind kind, uint32_t lane, uint32_t sequence, size_t size)
{
    struct trace_chunk *head = calloc(1, size);

    if (!head)
        fail("out of memory");
    head->magic = TRACE_CHUNK_MAGIC;
    head->kind = kind;
    head->lane = lane;
    head->sequence = sequence;
    head->size = size;
    head->used = kind == TRACE_TALLIES ? sizeof(union trace_cell) : sizeof *head;
    return (char *)head;
}

static void write_chunk(struct maker *maker, char *bytes, uint64_t ticks)
{
    struct trace_chunk *head = (void *)bytes;

    head->offset = maker->size;
    head->clock = (struct trace_clock_pair){ticks, ticks};
    write_bytes(maker, bytes, head->size);
    free(bytes);
}

/* ---- events ------------------------------------------------------------ */

static void open_events(struct maker *maker, struct lane *lane)
{
    uint32_t number = (uint32_t)(lane - maker->lanes) + 1;

    lane->chunk = make_chunk(TRACE_EVENTS, number, lane->sequence++, EVENT_CHUNK);
    lane->ticks = maker->ticks;
    ((struct trace_chunk *)(void *)lane->chunk)->clock.ticks = maker->ticks;
}

static void close_events(struct maker *maker, struct lane *lane)
{
    write_chunk(maker, lane->chunk, ((struct trace_chunk *)(void *)lane->chunk)->clock.ticks);
}

/* A record of one word or two. */
static void add_record(struct maker *maker, struct lane *lane, const uint64_t *words, size_t count)
{
    struct trace_chunk *head = (void *)lane->chunk;

    memcpy(lane->chunk + head->used, words, count * sizeof *words);
    head->used += count * sizeof *words;
    if (head->used + 2 * sizeof *words <= head->size)
        return;
    close_events(maker, lane);
    open_events(maker, lane);
}

static void add_time(struct maker *maker, struct lane *lane)
{
    add_record(maker, lane, (const uint64_t[]){TRACE_EVENT_TIME, maker->ticks}, 2);
    lane->ticks = maker->ticks;
}

static void add_block(struct maker *maker, struct lane *lane, enum trace_event_kind kind,
                      uint64_t block, uint64_t second)
{
    uint64_t address = heap_start + block * BLOCK_STRIDE;

    maker->ticks += (1 + draw_below(maker, STEPS_MAX)) << TRACE_TICK_SHIFT;
    if ((maker->ticks - lane->ticks) >> TRACE_TICK_SHIFT >> TRACE_ALLOC_DELTA_BITS != 0)
        add_time(maker, lane);
    uint64_t steps = (maker->ticks - lane->ticks) >> TRACE_TICK_SHIFT;
    lane->ticks = maker->ticks;
    const uint64_t words[2] = {(uint64_t)kind | steps << TRACE_KIND_BITS |
                                   address >> TRACE_ALLOC_ADDRESS_SHIFT
                                                  << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS),
                               second};

    add_record(maker, lane, words, kind == TRACE_EVENT_FREE ? 1 : 2);
}

/* The cube of an even number: few sites are frequent, many rare. */
static uint64_t draw_site(struct maker *maker)
{
    double even = (double)(draw(maker) >> 11) * 0x1p-53;

    return (uint64_t)(even * even * even * (double)maker->sites);
}

static uint64_t call_number(uint64_t call)
{
    uint64_t places = TRACE_STACK_CALLS - FIRST_CALL;

    return call / places * TRACE_STACK_CALLS + FIRST_CALL + call % places;
}

/* Call 0 is the root, and site i is call i + 1. */
static void obtain(struct maker *maker, struct lane *lane)
{
    uint32_t block = maker->live[maker->live_count];
    uint64_t size = UINT64_C(16) << draw_below(maker, 8);

    size += draw_below(maker, size);
    maker->places[block] = maker->live_count++;
    add_block(maker, lane, TRACE_EVENT_MALLOC, block,
              size | call_number(draw_site(maker) + 1) << TRACE_SIZE_BITS);
    lane->last = block + 1;
    lane->node.allocations++;
    lane->node.allocated_bytes += size;
}

static void give_back(struct maker *maker, struct lane *lane)
{
    bool is_last = lane->last != 0 && (draw(maker) >> 63) != 0 &&
                   maker->places[lane->last - 1] < maker->live_count;
    uint64_t place = is_last ? maker->places[lane->last - 1] : draw_below(maker, maker->live_count);
    uint32_t block = maker->live[place];
    uint32_t moved = maker->live[--maker->live_count];

    maker->live[place] = moved;
    maker->places[moved] = place;
    maker->live[maker->live_count] = block;
    maker->places[block] = maker->live_count;
    lane->last = is_last ? 0 : lane->last;
    lane->node.frees++;
    add_block(maker, lane, TRACE_EVENT_FREE, block, 0);
}

static void make_events(struct maker *maker, uint64_t count, uint64_t live)
{
    for (uint32_t i = 0; i < maker->lane_count; i++)
        open_events(maker, &maker->lanes[i]);
    for (uint64_t i = 0; i < count; i++) {
        struct lane *lane = &maker->lanes[draw_below(maker, maker->lane_count)];

        if (draw_below(maker, 2 * live) >= maker->live_count)
            obtain(maker, lane);
        else
            give_back(maker, lane);
    }
    for (uint32_t i = 0; i < maker->lane_count; i++)
        close_events(maker, &maker->lanes[i]);
}

/* ---- the rest ---------------------------------------------------------- */

static void make_stacks(struct maker *maker, uint32_t lane)
{
    uint64_t places = TRACE_STACK_CALLS - FIRST_CALL;
    uint64_t count = maker->sites + 1;

    for (uint64_t first = 0; first < count; first += places) {
        char *chunk =
            make_chunk(TRACE_STACKS, lane, (uint32_t)(first / places), TRACE_STACK_CHUNK_SIZE);
        struct trace_call *calls = (void *)chunk;
        uint64_t here = count - first < places ? count - first : places;

        for (uint64_t i = first; i < first + here; i++)
            calls[FIRST_CALL + i - first] =
                i == 0 ? (struct trace_call){1, 0, TRACE_CHAIN_WHOLE}
                       : (struct trace_call){MODULE_START + (i + 1) * CALL_STRIDE,
                                             (uint32_t)call_number((i - 1) / BRANCHES), 0};
        ((struct trace_chunk *)(void *)chunk)->used = (FIRST_CALL + here) * sizeof *calls;
        write_chunk(maker, chunk, START);
    }
}

static void make_tally(struct maker *maker, uint32_t lane)
{
    char *chunk = make_chunk(TRACE_TALLIES, lane, 0, TRACE_TALLY_CHUNK_SIZE);
    union trace_cell *cells = (void *)chunk;

    cells[1].node = maker->lanes[lane - 1].node;
    cells[1].node.kind = TRACE_CELL_NODE;
    cells[1].node.thread = lane;
    cells[1].node.first_ticks = START;
    cells[1].node.last_ticks = maker->ticks;
    ((struct trace_chunk *)(void *)chunk)->used = 2 * sizeof *cells;
    write_chunk(maker, chunk, START);
}

static void make_facts(struct maker *maker)
{
    static const char path[] = "/usr/bin/program";
    char *chunk = make_chunk(TRACE_FACTS, 0, 0, FACT_CHUNK);
    const struct trace_fact fact = {TRACE_FACT_MODULE, sizeof(struct trace_module) + sizeof path};
    const struct trace_module module = {.id = 1,
                                        .epoch = 1,
                                        .start = MODULE_START,
                                        .end = MODULE_START + (maker->sites + 4) * CALL_STRIDE};
    char *to = chunk + sizeof(struct trace_chunk);

    memcpy(to, &fact, sizeof fact);
    memcpy(to + sizeof fact, &module, sizeof module);
    memcpy(to + sizeof fact + sizeof module, path, sizeof path);
    ((struct trace_chunk *)(void *)chunk)->used += sizeof fact + sizeof module + sizeof path + 7;
    write_chunk(maker, chunk, START);
}

static void write_header(struct maker *maker)
{
    static const char zeros[TRACE_HEADER_SIZE - sizeof(struct trace_header)];
    struct trace_header header = {
        .version = TRACE_VERSION,
        .byte_order = TRACE_BYTE_ORDER,
        .machine = TRACE_X86_64,
        .clock = TRACE_CLOCK_COUNTER,
        .pid = 1,
        .start = {START, START},
        .end = {maker->ticks + START, maker->ticks + START},
        .size = maker->size,
        .ending = TRACE_EXITED,
        .page_size = TRACE_HEADER_SIZE,
    };

    memcpy(header.magic, TRACE_MAGIC, sizeof header.magic);
    rewind(maker->file);
    write_bytes(maker, &header, sizeof header);
    write_bytes(maker, zeros, sizeof zeros);
}

static void start(struct maker *maker, const char *path, uint64_t live)
{
    maker->file = fopen(path, "wb");
    maker->lanes = calloc(maker->lane_count, sizeof *maker->lanes);
    maker->live = calloc(2 * live, sizeof *maker->live);
    maker->places = calloc(2 * live, sizeof *maker->places);
    if (!maker->file || !maker->lanes || !maker->live || !maker->places)
        fail("cannot start");
    for (uint64_t i = 0; i < 2 * live; i++)
        maker->live[i] = (uint32_t)i;
    write_header(maker);
}

int main(int argc, char **argv)
{
    if (argc != 6)
        fail("usage: make_trace FILE EVENTS LIVE SITES LANES");
    uint64_t live = strtoull(argv[3], NULL, 10);
    struct maker maker = {.ticks = START,
                          .random = 88172645463325252u,
                          .sites = strtoull(argv[4], NULL, 10),
                          .lane_count = (uint32_t)strtoul(argv[5], NULL, 10)};

    if (live == 0 || live > UINT32_MAX / 2 || maker.sites == 0 || maker.lane_count == 0)
        fail("LIVE, SITES and LANES are numbers above 0");
    start(&maker, argv[1], live);
    make_facts(&maker);
    make_events(&maker, strtoull(argv[2], NULL, 10), live);
    for (uint32_t lane = 1; lane <= maker.lane_count; lane++) {
        make_stacks(&maker, lane);
        make_tally(&maker, lane);
    }
    write_header(&maker);
    if (fclose(maker.file) != 0)
        fail("the file cannot be written");
    return 0;
}
