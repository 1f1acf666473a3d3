/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chunks of an imported trace.
 */
#include "import/trace.h"

#include <string.h>

#include "import/trace_parts.h"

/* The size of chunks of events and facts, small enough for `tprof pack`. */
enum { FIRST_TICKS = 1000, CHUNK_SIZE = TRACE_PACKED_MAX / 4, EVENT_WORDS = 4 };

struct output {
    FILE *out;
    uint64_t offset;
    const struct import_trace *trace;
};

static uint64_t ticks_of(const struct output *output, uint64_t ns)
{
    return FIRST_TICKS + ns - output->trace->first_ns;
}

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

/* Some kinds have one size, and their heads take the room of an item. */
static struct trace_chunk begin_chunk(struct output *output, struct trace_chunk head, size_t size)
{
    uint64_t used = head.kind == TRACE_TALLIES ? sizeof(union trace_cell) : sizeof head;

    head.magic = TRACE_CHUNK_MAGIC;
    head.offset = output->offset;
    head.used = used + size;
    head.size = head.kind == TRACE_TALLIES  ? TRACE_TALLY_CHUNK_SIZE
                : head.kind == TRACE_STACKS ? TRACE_STACK_CHUNK_SIZE
                                            : align(head.used);
    head.clock = (struct trace_clock_pair){FIRST_TICKS, FIRST_TICKS};
    put(output, &head, sizeof head);
    pad(output, head.offset + used);
    return head;
}

static void end_chunk(struct output *output, const struct trace_chunk *head)
{
    pad(output, head->offset + head->size);
}

static void put_chunk(struct output *output, struct trace_chunk head, const void *bytes,
                      size_t size)
{
    head = begin_chunk(output, head, size);
    put(output, bytes, size);
    end_chunk(output, &head);
}

/* ---- facts --------------------------------------------------------------------------------- */

/* Returns: the bytes of the facts from a place on that fill a chunk, one at least. */
static size_t fill_facts(const struct text *facts, size_t start)
{
    size_t end = start;

    while (end < facts->size) {
        struct trace_fact fact;
        size_t size;

        memcpy(&fact, facts->bytes + end, sizeof fact);
        size = sizeof fact +
               (fact.size + TRACE_WORD_SIZE - 1) / TRACE_WORD_SIZE * (size_t)TRACE_WORD_SIZE;
        if (end > start && end - start + size > CHUNK_SIZE)
            break;
        end += size;
    }
    return end - start;
}

static void put_facts(struct output *output)
{
    const struct text *facts = &output->trace->facts;
    struct trace_chunk head = {.kind = TRACE_FACTS};

    for (size_t done = 0; done < facts->size; head.sequence++) {
        size_t size = fill_facts(facts, done);

        put_chunk(output, head, facts->bytes + done, size);
        done += size;
    }
}

/* ---- tallies ------------------------------------------------------------------------------- */

/* Fills in the start of the trace, which is unknown while the trace is gathered. */
static union trace_cell finish_cell(const struct output *output, const struct import_lane *lane,
                                    const union trace_cell *raw)
{
    union trace_cell cell = *raw;

    if (cell.kind != TRACE_CELL_NODE)
        return cell;
    if (cell.node.parent == 0) {
        cell.node.first_ticks = lane->first_ns;
        cell.node.last_ticks = lane->last_ns;
    }
    cell.node.first_ticks = ticks_of(output, cell.node.first_ticks);
    cell.node.last_ticks = ticks_of(output, cell.node.last_ticks);
    return cell;
}

static void put_tallies(struct output *output, const struct import_lane *lane, uint32_t number)
{
    const union trace_cell *raw = lane->cells.items;
    union trace_cell cells[IMPORT_CELLS];
    struct trace_chunk head = {.kind = TRACE_TALLIES, .lane = number};

    for (size_t done = 0; done < lane->cells.count; head.sequence++) {
        size_t count = 0;

        for (; count < IMPORT_CELLS && done < lane->cells.count; count++, done++)
            cells[count] = finish_cell(output, lane, &raw[done]);
        put_chunk(output, head, cells, count * sizeof *cells);
    }
}

/* ---- chains -------------------------------------------------------------------------------- */

static void put_chains(struct output *output, const struct import_lane *lane, uint32_t number)
{
    const struct trace_call *calls = lane->calls.items;
    struct trace_chunk head = {.kind = TRACE_STACKS, .lane = number};

    for (size_t done = 0; done < lane->calls.count; done += IMPORT_CALLS, head.sequence++) {
        size_t count = lane->calls.count - done;

        put_chunk(output, head, calls + done,
                  (count < IMPORT_CALLS ? count : IMPORT_CALLS) * sizeof *calls);
    }
}

