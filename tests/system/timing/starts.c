/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first call of 5 ms, like that of a library that starts its threads, and 2000 of 5 us; or as
 * many of as many nanoseconds as the arguments say.  Prints the time of the first, and the median
 * of the others by the measure of each: a lost processor makes some of them longer.
 */
#include <stdio.h>
#include <stdlib.h>

#include "spin.h"

enum { CALLS = 2000, FIRST_NS = 5000000, OTHER_NS = 5000 };

static uint64_t ns[CALLS];

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

int main(int count, char **arguments)
{
    int calls = count > 1 ? atoi(arguments[1]) : CALLS;
    long other_ns = count > 2 ? atol(arguments[2]) : OTHER_NS;

    for (int call = 0; call < calls; call++)
        ns[call] = spin_constant(call == 0 ? FIRST_NS : other_ns);
    qsort(ns + 1, (size_t)calls - 1, sizeof *ns, compare);
    printf("{\"calls\": %d, \"first_ns\": %llu, \"median_ns\": %llu}\n", calls,
           (unsigned long long)ns[0], (unsigned long long)ns[calls / 2]);
    return 0;
}
