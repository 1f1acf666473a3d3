/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of places, which grows to a bound.
 *
 * A place is found without a lock: it is complete before its number is in the index, and does not
 * change.  It is added under the process lock.
 */
#include "python/sites.h"

#include "platform/hash.h"
#include "platform/memory.h"
#include "python/codes.h"
#include "record/facts.h"
#include "record/process.h"

enum { SITES_MAX = 65536, PLACES = 2 * SITES_MAX, PLACE_SHIFT = 64 - 17 };

_Static_assert(PLACES == 1 << (64 - PLACE_SHIFT), "the upper bits of a hash");

struct sites {
    struct trace_site items[SITES_MAX]; /* by number; number 0 is unused */
    _Atomic uint32_t index[PLACES];     /* numbers */
    atomic_uint count;                  /* including number 0 */
};

static _Atomic(struct sites *) sites;

static uint32_t place_of(const struct sites_key *key)
{
    uint64_t of_op = (uint64_t)key->layer << 32 | key->line;

    return (uint32_t)((key->address + (key->place + of_op * HASH_FACTOR) * HASH_FACTOR) *
                          HASH_FACTOR >> PLACE_SHIFT);
}

static bool is_it(const struct trace_site *site, const struct sites_key *key)
{
    return site->address == key->address &&
           ((uint64_t)site->code << TRACE_CODE_SHIFT | site->offset) == key->place &&
           site->layer == key->layer && site->line == key->line;
}

/* Find a place, or the free entry where it belongs.  Returns: its number; 0: the place is new. */
static ALWAYS_INLINE uint32_t find(const struct sites *in, const struct sites_key *key,
                                   uint32_t *at)
{
    uint32_t number;

    for (*at = place_of(key);; *at = (*at + 1) % PLACES) {
        number = atomic_load_explicit(&in->index[*at], memory_order_acquire);
        if (number == 0 || is_it(&in->items[number], key))
            return number;
    }
}

static struct sites *open_sites(void)
{
    struct sites *opened = atomic_load(&sites);

    if (opened)
        return opened;
    opened = memory_map(sizeof *opened);
    if (!opened)
        return NULL;
    opened->count = 1;
    atomic_store(&sites, opened);
    return opened;
}

/* The caller holds the process lock.  Returns: 0 when there is no room. */
static uint32_t add(const struct sites_key *key)
{
    struct sites *in = open_sites();
    uint32_t number = in ? in->count : SITES_MAX;
    uint32_t at, known;

    if (number == SITES_MAX)
        return 0;
    known = find(in, key, &at);
    if (known != 0)
        return known;
    in->items[number] = (struct trace_site){.id = number,
                                            .code = (uint32_t)(key->place >> TRACE_CODE_SHIFT),
                                            .offset = (uint32_t)key->place,
                                            .layer = key->layer,
                                            .address = key->address,
                                            .line = key->line};
    atomic_store(&in->count, number + 1);
    atomic_store_explicit(&in->index[at], number, memory_order_release);
    if (process->file.is_kept)
        facts_flush_of(sites_write_facts);
    return number;
}

uint32_t sites_add(const struct sites_key *key)
{
    uint32_t number;

    lock_take(&process->lock);
    number = add(key);
    lock_release(&process->lock);
    return number;
}

static COLD uint32_t try_add(const struct sites_key *key)
{
    uint32_t number;

    if (!lock_try(&process->lock))
        return 0;
    number = add(key);
    lock_release(&process->lock);
    return number;
}

/* The place in the innermost code that does not only pass the call on.  Returns: 0 when there is
 * none. */
static ALWAYS_INLINE uint64_t find_place(void)
{
    struct python_view view = {.never_waits = true};
    uintptr_t frame = python_current_frame();
    struct python_frame read;
    uint32_t id;

    for (; frame != 0 && python_read_frame(&view, frame, &read); frame = read.outer) {
        if (read.is_shim)
            continue;
        id = codes_find(&view, read.code);
        if (LIKELY(id == 0 || !codes_pass_on(id)))
            return id != 0 ? (uint64_t)id << TRACE_CODE_SHIFT |
                                 python_offset(read.code, read.instruction)
                           : 0;
    }
    return 0;
}

uintptr_t sites_find(uintptr_t address)
{
    const struct sites *in = atomic_load_explicit(&sites, memory_order_acquire);
    bool is_on = atomic_load_explicit(&python_mode, memory_order_relaxed) == PYTHON_IS_ON;
    const struct sites_key key = {.address = address, .place = is_on ? find_place() : 0};
    uint32_t number, at;

    if (key.place == 0)
        return address;
    number = in ? find(in, &key, &at) : 0;
    if (UNLIKELY(number == 0))
        number = try_add(&key);
    return number != 0 ? TRACE_SITE_PYTHON | number : address;
}

static bool write_site(unsigned index)
{
    const struct trace_site *site = &atomic_load(&sites)->items[index + 1];

    return facts_write(TRACE_FACT_SITE, site, sizeof *site, NULL, 0);
}

bool sites_write_facts(unsigned *written)
{
    const struct sites *in = atomic_load(&sites);

    return !in || facts_write_list(written, in->count - 1, write_site);
}
