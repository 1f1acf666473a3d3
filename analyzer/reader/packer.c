/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Packing chunks, the mirror of packed.c.
 *
 * Used by `tprof pack`.  Events are split into streams according to the guesses of coding.h; each
 * stream is then a frame of zstd.  Everything else is one frame, unchanged.
 *
 * Decision: doc/decisions/packing-by-one-guess.
 */
#include "reader/packer.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/memory.h"
#include "reader/coding.h"

enum {
    PACKER_LEVEL = 3, /* level of zstd: 1 is 1 to 5 % larger, 7 is 3 to 9 % smaller and takes twice
                         as long */
    PACKER_STREAM_SIZE = CODING_WORDS_MAX * TRACE_WORD_SIZE,
    PACKER_MAP_SIZE = 2 * CODING_WORDS_MAX, /* at most half full */
    PACKER_VARINT_BITS = 7,
    PACKER_VARINT_MORE = 1 << PACKER_VARINT_BITS,
    PACKER_ROOM = ZSTD_COMPRESSBOUND(TRACE_PACKED_MAX) + (1 << 16)
};

struct packer_stream {
    size_t size;
    unsigned char bytes[PACKER_STREAM_SIZE];
};

struct packer {
    ZSTD_CCtx *zstd;
    uint64_t events;
    struct coding coding;
    uint32_t map_mask;
    uint32_t map[PACKER_MAP_SIZE]; /* the latest block at an address, by its hash; 0: free */
    struct packer_stream streams[TRACE_STREAMS];
    char payload[PACKER_ROOM];
};

static bool prepare_zstd(ZSTD_CCtx *zstd)
{
    return zstd &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, PACKER_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1));
}

struct packer *packer_new(void)
{
    struct packer *packer = memory_get(sizeof *packer);

    packer->events = 0;
    packer->zstd = memory_have(ZSTD_createCCtx());
    if (prepare_zstd(packer->zstd))
        return packer;
    packer_free(packer);
    return NULL;
}

void packer_free(struct packer *packer)
{
    if (packer)
        ZSTD_freeCCtx(packer->zstd);
    free(packer);
}

uint64_t packer_count_events(const struct packer *packer)
{
    return packer->events;
}

/* No record puts more into a stream than it has bytes. */
static inline void stream_add_byte(struct packer *packer, enum trace_stream number, uint64_t byte)
{
    struct packer_stream *stream = &packer->streams[number];

    stream->bytes[stream->size++] = (unsigned char)byte;
}

static inline void stream_add_number(struct packer *packer, enum trace_stream stream,
                                     uint64_t number)
{
    for (; number >= PACKER_VARINT_MORE; number >>= PACKER_VARINT_BITS)
        stream_add_byte(packer, stream, number | PACKER_VARINT_MORE);
    stream_add_byte(packer, stream, number);
}

/* Small numbers of either sign become small: 0, -1, 1, -2 and so on. */
static inline uint64_t stream_fold(uint64_t difference)
{
    return difference << 1 ^ -(difference >> 63);
}

static inline void stream_add_words(struct packer *packer, const void *bytes, size_t size)
{
    struct packer_stream *stream = &packer->streams[TRACE_STREAM_WORDS];

    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
}

static void token_add_chain(struct packer *packer, uint64_t chain)
{
    uint64_t number = 0;

    if (chain != 0) {
        number = 1 + stream_fold(chain - packer->coding.chain);
        packer->coding.chain = chain;
    }
    stream_add_number(packer, TRACE_STREAM_CHAINS, number);
}

static void token_add_values(struct packer *packer, const struct coding_token *token)
{
    stream_add_byte(packer, TRACE_STREAM_TOKENS, CODING_KIND + token->kind);
    switch (coding_sort(token->kind)) {
    case CODING_PLAIN: break;
    case CODING_CALL: stream_add_number(packer, TRACE_STREAM_VALUES, token->word); break;
    case CODING_OBTAINED:
    case CODING_RETURNED:
        if (words_of_kind(token->kind) < 2)
            break;
        stream_add_number(packer, TRACE_STREAM_VALUES, token->word & TRACE_SIZE_LARGE);
        token_add_chain(packer, token->word >> TRACE_SIZE_BITS);
        break;
    }
}

static inline void token_add(struct packer *packer, const struct coding_token *token)
{
    struct coding *coding = &packer->coding;

    if (coding_is_same(coding_guess(coding), token))
        stream_add_byte(packer, TRACE_STREAM_TOKENS, CODING_GUESS);
    else
        token_add_values(packer, token);
    coding_note_token(coding, *token);
}

