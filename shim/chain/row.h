/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row: some frames of a call chain, as the words of the stack that prove them.
 *
 * A row stores the words that unwinding read, and their places relative to the innermost stack
 * pointer.  So comparing words checks a row against a stack, without rules and trees, whose tables
 * miss the cache.
 *
 * Budget of row_differs: one load of the stack for each frame, and no branch.
 */
#ifndef CHAIN_ROW_H
#define CHAIN_ROW_H

#include <stddef.h>

#include "platform/attributes.h"
#include "unwind/machine.h"

struct lane_chain_frame;
struct lane_step;

enum {
    ROW_FRAMES = 5,
    ROW_PARTS = 3, /* the most parts of a row */
    ROW_FRAMES_MAX = ROW_PARTS * ROW_FRAMES,
    ROW_HAS_FPS = 16,
    ROW_CFA_BELOW_FP = 40,
    ROW_AHEAD = 3 /* rows prefetched behind one that is used */
};

/* How the frames of a row use the frame pointer, with a bit for each frame; the outermost is bit 0.
 * A frame that uses the frame pointer lets it point to the place where it saved its caller's.  So
 * the stack pointer and the distances of the row give its value.  A function that aligns its stack
 * stores its CFA in the frame: gcc saves four registers before it, so the CFA is at
 * ROW_CFA_BELOW_FP. */
struct row_fps {
    uint16_t needed;   /* by the frame or an outer one, as in LANE_NEEDS_FP */
    uint16_t used;     /* by the frame itself */
    uint16_t saved;    /* by the frame, for an outer one, as in LANE_FP_IS_NEEDED */
    uint16_t kept_cfa; /* in the frame, as LANE_HAS_CFA */
};

/* Some consecutive frames, outermost first.  The innermost is repeated up to the end.  A row of
 * more frames, or with frame pointers, continues in the next places. */
struct row {
    union {
        uintptr_t pc;       /* code address of the innermost frame */
        struct row_fps fps; /* in the second place */
    };
    uintptr_t values[ROW_FRAMES];  /* return addresses; the first leads out of the row */
    uint16_t cfas[ROW_FRAMES];     /* above the innermost stack pointer, in UNWIND_CFA_UNIT */
    uint8_t saved_fps[ROW_FRAMES]; /* as in packed rules: they give the places of the values */
    uint8_t form;                  /* frames of the whole row, and ROW_HAS_FPS */
};

_Static_assert(sizeof(struct row) == 64, "a row is a line of the cache");
_Static_assert(ROW_FRAMES_MAX < ROW_HAS_FPS, "the number of frames is below the flag");

/* Describe the frames of some steps, innermost first, up to the frame outside of them.
 * Returns: false when a row cannot hold them. */
bool row_describe(struct row rows[ROW_PARTS], const struct lane_step *steps, size_t count,
                  const struct lane_chain_frame *outside);

/* Prefetch the rows that follow soon if a long course repeats.  The next row may be this one's
 * second part, which its guess has prefetched. */
static ALWAYS_INLINE void row_prefetch_ahead(const struct row *row)
{
    for (unsigned i = 2; i <= ROW_AHEAD; i++)
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

/* How a long row uses the frame pointer; NULL if it does not. */
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

/* Give the place of a frame's return address. */
static ALWAYS_INLINE const uintptr_t *row_place(const struct row *row, unsigned i, uintptr_t sp)
{
    return (const uintptr_t *)unwind_packed_pc_place(row_cfa(row, i, sp), row->saved_fps[i]);
}

/* Where a frame saved the frame pointer of its caller. */
static ALWAYS_INLINE const uintptr_t *row_fp_place(const struct row *row, unsigned i, uintptr_t sp)
{
    return (const uintptr_t *)(row_cfa(row, i, sp) - row->saved_fps[i] * UNWIND_FP_UNIT);
}

/* Give the place where a frame stores its CFA; `place`: where it saved the frame pointer. */
static ALWAYS_INLINE const uintptr_t *row_cfa_place(const uintptr_t *place)
{
    return place - ROW_CFA_BELOW_FP / sizeof *place;
}

/* Returns: 0 when the stack has the words of this part of a row. */
static ALWAYS_INLINE uintptr_t row_differs(const struct row *row, uintptr_t sp)
{
    uintptr_t differs = 0;

#pragma GCC unroll 8
    for (unsigned i = 0; i < ROW_FRAMES; i++)
        differs |= *row_place(row, i, sp) ^ row->values[i];
    return differs;
}

#endif
