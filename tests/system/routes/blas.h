/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A BLAS of one function that counts its own calls: the truth of the route tests.  Each build of
 * blas.c multiplies by its own BLAS_FACTOR, so a call that reaches the wrong library shows in the
 * sum.
 */
#ifndef ROUTES_BLAS_H
#define ROUTES_BLAS_H

typedef void (*sgemm_function)(int layout, int left_transpose, int right_transpose, int m, int n,
                               int k, float alpha, const float *left, int left_stride,
                               const float *right, int right_stride, float beta, float *sum,
                               int sum_stride);

void cblas_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
                 float alpha, const float *left, int left_stride, const float *right,
                 int right_stride, float beta, float *sum, int sum_stride);

/* How often cblas_sgemm of this library was entered. */
int blas_calls(void);

/* Call a function with the type of cblas_sgemm; 2×2×2, all ones.
 * Returns: an element of the product: 2 times the factor of the library. */
static inline float blas_run(sgemm_function function, int count)
{
    float ones[4] = {1, 1, 1, 1}, sum[4] = {0};

    for (int i = 0; i < count; i++)
        function(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, sum, 2);
    return sum[0];
}

#endif
