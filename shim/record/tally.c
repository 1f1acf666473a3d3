/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Making cells the first time their key is seen.
 */
#include "record/tally.h"

#include "record/lane_chunks.h"

static COLD struct lane_place add_slot(struct lane *lane, const struct tally_key *key,
                                       uint64_t hash)
{
    struct lane_place place = {0};
    struct trace_slot *slot;

    lane_keep();
    place.cell = lane_add_cell(lane, hash, &place.number);
    if (!place.cell)
        return (struct lane_place){0};
    slot = &place.cell->slot;
    slot->binding = (uint32_t)(key->binding >> 32);
    slot->node = (uint32_t)key->node;
    slot->flags = (uint16_t)(key->node >> 32);
    slot->dims = (uint16_t)tally_dims(key);
    slot->site = key->site;
    slot->min_ticks = UINT64_MAX;
    for (unsigned i = 0; i < tally_recorded(slot->dims); i++)
        slot->shape[i] = key->shape[i];
    tally_publish(place.cell, TRACE_CELL_SLOT);
    return place;
}

struct lane_place tally_search_slot(struct lane *lane, const struct tally_key *key)
{
    uint64_t hash = tally_hash_slot(key);
    struct lane_place place;

    tally_begin_search(lane);
    place = *tally_find(lane, key, hash);
    if (UNLIKELY(!place.cell))
        place = add_slot(lane, key, hash);
    tally_end_search(lane, key->binding, place);
    return place;
}

static union trace_cell no_cell;

void tally_forget_last(struct lane *lane, uint64_t binding_word)
{
    tally_recent(lane, binding_word)->cell = &no_cell;
}

void tally_forget_recent(struct lane *lane)
{
    for (unsigned i = 0; i < LANE_RECENT; i++)
        lane->recent[i] = (struct lane_place){.cell = &no_cell};
}

struct lane_place tally_add_node(struct lane *lane, uint32_t parent, uint32_t label, uint64_t now)
{
    struct lane_place place = {NULL, 0};

    lane_keep();
    place.cell = lane_add_cell(lane, tally_hash_node(parent, label), &place.number);
    if (!place.cell)
        return (struct lane_place){NULL, 0};
    place.cell->node.parent = parent;
    place.cell->node.label = label;
    place.cell->node.thread = (uint32_t)lane->thread;
    place.cell->node.first_ticks = now;
    tally_publish(place.cell, TRACE_CELL_NODE);
    return place;
}
