/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rings of pending commands.  Runs in the program's calls of a device's library.
 *
 * Budget: two loads and a comparison for a ring without news; the reader's calls for each command
 * that has ended.
 */
#include "device/pending.h"

#include <stdatomic.h>
#include <stddef.h>

#include "device/clock_join.h"
#include "platform/memory.h"
#include "record/lane.h"
#include "record/process.h"

enum { RINGS = 1024, AHEAD = 4, LOOK_EACH = 16, LOOK_MOST = 4 * LOOK_EACH };

/* In memory that a fork wipes. */
struct ring {
    _Atomic uint32_t tail; /* where the owner adds */
    _Atomic uint32_t head; /* where its holder looks */
    atomic_bool is_held;
    struct pending entries[PENDING_MAX];
};

/* By the number of the lane, from 1. */
static struct ring *_Atomic *rings;

bool pending_init(void)
{
    if (!rings)
        rings = memory_map((RINGS + 1) * sizeof *rings);
    return rings != NULL;
}

/* The ring of this thread; NULL: it has none. */
static struct ring *own_ring(void)
{
    const struct lane *lane = lane_self;

    if (!lane_is_ready(lane) || lane->number == 0 || lane->number > RINGS || !rings)
        return NULL;
    return atomic_load_explicit(&rings[lane->number], memory_order_relaxed);
}

static COLD struct ring *make_ring(void)
{
    const struct lane *lane = lane_ready();
    struct ring *ring;

    if (!lane || lane->number > RINGS || !rings)
        return NULL;
    ring = memory_map_wiped(sizeof *ring);
    atomic_store_explicit(&rings[lane->number], ring, memory_order_release);
    return ring;
}

static bool is_full(const struct ring *ring)
{
    return ring->tail - atomic_load_explicit(&ring->head, memory_order_acquire) == PENDING_MAX;
}

bool pending_has_room(void)
{
    struct ring *ring = own_ring();

    if (UNLIKELY(!ring))
        ring = make_ring();
    return ring && !is_full(ring);
}

bool pending_add(const struct pending *pending)
{
    struct ring *ring = own_ring();
    uint32_t tail;

    if (!ring || is_full(ring))
        return false;
    tail = ring->tail;
    ring->entries[tail % PENDING_MAX] = *pending;
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    return true;
}

/* Returns: whether the command is done with. */
static bool settle(struct pending *pending)
{
    struct device_times times = {0};
    enum pending_answer answer;

    if (!pending->event)
        return true;
    answer = pending->read(pending->event, &times);
    if (answer == PENDING_RUNS)
        return false;
    pending->event = NULL;
    if (answer == PENDING_TIMED) {
        command_time(&pending->asked, &times);
        if (!times.has_failed)
            clock_join_note(pending->device, pending->start_ticks, pending->end_ticks,
                            times.queued_ns);
    }
    return true;
}

/* Some commands behind one that still runs may have ended: on another queue, or on one without
 * order.  The distance looked ahead is bounded. */
static void look(struct ring *ring, unsigned most, unsigned ahead)
{
    uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    uint32_t head = ring->head, at = head;
    unsigned running = 0;

    for (; at != tail && most > 0 && running <= ahead; at++) {
        bool is_settled = settle(&ring->entries[at % PENDING_MAX]);

        running += !is_settled;
        most -= is_settled;
        if (is_settled && at == head)
            atomic_store_explicit(&ring->head, ++head, memory_order_release);
    }
    /* Those behind the first were settled earlier. */
    while (head != tail && !ring->entries[head % PENDING_MAX].event)
        atomic_store_explicit(&ring->head, ++head, memory_order_release);
}

static void look_held(struct ring *ring, unsigned most, unsigned ahead)
{
    if (ring->tail == atomic_load_explicit(&ring->head, memory_order_relaxed) ||
        !process_is_recording() ||
        atomic_exchange_explicit(&ring->is_held, true, memory_order_acquire))
        return;
    look(ring, most, ahead);
    atomic_store_explicit(&ring->is_held, false, memory_order_release);
}

/* More commands end than are asked for, as soon as the device catches up. */
void pending_look(void)
{
    struct ring *ring = own_ring();

    if (ring && ring->tail % LOOK_EACH == 0)
        look_held(ring, LOOK_MOST, AHEAD);
}

void pending_look_all(void)
{
    for (unsigned i = 1; rings && i <= RINGS; i++) {
        struct ring *ring = atomic_load_explicit(&rings[i], memory_order_acquire);

        if (ring)
            look_held(ring, PENDING_MAX, PENDING_MAX);
    }
}

bool pending_holds(const void *event)
{
    const struct ring *ring = own_ring();

    for (uint32_t at = ring ? ring->head : 0; ring && at != ring->tail; at++)
        if (ring->entries[at % PENDING_MAX].event == event)
            return true;
    return false;
}
