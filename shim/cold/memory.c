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

enum { OWN_MAX = 1024, PAGES_AT_ONCE = 512 };

/* What is mapped.  The address is 0 where there is none, 1 while it is entered. */
static struct {
    atomic_uintptr_t address;
    size_t size;
} own[OWN_MAX];

/* There were more than the table holds: no sum is known. */
static atomic_bool has_overflowed;

static void note(uintptr_t address, size_t size)
{
    for (size_t i = 0; i < OWN_MAX; i++) {
        uintptr_t none = 0;

        if (atomic_compare_exchange_strong(&own[i].address, &none, 1)) {
            own[i].size = size;
            atomic_store(&own[i].address, address);
            return;
        }
    }
    atomic_store(&has_overflowed, true);
}

static void forget(uintptr_t address)
{
    for (size_t i = 0; i < OWN_MAX; i++)
        if (atomic_load_explicit(&own[i].address, memory_order_relaxed) == address) {
            atomic_store(&own[i].address, 0);
            return;
        }
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

uint64_t memory_resident(void)
{
    uint64_t sum = 0;

    if (atomic_load(&has_overflowed))
        return 0;
    for (size_t i = 0; i < OWN_MAX; i++) {
        uintptr_t address = atomic_load(&own[i].address);

        if (address > 1)
            sum += resident(address, own[i].size);
    }
    return sum;
}