static void map_start(struct packer *packer, size_t words)
{
    uint32_t size = 1;

    while (size < 2 * words)
        size *= 2;
    packer->map_mask = size - 1;
    memset(packer->map, 0, size * sizeof *packer->map);
}

/* Returns: the place of an address in the map. */
static inline uint32_t *map_find(struct packer *packer, uint64_t address)
{
    uint32_t at = (uint32_t)(coding_spread(address) >> 32) & packer->map_mask;

    while (packer->map[at] != 0 && packer->coding.blocks[packer->map[at]].address != address)
        at = (at + 1) & packer->map_mask;
    return &packer->map[at];
}

static inline unsigned place_find_depth(const struct coding *coding, uint32_t class,
                                        uint64_t address)
{
    uint32_t number = coding->returned[class];
    unsigned depth = 0;

    while (depth < CODING_DEPTH && number != 0 && coding->blocks[number].address != address) {
        number = coding->blocks[number].next;
        depth++;
    }
    return number != 0 ? depth : CODING_DEPTH;
}

static void place_add_elsewhere(struct packer *packer, uint64_t address, uint64_t word)
{
    struct coding *coding = &packer->coding;
    uint64_t difference = address - coding->behind;

    stream_add_byte(packer, TRACE_STREAM_PLACES,
                    difference == 0 ? CODING_BEHIND : CODING_ELSEWHERE);
    if (difference != 0)
        stream_add_number(packer, TRACE_STREAM_ADDRESSES, stream_fold(difference));
    *map_find(packer, address) = coding_note_elsewhere(coding, address, word);
}

static inline void place_add(struct packer *packer, uint64_t address, uint64_t word)
{
    struct coding *coding = &packer->coding;
    uint32_t class = coding_class(word);
    uint32_t number;
    unsigned place = place_find_depth(coding, class, address);

    if (place < CODING_DEPTH) {
        number = coding_take_returned(coding, class, place);
    } else if (coding->in_place != 0 && coding->blocks[coding->in_place].address == address) {
        place = CODING_IN_PLACE;
        number = coding_take_in_place(coding);
    } else {
        place_add_elsewhere(packer, address, word);
        return;
    }
    stream_add_byte(packer, TRACE_STREAM_PLACES, place);
    coding_note_obtained(coding, number, class);
    *map_find(packer, address) = number;
}

static inline unsigned rank_find(const struct coding *coding, uint32_t wanted)
{
    uint32_t number = coding->blocks[0].next;
    unsigned rank = 0;

    while (rank < CODING_RECENT && number != wanted) {
        number = coding->blocks[number].next;
        rank++;
    }
    return rank;
}

static void rank_add_unknown(struct packer *packer, uint32_t *place, uint64_t address)
{
    struct coding *coding = &packer->coding;

    stream_add_byte(packer, TRACE_STREAM_RANKS, CODING_UNKNOWN);
    stream_add_number(packer, TRACE_STREAM_ADDRESSES, stream_fold(address - coding->address));
    *place = coding_note_unknown(coding, address);
}

static inline void rank_add(struct packer *packer, uint64_t address)
{
    struct coding *coding = &packer->coding;
    uint32_t *place = map_find(packer, address);
    uint32_t number = *place;

    if (number == 0 || !coding->blocks[number].is_live) {
        rank_add_unknown(packer, place, address);
        return;
    }
    unsigned rank = rank_find(coding, number);
    stream_add_byte(packer, TRACE_STREAM_RANKS, rank);
    if (rank == CODING_NUMBER)
        stream_add_number(packer, TRACE_STREAM_RANKS, coding->count - 1 - number);
    coding_remove_live(coding, number);
    coding_note_returned(coding, number);
}

static inline void record_add_time(struct packer *packer, uint64_t delta)
{
    if (delta <= CODING_SHORT_TIME_MAX) {
        stream_add_byte(packer, TRACE_STREAM_TIMES, delta);
        return;
    }
    stream_add_byte(packer, TRACE_STREAM_TIMES, CODING_SHORT_TIME_MAX + 1);
    stream_add_number(packer, TRACE_STREAM_LONG_TIMES, delta - CODING_SHORT_TIME_MAX - 1);
}

