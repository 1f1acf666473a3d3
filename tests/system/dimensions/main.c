/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program that does known work at known lines of two files, and prints which.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tprof.h"
#include "work.h"

float left[BIG * BIG], sum[BIG * BIG];

static void *kept;

/* Blocks hold one another. */
void keep(void *block)
{
    *(void **)block = kept;
    kept = block;
}

void tell(const char *what, const char *function, const char *file, int line, int count)
{
    const char *slash = strrchr(file, '/');

    printf("%s %s %s %d %d\n", what, function, slash ? slash + 1 : file, line, count);
}

static __attribute__((noinline)) void first(void)
{
    for (int i = 0; i < 3; i++)
        cblas_sgemm(101, 111, 111, SIDE, SIDE, SIDE, 1, left, SIDE, left, SIDE, 0, sum, SIDE);
    tell("kernel", __func__, __FILE__, __LINE__ - 1, 3);
    for (int i = 0; i < 4; i++)
        keep(malloc(BLOCK_SIZE));
    tell("block", __func__, __FILE__, __LINE__ - 1, 4);
    for (int i = 0; i < 2; i++)
        usleep(2000);
    tell("sleep", __func__, __FILE__, __LINE__ - 1, 2);
}

int main(void)
{
    static char buffer[BUFSIZ];

    setvbuf(stdout, buffer, _IOFBF, sizeof buffer); /* otherwise the buffer is a block */
    first();
    tprof_region_begin("other");
    other();
    tprof_region_end("other");
    return 0;
}
