/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hot/successors.h"

#include <string.h>

#include "hot/lane.h"

_Static_assert((int)LANE_ENTRY_BITS <= (int)GUESS_CALL_BITS &&
                   LANE_CHAIN_FRAMES <= 1 << GUESS_FRAME_BITS,
               "a guess has room for all calls of a tree and all frames of a chain");

void successors_clear(struct successors *successors)
{
    memset(successors->lines, 0, sizeof successors->lines);
    memset(successors->places, 0, sizeof successors->places);
    successors->row_count = 0;
}

/* A step, up to `cfa`.  Returns: false when a row cannot tell it. */
static bool describe_step(struct row *row, unsigned i, const struct lane_step *step, uintptr_t cfa,
                          uintptr_t sp)
{
    uintptr_t units = (cfa - sp) / UNWIND_CFA_UNIT;

    if (step->frame.flags != 0 || units > UINT16_MAX)
        return false;
    row->values[i] = step->pc.value;
    row->cfas[i] = (uint16_t)units;
    row->saved_fps[i] = (uint8_t)step->saved_fp;
    return row_cfa(row, i, sp) == cfa && row_place(row, i, sp) == step->pc.place;
}

/* Steps, innermost first, up to the stack pointer `sp`.  Returns: false when a
 * row cannot tell them. */
static bool describe(struct row rows[ROW_PARTS], const struct lane_step *steps, size_t count,
                     uintptr_t sp)
{
    unsigned places = count > ROW_FRAMES ? ROW_FRAMES_MAX : ROW_FRAMES;

    if (count == 0 || count > ROW_FRAMES_MAX)
        return false;
    memset(rows, 0, ROW_PARTS * sizeof *rows);
    rows->pc = steps->frame.pc;
    rows->frame_count = (uint8_t)count;
    for (unsigned i = 0; i < places; i++) {
        size_t from = i < count ? count - 1 - i : 0;
        uintptr_t cfa = from == count - 1 ? sp : steps[from + 1].frame.sp;

        if (!describe_step(&rows[i / ROW_FRAMES], i % ROW_FRAMES, &steps[from], cfa,
                           steps->frame.sp))
            return false;
    }
    return true;
}

/* Find or keep a row.  Returns: its number; 0 when there was no room and all
 * has been forgotten. */
static uint32_t number_of(struct successors *successors, const struct row *row, uint64_t hash)
{
    unsigned parts = row_is_long(row) ? ROW_PARTS : 1;
    uint32_t at = (uint32_t)(hash >> 32);
    uint16_t *place;

    for (;; at++) {
        place = &successors->places[at % SUCCESSORS_PLACES];
        if (*place == 0)
            break;
        if (memcmp(&successors->rows[*place], row, parts * sizeof *row) == 0)
            return *place;
    }
    if (successors->row_count + ROW_PARTS >= SUCCESSORS_ROWS) {
        successors_clear(successors);
        return 0;
    }
    *place = (uint16_t)(successors->row_count + 1);
    memcpy(&successors->rows[*place], row, parts * sizeof *row);
    successors->row_count += parts;
    successors->rows[successors->row_count + SUCCESSORS_AHEAD].frame_count = 0; /* its page */
    return *place;
}

void successors_learn(struct successors *successors, const struct lane_step *steps, size_t count,
                      uintptr_t sp, uint64_t hash, uint32_t frame, uint32_t call)
{
    uint64_t asked = successors_hash(steps->frame.pc, steps->frame.sp);
    uint64_t key = successors_key(successors, asked);
    uint64_t *place = &successors->line[successors_slot(asked)];
    uint64_t *other = &successors->line[successors_slot(asked) ^ 1];
    struct row rows[ROW_PARTS];
    uint32_t row = describe(rows, steps, count, sp) ? number_of(successors, rows, hash) : 0;

    if (row == 0)
        return;
    if (guess_key(*place) != key && (guess_key(*other) == key || successors->turn++ % 2 == 0))
        place = other;
    *place = ((key << GUESS_CALL_BITS | call) << GUESS_FRAME_BITS | frame) << GUESS_ROW_BITS | row;
}
