/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guesses of the next call chain from the last one.
 *
 * Programs repeat themselves: the chain that follows another has usually followed it before.  A
 * guess stores three facts of the pair: how far both chains are the same, the row of new frames
 * (chain/row.h), and the number of the new chain in the tree.  chain/callchain.c checks the row
 * against the stack; nothing here is trusted.
 *
 * The guesses after a chain are in one cache line.  The line is prefetched as soon as the chain is
 * known, and the row while the allocator obtains the block.
 *
 * Many programs repeat a long course, such as a compiler that repeats its passes for each function.
 * The same guesses are then needed again after thousands of chains, when the cache has lost them.
 * So lines are in the order of the chains' numbers, and rows in the order of their learning.  The
 * next ones then follow the present ones, where the processor prefetches by itself; rows are also
 * prefetched ahead.
 *
 * A row is never changed, so a guess and its row belong together.  When there
 * is no room for another row, all guesses and rows are forgotten.
 *
 * Safety: as the lane's; successors_near at any time, by its thread.
 */
#ifndef CHAIN_SUCCESSORS_H
#define CHAIN_SUCCESSORS_H

#include "chain/row.h"
#include "platform/hash.h"

enum {
    /* Fields of a guess, from the lowest bit on. */
    GUESS_ROW_BITS = 13,
    GUESS_FRAME_BITS = 9,
    GUESS_CALL_BITS = 19,
    GUESS_TAG_BITS = 4,
    GUESS_KEY_BITS = GUESS_CALL_BITS + GUESS_TAG_BITS,

    SUCCESSORS_ROWS = 1 << GUESS_ROW_BITS,
    SUCCESSORS_PLACES = 2 * SUCCESSORS_ROWS,
    SUCCESSORS_LINE_BITS = 12,
    SUCCESSORS_SLOT_BITS = 3,
    SUCCESSORS_SLOTS = 1 << SUCCESSORS_SLOT_BITS
};

_Static_assert(GUESS_ROW_BITS + GUESS_FRAME_BITS + GUESS_CALL_BITS + GUESS_KEY_BITS == 64,
               "a guess is a word");

/* A guess is a word of four fields: a key, the chain that comes, the common frame of both chains,
 * and the row.  The key is the previous chain and a tag of the frame that asks.  0 is no guess.  In
 * a line, the guess that was right last is at the hash of its asker; others are where there is
 * room. */
struct successors {
    uint32_t chain; /* the last chain, at its position in a key */
    uint32_t turn;  /* the next guess of a line to replace */
    uint64_t *line; /* the guesses after that chain */
    uint32_t row_count;
    uint16_t places[SUCCESSORS_PLACES]; /* rows by hash; 0: free */
    CACHE_ALIGNED uint64_t lines[1 << SUCCESSORS_LINE_BITS][SUCCESSORS_SLOTS];
    struct row rows[SUCCESSORS_ROWS + ROW_AHEAD]; /* from 1; 0: for no guess */
};

/* Forget all: calls have other numbers now. */
void successors_clear(struct successors *successors);

/* Store the chain that followed the last one.  steps, count: the new steps, up to `outside`, a
 * frame of both chains with number `frame`.  hash: of the steps.  call: of the new chain, counted
 * from the tree's first.  Does nothing if a row cannot hold the steps. */
void successors_learn(struct successors *successors, const struct lane_step *steps, size_t count,
                      const struct lane_chain_frame *outside, uint64_t hash, uint32_t frame,
                      uint32_t call);

/* Set the last chain, counted from the tree's first; 0: none. */
static ALWAYS_INLINE void successors_follow(struct successors *successors, uint32_t call)
{
    successors->chain = call << GUESS_TAG_BITS;
    successors->line = successors->lines[call % (1 << SUCCESSORS_LINE_BITS)];
    __builtin_prefetch(successors->line);
}

/* Start without a chain.  The row of no guess is written so that its page exists: prefetching
 * memory without a page costs 90 ns each time. */
static inline void successors_begin(struct successors *successors)
{
    successors->rows[0] = (struct row){.form = 0};
    successors_follow(successors, 0);
}

static ALWAYS_INLINE uint32_t guess_key(uint64_t guess)
{
    return (uint32_t)(guess >> (64 - GUESS_KEY_BITS));
}

static ALWAYS_INLINE uint32_t guess_call(uint64_t guess)
{
    return (uint32_t)(guess >> (GUESS_ROW_BITS + GUESS_FRAME_BITS)) & ((1 << GUESS_CALL_BITS) - 1);
}

static ALWAYS_INLINE uint32_t guess_frame(uint64_t guess)
{
    return (uint32_t)(guess >> GUESS_ROW_BITS) & ((1 << GUESS_FRAME_BITS) - 1);
}

static ALWAYS_INLINE const struct row *guess_row(const struct successors *successors,
                                                 uint64_t guess)
{
    return &successors->rows[guess % SUCCESSORS_ROWS];
}

/* The hash of a frame that asks; the upper bits are its slot and its tag. */
static ALWAYS_INLINE uint64_t successors_hash(uintptr_t pc, uintptr_t sp)
{
    return (pc + 2 * sp) * HASH_FACTOR;
}

static ALWAYS_INLINE unsigned successors_slot(uint64_t hash)
{
    return (unsigned)(hash >> (64 - SUCCESSORS_SLOT_BITS));
}

static ALWAYS_INLINE uint32_t successors_key(const struct successors *successors, uint64_t hash)
{
    uint64_t tag = hash >> (64 - SUCCESSORS_SLOT_BITS - GUESS_TAG_BITS);

    return successors->chain | ((uint32_t)tag & ((1 << GUESS_TAG_BITS) - 1));
}

/* The one of a frame's two nearest guesses that may have its key. */
static ALWAYS_INLINE uint64_t successors_either(const struct successors *successors, uint64_t hash,
                                                uint32_t key)
{
    uint64_t first = successors->line[successors_slot(hash)];
    uint64_t second = successors->line[successors_slot(hash) ^ 1];

    return guess_key(first) == key ? first : second;
}

/* The first guess for a frame that asks for its chain.  Returns: 0 when there is none. */
static ALWAYS_INLINE uint64_t successors_guess(const struct successors *successors, uintptr_t pc,
                                               uintptr_t sp)
{
    uint64_t hash = successors_hash(pc, sp);
    uint32_t key = successors_key(successors, hash);
    uint64_t guess = successors_either(successors, hash, key);

    return guess_key(guess) == key ? guess : 0;
}

/* Prefetch the row of the first guess. */
static ALWAYS_INLINE void successors_near(const struct successors *successors, uintptr_t pc,
                                          uintptr_t sp)
{
    uint64_t hash = successors_hash(pc, sp);
    uint32_t key = successors_key(successors, hash);

    __builtin_prefetch(guess_row(successors, successors_either(successors, hash, key)));
}

#endif
