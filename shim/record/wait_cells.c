/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of waits.  The cells are among those of slots and nodes, under the same index.
 */
#include "record/wait_cells.h"

#include "record/lane_chunks.h"
#include "record/process.h"
#include "record/tally.h"

enum { IN_IMAGE_MAX = TRACE_TALLY_CELLS / 2 };

static bool may_add(const struct lane *lane)
{
    return process->file.is_kept || lane->cell_count < IN_IMAGE_MAX;
}

static struct lane_place add(struct lane *lane, const struct wait_key *key, uint64_t hash)
{
    struct lane_place place = {0};
    struct trace_wait *wait;

    if (may_add(lane))
        place.cell = lane_add_cell(lane, hash, &place.number);
    if (!place.cell)
        return (struct lane_place){0};
    wait = &place.cell->wait;
    wait->call = (uint16_t)(key->call >> 32);
    wait->flags = (uint16_t)(key->call >> 48);
    wait->node = (uint32_t)key->node;
    wait->waited = (uint32_t)(key->node >> 32);
    wait->site = key->site;
    wait->address = key->address;
    wait->owner = key->owner;
    wait->min_ticks = UINT64_MAX;
    tally_publish(place.cell, TRACE_CELL_WAIT);
    return place;
}

struct lane_place wait_cells_find(struct lane *lane, const struct wait_key *key)
{
    uint64_t hash = tally_hash_wait(key->call, key->node, key->site,
                                    key->address + ((uint64_t)key->owner << 40));
    uint32_t at = (uint32_t)hash & lane->index_mask;

    for (; lane->index[at].cell; at = (at + 1) & lane->index_mask)
        if (wait_cells_is(&lane->index[at].cell->wait, key))
            return lane->index[at];
    return add(lane, key, hash);
}
