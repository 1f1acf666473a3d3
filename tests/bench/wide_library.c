/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One of the many libraries that `wide modules` opens.
 */
#include <stdlib.h>

#include "bench_kernel.h"

void wide_work(void);

static void *volatile kept;

void wide_work(void)
{
    static float numbers[16];

    kept = malloc(64);
    cblas_sgemm(101, 111, 111, 4, 4, 4, 1, numbers, 4, numbers, 4, 0, numbers, 4);
}
