/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The addresses of the shim's own mappings: a range that the kernel never chooses by itself.  So
 * the program may unmap memory and map it again with MAP_FIXED: that place never belongs to the
 * shim.
 *
 * Nothing is mapped there in advance.  Memory that is only reserved counts against RLIMIT_AS (which
 * a program may set at any time), against mlockall(2), and in VmSize.
 *
 * Decision: doc/decisions/addresses-of-the-shim.
 *
 * Safety: any thread, also a signal handler; no lock.
 */
#ifndef PLATFORM_RANGE_H
#define PLATFORM_RANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map readable and writable memory in the range, as mmap(2); `flags` without an address.
 * Returns: the address; -1 when the kernel refuses, and errno says why. */
long range_map(size_t size, int flags, int descriptor, uint64_t offset);

/* Round a size up to pages. */
size_t range_whole_pages(size_t size);

/* Have the two pieces of memory bytes in common? */
bool range_overlaps(uintptr_t address, size_t size, uintptr_t other, size_t other_size);

/* Ask whether mappings of the shim may be there. */
bool range_reaches(uintptr_t address, size_t size);

/* The program itself mapped memory there.  If that is in the range, new mappings of the shim go
 * elsewhere from now on. */
void range_note_foreign(uintptr_t address, size_t size);

#endif
