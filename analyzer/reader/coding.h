/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The guesses that the packer and the unpacker of events share.
 *
 * Packer and unpacker go through the records of a chunk with the same state, so a record is coded
 * as the guess that was right.  A token (the function, size and caller) is guessed from the token
 * before it.  A block is coded by its position in a list: allocators reuse the latest freed block,
 * and programs free the latest obtained one.  Each chunk starts with an empty state, so a damaged
 * chunk does not affect others.
 *
 * Addresses are in units of eight bytes, as in records.
 *
 * Decision: doc/decisions/packing-by-one-guess.
 */
#ifndef READER_CODING_H
#define READER_CODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "spec/event_words.h"
#include "spec/trace.h"

enum {
    CODING_WORDS_MAX = TRACE_PACKED_MAX / TRACE_WORD_SIZE,
    CODING_CONTEXT_BITS = 12,
    CODING_CLASSES = 1024,
    CODING_SHORT_TIME_MAX = 254,
    CODING_ADDRESS_BITS = 64 - TRACE_KIND_BITS - TRACE_ALLOC_DELTA_BITS
};

/* A byte of TRACE_STREAM_TOKENS; from CODING_KIND on, the byte is a kind. */
enum { CODING_GUESS, CODING_KIND };

/* A byte of TRACE_STREAM_PLACES.  Below CODING_DEPTH, the byte counts the blocks of the same class
 * that were returned later. */
enum {
    CODING_DEPTH = 16,
    CODING_IN_PLACE = CODING_DEPTH, /* the block of the record before */
    CODING_BEHIND,                  /* right behind the one that was placed so or elsewhere */
    CODING_ELSEWHERE
};

/* A byte of TRACE_STREAM_RANKS.  Below CODING_RECENT, the byte counts the live blocks that were
 * obtained later. */
enum {
    CODING_RECENT = 32,
    CODING_NUMBER = CODING_RECENT, /* its number follows */
    CODING_UNKNOWN                 /* the block was obtained before this chunk */
};

/* How records of a kind are coded; PLAIN: unchanged. */
enum coding_sort { CODING_PLAIN, CODING_OBTAINED, CODING_RETURNED, CODING_CALL };

/* The content of a record besides its time and address. */
struct coding_token {
    uint64_t kind;
    uint64_t word; /* second word of an obtained block, cell of a call */
};

/* The address of blocks, in the list of live blocks or in the list of freed
 * blocks of its class, latest first. */
struct coding_block {
    uint64_t address;
    uint32_t next;
    uint32_t previous; /* in the list of live blocks only */
    uint32_t class;
    bool is_live;
};

struct coding {
    uint64_t context;  /* the hash of the last token */
    uint64_t behind;   /* the end of the block that was placed elsewhere last */
    uint64_t address;  /* address of the last block */
    uint64_t chain;    /* the last chain that was not guessed */
    uint32_t in_place; /* the block that the record before returned, or 0 */
    uint32_t count;    /* number of blocks; block 0 heads the list of live ones */
    uint32_t returned[CODING_CLASSES];
    struct coding_token guesses[1 << CODING_CONTEXT_BITS];
    struct coding_block blocks[CODING_WORDS_MAX + 2];
};

static inline void coding_start(struct coding *coding)
{
    memset(coding, 0, offsetof(struct coding, blocks));
    coding->blocks[0] = (struct coding_block){0};
    coding->count = 1;
}

static inline enum coding_sort coding_sort(uint64_t kind)
{
    static const unsigned char sorts[1 << TRACE_KIND_BITS] = {
        [TRACE_EVENT_MALLOC] = CODING_OBTAINED,  [TRACE_EVENT_CALLOC] = CODING_OBTAINED,
        [TRACE_EVENT_REALLOC] = CODING_OBTAINED, [TRACE_EVENT_ALIGNED] = CODING_OBTAINED,
        [TRACE_EVENT_RESTORE] = CODING_OBTAINED, [TRACE_EVENT_FREE] = CODING_RETURNED,
        [TRACE_EVENT_RELEASE] = CODING_RETURNED, [TRACE_EVENT_KERNEL] = CODING_CALL,
        [TRACE_EVENT_ENTER] = CODING_CALL,       [TRACE_EVENT_LEAVE] = CODING_CALL,
    };

    return (enum coding_sort)sorts[kind];
}

