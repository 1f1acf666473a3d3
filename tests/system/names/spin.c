/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One function that takes nearly all processor time, half a second.  Prints its line.
 */
#include <stdio.h>
#include <time.h>

static volatile unsigned number;

enum { ROUNDS = 100000, BURN_LINE = __LINE__ + 6 };

/* Not inlined, whatever the flags.  It divides, so few samples hit the line of the loop. */
static __attribute__((noinline, noclone)) void burn_processor_time(void)
{
    for (unsigned i = 0; i < ROUNDS; i++)
        number = (number * 7 + i) % (i + 3);
}

int main(void)
{
    while (clock() < CLOCKS_PER_SEC / 2)
        burn_processor_time();
    printf("%d\n", BURN_LINE);
    return 0;
}