/* ---- events -------------------------------------------------------------------------------- */

/* A TIME record precedes each event, so that no difference is too large. */
static void put_event(struct output *output, const struct import_event *event)
{
    const uint64_t words[EVENT_WORDS] = {TRACE_EVENT_TIME, ticks_of(output, event->ns),
                                         event->words[0], event->words[1]};

    put(output, words, sizeof words);
}

static void put_events(struct output *output, const struct import_lane *lane, uint32_t number)
{
    enum { EVENTS = CHUNK_SIZE / (EVENT_WORDS * TRACE_WORD_SIZE) };
    const struct import_event *events = lane->events.items;
    struct trace_chunk head = {.kind = TRACE_EVENTS, .lane = number};

    for (size_t done = 0; done < lane->events.count; head.sequence++) {
        size_t end = lane->events.count - done > EVENTS ? done + EVENTS : lane->events.count;
        struct trace_chunk chunk =
            begin_chunk(output, head, (end - done) * EVENT_WORDS * TRACE_WORD_SIZE);

        for (; done < end; done++)
            put_event(output, &events[done]);
        end_chunk(output, &chunk);
    }
}

/* ---- the whole ----------------------------------------------------------------------------- */

static uint64_t count_chunks(size_t items, size_t of_chunk)
{
    return (items + of_chunk - 1) / of_chunk;
}

static uint64_t size_facts(const struct text *facts)
{
    uint64_t size = 0;

    for (size_t done = 0; done < facts->size;) {
        size_t piece = fill_facts(facts, done);

        size += align(sizeof(struct trace_chunk) + piece);
        done += piece;
    }
    return size;
}

static uint64_t size_lane(const struct import_lane *lane)
{
    const size_t whole = CHUNK_SIZE, bytes = lane->events.count * EVENT_WORDS * TRACE_WORD_SIZE;
    uint64_t size = bytes / whole * align(sizeof(struct trace_chunk) + whole);

    if (bytes % whole > 0)
        size += align(sizeof(struct trace_chunk) + bytes % whole);
    return size + count_chunks(lane->cells.count, IMPORT_CELLS) * TRACE_TALLY_CHUNK_SIZE +
           count_chunks(lane->calls.count, IMPORT_CALLS) * TRACE_STACK_CHUNK_SIZE;
}

static uint64_t size_all(const struct import_trace *trace)
{
    const struct import_lane *lane = trace->lanes.items;
    uint64_t size = TRACE_HEADER_SIZE + size_facts(&trace->facts);

    for (size_t i = 0; i < trace->lanes.count; i++)
        size += lane[i].events.count > 0 ? size_lane(&lane[i]) : 0;
    return size;
}

static void put_header(struct output *output)
{
    const struct import_trace *trace = output->trace;
    const uint64_t end = ticks_of(output, trace->last_ns);
    struct trace_header header = {
        .version = TRACE_VERSION,
        .byte_order = TRACE_BYTE_ORDER,
        .machine = TRACE_X86_64,
        .clock = TRACE_CLOCK_MONOTONIC,
        .pid = trace->pid,
        .start = {FIRST_TICKS, FIRST_TICKS},
        .end = {end, end},
        .realtime_start_ns = trace->realtime_ns,
        .size = size_all(trace),
        .ending = TRACE_EXITED,
        .exit_status = TRACE_STATUS_UNKNOWN,
        .page_size = 4096,
        .sampling_period_ns = trace->period_ns,
        .sampling_off = trace->period_ns > 0 ? TRACE_SAMPLING_NONE : TRACE_SAMPLING_IMPORTED,
    };

    memcpy(header.magic, TRACE_MAGIC, sizeof header.magic);
    memset(&header.first, 0xff, sizeof header.first); /* nothing was read */
    memset(&header.last, 0xff, sizeof header.last);
    put(output, &header, sizeof header);
    pad(output, TRACE_HEADER_SIZE);
}

/* A thread without events has no records. */
static void put_lane(struct output *output, const struct import_lane *lane, uint32_t number)
{
    if (lane->events.count == 0)
        return;
    put_tallies(output, lane, number);
    put_chains(output, lane, number);
    put_events(output, lane, number);
}

void import_trace_write(const struct import_trace *trace, FILE *out)
{
    struct output output = {out, 0, trace};
    const struct import_lane *lane = trace->lanes.items;

    put_header(&output);
    put_facts(&output);
    for (uint32_t i = 0; i < trace->lanes.count; i++)
        put_lane(&output, &lane[i], i + 1);
}
