/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of addresses that threads wait for.
 */
#include "call/awaited.h"

#include <stddef.h>

#include "platform/memory.h"

enum { TABLE_SIZE = sizeof(struct awaited) << AWAITED_BITS };

_Atomic(struct awaited *) awaited_table;

/* If two threads map the table, one of them unmaps its own. */
static struct awaited *make_table(void)
{
    struct awaited *there = NULL, *mine = memory_map_wiped(TABLE_SIZE);

    if (!mine || atomic_compare_exchange_strong(&awaited_table, &there, mine))
        return mine;
    memory_unmap(mine, TABLE_SIZE);
    return there;
}

bool awaited_begin(uint64_t address, uint64_t now)
{
    struct awaited *table = atomic_load_explicit(&awaited_table, memory_order_acquire);

    if (!table)
        table = make_table();
    if (!table)
        return false;
    atomic_store_explicit(&awaited_at(table, address)->since, now, memory_order_relaxed);
    atomic_fetch_add(&awaited_at(table, address)->count, 1);
    return true;
}

/* A fork in a signal handler may have wiped the count. */
void awaited_end(uint64_t address)
{
    struct awaited *table = atomic_load(&awaited_table);
    atomic_uint *count = table ? &awaited_at(table, address)->count : NULL;
    unsigned before = count ? atomic_load(count) : 0;

    while (before != 0 && !atomic_compare_exchange_weak(count, &before, before - 1))
        ;
}

bool awaited_is_long(uint64_t address, uint64_t now, uint64_t ticks)
{
    struct awaited *of = awaited_at(awaited_table, address);

    return atomic_load_explicit(&of->count, memory_order_relaxed) != 1 ||
           now - atomic_load_explicit(&of->since, memory_order_relaxed) >= ticks;
}

void awaited_leave(void)
{
    atomic_store(&awaited_table, NULL);
}
