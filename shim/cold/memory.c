/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mappings, by system calls: mmap and munmap are functions of ours, which
 * record what the program maps.
 */
#include "cold/memory.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *map(void *at, size_t size, int flags, int descriptor, uint64_t offset)
{
    long address = syscall(SYS_mmap, at, size, PROT_READ | PROT_WRITE, flags, descriptor, offset);

    return address == -1 ? NULL : (void *)address;
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
    syscall(SYS_munmap, memory, size);
}
