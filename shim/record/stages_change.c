/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts and changes stages.
 *
 * A stage's time is first written to the header, then its record to the trace, and then the first
 * thinned record.  So even after a kill no reader takes drawn blocks for all blocks.
 */
#include "record/stages_change.h"

#include "record/extended.h"
#include "record/process.h"
#include "record/stages.h"

/* The largest distance that the reader accepts. */
static const uint64_t distance_most = UINT32_MAX;

static uint64_t within_most(uint64_t distance)
{
    return distance < distance_most ? distance : distance_most;
}

static void write_change(struct lane *lane, uint64_t now, const uint64_t words[4])
{
    extended_write(lane, now, TRACE_EXTENDED_STAGE, words, 4);
}

void stages_begin(struct lane *lane, uint64_t now, enum trace_stage stage,
                  enum trace_stage_cause cause, uint64_t from, uint64_t to)
{
    const unsigned bit = 1u << stage;
    uint64_t value = stages_is_of_blocks(stage) ? within_most(to) : to;

    if (atomic_fetch_or(&process->stages.claimed, bit) & bit)
        return;
    write_change(lane, now, (const uint64_t[]){stage, cause, from, value});
    atomic_store((_Atomic uint64_t *)&process->file.header->stage_ticks[stage], now);
    stages_set_value(stage, value);
    atomic_fetch_or(&process->stages.begun, bit);
    if (stages_is_of_blocks(stage))
        stages_lower_alloc(stage);
}

void stages_change(struct lane *lane, uint64_t now, enum trace_stage stage,
                   enum trace_stage_cause cause, uint64_t to)
{
    write_change(lane, now, (const uint64_t[]){stage, cause, stages_value(stage), to});
    stages_set_value(stage, to);
}

void stages_change_distance(struct lane *lane, uint64_t now, enum trace_stage_cause cause,
                            uint64_t to)
{
    const enum trace_stage stage =
        stages_has_begun(TRACE_STAGE_BLOCKS) ? TRACE_STAGE_BLOCKS : TRACE_STAGE_CHAINS;

    if (stages_has_begun(stage))
        write_change(lane, now,
                     (const uint64_t[]){stage, cause, stages_distance(), within_most(to)});
    stages_set_value(stage, within_most(to));
}
