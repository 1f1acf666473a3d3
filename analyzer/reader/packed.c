/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unpacking chunks.
 *
 * Used while a trace is opened and by cursors, on the reader's thread.  Each
 * stream is a frame of zstd with a checksum, so a damaged stream is not read at
 * all.  But anyone can write a file, so every number is checked all the same.
 */
#include "reader/packed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/memory.h"
#include "reader/coding.h"

enum {
    UNPACKER_INPUT_SIZE = 2 * TRACE_PACKED_MAX,
    VARINT_BITS = 7,
    VARINT_MORE = 1 << VARINT_BITS
};

/* The rest of a stream. */
struct stream {
    const unsigned char *next;
    const unsigned char *end;
};

struct unpacker {
    ZSTD_DCtx *zstd;
    struct stream streams[TRACE_STREAMS];
    bool is_bad; /* a stream ended early, or has an impossible value */
    struct coding coding;
    char input[UNPACKER_INPUT_SIZE]; /* a packed chunk behind its head */
    unsigned char unpacked[TRACE_PACKED_MAX];
};

struct unpacker *unpacker_new(void)
{
    struct unpacker *unpacker = memory_get(sizeof *unpacker);

    unpacker->zstd = memory_have(ZSTD_createDCtx());
    return unpacker;
}

void unpacker_free(struct unpacker *unpacker)
{
    if (unpacker)
        ZSTD_freeDCtx(unpacker->zstd);
    free(unpacker);
}

static inline uint64_t stream_read_byte(struct unpacker *unpacker, enum trace_stream number)
{
    struct stream *stream = &unpacker->streams[number];

    if (stream->next < stream->end)
        return *stream->next++;
    unpacker->is_bad = true;
    return 0;
}

static inline uint64_t stream_read_number(struct unpacker *unpacker, enum trace_stream stream)
{
    uint64_t byte = stream_read_byte(unpacker, stream);
    uint64_t number = byte & (VARINT_MORE - 1);

    for (unsigned shift = VARINT_BITS; byte >= VARINT_MORE && shift < 64; shift += VARINT_BITS) {
        byte = stream_read_byte(unpacker, stream);
        number |= (byte & (VARINT_MORE - 1)) << shift;
    }
    return number;
}

/* Small numbers of either sign are small: 0, -1, 1, -2 and so on. */
static inline uint64_t stream_read_difference(struct unpacker *unpacker, enum trace_stream stream)
{
    uint64_t number = stream_read_number(unpacker, stream);

    return number >> 1 ^ -(number & 1);
}

static void stream_read_bytes(struct unpacker *unpacker, enum trace_stream number, void *bytes,
                              size_t size)
{
    struct stream *stream = &unpacker->streams[number];

    if ((size_t)(stream->end - stream->next) < size) {
        unpacker->is_bad = true;
        return;
    }
    memcpy(bytes, stream->next, size);
    stream->next += size;
}

/* A chain is coded as its distance from the previous chain; 0 is none. */
static inline uint64_t token_read_chain(struct unpacker *unpacker)
{
    uint64_t number = stream_read_number(unpacker, TRACE_STREAM_CHAINS);

    if (number == 0)
        return 0;
    number--;
    return unpacker->coding.chain += number >> 1 ^ -(number & 1);
}

static struct coding_token token_read_values(struct unpacker *unpacker, uint64_t kind)
{
    struct coding_token token = {kind, 0};

    if (coding_sort(kind) == CODING_PLAIN || words_of_kind(kind) < 2)
        return token;
    token.word = stream_read_number(unpacker, TRACE_STREAM_VALUES);
    if (coding_sort(kind) != CODING_CALL)
        token.word |= token_read_chain(unpacker) << TRACE_SIZE_BITS;
    return token;
}

static inline struct coding_token token_read(struct unpacker *unpacker)
{
    uint64_t symbol = stream_read_byte(unpacker, TRACE_STREAM_TOKENS);
    struct coding_token token;

    if (symbol == CODING_GUESS)
        token = *coding_guess(&unpacker->coding);
    else
        token = token_read_values(unpacker, (symbol - CODING_KIND) & ((1 << TRACE_KIND_BITS) - 1));
    coding_note_token(&unpacker->coding, token);
    return token;
}

static inline uint64_t address_read(struct unpacker *unpacker, uint64_t base)
{
    uint64_t address = base + stream_read_difference(unpacker, TRACE_STREAM_ADDRESSES);

    return address & ((UINT64_C(1) << CODING_ADDRESS_BITS) - 1);
}

static uint64_t address_read_elsewhere(struct unpacker *unpacker, uint64_t place, uint64_t word)
{
    struct coding *coding = &unpacker->coding;
    uint64_t address = coding->behind;

    if (place != CODING_BEHIND)
        address = address_read(unpacker, address);
    coding_note_elsewhere(coding, address, word);
    return address;
}

