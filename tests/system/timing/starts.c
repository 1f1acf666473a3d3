/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A first call of 5 ms, as of a library that starts its threads, and many of 5 us.
 * Prints what all took by the measure of each, and around each.
 */
#include <stdio.h>

#include "spin.h"

enum { CALLS = 2000, FIRST_NS = 5000000, OTHER_NS = 5000 };

int main(void)
{
    uint64_t inside = 0, around = 0;

    for (int call = 0; call < CALLS; call++) {
        uint64_t start = spin_read_clock();

        inside += spin_constant(call == 0 ? FIRST_NS : OTHER_NS);
        around += spin_read_clock() - start;
    }
    printf("{\"calls\": %d, \"inside_ns\": %llu, \"around_ns\": %llu}\n", CALLS,
           (unsigned long long)inside, (unsigned long long)around);
    return 0;
}
