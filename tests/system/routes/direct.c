/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls by name, from the program itself.
 */
#include <stdio.h>

#include "blas.h"

enum { CALLS = 11 };

int main(void)
{
    float ones[4] = {1, 1, 1, 1}, sum[4] = {0};

    for (int i = 0; i < CALLS; i++)
        cblas_sgemm(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, sum, 2);
    printf("result %g\ntruth: calls %d\n", (double)sum[0], blas_calls());
    return 0;
}
