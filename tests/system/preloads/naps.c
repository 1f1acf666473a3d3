/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sleeps for 60 ms as the kernel counts them: libfaketime shortens nanosleep(2).
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tprof.h"

int main(void)
{
    struct timespec span = {.tv_nsec = 60000000};
    volatile char *block;

    tprof_region_begin("work");
    block = malloc(100);
    block[0] = 1;
    syscall(SYS_nanosleep, &span, NULL);
    free((void *)block);
    tprof_region_end("work");
    puts("truth: allocations 1\ntruth: frees 1\ntruth: allocated_bytes 100");
    return 0;
}
