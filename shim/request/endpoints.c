/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of names.
 */
#include "request/endpoints.h"

#include <stdatomic.h>

#include "platform/hash.h"
#include "platform/lock.h"
#include "platform/memory.h"
#include "record/strings.h"
#include "request/endpoint_name.h"

enum { NAMES_MAX = 256, PLACES = 2 * NAMES_MAX };

struct place {
    _Atomic uint64_t hash; /* 0: free; written last */
    uint32_t number;
};

struct table {
    struct place places[PLACES];
    unsigned count;
    struct lock lock; /* of the thread that adds a name */
};

static void *_Atomic table; /* struct table */
static const char others[] = "other endpoints";

static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 0;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * HASH_FACTOR;
    return hash | 1;
}

/* Returns: the place of a name, or the free one where it belongs. */
static struct place *find_place(struct table *names, uint64_t hash)
{
    size_t at = (size_t)(hash >> 40) % PLACES;

    for (;; at = (at + 1) % PLACES) {
        uint64_t found = atomic_load_explicit(&names->places[at].hash, memory_order_acquire);

        if (found == 0 || found == hash)
            return &names->places[at];
    }
}

/* Another thread may have added the name meanwhile: a text has one number. */
static uint32_t add(struct table *names, const char *text, uint64_t hash)
{
    struct place *place = find_place(names, hash);
    bool has_room = names->count < NAMES_MAX;
    uint32_t number = strings_intern(has_room ? text : others);

    if (!has_room || number == 0 || place->number != 0)
        return number;
    names->count++;
    place->number = number;
    atomic_store_explicit(&place->hash, hash, memory_order_release);
    return number;
}

uint32_t endpoints_find_name(const char *text, size_t size)
{
    struct table *names = memory_map_once(&table, sizeof(struct table), memory_map_wiped);
    const struct place *place;
    uint32_t number;
    uint64_t hash;

    if (!names)
        return 0;
    hash = hash_of(text, size);
    place = find_place(names, hash);
    if (place->number != 0)
        return place->number;
    if (!lock_take_patiently(&names->lock))
        return strings_intern(others); /* for this once */
    number = add(names, text, hash);
    lock_release(&names->lock);
    return number;
}

uint32_t endpoints_find(struct first_bytes bytes)
{
    char text[ENDPOINT_NAME_SIZE];
    size_t size = endpoint_name_compose(bytes, text);

    return size > 0 ? endpoints_find_name(text, size) : 0;
}
