/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sessions by their address, each in one place: a session that finds it taken takes it over, and
 * the other's connection is unknown from then on.
 */
#include "request/sessions.h"

#include <stdatomic.h>
#include <stddef.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "record/lane.h"

enum { PLACE_BITS = 12, DESCRIPTOR_BITS = 16 };

struct place {
    _Atomic uint64_t session; /* its address, stored last; 0: free */
    _Atomic uint64_t served;  /* number of its connection, and the descriptor below it */
};

static void *_Atomic places; /* in memory that a fork wipes; NULL: no session yet */

static struct place *place_of(struct place *open, const void *session)
{
    return &open[(uintptr_t)session * HASH_FACTOR >> (64 - PLACE_BITS)];
}

void sessions_note_read(uint64_t descriptor, uint32_t connection)
{
    struct lane *lane = lane_self;
    uint64_t served = (uint64_t)connection << DESCRIPTOR_BITS | descriptor;

    if (lane->state == LANE_BLANK || descriptor >> DESCRIPTOR_BITS != 0)
        return;
    lane->ciphered = lane->ciphered == 0 || lane->ciphered == served ? served : 0;
}

static void associate(struct place *place, const void *session, uint64_t served)
{
    atomic_store_explicit(&place->session, 0, memory_order_relaxed);
    atomic_store_explicit(&place->served, served, memory_order_release);
    atomic_store_explicit(&place->session, (uintptr_t)session, memory_order_release);
}

static uint64_t find_served(struct place *place, const void *session)
{
    struct lane *lane = lane_self;
    uint64_t read = lane->state == LANE_BLANK ? 0 : lane->ciphered;

    if (read != 0)
        lane->ciphered = 0;
    if (atomic_load_explicit(&place->session, memory_order_acquire) == (uintptr_t)session)
        return atomic_load_explicit(&place->served, memory_order_acquire);
    if (read != 0)
        associate(place, session, read);
    return read;
}

struct sessions_found sessions_find(const void *session)
{
    struct place *open = memory_map_once(&places, sizeof *open << PLACE_BITS, memory_map_wiped);
    uint64_t served = open ? find_served(place_of(open, session), session) : 0;

    return (struct sessions_found){
        .descriptor = served & ((1 << DESCRIPTOR_BITS) - 1),
        .connection = (uint32_t)(served >> DESCRIPTOR_BITS),
    };
}

void sessions_forget(const void *session)
{
    struct place *open = atomic_load_explicit(&places, memory_order_acquire);
    struct place *place = open ? place_of(open, session) : NULL;

    if (place && atomic_load_explicit(&place->session, memory_order_relaxed) == (uintptr_t)session)
        atomic_store_explicit(&place->session, 0, memory_order_relaxed);
}

void sessions_leave(void)
{
    atomic_store(&places, NULL);
}
