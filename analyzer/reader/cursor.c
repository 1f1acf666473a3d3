/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cursor.c: decoding the events of one lane.
 *
 * The layouts are in spec/trace.h.  This is on the path of every event, and most
 * events are of blocks: one branch, a few shifts, no call that is not inlined.
 * Events are decoded as many at a time as the window holds, since a call for
 * each cost a third of the time.
 */
#include "reader/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "reader/packed.h"

enum {
    CURSOR_WINDOW_SIZE = 65536,
    CURSOR_UNITS_MAX = 128, /* an extended record has at most 255 words */
    CURSOR_RECORD_MAX = CURSOR_UNITS_MAX * TRACE_UNIT_SIZE,
    CURSOR_AHEAD_UNITS = 12, /* some 300 ns before its turn: a miss of memory */
    CURSOR_NEAR_UNITS = 5,
    CURSOR_END = 0,
    CURSOR_BAD = -1,
    CURSOR_TYPE_SHIFT = 4,
    CURSOR_COUNT_SHIFT = 12
};

/* Payload words of each type of extended record. */
static const unsigned char cursor_words[TRACE_EXTENDED_TYPES] = {
#define EXTENDED(type, name, words, help) [TRACE_EXTENDED_##type] = words,
#include "spec/extended.def"
#undef EXTENDED
};

/* What is left of the chunk in the window. */
struct cursor_record {
    const uint64_t *word;
    size_t units;
};

/* Returns: bits `shift` and up, `count` of them. */
static inline uint64_t cursor_bits(uint64_t word, unsigned shift, unsigned count)
{
    return word >> shift & ((UINT64_C(1) << count) - 1);
}

static inline uint64_t cursor_address(uint64_t head)
{
    return head >> (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS) << TRACE_ALLOC_ADDRESS_SHIFT;
}

/* ---- records ----------------------------------------------------------- */

/* Each returns the units that the record takes, or CURSOR_BAD. */

static inline int cursor_decode_block(struct cursor *cursor, struct cursor_record record,
                                      struct reader_event *event)
{
    uint64_t head = record.word[0];
    uint64_t steps = cursor_bits(head, TRACE_KIND_BITS, TRACE_ALLOC_DELTA_BITS);

    cursor->ticks += steps << TRACE_TICK_SHIFT;
    event->address = cursor_address(head);
    if (record.units > CURSOR_AHEAD_UNITS) {
        event->ahead = cursor_address(record.word[2 * CURSOR_AHEAD_UNITS]);
        event->near = cursor_address(record.word[2 * CURSOR_NEAR_UNITS]);
        event->ahead_cell = (uint32_t)(record.word[2 * CURSOR_AHEAD_UNITS + 1] >> TRACE_SIZE_BITS);
    }
    event->size = cursor_bits(record.word[1], 0, TRACE_SIZE_BITS);
    event->cell = (uint32_t)(record.word[1] >> TRACE_SIZE_BITS);
    if (event->size != TRACE_SIZE_LARGE)
        return 1;
    if (record.units < 2)
        return CURSOR_BAD;
    event->size = record.word[2];
    return 2;
}

static inline int cursor_decode_call(struct cursor *cursor, struct cursor_record record,
                                     struct reader_event *event)
{
    cursor->ticks += record.word[0] >> TRACE_DELTA_BITS;
    event->cell = (uint32_t)cursor_bits(record.word[0], TRACE_KIND_BITS, TRACE_CELL_BITS);
    event->duration = record.word[1];
    return 1;
}

static inline int cursor_decode_time(struct cursor *cursor, struct cursor_record record)
{
    if (record.word[0] != TRACE_EVENT_TIME)
        return CURSOR_BAD;
    cursor->ticks = record.word[1];
    return 1;
}

static int cursor_decode_extended(struct cursor *cursor, struct cursor_record record,
                                  struct reader_event *event)
{
    uint64_t type = cursor_bits(record.word[0], CURSOR_TYPE_SHIFT, 8);
    uint64_t count = cursor_bits(record.word[0], CURSOR_COUNT_SHIFT, 8);
    uint64_t units = (count + 2) / 2; /* with its first word */