static inline uint64_t address_read_obtained(struct unpacker *unpacker, uint64_t word)
{
    struct coding *coding = &unpacker->coding;
    uint64_t place = stream_read_byte(unpacker, TRACE_STREAM_PLACES);
    uint32_t class = coding_class(word);
    uint32_t number;

    if (place > CODING_IN_PLACE)
        return address_read_elsewhere(unpacker, place, word);
    if (place == CODING_IN_PLACE)
        number = coding_take_in_place(coding);
    else
        number = coding_take_returned(coding, class, (unsigned)place);
    if (number == 0) {
        unpacker->is_bad = true;
        return 0;
    }
    coding_note_obtained(coding, number, class);
    return coding->address;
}

/* Returns: the number of a live block, or 0. */
static inline uint32_t block_read(struct unpacker *unpacker, uint64_t rank)
{
    const struct coding *coding = &unpacker->coding;
    uint32_t number = coding->blocks[0].next;

    if (rank == CODING_NUMBER) {
        uint64_t distance = stream_read_number(unpacker, TRACE_STREAM_RANKS);

        number = distance < coding->count ? coding->count - 1 - (uint32_t)distance : 0;
        return coding->blocks[number].is_live ? number : 0;
    }
    for (; rank > 0 && number != 0; rank--)
        number = coding->blocks[number].next;
    return number;
}

static inline uint64_t address_read_returned(struct unpacker *unpacker)
{
    struct coding *coding = &unpacker->coding;
    uint64_t rank = stream_read_byte(unpacker, TRACE_STREAM_RANKS);

    if (rank > CODING_NUMBER) {
        coding_note_unknown(coding, address_read(unpacker, coding->address));
        return coding->address;
    }
    uint32_t number = block_read(unpacker, rank);
    if (number == 0) {
        unpacker->is_bad = true;
        return 0;
    }
    coding_remove_live(coding, number);
    coding_note_returned(coding, number);
    return coding->address;
}

static inline uint64_t record_read_time(struct unpacker *unpacker)
{
    uint64_t delta = stream_read_byte(unpacker, TRACE_STREAM_TIMES);

    if (delta > CODING_SHORT_TIME_MAX)
        delta += stream_read_number(unpacker, TRACE_STREAM_LONG_TIMES);
    return delta;
}

static inline void record_read_block(struct unpacker *unpacker, const struct coding_token *token,
                                     uint64_t *word)
{
    uint64_t delta = record_read_time(unpacker) & ((1 << TRACE_ALLOC_DELTA_BITS) - 1);
    uint64_t address = coding_sort(token->kind) == CODING_OBTAINED
                           ? address_read_obtained(unpacker, token->word)
                           : address_read_returned(unpacker);

    word[0] = token->kind | delta << TRACE_KIND_BITS |
              address << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);
    if (words_of_kind(token->kind) > 1)
        word[1] = token->word;
}

static inline void record_read_call(struct unpacker *unpacker, const struct coding_token *token,
                                    uint64_t *word)
{
    uint64_t cell = token->word & ((1 << TRACE_CELL_BITS) - 1);

    word[0] =
        token->kind | cell << TRACE_KIND_BITS | record_read_time(unpacker) << TRACE_DELTA_BITS;
    word[1] = stream_read_number(unpacker, TRACE_STREAM_DURATIONS);
}

/* Returns: the words of the record that begins at `word`, or 0 when it cannot
 * be read. */
static inline size_t record_read(struct unpacker *unpacker, uint64_t *word, size_t room)
{
    const struct coding_token token = token_read(unpacker);
    size_t words = words_of_kind(token.kind);

    if (words > room || unpacker->is_bad) {
        unpacker->is_bad = true;
        return 0;
    }
    switch (coding_sort(token.kind)) {
    case CODING_OBTAINED:
    case CODING_RETURNED: record_read_block(unpacker, &token, word); break;
    case CODING_CALL: record_read_call(unpacker, &token, word); break;
    case CODING_PLAIN:
        stream_read_bytes(unpacker, TRACE_STREAM_WORDS, word, words * sizeof *word);
        break;
    }
    size_t more = unpacker->is_bad ? 0 : words_beyond_kind(word);
    if (more > room - words)
        more = room - words;
    if (more > 0)
        stream_read_bytes(unpacker, TRACE_STREAM_WORDS, word + words, more * sizeof *word);
    return words + more;
}

static bool events_are_read_whole(const struct unpacker *unpacker)
{
    for (size_t i = 0; i < TRACE_STREAMS; i++)
        if (unpacker->streams[i].next != unpacker->streams[i].end)
            return false;
    return !unpacker->is_bad;
}

