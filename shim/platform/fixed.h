/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fractions without floating-point numbers.  Inside the program's calls the shim computes only with
 * integers, because the floating-point flags, traps and rounding are the program's.  An inexact sum
 * of the shim's would appear in the program's fetestexcept, or end the program.
 */
#ifndef PLATFORM_FIXED_H
#define PLATFORM_FIXED_H

#include <stdint.h>

enum { FIXED_BITS = 24, FIXED_ONE = 1 << FIXED_BITS };

/* Multiply a number by a factor below 16 in parts of FIXED_ONE.
 * Returns: the product, rounded down, if it is below 2^64. */
static inline uint64_t fixed_multiply(uint64_t number, uint64_t factor)
{
    enum { HALF = 32 };

    return ((number >> HALF) * factor << (HALF - FIXED_BITS)) +
           ((number & UINT32_MAX) * factor >> FIXED_BITS);
}

/* Divide.  Returns: the quotient in parts of FIXED_ONE. */
static inline uint64_t fixed_divide(uint64_t number, uint64_t divisor)
{
    while (number >> (64 - FIXED_BITS) != 0) {
        number >>= 1;
        divisor >>= 1;
    }
    return divisor == 0 ? 0 : (number << FIXED_BITS) / divisor;
}

#endif
