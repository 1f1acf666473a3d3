/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chooses addresses.  Each mapping of the shim's gets addresses after the previous one, and freed
 * addresses are reused only after all are used up.
 *
 * Decision: doc/decisions/addresses-of-the-shim.
 */
#include "platform/range.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/hash.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/* Ranges are adjacent, and the process uses one at a time.  The kernel starts at the top of the
 * space, or at a third (x86-64) or a quarter of it (AArch64), and moves away from here.  Runtimes
 * with wishes for addresses ask elsewhere: ZGC, mimalloc and sanitizers below. */
enum {
    RANGE_COUNT = 128,
    RANGE_PARTS = 2048, /* parts of the space: 64 GiB of 128 TiB */
#if defined(__x86_64__)
    RANGE_FIRST = RANGE_PARTS / 4
#else
    RANGE_FIRST = RANGE_PARTS * 3 / 16
#endif
};

static atomic_uintptr_t range_size; /* 0 before the first mapping */
static atomic_uintptr_t used;       /* bytes of all ranges that were given to mappings */

/* The power of two above all addresses that a program of this machine may have. */
static uintptr_t space_around(uintptr_t address)
{
    return (uintptr_t)1 << (sizeof address * 8 - (unsigned)__builtin_clzl(address));
}

/* Without random addresses the range is always the same.  Threads that choose at the same time
 * agree on the space, and one of their ranges is used. */
static COLD uintptr_t choose_range(void)
{
    enum { PAGE_BITS = 12, HASH_SHIFT = 32 };
    uintptr_t stack = STACK_POINTER(), library = (uintptr_t)&used;
    uintptr_t size = space_around(stack > library ? stack : library) / RANGE_PARTS;
    uint64_t hash = (uint64_t)(stack ^ library) >> PAGE_BITS;

    atomic_store(&used, (hash * HASH_FACTOR >> HASH_SHIFT) % RANGE_COUNT * size);
    atomic_store(&range_size, size);
    return size;
}

static uintptr_t find_range_size(void)
{
    uintptr_t size = atomic_load_explicit(&range_size, memory_order_relaxed);

    return LIKELY(size != 0) ? size : choose_range();
}

size_t range_whole_pages(size_t size)
{
    size_t page = getauxval(AT_PAGESZ);

    return (size + page - 1) & -page;
}

static uintptr_t address_of(uintptr_t at)
{
    uintptr_t size = find_range_size();

    return RANGE_FIRST * size + at % (RANGE_COUNT * size);
}

/* Another thread may have gone on already. */
static void leave_range(uintptr_t at)
{
    uintptr_t size = find_range_size(), now = atomic_load(&used);

    while (now / size == at / size &&
           !atomic_compare_exchange_weak(&used, &now, (at / size + 1) * size))
        continue;
}

/* A kernel before 4.17 takes the address for a hint. */
static bool is_occupied(long address, uintptr_t wanted, size_t size)
{
    if (address == -1)
        return errno == EEXIST;
    if ((uintptr_t)address != wanted)
        calls_system(SYS_munmap, address, size);
    return (uintptr_t)address != wanted;
}

/* An address in use was mapped by the program, or by us before the range was used up. */
long range_map(size_t size, int flags, int descriptor, uint64_t offset)
{
    size_t room = range_whole_pages(size);

    find_range_size();
    for (int i = 0; i < RANGE_COUNT; i++) {
        uintptr_t at = atomic_fetch_add(&used, room), wanted = address_of(at);
        long address = calls_system(SYS_mmap, wanted, size, PROT_READ | PROT_WRITE,
                                    flags | MAP_FIXED_NOREPLACE, descriptor, offset);

        if (!is_occupied(address, wanted, size))
            return address;
        leave_range(at);
    }
    return -1;
}

bool range_overlaps(uintptr_t address, size_t size, uintptr_t other, size_t other_size)
{
    return address >= other ? address - other < other_size : other - address < size;
}

bool range_reaches(uintptr_t address, size_t size)
{
    uintptr_t all = atomic_load_explicit(&range_size, memory_order_relaxed);

    return range_overlaps(address, size, RANGE_FIRST * all, RANGE_COUNT * all);
}

void range_note_foreign(uintptr_t address, size_t size)
{
    uintptr_t one = atomic_load_explicit(&range_size, memory_order_relaxed);
    uintptr_t at = atomic_load(&used);

    if (range_reaches(address, size) &&
        range_overlaps(address, size, address_of(at / one * one), one))
        leave_range(at);
}
