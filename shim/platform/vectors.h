/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeping vector arguments and results across slow code.
 *
 * An entry stub saves 16 bytes of each register for arguments and results.  A function without a
 * prototype may take vectors of 32 or 64 bytes.  Their upper parts are safe on the common path: no
 * instruction of the shim touches them (configure refuses AVX to the shim).  Instructions of libc
 * clear them (vzeroupper), so code that leaves the common path saves and restores them.
 *
 * Source: System V ABI for x86-64, 3.2.3: vectors are in ymm0 to ymm7 or zmm0 to zmm7.  AArch64:
 * its base procedure call standard has only 16 bytes; functions of another standard are not hooked
 * (platform/slot.h).
 */
#ifndef PLATFORM_VECTORS_H
#define PLATFORM_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

enum {
    VECTORS = 8,      /* registers */
    VECTORS_WORDS = 8 /* words of the widest register */
};

struct vectors {
    uint64_t words[VECTORS][VECTORS_WORDS];
    bool are_kept; /* the upper parts were not 0 */
};

/* Once, before the first function is hooked. */
void vectors_init(void);

/* Save and restore the registers around code that may clear the upper parts; the lower 16 bytes are
 * restored, too.  Signal-safe. */
COLD void vectors_save(struct vectors *vectors);
COLD void vectors_restore(const struct vectors *vectors);

#endif