/* The bytes behind the last token are no whole record: the chunk was cut off. */
static bool events_read(struct unpacker *unpacker, char *bytes, size_t size)
{
    const struct stream *tokens = &unpacker->streams[TRACE_STREAM_TOKENS];
    void *place = bytes; /* from malloc or in a window: aligned */
    uint64_t *word = place;
    size_t count = size / sizeof *word;
    size_t at = 0;

    coding_start(&unpacker->coding);
    unpacker->is_bad = false;
    while (tokens->next < tokens->end && !unpacker->is_bad)
        at += record_read(unpacker, word + at, count - at);
    stream_read_bytes(unpacker, TRACE_STREAM_WORDS, word + at, size - at * sizeof *word);
    return events_are_read_whole(unpacker);
}

static bool frame_unpack(struct unpacker *unpacker, const struct stream *frame, void *bytes,
                         size_t size)
{
    size_t unpacked = ZSTD_decompressDCtx(unpacker->zstd, bytes, size, frame->next,
                                          (size_t)(frame->end - frame->next));

    return unpacked == size;
}

/* Returns: the bytes in a frame, or SIZE_MAX when they are more than `most`. */
static size_t frame_measure(const struct stream *frame, size_t most)
{
    unsigned long long size =
        ZSTD_getFrameContentSize(frame->next, (size_t)(frame->end - frame->next));

    return size <= most ? (size_t)size : SIZE_MAX; /* errors are the largest numbers */
}

/* All streams together are at most as large as the contents: otherwise the packer would not have
 * split the chunk. */
static bool streams_unpack(struct unpacker *unpacker, const struct trace_streams *table,
                           struct stream rest)
{
    size_t used = 0;

    for (size_t i = 0; i < TRACE_STREAMS; i++) {
        struct stream frame = {rest.next, rest.next + table->sizes[i]};
        unsigned char *bytes = unpacker->unpacked + used;

        if (table->sizes[i] > (size_t)(rest.end - rest.next))
            return false;
        size_t size = frame_measure(&frame, sizeof unpacker->unpacked - used);
        if (size == SIZE_MAX || !frame_unpack(unpacker, &frame, bytes, size))
            return false;
        unpacker->streams[i] = (struct stream){bytes, bytes + size};
        rest.next = frame.end;
        used += size;
    }
    return rest.next == rest.end;
}

static bool decode_events(struct unpacker *unpacker, const struct packed *packed, char *bytes)
{
    struct trace_streams table;
    const void *payload = packed->payload;
    struct stream rest = {payload, (const unsigned char *)payload + packed->size};

    if (packed->size < sizeof table)
        return false;
    memcpy(&table, rest.next, sizeof table);
    rest.next += sizeof table;
    return streams_unpack(unpacker, &table, rest) &&
           events_read(unpacker, bytes, (size_t)packed->head->kept);
}

static bool decode_stored(const struct packed *packed, char *bytes)
{
    if (packed->size != packed->head->kept)
        return false;
    memcpy(bytes, packed->payload, packed->size);
    return true;
}

bool packed_decode(struct unpacker *unpacker, const struct packed *packed, char *bytes)
{
    const void *payload = packed->payload;
    const struct stream frame = {payload, (const unsigned char *)payload + packed->size};

    switch (packed->head->coding) {
    case TRACE_CODING_STORED: return decode_stored(packed, bytes);
    case TRACE_CODING_ZSTD:
        return frame_unpack(unpacker, &frame, bytes, (size_t)packed->head->kept);
    case TRACE_CODING_EVENTS: return decode_events(unpacker, packed, bytes);
    }
    return false;
}

/* The most bytes after the head in a chunk of this kind: tables have a fixed size, and their
 * readers rely on it. */
static uint64_t most_behind(uint32_t kind)
{
    if (kind == TRACE_TALLIES)
        return TRACE_TALLY_CHUNK_SIZE - sizeof(struct trace_chunk);
    if (kind == TRACE_STACKS)
        return TRACE_STACK_CHUNK_SIZE - sizeof(struct trace_chunk);
    return TRACE_PACKED_MAX;
}

bool packed_head_is_sound(const struct trace_packed *packed)
{
    return packed->kind >= TRACE_EVENTS && packed->kind <= TRACE_SYMBOLS &&
           packed->kind != TRACE_PACKED && packed->coding >= TRACE_CODING_STORED &&
           packed->coding <= TRACE_CODING_EVENTS && packed->kept <= most_behind(packed->kind);
}

/* The file may have changed since the walk, so the head is checked again. */
bool packed_read(const struct reader *reader, const struct reader_chunk *chunk, char *bytes)
{
    struct unpacker *unpacker = reader->unpacker;
    uint64_t size = chunk->packed_size - sizeof(struct trace_chunk);
    struct trace_packed head;

    if (size < sizeof head || size > sizeof unpacker->input ||
        reader_read(reader, chunk->offset + sizeof(struct trace_chunk), unpacker->input, size) !=
            size)
        return false;
    memcpy(&head, unpacker->input, sizeof head);
    const struct packed packed = {&head, unpacker->input + sizeof head, size - sizeof head};
    return packed_head_is_sound(&head) && head.kept == chunk->size - sizeof(struct trace_chunk) &&
           packed_decode(unpacker, &packed, bytes);
}
