/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The other file: most of the time is in a kernel called by one of its lines.
 */
#include <stdlib.h>
#include <unistd.h>

#include "work.h"

static __attribute__((noinline)) void second(void)
{
    for (int i = 0; i < 5; i++)
        cblas_sgemm(101, 111, 111, SIDE, SIDE, SIDE, 1, left, SIDE, left, SIDE, 0, sum, SIDE);
    tell("kernel", __func__, __FILE__, __LINE__ - 1, 5);
    for (int i = 0; i < 6; i++)
        keep(malloc(BLOCK_SIZE));
    tell("block", __func__, __FILE__, __LINE__ - 1, 6);
    for (int i = 0; i < 3; i++)
        usleep(2000);
    tell("sleep", __func__, __FILE__, __LINE__ - 1, 3);
}

void other(void)
{
    second();
    for (int i = 0; i < 8; i++)
        cblas_sgemm(101, 111, 111, BIG, BIG, BIG, 1, left, BIG, left, BIG, 0, sum, BIG);
    tell("kernel", __func__, __FILE__, __LINE__ - 1, 8);
    keep(malloc(BLOCK_SIZE));
    tell("block", __func__, __FILE__, __LINE__ - 1, 1);
}
