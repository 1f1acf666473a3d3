/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of a library's own kernel from inside the library, or of a program's from inside the
 * program; flags decide how these calls are bound.
 */
#include <stdio.h>

#include "blas.h"

enum { CALLS = 9 };

#ifdef INSIDE_LIBRARY
float inside_run(void)
{
    float ones[4] = {1, 1, 1, 1}, sum[4] = {0};

    for (int i = 0; i < CALLS; i++)
        cblas_sgemm(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, sum, 2);
    return sum[0];
}
#else
float inside_run(void);

int main(void)
{
    printf("result %g\n", (double)inside_run());
    printf("truth: calls %d\n", blas_calls());
    return 0;
}
#endif
