/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench_calls: a trace of many calls of short kernels, to measure the speed of
 * its reports.
 *
 *     bench_calls CALLS
 *
 * Kernel and shape of a call are random: eight shapes, with the first the most frequent, and every
 * fourth call is of the other kernel.
 */
#include <stdint.h>
#include <stdlib.h>

#include "bench_kernel.h"

enum { SHAPES = 8 };

/* xorshift64* (Vigna 2016). */
static uint64_t draw(void)
{
    static uint64_t state = 88172645463325252u;

    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * UINT64_C(0x2545f4914f6cdd1d)) >> 32;
}

int main(int argc, char **argv)
{
    unsigned long calls = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

    for (unsigned long i = 0; i < calls; i++) {
        uint64_t drawn = draw();
        int order = 4 << (drawn % SHAPES & drawn / SHAPES % SHAPES);

        if (drawn >> 16 & 3)
            cblas_sgemm(101, 111, 111, order, order, order, 1, 0, order, 0, order, 0, 0, order);
        else
            bench_annotated(101, 111, 111, order, order, order, 1, 0, order, 0, order, 0, 0, order);
    }
    return calls == 0;
}
