/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoding the events of one lane.
 *
 * The layouts are in spec/trace.h.  Every event passes this code, and most events are of blocks, so
 * it has one branch, a few shifts, and only inlined calls.  As many events as the window holds are
 * decoded at a time, because one call for each cost a third of the time.
 */
#include "reader/cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reader/packed.h"
#include "spec/drawn_calls.h"
#include "spec/event_words.h"

enum {
    CURSOR_WINDOW_SIZE = 65536,
    CURSOR_WORDS_MAX = 256, /* an extended record has at most 255 more */
    CURSOR_RECORD_MAX = CURSOR_WORDS_MAX * TRACE_WORD_SIZE,
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

/* The rest of the chunk in the window. */
struct cursor_record {
    const uint64_t *word;
    size_t words;
};

/* Returns: bits `shift` and up, `count` of them. */
static inline uint64_t bits(uint64_t word, unsigned shift, unsigned count)
{
    return word >> shift & ((UINT64_C(1) << count) - 1);
}

static inline uint64_t read_address(uint64_t head)
{
    return head >> (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS) << TRACE_ALLOC_ADDRESS_SHIFT;
}

/* Each returns the number of words of the record, or CURSOR_BAD. */

/* This function has no branch on whether the block was obtained, because programs obtain and return
 * in any order. */
static inline int decode_block(struct cursor *cursor, struct cursor_record record,
                               struct reader_event *event)
{
    uint64_t head = record.word[0];
    uint64_t steps = bits(head, TRACE_KIND_BITS, TRACE_ALLOC_DELTA_BITS);
    size_t is_obtained = event->kind < TRACE_EVENT_FREE;
    uint64_t second = record.word[is_obtained] & -(uint64_t)is_obtained;

    cursor->ticks += steps << TRACE_TICK_SHIFT;
    event->address = read_address(head);
    event->size = bits(second, 0, TRACE_SIZE_BITS);
    event->cell = (uint32_t)(second >> TRACE_SIZE_BITS);
    event->distance = 0;
    if (event->size != TRACE_SIZE_LARGE)
        return 1 + (int)is_obtained;
    if (record.words < 3)
        return CURSOR_BAD;
    event->size = record.word[2];
    return 3;
}

static int decode_drawn(struct cursor *cursor, struct cursor_record record,
                        struct reader_event *event)
{
    enum { WORDS = 3 };
    uint64_t third = record.word[2];

    event->kind = (enum trace_event_kind)bits(third, 0, TRACE_KIND_BITS);
    event->distance = (uint32_t)bits(third, TRACE_KIND_BITS, TRACE_DISTANCE_BITS);
    event->excess = (uint32_t)(third >> (TRACE_KIND_BITS + TRACE_DISTANCE_BITS));
    if (event->kind < TRACE_EVENT_MALLOC || event->kind > TRACE_EVENT_ALIGNED ||
        event->distance == 0)
        return CURSOR_BAD;
    cursor->ticks += bits(record.word[0], TRACE_KIND_BITS, TRACE_ALLOC_DELTA_BITS)
                     << TRACE_TICK_SHIFT;
    event->address = read_address(record.word[0]);
    event->size = bits(record.word[1], 0, TRACE_SIZE_BITS);
    event->cell = (uint32_t)(record.word[1] >> TRACE_SIZE_BITS);
    if (event->size != TRACE_SIZE_LARGE)
        return WORDS;
    if (record.words <= WORDS)
        return CURSOR_BAD;
    event->size = record.word[WORDS];
    return WORDS + 1;
}

static inline int decode_call(struct cursor *cursor, struct cursor_record record,
                              struct reader_event *event)
{
    cursor->ticks += record.word[0] >> TRACE_DELTA_BITS;
    event->cell = (uint32_t)bits(record.word[0], TRACE_KIND_BITS, TRACE_CELL_BITS);
    event->duration = drawn_calls_unpack(record.word[1], &event->doublings);
    return 2;
}

static inline int decode_time(struct cursor *cursor, struct cursor_record record)
{
    if (record.word[0] != TRACE_EVENT_TIME)
        return CURSOR_BAD;
    cursor->ticks = record.word[1];
    return 2;
}

/* Requests got a word more in version 15. */
static size_t count_words(const struct cursor *cursor, uint64_t type)
{
    bool lacks_one =
        type == TRACE_EXTENDED_REQUEST && cursor->reader->header.version < TRACE_VERSION_15;

    return type < TRACE_EXTENDED_TYPES ? (size_t)cursor_words[type] - lacks_one : SIZE_MAX;
}

static int decode_extended(struct cursor *cursor, struct cursor_record record,
                           struct reader_event *event)
{
    uint64_t type = bits(record.word[0], CURSOR_TYPE_SHIFT, 8);
    uint64_t count = bits(record.word[0], CURSOR_COUNT_SHIFT, 8);

