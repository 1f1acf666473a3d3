/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of handles.  Runs in calls of the program.
 *
 * Budget: one multiplication and mostly one comparison.
 */
#include "device/handles.h"

#include <stddef.h>

#include "platform/hash.h"
#include "platform/memory.h"

enum { BITS = 15, PLACES = 1 << BITS, WINDOW = 32 };

struct place {
    atomic_uintptr_t key; /* 0: free */
    _Atomic uint64_t number;
};

static struct place *places;

/* Handles are addresses of at least 8 bytes each, so the lowest bits are free for the sort. */
static uintptr_t key_of(const void *handle, enum handles_sort sort)
{
    return ((uintptr_t)handle & ~(uintptr_t)3) | (uintptr_t)sort;
}

static struct place *window_of(uintptr_t key)
{
    return &places[((uint64_t)key * HASH_FACTOR) >> (64 - BITS)];
}

bool handles_init(void)
{
    if (!places)
        places = memory_map_wiped((PLACES + WINDOW) * sizeof *places);
    return places != NULL;
}

static struct place *find_place(uintptr_t key)
{
    struct place *place = window_of(key);

    for (unsigned i = 0; i < WINDOW; i++)
        if (atomic_load_explicit(&place[i].key, memory_order_acquire) == key)
            return &place[i];
    return NULL;
}

uint64_t handles_find(const void *handle, enum handles_sort sort)
{
    const struct place *place = places ? find_place(key_of(handle, sort)) : NULL;

    return place ? atomic_load_explicit(&place->number, memory_order_relaxed) : 0;
}

/* Claim a free place of the window.  The last place gives way when none is free: the objects of a
 * program that makes many are mostly short-lived. */
static struct place *claim_place(uintptr_t key)
{
    struct place *place = window_of(key);

    for (unsigned i = 0; i < WINDOW - 1; i++) {
        uintptr_t expected = 0;

        if (atomic_compare_exchange_strong(&place[i].key, &expected, key))
            return &place[i];
    }
    atomic_store_explicit(&place[WINDOW - 1].number, 0, memory_order_relaxed);
    atomic_store_explicit(&place[WINDOW - 1].key, key, memory_order_release);
    return &place[WINDOW - 1];
}

void handles_set(const void *handle, enum handles_sort sort, uint64_t number)
{
    uintptr_t key = key_of(handle, sort);
    struct place *place = places ? find_place(key) : NULL;

    if (!places || !handle)
        return;
    if (number == 0) {
        if (place)
            atomic_store_explicit(&place->key, 0, memory_order_release);
        return;
    }
    if (!place)
        place = claim_place(key);
    atomic_store_explicit(&place->number, number, memory_order_release);
}