static inline void record_add_block(struct packer *packer, const uint64_t *word, uint64_t kind)
{
    const struct coding_token token = {kind, words_of_kind(kind) > 1 ? word[1] : 0};
    uint64_t address = word[0] >> (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS);

    token_add(packer, &token);
    record_add_time(packer, word[0] >> TRACE_KIND_BITS & ((1 << TRACE_ALLOC_DELTA_BITS) - 1));
    if (coding_sort(kind) == CODING_OBTAINED)
        place_add(packer, address, token.word);
    else
        rank_add(packer, address);
}

static inline void record_add_call(struct packer *packer, const uint64_t *word, uint64_t kind)
{
    const struct coding_token token = {kind,
                                       word[0] >> TRACE_KIND_BITS & ((1 << TRACE_CELL_BITS) - 1)};

    token_add(packer, &token);
    record_add_time(packer, word[0] >> TRACE_DELTA_BITS);
    stream_add_number(packer, TRACE_STREAM_DURATIONS, word[1]);
}

/* Returns: the words of the record that starts at `word`; 0 when the remaining `count` words do not
 * hold all of it. */
static inline size_t record_add(struct packer *packer, const uint64_t *word, size_t count)
{
    uint64_t kind = word[0] & ((1 << TRACE_KIND_BITS) - 1);
    const struct coding_token token = {kind, 0};
    size_t words = words_of_kind(kind);

    if (words > count)
        return 0;
    packer->events += kind != TRACE_EVENT_NONE && kind != TRACE_EVENT_TIME;
    switch (coding_sort(kind)) {
    case CODING_OBTAINED:
    case CODING_RETURNED: record_add_block(packer, word, kind); break;
    case CODING_CALL: record_add_call(packer, word, kind); break;
    case CODING_PLAIN:
        token_add(packer, &token);
        stream_add_words(packer, word, words * sizeof *word);
        break;
    }
    size_t more = words_beyond_kind(word);
    if (more > count - words)
        more = count - words;
    stream_add_words(packer, word + words, more * sizeof *word);
    return words + more;
}

static void events_split(struct packer *packer, const char *bytes, size_t size)
{
    const void *place = bytes;
    const uint64_t *word = place;
    size_t count = size / sizeof *word;
    size_t at = 0;
    size_t words = 1;

    coding_start(&packer->coding);
    map_start(packer, count);
    for (size_t i = 0; i < TRACE_STREAMS; i++)
        packer->streams[i].size = 0;
    while (at < count && words > 0) {
        words = record_add(packer, word + at, count - at);
        at += words;
    }
    stream_add_words(packer, word + at, size - at * sizeof *word);
}

/* Returns: the size of the frame; 0 when it exceeds the room. */
static size_t frame_pack(struct packer *packer, void *frame, size_t room,
                         const struct packed *content)
{
    size_t size = ZSTD_compress2(packer->zstd, frame, room, content->payload, content->size);

    return ZSTD_isError(size) ? 0 : size;
}

/* Returns: the size of the payload; 0 when it exceeds the room. */
static size_t events_pack(struct packer *packer, const char *bytes, size_t size)
{
    struct trace_streams table;
    size_t used = sizeof table;
    size_t whole = 0;

    events_split(packer, bytes, size);
    for (size_t i = 0; i < TRACE_STREAMS; i++) {
        const void *stream = packer->streams[i].bytes;
        const struct packed content = {.payload = stream, .size = packer->streams[i].size};
        size_t frame = frame_pack(packer, packer->payload + used, PACKER_ROOM - used, &content);

        table.sizes[i] = (uint32_t)frame;
        used += frame;
        whole += content.size;
        if (frame == 0 || whole > TRACE_PACKED_MAX)
            return 0;
    }
    memcpy(packer->payload, &table, sizeof table);
    return used;
}

static size_t try(struct packer *packer, const struct trace_packed *head, const char *bytes)
{
    const struct packed content = {.payload = bytes, .size = (size_t)head->kept};

    if (head->coding == TRACE_CODING_EVENTS)
        return events_pack(packer, bytes, content.size);
    return frame_pack(packer, packer->payload, PACKER_ROOM, &content);
}

struct packed packer_pack(struct packer *packer, struct trace_packed *head, const char *bytes)
{
    head->coding = head->kind == TRACE_EVENTS ? TRACE_CODING_EVENTS : TRACE_CODING_ZSTD;
    size_t size = try(packer, head, bytes);

    if (size > 0 && size < head->kept)
        return (struct packed){head, packer->payload, size};
    head->coding = TRACE_CODING_STORED;
    return (struct packed){head, bytes, (size_t)head->kept};
}