    if (count != count_words(cursor, type) || 1 + count > record.words)
        return CURSOR_BAD;
    cursor->ticks += record.word[0] >> TRACE_DELTA_BITS;
    event->type = (enum trace_extended_type)type;
    event->cell = (uint32_t)bits(record.word[0], TRACE_NOTE_SHIFT, TRACE_NOTE_BITS);
    event->words = record.word + 1;
    event->size = count;
    return 1 + (int)count;
}

static inline int decode_rare(struct cursor *cursor, struct cursor_record record,
                              struct reader_event *event)
{
    switch (event->kind) {
    case TRACE_EVENT_NONE: return CURSOR_END;
    case TRACE_EVENT_TIME: return decode_time(cursor, record);
    case TRACE_EVENT_KERNEL:
    case TRACE_EVENT_ENTER:
    case TRACE_EVENT_LEAVE: return decode_call(cursor, record, event);
    case TRACE_EVENT_EXTENDED: return decode_extended(cursor, record, event);
    case TRACE_EVENT_DRAWN: return decode_drawn(cursor, record, event);
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

static inline bool is_block(enum trace_event_kind kind)
{
    return kind >= TRACE_EVENT_MALLOC && kind <= TRACE_EVENT_RESTORE;
}

static inline int decode(struct cursor *cursor, struct cursor_record record,
                         struct reader_event *event)
{
    event->kind = (enum trace_event_kind)bits(record.word[0], 0, TRACE_KIND_BITS);
    if (record.words < words_of_kind(event->kind))
        return CURSOR_BAD;
    int words = is_block(event->kind) ? decode_block(cursor, record, event)
                                      : decode_rare(cursor, record, event);
    event->ticks = cursor->ticks;
    return words;
}

/* Under a capacity a running process may have taken the chunk for newer
 * records since the walk. */
static bool is_same_chunk(const struct trace_chunk *head, const struct reader_chunk *chunk)
{
    return head->magic == TRACE_CHUNK_MAGIC && head->lane == chunk->lane &&
           head->sequence == chunk->sequence;
}

/* It may do so while a window of the chunk is read: its records would then get the old clock. */
static bool is_reused(const struct cursor *cursor)
{
    const struct trace_header *header = &cursor->reader->header;
    const struct reader_chunk *chunk = cursor->chunks.first - 1;
    struct trace_chunk head;

    return header->capacity > 0 && header->ending == TRACE_RUNNING && chunk->packed_size == 0 &&
           (reader_read(cursor->reader, chunk->offset, &head, sizeof head) != sizeof head ||
            !is_same_chunk(&head, chunk));
}

/* Moves the remaining bytes to the front, and reads more behind them.  If the file became shorter,
 * the chunk ends there. */
static void fill(struct cursor *cursor)
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
    if (is_reused(cursor)) {
        cursor->torn_chunks++;
        cursor->filled = 0;
        cursor->stop = cursor->offset;
    }
}

/* A packed chunk is unpacked whole: nothing of it is left to be read. */
static void open_packed(struct cursor *cursor, const struct reader_chunk *chunk)
{
    bool is_sound = packed_read(cursor->reader, chunk, cursor->window);

    cursor->torn_chunks += !is_sound;
    cursor->filled = is_sound ? (size_t)(chunk->size - sizeof(struct trace_chunk)) : 0;
    cursor->stop = cursor->offset;
    cursor->read_bytes += chunk->size;
}

/* The head is read again with the first window. */
static void open_chunk(struct cursor *cursor, const struct reader_chunk *chunk)
{
    struct trace_chunk head;

    cursor->offset = chunk->offset;
    cursor->stop = chunk->offset + chunk->size;
    cursor->position = 0;
    cursor->filled = 0;
    cursor->ticks = chunk->clock.ticks;
    if (chunk->packed_size > 0) {
        open_packed(cursor, chunk);
        return;
    }
    fill(cursor);
    cursor->position = sizeof head;
    if (cursor->filled < sizeof head) {
        cursor->position = cursor->filled;
        return;
    }
    memcpy(&head, cursor->window, sizeof head);
    if (!is_same_chunk(&head, chunk)) {
        cursor->torn_chunks++;
        cursor->position = cursor->filled;
        cursor->stop = cursor->offset;
    }
}

static inline size_t words_left(struct cursor *cursor)
{
    size_t left = cursor->filled - cursor->position;

    if (left < CURSOR_RECORD_MAX && cursor->offset < cursor->stop) {
        fill(cursor);
        left = cursor->filled - cursor->position;
    }
    return left / TRACE_WORD_SIZE;
}

static void end_chunk(struct cursor *cursor)
{
    cursor->position = cursor->filled;
    cursor->stop = cursor->offset;
}

/* Returns: the next record; one without words at the end. */
static inline struct cursor_record find_record(struct cursor *cursor)
{
    size_t words = words_left(cursor);

    while (words == 0 && cursor->chunks.first < cursor->chunks.end) {
        open_chunk(cursor, cursor->chunks.first++);
        words = words_left(cursor);
    }
    /* Windows come from malloc and records are whole words: aligned. */
    const void *place = cursor->window + cursor->position;
    return (struct cursor_record){place, words};
}

/* Whether the next record can be decoded without moving the window. */
static inline bool is_whole(const struct cursor *cursor, size_t words)
{
    return words >= CURSOR_WORDS_MAX || (words > 0 && cursor->offset >= cursor->stop);
}

/* Decodes the whole records in the window: no event's words move meanwhile.
 * Returns: how many events. */
static size_t decode_window(struct cursor *cursor, struct cursor_record record,
                            struct reader_event *events, size_t most)
{
    size_t all = record.words;
    size_t count = 0;
    int words = 1;

