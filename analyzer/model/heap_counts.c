/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bins of lifetimes.
 */
#include "base/memory.h"
#include "model/heap_parts.h"

#include <stdlib.h>

/* One more limit than bins: nothing is beyond the last. */
void heap_make_bins(struct heap *heap, const struct clock *clock)
{
    unsigned bin = 0;

    heap->life_bins = memory_get_zeros(HEAP_BIN_BITS, sizeof *heap->life_bins);
    heap->life_limits = memory_get_zeros(SESSION_BINS + 1, sizeof *heap->life_limits);
    for (unsigned i = 1; i < SESSION_BINS; i++)
        heap->life_limits[i] = clock_find_length(clock, UINT64_C(1) << i);
    heap->life_limits[SESSION_BINS] = UINT64_MAX;
    for (unsigned i = 0; i < HEAP_BIN_BITS; i++) {
        while (bin + 1 < SESSION_BINS && heap->life_limits[bin + 1] <= UINT64_C(1) << i)
            bin++;
        heap->life_bins[i] = (unsigned char)bin;
    }
}
