/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory of the shim's own, straight from the kernel: the allocator belongs
 * to the program.
 */
#ifndef COLD_MEMORY_H
#define COLD_MEMORY_H

#include <stddef.h>

/* Map `size` zeroed private bytes.  Returns: NULL when refused. */
void *memory_map(size_t size);

/* The same, but a forked child finds it zeroed again. */
void *memory_map_wiped(size_t size);

void memory_unmap(void *memory, size_t size);

#endif