    while (count < most && is_whole(cursor, record.words)) {
        words = decode(cursor, record, &events[count]);
        if (words <= 0)
            break;
        count += events[count].kind != TRACE_EVENT_TIME;
        record.word += words;
        record.words -= (size_t)words;
    }
    cursor->position += (all - record.words) * TRACE_WORD_SIZE;
    if (words <= 0)
        end_chunk(cursor);
    cursor->bad_records += words == CURSOR_BAD;
    return count;
}

size_t cursor_read(struct cursor *cursor, struct reader_event *events, size_t most)
{
    struct cursor_record record = find_record(cursor);
    size_t count = 0;

    while (record.words > 0 && count == 0) {
        count = decode_window(cursor, record, events, most);
        if (count == 0)
            record = find_record(cursor);
    }
    return count;
}

/* A window is never larger than the chunks: a file of many small lanes uses no more memory than its
 * own size.  A packed chunk, of TRACE_PACKED_MAX at most, needs a window of its own size. */
static size_t choose_capacity(struct reader_span chunks)
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

void cursor_open(struct cursor *cursor, const struct reader *reader, struct reader_span chunks)
{
    *cursor = (struct cursor){
        .reader = reader,
        .chunks = chunks,
        .lane = chunks.first->lane,
        .capacity = choose_capacity(chunks),
    };
    cursor->window = memory_get(cursor->capacity);
}

void cursor_close(struct cursor *cursor)
{
    free(cursor->window);
    cursor->window = NULL;
}
