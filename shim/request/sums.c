/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The present sums of each endpoint.
 */
#include "request/sums.h"

#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/process.h"

enum { PLACES = 1024, USED_MOST = PLACES / 2 };

static const uint64_t hour_ns = UINT64_C(3600000000000);

/* Written under the process lock; the sums last. */
struct place {
    uint64_t key; /* 0: free */
    uint64_t hour;
    _Atomic(struct trace_request_sums *) sums;
};

/* In memory that a fork wipes. */
struct table {
    struct place places[PLACES];
    unsigned used;
    _Atomic uint64_t hour;
    _Atomic uint64_t hour_end; /* of this hour, in ticks */
};

static void *_Atomic table; /* struct table */

/* Threads that come here at the same time store the same hour. */
static uint64_t find_hour(struct table *sums, uint64_t now)
{
    uint64_t realtime_ns;

    if (now < atomic_load_explicit(&sums->hour_end, memory_order_relaxed))
        return atomic_load_explicit(&sums->hour, memory_order_relaxed);
    realtime_ns = calls_clock(CLOCK_REALTIME);
    atomic_store(&sums->hour, realtime_ns / hour_ns);
    atomic_store(&sums->hour_end, now + clock_ticks_of(hour_ns - realtime_ns % hour_ns));
    return realtime_ns / hour_ns;
}

static uint64_t key_of(uint32_t endpoint, uint16_t port)
{
    return (uint64_t)endpoint << 32 | (uint64_t)port << 1 | 1;
}

static struct place *find_place(struct table *sums, uint64_t key)
{
    size_t at = (size_t)(key * HASH_FACTOR >> 40) % PLACES;

    for (;; at = (at + 1) % PLACES) {
        uint64_t found = __atomic_load_n(&sums->places[at].key, __ATOMIC_ACQUIRE);

        if (found == 0 || found == key)
            return &sums->places[at];
    }
}

/* Returns: whether the place is that of the hour. */
static bool is_of(const struct place *place, uint64_t key, uint64_t hour)
{
    return __atomic_load_n(&place->key, __ATOMIC_ACQUIRE) == key &&
           __atomic_load_n(&place->hour, __ATOMIC_ACQUIRE) == hour;
}

static struct trace_request_sums *write_fact(uint32_t endpoint, uint16_t port, uint64_t hour)
{
    static const struct trace_request_sums none;
    struct trace_request_sums *sums = facts_write(TRACE_FACT_REQUESTS, NULL, 0, &none, sizeof none);

    if (sums) {
        sums->endpoint = endpoint;
        sums->port = port;
        sums->hour = hour;
    }
    return sums;
}

/* The caller holds the process lock. */
static void add(struct table *sums, struct place *place, uint64_t key, uint64_t hour)
{
    uint32_t endpoint = (uint32_t)(key >> 32);
    struct trace_request_sums *made;

    if (place->key == 0 && sums->used == USED_MOST)
        return;
    made = write_fact(endpoint, (uint16_t)(key >> 1), hour);
    if (!made)
        return;
    sums->used += place->key == 0;
    atomic_store(&place->sums, made);
    __atomic_store_n(&place->hour, hour, __ATOMIC_RELEASE);
    __atomic_store_n(&place->key, key, __ATOMIC_RELEASE);
}

struct trace_request_sums *sums_find(uint32_t endpoint, uint16_t port, uint64_t now)
{
    struct table *sums = memory_map_once(&table, sizeof(struct table), memory_map_wiped);
    uint64_t key = key_of(endpoint, endpoint == 0 ? port : 0), hour;
    struct place *place;

    if (!sums || !process_is_recording() || !process->file.is_kept)
        return NULL;
    hour = find_hour(sums, now);
    place = find_place(sums, key);
    if (is_of(place, key, hour))
        return atomic_load(&place->sums);
    lock_take(&process->lock);
    place = find_place(sums, key);
    if (!is_of(place, key, hour) && !process->file.is_cut)
        add(sums, place, key, hour);
    lock_release(&process->lock);
    return is_of(place, key, hour) ? atomic_load(&place->sums) : NULL;
}

static void add_to(uint64_t *counter, uint64_t amount)
{
    __atomic_fetch_add(counter, amount, __ATOMIC_RELAXED);
}

static void raise_to(uint64_t *highest, uint64_t value)
{
    uint64_t before = __atomic_load_n(highest, __ATOMIC_RELAXED);

    while (before < value && !__atomic_compare_exchange_n(highest, &before, value, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* A request that was counted moves to the counter of its present length. */
void sums_count(struct sums_counted *counted, const struct trace_request *request)
{
    struct trace_request_sums *sums = counted->sums;
    bool is_again = counted->ticks != UINT64_MAX;

    if (!sums)
        return;
    if (is_again)
        add_to(&sums->latencies[trace_latency_counter(counted->ticks)], (uint64_t)-1);
    add_to(&sums->latencies[trace_latency_counter(request->ticks)], 1);
    add_to(&sums->calls, is_again ? 0 : 1);
    add_to(&sums->ticks, request->ticks - (is_again ? counted->ticks : 0));
    add_to(&sums->bytes_in, request->bytes_in - counted->bytes_in);
    add_to(&sums->bytes_out, request->bytes_out - counted->bytes_out);
    raise_to(&sums->max_ticks, request->ticks);
    counted->ticks = request->ticks;
    counted->bytes_in = request->bytes_in;
    counted->bytes_out = request->bytes_out;
}
