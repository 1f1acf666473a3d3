/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mappings, by system calls, because mmap and munmap are functions of the shim that record what the
 * program maps.
 *
 * Decisions: doc/decisions/memory-of-the-shim, addresses-of-the-shim.
 */
#include "platform/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/aside.h"
#include "platform/calls.h"
#include "platform/hash.h"
#include "platform/range.h"

/* Tables are mapped on demand, each four times as large as the previous one: 349,184 places, while
 * the kernel's default limit is 65,530 mappings (vm.max_map_count).  Each query is about few pages:
 * a handler's stack may be small. */
enum { TABLES = 5, LINE = 8, LINE_BITS = 7, GROWTH_BITS = 2, PAGE_BITS = 12, PAGES_AT_ONCE = 64 };

enum { POPULATE_WRITE = 23 /* MADV_POPULATE_WRITE of newer <linux/mman.h> */ };

/* A mapping.  The address is 0 in a free place, and 1 while the mapping is entered. */
struct own {
    atomic_uintptr_t address;
    size_t size;
};

/* The first table is static, since nothing may be mapped yet. */
static struct own first_table[LINE << LINE_BITS];
static _Atomic(struct own *) tables[TABLES];

/* There were more mappings than the tables hold: their sum is unknown. */
static atomic_bool has_overflowed;

static atomic_bool is_locked_anew; /* new mappings are locked, like the program's own */

static size_t count_places(int table)
{
    return (size_t)LINE << (LINE_BITS + GROWTH_BITS * table);
}

static struct own *find_table(int table)
{
    return table == 0 ? first_table : atomic_load_explicit(&tables[table], memory_order_acquire);
}

/* Keeps the shim's memory out of dumps of the program's memory, where it would take room and be
 * useless, and out of locked memory. */
static void set_apart(void *memory, size_t size)
{
    calls_system(SYS_madvise, memory, size, MADV_DONTDUMP);
    if (atomic_load_explicit(&is_locked_anew, memory_order_relaxed))
        calls_system(SYS_munlock, memory, size);
}

/* If two threads map the same table, one of them unmaps its own. */
static struct own *make_table(int table)
{
    size_t size = count_places(table) * sizeof(struct own);
    long address = range_map(size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct own *there = NULL, *mine = (struct own *)address;

    if (address == -1)
        return NULL;
    set_apart(mine, size);
    if (atomic_compare_exchange_strong(&tables[table], &there, mine))
        return mine;
    calls_system(SYS_munmap, mine, size);
    return there;
}

/* The possible places of an address in a table. */
static struct own *find_line(struct own *places, int table, uintptr_t address)
{
    uint64_t hash = (uint64_t)(address >> PAGE_BITS) * HASH_FACTOR;