    if (type >= TRACE_EXTENDED_TYPES || count != cursor_words[type] || units > record.units)
        return CURSOR_BAD;
    cursor->ticks += record.word[0] >> TRACE_DELTA_BITS;
    event->type = (enum trace_extended_type)type;
    event->words = record.word + 1;
    return (int)units;
}

/* The kinds that are blocks follow one another. */
static inline bool cursor_is_block(enum trace_event_kind kind)
{
    return kind >= TRACE_EVENT_MALLOC && kind <= TRACE_EVENT_RESTORE;
}

static inline int cursor_decode_other(struct cursor *cursor, struct cursor_record record,
                                      struct reader_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_NONE: return CURSOR_END;
    case TRACE_EVENT_TIME: return cursor_decode_time(cursor, record);
    case TRACE_EVENT_KERNEL:
    case TRACE_EVENT_ENTER:
    case TRACE_EVENT_LEAVE: return cursor_decode_call(cursor, record, event);
    case TRACE_EVENT_EXTENDED: return cursor_decode_extended(cursor, record, event);
    case TRACE_EVENT_MALLOC:
    case TRACE_EVENT_CALLOC:
    case TRACE_EVENT_REALLOC:
    case TRACE_EVENT_ALIGNED:
    case TRACE_EVENT_FREE:
    case TRACE_EVENT_RELEASE:
    case TRACE_EVENT_RESTORE:
    case TRACE_EVENT_KINDS: break;
    }
    return CURSOR_BAD;
}

static inline int cursor_decode(struct cursor *cursor, struct cursor_record record,
                                struct reader_event *event)
{
    event->kind = (enum trace_event_kind)cursor_bits(record.word[0], 0, TRACE_KIND_BITS);
    int units = cursor_is_block(event->kind) ? cursor_decode_block(cursor, record, event)
                                             : cursor_decode_other(cursor, record, event);
    event->ticks = cursor->ticks;
    return units;
}

/* ---- windows ----------------------------------------------------------- */

/* Moves what is left to the front and reads on behind it.  A file that became
 * shorter ends the chunk. */
static void cursor_fill(struct cursor *cursor)
{
    size_t left = cursor->filled - cursor->position;
    uint64_t wanted = cursor->stop - cursor->offset;

    memmove(cursor->window, cursor->window + cursor->position, left);
    if (wanted > cursor->capacity - left)
        wanted = cursor->capacity - left;
    size_t read = reader_read(cursor->reader, cursor->offset, cursor->window + left, wanted);
    cursor->position = 0;
    cursor->filled = left + read;
    cursor->offset += read;
    cursor->read_bytes += read;
    if (read < wanted) {
        cursor->torn_chunks++;
        cursor->stop = cursor->offset;
    }
}

/* Under a capacity a running process may have taken the chunk for newer
 * records since the walk. */
static bool cursor_is_same_chunk(const struct trace_chunk *head, const struct reader_chunk *chunk)
{
    return head->magic == TRACE_CHUNK_MAGIC && head->lane == chunk->lane &&
           head->sequence == chunk->sequence;
}

/* A packed chunk is unpacked whole: nothing of it is left to be read. */
static void cursor_open_packed(struct cursor *cursor, const struct reader_chunk *chunk)
{
    bool is_sound = packed_read(cursor->reader, chunk, cursor->window);

    cursor->torn_chunks += !is_sound;
    cursor->filled = is_sound ? (size_t)(chunk->size - sizeof(struct trace_chunk)) : 0;
    cursor->stop = cursor->offset;
    cursor->read_bytes += chunk->size;
}

/* The head is read again with the first window. */
static void cursor_open_chunk(struct cursor *cursor, const struct reader_chunk *chunk)
{
    struct trace_chunk head;

    cursor->offset = chunk->offset;
    cursor->stop = chunk->offset + chunk->size;
    cursor->position = 0;
    cursor->filled = 0;
    cursor->ticks = chunk->clock.ticks;
    if (chunk->packed_size > 0) {
        cursor_open_packed(cursor, chunk);
        return;
    }
    cursor_fill(cursor);
    cursor->position = sizeof head;
    if (cursor->filled < sizeof head) {
        cursor->position = cursor->filled;
        return;
    }
    memcpy(&head, cursor->window, sizeof head);
    if (!cursor_is_same_chunk(&head, chunk)) {
        cursor->torn_chunks++;
        cursor->position = cursor->filled;
        cursor->stop = cursor->offset;
    }
}

