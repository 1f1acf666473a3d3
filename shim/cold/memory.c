/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mappings, by system calls: mmap and munmap are functions of ours, which
 * record what the program maps.
 */
#include "cold/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hot/hash.h"

/* Tables are mapped as they are needed, each four times as large as the one before:
 * 349,184 places, where the kernel allows 65,530 mappings unless it is told otherwise
 * (vm.max_map_count). */
enum { TABLES = 5, LINE = 8, LINE_BITS = 7, GROWTH_BITS = 2, PAGE_BITS = 12, PAGES_AT_ONCE = 512 };

/* What is mapped.  The address is 0 where there is none, 1 while it is entered. */
struct own {
    atomic_uintptr_t address;
    size_t size;
};

/* Of the first, as long as nothing may be mapped, and of the others. */
static struct own first_table[LINE << LINE_BITS];
static _Atomic(struct own *) tables[TABLES];

/* There were more than the tables hold: no sum is known. */
static atomic_bool has_overflowed;

static size_t count_places(int table)
{
    return (size_t)LINE << (LINE_BITS + GROWTH_BITS * table);
}

static struct own *find_table(int table)
{
    return table == 0 ? first_table : atomic_load_explicit(&tables[table], memory_order_acquire);
}

/* Of two threads that map the same table, one gives its own back. */
static struct own *make_table(int table)
{
    size_t size = count_places(table) * sizeof(struct own);
    long address =
        syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct own *there = NULL, *mine = (struct own *)address;

    if (address == -1)
        return NULL;
    if (atomic_compare_exchange_strong(&tables[table], &there, mine))
        return mine;
    syscall(SYS_munmap, mine, size);
    return there;
}

/* The places of a table in which an address may stand. */
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
    long address = syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, descriptor, offset);

    if (address == -1)
        return NULL;
    if (!at)
        note((uintptr_t)address, size);
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

void *memory_map_file(void *at, size_t size, int descriptor, uint64_t offset)
{
    return map(at, size, at ? MAP_SHARED | MAP_FIXED : MAP_SHARED, descriptor, offset);
}

void memory_unmap(void *memory, size_t size)
{
    forget((uintptr_t)memory);
    syscall(SYS_munmap, memory, size);
}

static uint64_t resident(uintptr_t address, size_t size)
{
    unsigned char pages[PAGES_AT_ONCE];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t left = (size + page - 1) / page;
    uint64_t count = 0;

    while (left > 0) {
        size_t some = left < PAGES_AT_ONCE ? left : PAGES_AT_ONCE;

        /* A mapping that is gone by now has none. */
        if (mincore((void *)address, some * page, pages) != 0)
            break;
        for (size_t i = 0; i < some; i++)
            count += pages[i] & 1;
        address += some * page;
        left -= some;
    }
    return count * page;
}

static uint64_t sum_table(const struct own *places, int table)
{
    uint64_t sum =
        table > 0 ? resident((uintptr_t)places, count_places(table) * sizeof *places) : 0;

    for (size_t i = 0; i < count_places(table); i++) {
        uintptr_t address = atomic_load(&places[i].address);

        if (address > 1)
            sum += resident(address, places[i].size);
    }
    return sum;
}

uint64_t memory_resident(void)
{
    uint64_t sum = 0;

    if (atomic_load(&has_overflowed))
        return 0;
    for (int i = 0; i < TABLES && find_table(i); i++)
        sum += sum_table(find_table(i), i);
    return sum;
}
