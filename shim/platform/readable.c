/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rt_sigprocmask reads its argument before it checks the request: bad memory gives EFAULT, and good
 * memory with an invalid request gives EINVAL, with nothing changed.  This needs no descriptor and
 * takes some 60 ns.
 *
 * mincore touches no page: it gives ENOMEM if a page is not mapped, and reports which pages are in
 * memory.  It takes some five times as long.
 */
#include "platform/readable.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/hash.h"
#include "platform/keys.h"

enum {
    NO_REQUEST = -1,
    MASK_BYTES = 8,
    PAGE = READABLE_PAGE,
    PAGES_AT_ONCE = 256,
    KNOWN_SHIFT = 64 - 10, /* 1024 places */
    MOMENT_NS = 1000000,
    MOMENT_BITS = 20
};

/* Pages that were in memory and readable, each with the moment: entries of another one mean
 * nothing. */
static _Atomic uint64_t known[1 << (64 - KNOWN_SHIFT)];

/* ---- recent answers -------------------------------------------------------- */

/* A thread that has closed other keys has other moments. */
static uint64_t moment_now(void)
{
    uint64_t keys = (uint64_t)keys_read() * HASH_FACTOR >> (64 - MOMENT_BITS);
    uint64_t moment = clock_read() / clock_ticks_of(MOMENT_NS);

    return (moment ^ keys) & ((UINT64_C(1) << MOMENT_BITS) - 1);
}

static _Atomic uint64_t *place_of(uintptr_t page)
{
    return &known[page * HASH_FACTOR >> KNOWN_SHIFT];
}

static uint64_t entry_of(uintptr_t page, uint64_t moment)
{
    return (uint64_t)page / PAGE << MOMENT_BITS | moment;
}

static bool is_known(uintptr_t page, uint64_t moment)
{
    return atomic_load_explicit(place_of(page), memory_order_relaxed) == entry_of(page, moment);
}

static void note(uintptr_t page, uint64_t moment)
{
    atomic_store_explicit(place_of(page), entry_of(page, moment), memory_order_relaxed);
}

/* ---- asking ---------------------------------------------------------------- */

static bool is_readable(uintptr_t address)
{
    uintptr_t aligned = address & ~(uintptr_t)(MASK_BYTES - 1);

    return calls_quietly(SYS_rt_sigprocmask, NO_REQUEST, aligned, NULL, MASK_BYTES) == -EINVAL;
}

/* If mincore is refused, the answer is unknown. */
static bool is_in_memory(uintptr_t page)
{
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char state = 0;
    long result = calls_quietly(SYS_mincore, page & -page_size, page_size, &state);

    return result == 0 ? (state & 1) != 0 : result != -ENOMEM;
}

static uintptr_t page_of(uintptr_t address)
{
    return address & ~(uintptr_t)(PAGE - 1);
}

/* A range that wraps is none. */
static bool is_range(uintptr_t address, size_t size)
{
    return address + size > address;
}

bool readable(uintptr_t address, size_t size)
{
    bool all = is_range(address, size) && is_readable(address);

    for (uintptr_t page = page_of(address) + PAGE; all && page < address + size; page += PAGE)
        all = is_readable(page);
    return all;
}

bool readable_at_once(uintptr_t address, size_t size)
{
    uint64_t moment = moment_now();
    bool all = is_range(address, size);

    for (uintptr_t page = page_of(address); all && page < address + size; page += PAGE) {
        all = (is_known(page, moment) || is_in_memory(page)) && is_readable(page);
        if (all)
            note(page, moment);
    }
    return all;
}

/* No page begins there. */
#define NO_PAGE (UINTPTR_MAX / 2 + 1)

struct readable_search readable_begin(void)
{
    return (struct readable_search){.moment = moment_now(), .page = NO_PAGE};
}

bool readable_ask_lately(struct readable_search *search, uintptr_t address, size_t size)
{
    bool all = is_range(address, size);

    for (uintptr_t page = page_of(address); all && page < address + size; page += PAGE) {
        all = is_known(page, search->moment) || readable(page, 1);
        if (!all)
            break;
        note(page, search->moment);
        search->page = page;
    }
    return all;
}

/* Checks from the end downwards, because a gap would be there: much may be mapped below it. */
bool readable_is_mapped(uintptr_t start, uintptr_t end)
{
    unsigned char pages[PAGES_AT_ONCE];
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t low = start & -page_size;
    uintptr_t at = (end + page_size - 1) & -page_size;
    bool all = true;

    while (all && at > low) {
        uintptr_t most = page_size * PAGES_AT_ONCE;
        uintptr_t size = at - low < most ? at - low : most;

        at -= size;
        all = calls_quietly(SYS_mincore, at, size, pages) == 0;
    }
    return all;
}
