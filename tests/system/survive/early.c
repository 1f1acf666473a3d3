/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Allocates before any constructor ran, including that of libc, and after all destructors but the
 * last.
 */
#include "survive.h"

static void *early;

static void obtain_early(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments, (void)environment;
    early = malloc(10000);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **,
                                                                            char **) = obtain_early;

__attribute__((destructor(101))) static void work_late(void)
{
    tprof_region_begin("work");
    survive_churn(100);
    tprof_region_end("work");
}

int main(void)
{
    survive_truth.allocations = 2;
    survive_truth.frees = 2;
    survive_truth.bytes = 500;
    survive_print();
    free(early);
    return 0;
}
