/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sites and the mappings of call chains, made with the first of their records.
 */
#include "model/chains_parts.h"

#include <string.h>

#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

/* Makes room for one index for each call, at first SESSION_NONE.  More calls may follow. */
static void reserve_indices(const struct chains *chains, struct array *indices)
{
    size_t count = chains->session->calls.count + 1, old = indices->count;

    if (old >= count)
        return;
    array_reserve(indices, count);
    indices->count = count;
    memset(array_at(indices, old), 0xff, (count - old) * indices->item_size);
}

static uint32_t *index_of(const struct array *indices, uint32_t call)
{
    return array_at(indices, call);
}

static void add_site(struct chains *chains, uint32_t call)
{
    struct session_site *site = array_add(&chains->session->sites);

    site->call = call;
    site->binding = session_call_at(chains->session, call)->kernel;
    *index_of(&chains->sites, call) = (uint32_t)chains->session->sites.count - 1;
}

void chains_find_site(struct chains *chains, struct chains_lane *lane, uint32_t number,
                      uint32_t *site)
{
    uint32_t call;

    chains_resolve(chains, lane, number, &call);
    reserve_indices(chains, &chains->sites);
    if (*index_of(&chains->sites, call) == SESSION_NONE)
        add_site(chains, call);
    *site = *index_of(&chains->sites, call);
    if (number < lane->count)
        lane->entries[number] = *site;
}

void chains_find_call(struct chains *chains, const struct chains_lane *lane, uint32_t number,
                      uint32_t *call)
{
    uint32_t entry = chains_entry(lane, number);

    if (entry & CHAINS_CALL) {
        chains_resolve(chains, lane, number, call);
        return;
    }
    *call = session_site_at(chains->session, entry)->call;
}

static void add_mapping(struct chains *chains, uint32_t call)
{
    struct session_mapping *mapping = array_add(&chains->session->mappings);

    mapping->call = call;
    *index_of(&chains->mappings, call) = (uint32_t)chains->session->mappings.count - 1;
}

void chains_find_mapping(struct chains *chains, const struct chains_lane *lane, uint64_t number,
                         uint32_t *mapping)
{
    uint32_t call;

    chains_find_call(chains, lane, number < UINT32_MAX ? (uint32_t)number : UINT32_MAX, &call);
    reserve_indices(chains, &chains->mappings);
    if (*index_of(&chains->mappings, call) == SESSION_NONE)
        add_mapping(chains, call);
    *mapping = *index_of(&chains->mappings, call);
}
