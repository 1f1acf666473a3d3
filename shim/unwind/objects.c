/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of objects that is read without a lock.
 *
 * A start of 0 makes a row empty, and a row is filled in only while it is.  A reader compares the
 * start again after it has read the rest.
 */
#include "unwind/objects.h"

#include <stdatomic.h>
#include <stddef.h>

struct row {
    atomic_uintptr_t start;
    atomic_uintptr_t end;
    const void *_Atomic header;
};

_Thread_local bool objects_alone INITIAL_EXEC;
_Thread_local bool objects_missed INITIAL_EXEC;

static struct row rows[OBJECTS_MAX];
static atomic_uint row_count; /* of the rows that were ever filled in */
static atomic_uint removals;  /* that are in progress */

static struct row *find_start(uintptr_t start)
{
    unsigned count = atomic_load(&row_count);

    for (unsigned i = 0; i < count; i++)
        if (atomic_load(&rows[i].start) == start)
            return &rows[i];
    return NULL;
}

/* Returns: NULL when all are in use. */
static struct row *find_empty(void)
{
    struct row *row = find_start(0);

    if (row)
        return row;
    return atomic_load(&row_count) < OBJECTS_MAX ? &rows[atomic_fetch_add(&row_count, 1)] : NULL;
}

void objects_add(uintptr_t start, uintptr_t end, const void *header)
{
    struct row *row = find_empty();

    if (!row)
        return;
    atomic_store(&row->end, end);
    atomic_store(&row->header, header);
    atomic_store(&row->start, start);
}

void objects_remove(uintptr_t start)
{
    struct row *row = find_start(start);

    if (row)
        atomic_store(&row->start, 0);
}

void objects_begin_removal(void)
{
    atomic_fetch_add(&removals, 1);
}

void objects_end_removal(void)
{
    atomic_fetch_sub(&removals, 1);
}

static bool has(const struct row *row, uintptr_t pc, const void **header)
{
    uintptr_t start = atomic_load(&row->start);
    uintptr_t end = atomic_load(&row->end);

    *header = atomic_load(&row->header);
    return start != 0 && pc >= start && pc < end && atomic_load(&row->start) == start;
}

bool objects_find(uintptr_t pc, const void **header)
{
    unsigned count = atomic_load(&removals) == 0 ? atomic_load(&row_count) : 0;

    for (unsigned i = 0; i < count; i++)
        if (has(&rows[i], pc, header))
            return true;
    return false;
}
