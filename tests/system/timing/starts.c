/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first call of 5 ms, as of a library that starts its threads, and many of 5 us.
 * Prints what the first took, and the median of the others by the measure of each: a
 * processor that is taken away makes some of them longer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "spin.h"

enum { CALLS = 2000, FIRST_NS = 5000000, OTHER_NS = 5000 };

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

int main(void)
{
    static uint64_t ns[CALLS];

    for (int call = 0; call < CALLS; call++)
        ns[call] = spin_constant(call == 0 ? FIRST_NS : OTHER_NS);
    qsort(ns + 1, CALLS - 1, sizeof *ns, compare);
    printf("{\"calls\": %d, \"first_ns\": %llu, \"median_ns\": %llu}\n", CALLS,
           (unsigned long long)ns[0], (unsigned long long)ns[CALLS / 2]);
    return 0;
}
