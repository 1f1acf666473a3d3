/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which call chain came after which.
 *
 * Programs repeat themselves: what follows a chain has mostly followed it
 * before.  A guess is kept of it: how far both chains are the same, the row of
 * frames that were new, and the number of the chain in the tree.  A row tells
 * what unwinding read and where, so the stack itself says whether it is so
 * (chain/callchain.c); nothing here is trusted.
 *
 * What is so needs neither rules nor the tree, whose tables miss the cache.
 * The guesses after a chain lie in one line of it.  They are sent for as soon
 * as the chain has come, and are near when the next one does; the row is sent
 * for while the block is obtained.
 *
 * Many programs repeat a long course, a compiler that of its passes for each
 * function: what they need of this comes again after thousands of chains, and the
 * cache has lost it.  So lines are in the order of the chains' numbers, and rows
 * in that in which they were learned: the next ones lie behind these, where the
 * processor looks by itself and rows are sent for ahead.
 *
 * A row is never changed, so a guess and its row belong together.  When there
 * is no room for another, all is forgotten.
 *
 * Safety: as the lane's; successors_near at any time, by its thread.
 */
#ifndef CHAIN_SUCCESSORS_H
#define CHAIN_SUCCESSORS_H

#include <stddef.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "unwind/machine.h"

struct lane_chain_frame;
struct lane_step;

enum {
    ROW_FRAMES = 5,
    ROW_PARTS = 3, /* that a row may have */
    ROW_FRAMES_MAX = ROW_PARTS * ROW_FRAMES,
    ROW_HAS_FPS = 16,
    ROW_CFA_BELOW_FP = 40,

    /* Fields of a guess, from the lowest bit on. */
    GUESS_ROW_BITS = 13,
    GUESS_FRAME_BITS = 9,
    GUESS_CALL_BITS = 19,
    GUESS_TAG_BITS = 4,
    GUESS_KEY_BITS = GUESS_CALL_BITS + GUESS_TAG_BITS,

    SUCCESSORS_ROWS = 1 << GUESS_ROW_BITS,
    SUCCESSORS_AHEAD = 3, /* rows sent for behind one that is used */
    SUCCESSORS_PLACES = 2 * SUCCESSORS_ROWS,
    SUCCESSORS_LINE_BITS = 12,
    SUCCESSORS_SLOT_BITS = 3,
    SUCCESSORS_SLOTS = 1 << SUCCESSORS_SLOT_BITS
};

_Static_assert(GUESS_ROW_BITS + GUESS_FRAME_BITS + GUESS_CALL_BITS + GUESS_KEY_BITS == 64,
               "a guess is a word");

/* Frames of a row by what the frame pointer is to them; the outermost is bit 0.  A frame that
 * uses it has it point to where the frame saved its caller's, so the stack pointer and the
 * distances of the row tell what it is.  A function that aligns its stack keeps its CFA in the
 * frame: gcc's saves four registers before, and then it stands ROW_CFA_BELOW_FP. */
struct row_fps {
    uint16_t needed;   /* by the frame or one further out: what LANE_NEEDS_FP says */
    uint16_t used;     /* by the frame itself */
    uint16_t saved;    /* by the frame, for one further out: LANE_FP_IS_NEEDED */
    uint16_t kept_cfa; /* in the frame: LANE_HAS_CFA */
};

/* Some frames in a row, outermost first; at the end the innermost is repeated.
 * A row of more frames, or with frame pointers, goes on in the next places. */
struct row {
    union {
        uintptr_t pc;       /* of the innermost frame */
        struct row_fps fps; /* in the second place */
    };
    uintptr_t
        values[ROW_FRAMES];    /* return addresses as they stand; the first leads out of the row */
    uint16_t cfas[ROW_FRAMES]; /* above the innermost stack pointer, in UNWIND_CFA_UNIT */
    uint8_t saved_fps[ROW_FRAMES]; /* as in packed rules: they tell where the values stand */
    uint8_t form;                  /* frames of the whole row, and ROW_HAS_FPS */
};

_Static_assert(sizeof(struct row) == 64, "a row is a line of the cache");
_Static_assert(ROW_FRAMES_MAX < ROW_HAS_FPS, "the number of frames is below the flag");

/* A guess: a key, of the chain that came before and a tag of the frame that
 * asks; the chain that comes; the frame that both have; the row.  0: none.
 * Those of a line share it: the last that was right stands where its asker's hash
 * leads, others of the same key or of other chains where there is room. */
struct successors {
    uint32_t chain; /* that came last, in its place in a key */
    uint32_t turn;  /* which guess of a line is given up next */
    uint64_t *line; /* the guesses after that chain */
    uint32_t row_count;
    uint16_t places[SUCCESSORS_PLACES]; /* rows by hash; 0: free */
    CACHE_ALIGNED uint64_t lines[1 << SUCCESSORS_LINE_BITS][SUCCESSORS_SLOTS];
    struct row rows[SUCCESSORS_ROWS + SUCCESSORS_AHEAD]; /* from 1; 0: of no guess */
};

/* Forget all: calls have other numbers now. */
void successors_clear(struct successors *successors);

