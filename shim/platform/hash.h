/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fibonacci hashing: multiply by 2^64 over the golden ratio and use the upper bits, which spread
 * regular keys far apart (Knuth 6.4).  And FNV-1a, for bytes.
 */
#ifndef PLATFORM_HASH_H
#define PLATFORM_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* FNV-1a (Fowler, Noll and Vo). */
static inline uint32_t hash_fnv(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint32_t hash = 2166136261u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 16777619u;
    return hash;
}

#endif
