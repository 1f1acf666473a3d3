/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anonymous mappings.
 */
#include "cold/memory.h"

#include <sys/mman.h>

void *memory_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
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

void memory_unmap(void *memory, size_t size)
{
    munmap(memory, size);
}