static inline size_t cursor_units_left(struct cursor *cursor)
{
    size_t left = cursor->filled - cursor->position;

    if (left < CURSOR_RECORD_MAX && cursor->offset < cursor->stop) {
        cursor_fill(cursor);
        left = cursor->filled - cursor->position;
    }
    return left / TRACE_UNIT_SIZE;
}

static void cursor_end_chunk(struct cursor *cursor)
{
    cursor->position = cursor->filled;
    cursor->stop = cursor->offset;
}

/* Returns: the record that comes next; one without units at the end. */
static inline struct cursor_record cursor_find_record(struct cursor *cursor)
{
    size_t units = cursor_units_left(cursor);

    while (units == 0 && cursor->chunks.first < cursor->chunks.end) {
        cursor_open_chunk(cursor, cursor->chunks.first++);
        units = cursor_units_left(cursor);
    }
    /* Windows come from malloc and records are whole units: aligned. */
    const void *place = cursor->window + cursor->position;
    return (struct cursor_record){place, units};
}

/* Whether the next record can be decoded without moving the window. */
static inline bool cursor_is_whole(const struct cursor *cursor, size_t units)
{
    return units >= CURSOR_UNITS_MAX || (units > 0 && cursor->offset >= cursor->stop);
}

/* Decodes what is whole in the window: no event's words move meanwhile.
 * Returns: how many events. */
static size_t cursor_decode_window(struct cursor *cursor, struct cursor_record record,
                                   struct reader_event *events, size_t most)
{
    size_t all = record.units;
    size_t count = 0;
    int units = 1;

    while (count < most && cursor_is_whole(cursor, record.units)) {
        units = cursor_decode(cursor, record, &events[count]);
        if (units <= 0)
            break;
        count += events[count].kind != TRACE_EVENT_TIME;
        record.word += 2 * units;
        record.units -= (size_t)units;
    }
    cursor->position += (all - record.units) * TRACE_UNIT_SIZE;
    if (units <= 0)
        cursor_end_chunk(cursor);
    cursor->bad_records += units == CURSOR_BAD;
    return count;
}

size_t cursor_read(struct cursor *cursor, struct reader_event *events, size_t most)
{
    struct cursor_record record = cursor_find_record(cursor);
    size_t count = 0;

    while (record.units > 0 && count == 0) {
        count = cursor_decode_window(cursor, record, events, most);
        if (count == 0)
            record = cursor_find_record(cursor);
    }
    return count;
}

/* ---- opening ----------------------------------------------------------- */

/* A window is never larger than the chunks: a file of many small lanes takes
 * no more memory than its own size.  A packed chunk, of TRACE_PACKED_MAX at
 * most, needs a window of its own size. */
static size_t cursor_choose_capacity(struct reader_span chunks)
{
    uint64_t largest = sizeof(struct trace_chunk);

    for (const struct reader_chunk *chunk = chunks.first; chunk < chunks.end; chunk++) {
        uint64_t size = chunk->size;

        if (chunk->packed_size == 0 && size > CURSOR_WINDOW_SIZE)
            size = CURSOR_WINDOW_SIZE;
        largest = size > largest ? size : largest;
    }
    return (size_t)largest;
}

enum status cursor_open(struct cursor *cursor, const struct reader *reader,
                        struct reader_span chunks)
{
    *cursor = (struct cursor){
        .reader = reader,
        .chunks = chunks,
        .lane = chunks.first->lane,
        .capacity = cursor_choose_capacity(chunks),
    };
    cursor->window = malloc(cursor->capacity);
    return cursor->window ? STATUS_OK : STATUS_OUT_OF_MEMORY;
}

void cursor_close(struct cursor *cursor)
{
    free(cursor->window);
    cursor->window = NULL;
}