/* Multiplying by 2^64 divided by the golden ratio spreads bits upwards
 * (Knuth, The Art of Computer Programming 3, 6.4). */
static inline uint64_t coding_spread(uint64_t number)
{
    return number * UINT64_C(0x9e3779b97f4a7c15);
}

/* The guess: the token that last followed the token before. */
static inline struct coding_token *coding_guess(struct coding *coding)
{
    return &coding->guesses[coding->context];
}

static inline bool coding_is_same(const struct coding_token *a, const struct coding_token *b)
{
    return a->word == b->word && a->kind == b->kind;
}

/* Remember the token that followed the token before. */
static inline void coding_note_token(struct coding *coding, struct coding_token token)
{
    *coding_guess(coding) = token;
    coding->context = coding_spread(token.word ^ token.kind << (64 - TRACE_KIND_BITS)) >>
                      (64 - CODING_CONTEXT_BITS);
}

/* glibc rounds blocks to multiples of 16 bytes, with eight of its own.  For other allocators these
 * classes are too fine, which costs little. */
static inline uint64_t coding_round(uint64_t size)
{
    enum { OWN = 8, STEP = 16, LEAST = 2 };
    uint64_t steps = (size + OWN + STEP - 1) / STEP;

    return steps < LEAST ? LEAST : steps;
}

static inline uint32_t coding_class(uint64_t word)
{
    return (uint32_t)(coding_round(word & TRACE_SIZE_LARGE) % CODING_CLASSES);
}

static inline void coding_add_live(struct coding *coding, uint32_t number, uint32_t class)
{
    struct coding_block *blocks = coding->blocks;
    uint32_t latest = blocks[0].next;

    blocks[number].class = class;
    blocks[number].is_live = true;
    blocks[number].next = latest;
    blocks[number].previous = 0;
    blocks[latest].previous = number;
    blocks[0].next = number;
}

static inline void coding_remove_live(struct coding *coding, uint32_t number)
{
    struct coding_block *blocks = coding->blocks;

    blocks[blocks[number].previous].next = blocks[number].next;
    blocks[blocks[number].next].previous = blocks[number].previous;
}

/* A chunk has no more records than words, so there is always room. */
static inline uint32_t coding_add_block(struct coding *coding, uint64_t address)
{
    uint32_t number = coding->count++;

    coding->blocks[number].address = address;
    return number;
}

static inline void coding_note_returned(struct coding *coding, uint32_t number)
{
    struct coding_block *block = &coding->blocks[number];

    block->is_live = false;
    block->next = coding->returned[block->class];
    coding->returned[block->class] = number;
    coding->in_place = number;
    coding->address = block->address;
}

/* A block from before the chunk, of unknown size. */
static inline uint32_t coding_note_unknown(struct coding *coding, uint64_t address)
{
    uint32_t number = coding_add_block(coding, address);

    coding->blocks[number].class = 0;
    coding_note_returned(coding, number);
    return number;
}

static inline void coding_note_obtained(struct coding *coding, uint32_t number, uint32_t class)
{
    coding_add_live(coding, number, class);
    coding->in_place = 0;
    coding->address = coding->blocks[number].address;
}

/* Take a block of a class, given that `depth` blocks of the class were returned later.
 * Returns: its number, or 0 when there are fewer. */
static inline uint32_t coding_take_returned(struct coding *coding, uint32_t class, unsigned depth)
{
    uint32_t *link = &coding->returned[class];

    for (; depth > 0 && *link != 0; depth--)
        link = &coding->blocks[*link].next;
    uint32_t number = *link;
    if (number != 0)
        *link = coding->blocks[number].next;
    return number;
}

/* Take the block of the previous record, which is the first of its class.
 * Returns: its number, or 0 when that record returned none. */
static inline uint32_t coding_take_in_place(struct coding *coding)
{
    uint32_t number = coding->in_place;

    if (number != 0)
        coding->returned[coding->blocks[number].class] = coding->blocks[number].next;
    return number;
}

/* A block that no list predicts. */
static inline uint32_t coding_note_elsewhere(struct coding *coding, uint64_t address, uint64_t word)
{
    enum { STEP = 2 }; /* step of coding_round, in units of an address */
    uint32_t number = coding_add_block(coding, address);

    coding->behind = address + STEP * coding_round(word & TRACE_SIZE_LARGE);
    coding_note_obtained(coding, number, coding_class(word));
    return number;
}

#endif
