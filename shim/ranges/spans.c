/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The open spans.  Called from the program's calls: see spans.h for the budget.
 */
#include "ranges/spans.h"

#include <stdatomic.h>
#include <stddef.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "platform/memory.h"
#include "record/process.h"

enum { BUCKET_BITS = 13, BUCKETS = 1 << BUCKET_BITS, KEYS = 8, KEY_BITS = 3 };
enum { FREE = 0, BUSY = 1 };

/* Buckets that a thread looks at before it gives up. */
enum { LOOKS = 16 };

/* A key of the shim's own: its place, the span's number, and a part of the process's number. */
enum { PLACE_BITS = 16, NUMBER_BITS = 32 };
_Static_assert((int)BUCKET_BITS + (int)KEY_BITS <= (int)PLACE_BITS, "a key tells its place");

/* The last bucket of each thread; a few may share one. */
static struct {
    CACHE_ALIGNED uint32_t bucket;
} last[64];

struct bucket {
    CACHE_ALIGNED _Atomic uint64_t keys[KEYS];
    struct span spans[KEYS];
};

static struct bucket *buckets;

bool spans_open(void)
{
    if (!buckets)
        buckets = memory_map_wiped((size_t)1 << BUCKET_BITS << 9);
    return buckets != NULL;
}

_Static_assert(sizeof(struct bucket) <= 1 << 9, "a bucket fits its part of the mapping");

static struct bucket *find_bucket(uint64_t key)
{
    return &buckets[key * HASH_FACTOR >> (64 - BUCKET_BITS)];
}

static bool claim(struct bucket *bucket, unsigned at, uint64_t from)
{
    return atomic_load_explicit(&bucket->keys[at], memory_order_relaxed) == from &&
           atomic_compare_exchange_strong_explicit(&bucket->keys[at], &from, BUSY,
                                                   memory_order_acquire, memory_order_relaxed);
}

static uint64_t make_key(uint32_t place, uint32_t number)
{
    return (uint64_t)(uint16_t)process->pid << (PLACE_BITS + NUMBER_BITS) |
           (uint64_t)number << PLACE_BITS | place;
}

static ALWAYS_INLINE uint64_t add_to(uint32_t at, uint32_t number, const struct span *span)
{
    struct bucket *bucket = &buckets[at];

    for (uint32_t i = 0; i < KEYS; i++)
        if (LIKELY(claim(bucket, i, FREE))) {
            uint64_t key = make_key(at << KEY_BITS | i, number);

            bucket->spans[i] = *span;
            atomic_store_explicit(&bucket->keys[i], key, memory_order_release);
            return key;
        }
    return 0;
}

uint64_t spans_add(uint32_t thread, uint32_t number, const struct span *span)
{
    uint32_t *hint = &last[thread % (sizeof last / sizeof *last)].bucket;
    uint32_t at = *hint != 0 ? *hint : thread * LOOKS % BUCKETS;
    uint64_t key = 0;

    for (unsigned i = 0; key == 0 && i < LOOKS; i++) {
        key = add_to(at, number, span);
        if (UNLIKELY(key == 0))
            at = (at + 1) % BUCKETS;
    }
    *hint = at;
    return key;
}

bool spans_find(uint64_t key, struct span *span)
{
    uint32_t place = key & ((1 << PLACE_BITS) - 1);
    struct bucket *bucket = &buckets[place >> KEY_BITS];
    unsigned at = place % KEYS;

    if (UNLIKELY(key <= BUSY || !claim(bucket, at, key)))
        return false;
    *span = bucket->spans[at];
    atomic_store_explicit(&bucket->keys[at], FREE, memory_order_release);
    return true;
}

bool spans_put(uint64_t key, const struct span *span)
{
    struct bucket *bucket = find_bucket(key);

    for (unsigned at = 0; at < KEYS; at++)
        if (claim(bucket, at, FREE)) {
            bucket->spans[at] = *span;
            atomic_store_explicit(&bucket->keys[at], key, memory_order_release);
            return true;
        }
    return false;
}

bool spans_take(uint64_t key, struct span *span)
{
    struct bucket *bucket = find_bucket(key);

    for (unsigned at = 0; at < KEYS; at++)
        if (claim(bucket, at, key)) {
            *span = bucket->spans[at];
            atomic_store_explicit(&bucket->keys[at], FREE, memory_order_release);
            return true;
        }
    return false;
}
