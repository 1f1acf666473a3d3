/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fibonacci hashing: multiply by 2^64 over the golden ratio and use the upper bits, which
 * spread regular keys far apart (Knuth 6.4).
 */
#ifndef PLATFORM_HASH_H
#define PLATFORM_HASH_H

#include <stdint.h>

#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

#endif
