/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Describing the steps of a walk as a row.
 *
 * Decision: doc/decisions/chains-by-difference.
 */
#include "chain/row.h"

#include <string.h>

#include "chain/step.h"

/* How far below the CFA a step saved the frame pointer, in UNWIND_FP_UNIT; 0: the step did not save
 * it.  For a step that keeps its CFA, the distance varies with the place on the stack. */
static uintptr_t saved_fp_of(const struct lane_step *step, uintptr_t cfa)
{
    return step->frame.flags & LANE_HAS_CFA ? (cfa - step->frame.fp) / UNWIND_FP_UNIT
                                            : step->saved_fp;
}

/* A step, up to `cfa`.  Returns: false when a row cannot hold it. */
static bool describe_step(struct row *row, unsigned i, const struct lane_step *step, uintptr_t cfa,
                          uintptr_t sp)
{
    uintptr_t units = (cfa - sp) / UNWIND_CFA_UNIT;

    if (units > UINT16_MAX)
        return false;
    row->values[i] = step->pc.value;
    row->cfas[i] = (uint16_t)units;
    row->saved_fps[i] = (uint8_t)saved_fp_of(step, cfa);
    return row_cfa(row, i, sp) == cfa && row_place(row, i, sp) == step->pc.place;
}

/* The frame pointer outside of a step, and whether it is needed. */
struct fp_outside {
    uintptr_t value;
    bool is_needed;
};

/* Note how a step uses the frame pointer, and update `outside` for the step inside it.
 * Returns: false when a row cannot hold it. */
static bool describe_fp(struct row_fps *fps, unsigned bit, const struct lane_step *step,
                        uintptr_t cfa, struct fp_outside *outside)
{
    uintptr_t saved_fp = saved_fp_of(step, cfa);
    uintptr_t record = cfa - saved_fp * UNWIND_FP_UNIT;
    bool keeps_cfa = step->frame.flags & LANE_HAS_CFA;
    bool is_saved = step->frame.flags & LANE_FP_IS_NEEDED;
    bool is_needed = step->frame.flags & LANE_NEEDS_FP;
    bool is_used = is_needed && (is_saved || !outside->is_needed);

    if (step->frame.flags & LANE_IS_EXACT || saved_fp > UINT8_MAX ||
        outside->is_needed != (is_saved || (is_needed && !is_used)))
        return false;
    if (is_saved && ((uintptr_t)step->fp.place != record || step->fp.value != outside->value))
        return false;
    if (is_used && saved_fp == 0)
        return false;
    if (keeps_cfa && (!is_used || step->cfa.place != row_cfa_place((const uintptr_t *)record)))
        return false;
    if (is_needed && step->frame.fp != (is_used ? record : outside->value))
        return false;
    fps->needed |= (uint16_t)(is_needed << bit);
    fps->used |= (uint16_t)(is_used << bit);
    fps->saved |= (uint16_t)(is_saved << bit);
    fps->kept_cfa |= (uint16_t)(keeps_cfa << bit);
    *outside = (struct fp_outside){step->frame.fp, is_needed};
    return true;
}

/* Returns: false when a row cannot hold how the steps use the frame pointer. */
static bool describe_fps(struct row_fps *fps, const struct lane_step *steps, size_t count,
                         const struct lane_chain_frame *outside)
{
    struct fp_outside fp = {outside->fp, outside->flags & LANE_NEEDS_FP};
    uintptr_t cfa = outside->sp;

    for (unsigned i = 0; i < count; i++) {
        const struct lane_step *step = &steps[count - 1 - i];

        if (!describe_fp(fps, i, step, cfa, &fp))
            return false;
        cfa = step->frame.sp;
    }
    return true;
}

static bool has_flags(const struct lane_step *steps, size_t count,
                      const struct lane_chain_frame *outside)
{
    uint32_t flags = outside->flags & LANE_NEEDS_FP;

    for (size_t i = 0; i < count; i++)
        flags |= steps[i].frame.flags;
    return flags != 0;
}

bool row_describe(struct row rows[ROW_PARTS], const struct lane_step *steps, size_t count,
                  const struct lane_chain_frame *outside)
{
    unsigned places;

    if (count == 0 || count > ROW_FRAMES_MAX)
        return false;
    memset(rows, 0, ROW_PARTS * sizeof *rows);
    rows->pc = steps->frame.pc;
    rows->form = (uint8_t)count;
    if (has_flags(steps, count, outside)) {
        rows->form |= ROW_HAS_FPS;
        if (!describe_fps(&rows[1].fps, steps, count, outside))
            return false;
    }
    places = row_count_parts(rows) * ROW_FRAMES;
    for (unsigned i = 0; i < places; i++) {
        size_t from = i < count ? count - 1 - i : 0;
        uintptr_t cfa = from == count - 1 ? outside->sp : steps[from + 1].frame.sp;

        if (!describe_step(&rows[i / ROW_FRAMES], i % ROW_FRAMES, &steps[from], cfa,
                           steps->frame.sp))
            return false;
    }
    return true;
}
