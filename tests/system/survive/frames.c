/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls through frames of many shapes, compiled with and without frame
 * pointers and unwind tables: alloca, many arguments, a realigned stack, a
 * call back through qsort, tail calls.
 */
#include <alloca.h>
#include <string.h>

#include "survive.h"

#define NOINLINE __attribute__((noinline))

enum { ROUNDS = 300 };

static volatile int depth_reached;
static int rounds;

static NOINLINE int in_plain_frame(int levels);

static NOINLINE int in_variable_frame(int levels)
{
    volatile char *space = alloca((size_t)(rounds % 97) * 16 + 16);

    space[0] = (char)levels;
    return in_plain_frame(levels - 1) + space[0];
}

static NOINLINE int in_aligned_frame(int levels)
{
    volatile _Alignas(256) char space[512];

    space[0] = 1;
    if ((uintptr_t)space % 256 != 0)
        survive_give_up("frames: the stack is not aligned");
    return in_plain_frame(levels - 1) + space[0];
}

static NOINLINE int with_arguments(int levels, long a, long b, long c, long d, long e, long f,
                                   long g)
{
    return in_plain_frame(levels - 1) + (int)(a + b + c + d + e + f + g);
}

static NOINLINE int in_tail_position(int levels)
{
    return in_plain_frame(levels - 1);
}

static int compare(const void *one, const void *other)
{
    survive_churn(24);
    return *(const int *)one - *(const int *)other;
}

static NOINLINE void call_back(void)
{
    int numbers[8] = {5, 3, 8, 1, 9, 2, 7, 4};

    qsort(numbers, 8, sizeof *numbers, compare);
    depth_reached = numbers[0];
}

static NOINLINE int in_plain_frame(int levels)
{
    if (levels <= 0) {
        survive_churn(100);
        if (rounds % 50 == 0)
            call_back();
        return 1;
    }
    switch ((levels + rounds) % 4) {
    case 0: return in_variable_frame(levels) + 1;
    case 1: return in_aligned_frame(levels) + 1;
    case 2: return with_arguments(levels, 1, 2, 3, 4, 5, 6, 7) + 1;
    default: return in_tail_position(levels);
    }
}

int main(void)
{
    tprof_region_begin("work");
    for (rounds = 0; rounds < ROUNDS; rounds++)
        depth_reached = in_plain_frame(rounds % 30);
    tprof_region_end("work");
    survive_print();
    return 0;
}
