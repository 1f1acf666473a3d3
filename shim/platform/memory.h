/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shim's own memory, directly from the kernel: the allocator belongs to the program.
 */
#ifndef PLATFORM_MEMORY_H
#define PLATFORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map `size` zeroed private bytes.  Returns: NULL when refused. */
void *memory_map(size_t size);

/* The same, but a forked child finds the memory zeroed again. */
void *memory_map_wiped(size_t size);

/* The same for the life of the process: pieces of larger mappings, next to one another, each with
 * its own lines of the cache.  They are never unmapped. */
void *memory_keep(size_t size);
void *memory_keep_wiped(size_t size);

/* Map a table that threads share, by memory_map or memory_map_wiped: `table` is where it is, once
 * one of them has mapped it.  If two threads map it, one of them unmaps its own.
 * Returns: the table; NULL when refused. */
void *memory_map_once(void *_Atomic *table, size_t size, void *(*map_one)(size_t size));

/* Map part of a file, shared.  The mapping replaces the memory at `at`, unless that is NULL.
 * Returns: NULL when refused; errno says why. */
void *memory_map_file(void *at, size_t size, int descriptor, uint64_t offset);

/* Take the pages of this memory at once, because all will be written soon, in any order.  A page
 * that is read first gets its own memory only by a second fault, which interrupts the other
 * processors: 8 us, instead of 0.25 us here.
 * Returns: false when the kernel refuses them; errno is EINVAL on a kernel before 5.14, which
 * cannot be asked. */
bool memory_fill(void *memory, size_t size);

void memory_unmap(void *memory, size_t size);

/* Replace the shim's mapping that contains this address by zeroed private memory, after a file was
 * truncated.  Returns: false when no mapping contains it, or the kernel refuses.
 * Safety: a handler of signals, too. */
bool memory_replace(const void *address);

struct memory_piece {
    uintptr_t start;
    size_t size; /* 0: there is none */
};

/* Find the lowest of the shim's mappings in this range, entirely or in part. */
struct memory_piece memory_find(uintptr_t address, size_t size);

/* The bytes of all these mappings. */
size_t memory_size(void);

/* Unlock them all, after the program has locked all that is mapped (mlockall(2)).  `is_for_all`:
 * so will be those that are mapped from now on. */
void memory_unlock(bool is_for_all);

/* Ask whether the kernel locks all future mappings, and so fills them at once. */
bool memory_locks_new(void);

/* The resident bytes of these mappings: they belong to the process, but not to the program.
 * Returns: 0 when they are unknown, because there are too many mappings or /proc/self/pagemap is
 * missing. */
uint64_t memory_resident(void);

#endif
