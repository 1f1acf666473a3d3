/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linker's lock across a fork.
 */
#include "hook/linker.h"

#include <stdatomic.h>

#include "platform/memory.h"

/* LOST: a thread that the process does not have may hold the lock. */
enum { UNKNOWN, FREE, LOST };

/* Threads on their way through the lock.  A fork copies it. */
static atomic_uint inside;

/* One counter in memory that a fork wipes, so each process asks once. */
static atomic_uint *state;

bool linker_init(void)
{
    state = memory_keep_wiped(sizeof *state);
    return state != NULL;
}

/* No thread of this process is counted before the state is known; two threads that ask at once use
 * the answer of the first. */
static bool may_enter(void)
{
    unsigned known = atomic_load(state);

    if (known == UNKNOWN) {
        unsigned found = atomic_load(&inside) == 0 ? FREE : LOST;

        if (atomic_compare_exchange_strong(state, &known, found))
            known = found;
    }
    return known == FREE;
}

void linker_visit(int (*visit)(struct dl_phdr_info *info, size_t size, void *of), void *of)
{
    if (!may_enter())
        return;
    atomic_fetch_add(&inside, 1);
    dl_iterate_phdr(visit, of);
    atomic_fetch_sub(&inside, 1);
}