/* Keep what came after the last chain.
 * steps, count: that were taken, up to a frame that both chains have, `outside`,
 * number `frame` of them.  hash: of the steps.
 * call: of the chain that came, counted from the tree's first.
 * Does nothing when a row cannot tell the steps. */
void successors_learn(struct successors *successors, const struct lane_step *steps, size_t count,
                      const struct lane_chain_frame *outside, uint64_t hash, uint32_t frame,
                      uint32_t call);

/* The chain that came last, counted from the tree's first; 0: none. */
static ALWAYS_INLINE void successors_follow(struct successors *successors, uint32_t call)
{
    successors->chain = call << GUESS_TAG_BITS;
    successors->line = successors->lines[call % (1 << SUCCESSORS_LINE_BITS)];
    __builtin_prefetch(successors->line);
}

/* There is no chain yet.  The row of no guess is written so that its page is
 * there: to send for memory without a page costs 90 ns each time. */
static inline void successors_begin(struct successors *successors)
{
    successors->rows[0] = (struct row){.form = 0};
    successors_follow(successors, 0);
}

/* ---- guesses ----------------------------------------------------------- */

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

/* A frame that asks; its slot and its tag are the upper bits. */
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

/* Of the two guesses that are near for a frame, the one that may have its key. */
static ALWAYS_INLINE uint64_t successors_either(const struct successors *successors, uint64_t hash,
                                                uint32_t key)
{
    uint64_t first = successors->line[successors_slot(hash)];
    uint64_t second = successors->line[successors_slot(hash) ^ 1];

    return guess_key(first) == key ? first : second;
}

/* What may come when a frame asks for its chain, first of all.  Returns: 0 when that is
 * not known. */
static ALWAYS_INLINE uint64_t successors_guess(const struct successors *successors, uintptr_t pc,
                                               uintptr_t sp)
{
    uint64_t hash = successors_hash(pc, sp);
    uint32_t key = successors_key(successors, hash);
    uint64_t guess = successors_either(successors, hash, key);

    return guess_key(guess) == key ? guess : 0;
}

/* Send for the row of what may come. */
static ALWAYS_INLINE void successors_near(const struct successors *successors, uintptr_t pc,
                                          uintptr_t sp)
{
    uint64_t hash = successors_hash(pc, sp);
    uint32_t key = successors_key(successors, hash);

    __builtin_prefetch(guess_row(successors, successors_either(successors, hash, key)));
}

/* ---- rows -------------------------------------------------------------- */

/* Send for what comes soon where a long course is repeated.  The row behind this one
 * may be its second part, and is sent for by its guess. */
static ALWAYS_INLINE void row_send_ahead(const struct row *row)
{
    for (unsigned i = 2; i <= SUCCESSORS_AHEAD; i++)
        __builtin_prefetch(row + i);
}

static ALWAYS_INLINE bool row_is_long(const struct row *row)
{
    return row->form > ROW_FRAMES;
}

static ALWAYS_INLINE unsigned row_frame_count(const struct row *row)
{
    return row->form % ROW_HAS_FPS;
}

static ALWAYS_INLINE unsigned row_count_parts(const struct row *row)
{
    unsigned parts = (row_frame_count(row) + ROW_FRAMES - 1) / ROW_FRAMES;

    return row->form > ROW_HAS_FPS && parts == 1 ? 2 : parts;
}

/* Of a long row: who needs the frame pointer, NULL when nobody does. */
static ALWAYS_INLINE const struct row_fps *row_fps(const struct row *row)
{
    return row->form & ROW_HAS_FPS ? &row[1].fps : NULL;
}

/* Does the frame outside of the row need the frame pointer? */
static ALWAYS_INLINE bool row_fps_lead_out(const struct row_fps *fps)
{
    return (fps->saved | (fps->needed & ~fps->used)) & 1;
}

/* The CFA of a frame; `sp`: of the innermost frame. */
static ALWAYS_INLINE uintptr_t row_cfa(const struct row *row, unsigned i, uintptr_t sp)
{
    return sp + row->cfas[i] * (uintptr_t)UNWIND_CFA_UNIT;
}

/* Where the return address of a frame stands. */
static ALWAYS_INLINE const uintptr_t *row_place(const struct row *row, unsigned i, uintptr_t sp)
{
    return (const uintptr_t *)unwind_packed_pc_place(row_cfa(row, i, sp), row->saved_fps[i]);
}

/* Where a frame saved the frame pointer of its caller. */
static ALWAYS_INLINE const uintptr_t *row_fp_place(const struct row *row, unsigned i, uintptr_t sp)
{
    return (const uintptr_t *)(row_cfa(row, i, sp) - row->saved_fps[i] * UNWIND_FP_UNIT);
}

/* Where a frame keeps its CFA; `place`: where it saved the frame pointer. */
static ALWAYS_INLINE const uintptr_t *row_cfa_place(const uintptr_t *place)
{
    return place - ROW_CFA_BELOW_FP / sizeof *place;
}

/* Returns: 0 when the stack is as this part of a row tells. */
static ALWAYS_INLINE uintptr_t row_differs(const struct row *row, uintptr_t sp)
{
    uintptr_t differs = 0;

#pragma GCC unroll 8
    for (unsigned i = 0; i < ROW_FRAMES; i++)
        differs |= *row_place(row, i, sp) ^ row->values[i];
    return differs;
}

#endif
