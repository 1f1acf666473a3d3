/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of names.
 */
#include "request/endpoints.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "record/strings.h"
#include "request/endpoint_name.h"

/* Another thread often adds the same name at this moment; a handler that interrupted it would wait
 * for ever. */
enum { NAMES_MAX = 256, PLACES = 2 * NAMES_MAX, TRIES = 100000 };

struct place {
    _Atomic uint64_t hash; /* 0: free; written last */
    uint32_t number;
};

struct table {
    struct place places[PLACES];
    unsigned count;
    atomic_bool is_taken; /* a thread adds a name */
};

static void *_Atomic table; /* struct table */

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
    uint32_t number = strings_intern(has_room ? text : "other endpoints");

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
    for (unsigned i = 0; atomic_exchange(&names->is_taken, true); i++) {
        place = find_place(names, hash);
        if (place->number != 0)
            return place->number;
        if (i == TRIES)
            return strings_intern("other endpoints"); /* for this once */
    }
    number = add(names, text, hash);
    atomic_store(&names->is_taken, false);
    return number;
}

uint32_t endpoints_find(struct first_bytes bytes)
{
    char text[ENDPOINT_NAME_SIZE];
    size_t size = endpoint_name_compose(bytes, text);

    return size > 0 ? endpoints_find_name(text, size) : 0;
}
