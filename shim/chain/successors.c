/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping guesses and their rows.
 *
 * Decision: doc/decisions/chains-by-difference.
 */
#include "chain/successors.h"

#include <string.h>

#include "chain/step.h"

void successors_clear(struct successors *successors)
{
    memset(successors->lines, 0, sizeof successors->lines);
    memset(successors->places, 0, sizeof successors->places);
    successors->row_count = 0;
}

/* Find or store a row.  Returns: its number; 0 when there was no room, and all rows were therefore
 * forgotten. */
static uint32_t number_of(struct successors *successors, const struct row *row, uint64_t hash)
{
    unsigned parts = row_count_parts(row);
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
    successors->rows[successors->row_count + ROW_AHEAD].form = 0; /* its page */
    return *place;
}

/* A new guess replaces the other of its pair, which replaces a third of the line. */
static void make_room(struct successors *successors, unsigned slot)
{
    enum { OTHERS = SUCCESSORS_SLOTS - 2 };
    uint64_t *line = successors->line;
    unsigned other = (slot | 1) + 1 + successors->turn % OTHERS;

    if (line[slot ^ 1] != 0) {
        for (unsigned i = 0; i < SUCCESSORS_SLOTS; i++)
            if (line[i] == 0)
                other = i;
        successors->turn++;
        line[other % SUCCESSORS_SLOTS] = line[slot ^ 1];
    }
    line[slot ^ 1] = line[slot];
}

void successors_learn(struct successors *successors, const struct lane_step *steps, size_t count,
                      const struct lane_chain_frame *outside, uint64_t hash, uint32_t frame,
                      uint32_t call)
{
    uint64_t asked = successors_hash(steps->frame.pc, steps->frame.sp);
    uint64_t key = successors_key(successors, asked);
    unsigned slot = successors_slot(asked);
    struct row rows[ROW_PARTS];
    uint32_t row =
        row_describe(rows, steps, count, outside) ? number_of(successors, rows, hash) : 0;

    if (row == 0)
        return;
    if (successors->line[slot] != 0)
        make_room(successors, slot);
    successors->line[slot] =
        ((key << GUESS_CALL_BITS | call) << GUESS_FRAME_BITS | frame) << GUESS_ROW_BITS | row;
}
