/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which wrappers serve the rows of spec/waits.def.
 */
#include "call/wait_pools.h"

#include "call/wait_row.h"
#include "call/wake.h"

static const struct wait_pool *const pools[] = {&wait_pools[WAIT_CALLS], &wait_pools[WAIT_BYTES],
                                                &wait_pools[WAIT_LOCKS], &wake_pool};

const struct wait_pool *wait_pool_of(unsigned call)
{
    const struct wait_row *row = &wait_rows[call];

    if (row->result == WAIT_RESULT_WAKES)
        return &wake_pool;
    if (row->attempt)
        return &wait_pools[WAIT_LOCKS];
    if (row->object == WAIT_DESCRIPTOR && row->argument == 0 && row->result == WAIT_RESULT_BYTES &&
        call != TRACE_WAIT_SPLICE) /* it has two descriptors */
        return &wait_pools[WAIT_BYTES];
    return &wait_pools[WAIT_CALLS];
}

static bool owns(const struct wait_pool *pool, const void *address)
{
    for (unsigned i = 0; i < pool->count && pool->bindings[i].target; i++)
        if (pool->entries[i] == address)
            return true;
    return false;
}

bool wait_owns(const void *address)
{
    for (unsigned i = 0; i < sizeof pools / sizeof *pools; i++)
        if (owns(pools[i], address))
            return true;
    return false;
}