    return &places[LINE * (hash >> (64 - LINE_BITS - GROWTH_BITS * table))];
}

static bool enter(struct own *line, uintptr_t address, size_t size)
{
    for (int i = 0; i < LINE; i++) {
        uintptr_t none = 0;

        if (atomic_compare_exchange_strong(&line[i].address, &none, 1)) {
            line[i].size = size;
            atomic_store(&line[i].address, address);
            return true;
        }
    }
    return false;
}

static void note(uintptr_t address, size_t size)
{
    for (int i = 0; i < TABLES; i++) {
        struct own *places = find_table(i);

        if (!places)
            places = make_table(i);
        if (!places)
            break;
        if (enter(find_line(places, i, address), address, size))
            return;
    }
    atomic_store(&has_overflowed, true);
}

static bool take_out(struct own *line, uintptr_t address)
{
    for (int i = 0; i < LINE; i++)
        if (atomic_load_explicit(&line[i].address, memory_order_relaxed) == address) {
            atomic_store(&line[i].address, 0);
            return true;
        }
    return false;
}

static void forget(uintptr_t address)
{
    for (int i = 0; i < TABLES && find_table(i); i++)
        if (take_out(find_line(find_table(i), i, address), address))
            return;
}

static void *map(void *at, size_t size, int flags, int descriptor, uint64_t offset)
{
    long address = at ? calls_system(SYS_mmap, at, size, PROT_READ | PROT_WRITE,
                                     flags | MAP_FIXED, descriptor, offset)
                      : range_map(size, flags, descriptor, offset);

    if (address == -1)
        return NULL;
    set_apart((void *)address, size);
    if (!at)
        note((uintptr_t)address, range_whole_pages(size));
    return (void *)address;
}

void *memory_map(size_t size)
{
    return map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void *memory_map_wiped(size_t size)
{
    void *memory = memory_map(size);

    if (memory && madvise(memory, size, MADV_WIPEONFORK) == 0)
        return memory;
    if (memory)
        memory_unmap(memory, size);
    return NULL;
}

void *memory_map_once(void *_Atomic *table, size_t size, void *(*map_one)(size_t size))
{
    void *there = atomic_load_explicit(table, memory_order_acquire), *mine;

    if (there)
        return there;
    mine = map_one(size);
    if (!mine || atomic_compare_exchange_strong(table, &there, mine))
        return mine;
    memory_unmap(mine, size);
    return there;
}

void *memory_map_file(void *at, size_t size, int descriptor, uint64_t offset)
{
    return map(at, size, MAP_SHARED, descriptor, offset);
}

/* Since Linux 5.14.  An older one refuses, and faults follow. */
bool memory_fill(void *memory, size_t size)
{
    uintptr_t first = (uintptr_t)memory & -range_whole_pages(1);

    return calls_system(SYS_madvise, first, (uintptr_t)memory + size - first, POPULATE_WRITE) == 0;
}

void memory_unmap(void *memory, size_t size)
{
    forget((uintptr_t)memory);
    calls_system(SYS_munmap, memory, size);
}

/* The line of a mapping is that of its first page, which is unknown here, so all are searched. */
static void find_lowest(const struct own *places, size_t count, struct memory_piece within,
                        struct memory_piece *lowest)
{
    for (size_t i = 0; i < count; i++) {
        uintptr_t first = atomic_load_explicit(&places[i].address, memory_order_relaxed);

        if (first > 1 && (lowest->size == 0 || first < lowest->start) &&
            range_overlaps(within.start, within.size, first, places[i].size))
            *lowest = (struct memory_piece){first, places[i].size};
    }
}

struct memory_piece memory_find(uintptr_t address, size_t size)
{
    struct memory_piece lowest = {0, 0};

    for (int i = 0; range_reaches(address, size) && i < TABLES && find_table(i); i++)
        find_lowest(find_table(i), count_places(i), (struct memory_piece){address, size}, &lowest);
    return lowest;
}

bool memory_replace(const void *address)
{
    struct memory_piece piece = memory_find((uintptr_t)address, 1);

    return piece.size != 0 &&
           map((void *)piece.start, piece.size, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != NULL;
}

/* Visit each mapping, including those of the tables themselves. */
static void each(void (*visit)(struct memory_piece piece, void *argument), void *argument)
{
    for (int i = 0; i < TABLES && find_table(i); i++) {
        struct own *places = find_table(i);
        size_t count = count_places(i);

        if (i > 0)
            visit((struct memory_piece){(uintptr_t)places, count * sizeof *places}, argument);
        for (size_t at = 0; at < count; at++) {
            uintptr_t address = atomic_load(&places[at].address);

            if (address > 1)
                visit((struct memory_piece){address, places[at].size}, argument);
        }
    }
}

static void add_size(struct memory_piece piece, void *of)
{
    *(size_t *)of += piece.size;
}

size_t memory_size(void)
{
    size_t size = 0;

    each(add_size, &size);
    return size;
}

static void unlock(struct memory_piece piece, void *unused)
{
    (void)unused;
    calls_system(SYS_munlock, piece.start, piece.size);
}

void memory_unlock(bool is_for_all)
{
    atomic_store(&is_locked_anew, is_for_all);
    each(unlock, NULL);
}

bool memory_locks_new(void)
{
    return atomic_load(&is_locked_anew);
}

/* Pages that this process has in memory, by /proc/PID/pagemap, a word a page
 * (Documentation/admin-guide/mm/pagemap.rst). mincore(2) would count pages of the trace in the page
 * cache. */
static uint64_t resident(int pagemap, uintptr_t address, size_t size)
{
    enum { PRESENT_SHIFT = 63 };
    uint64_t pages[PAGES_AT_ONCE];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t first = address / page, end = (address + size + page - 1) / page;
    uint64_t count = 0;

    while (first < end) {
        size_t some = end - first < PAGES_AT_ONCE ? end - first : PAGES_AT_ONCE;
        ssize_t got = calls_pread(pagemap, pages, some * sizeof *pages, first * sizeof *pages);

        if (got < (ssize_t)sizeof *pages)
            break;
        for (size_t i = 0; i < (size_t)got / sizeof *pages; i++)
            count += pages[i] >> PRESENT_SHIFT;
        first += (size_t)got / sizeof *pages;
    }
    return count * page;
}

struct residence {
    int pagemap;
    uint64_t bytes;
};

static void add_resident(struct memory_piece piece, void *of)
{
    struct residence *residence = of;

    residence->bytes += resident(residence->pagemap, piece.start, piece.size);
}

static void sum_resident(void *of)
{
    struct residence *residence = of;

    residence->pagemap = calls_open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
    if (residence->pagemap < 0)
        return;
    each(add_resident, residence);
    calls_close(residence->pagemap);
}

uint64_t memory_resident(void)
{
    struct residence residence = {-1, 0};

    if (!atomic_load(&has_overflowed))
        aside_run(sum_resident, &residence);
    return residence.bytes;
}
