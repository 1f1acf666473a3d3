/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vector arguments and results over what is slow.
 *
 * An entry stub keeps 16 bytes of each register that arguments and results
 * travel in.  A function without a prototype may take vectors of 32 or 64.
 * Their upper parts need no keeping on the common path: no instruction of ours
 * touches them (configure refuses AVX to the shim).  libc's do, and clear them
 * (vzeroupper), so whatever leaves the common path keeps them around it.
 *
 * Source: System V ABI for x86-64, 3.2.3: vectors are in ymm0 to ymm7 or zmm0
 * to zmm7.  AArch64: 16 bytes are all that its base procedure call standard
 * has; functions of another are not hooked (platform/slot.h).
 */
#ifndef PLATFORM_VECTORS_H
#define PLATFORM_VECTORS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

enum {
    VECTORS = 8,      /* registers */
    VECTORS_WORDS = 8 /* of the widest */
};

struct vectors {
    uint64_t words[VECTORS][VECTORS_WORDS];
    bool are_kept; /* there was something in the upper parts */
};

/* Once, before the first function is hooked. */
void vectors_init(void);

/* Around what may clear the upper parts; the lower 16 bytes come back as
 * they were before, too.  Signal-safe. */
COLD void vectors_save(struct vectors *vectors);
COLD void vectors_restore(const struct vectors *vectors);

#endif
