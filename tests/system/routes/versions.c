/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A library with an old and a new cblas_sgemm: the old one triples.
 */
#include "blas.h"

#define VERSION(name, text) __asm__(".symver " #name ", cblas_sgemm" text)

VERSION(old_sgemm, "@ROUTES_1");
VERSION(new_sgemm, "@@ROUTES_2");

void new_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
               float alpha, const float *left, int left_stride, const float *right,
               int right_stride, float beta, float *sum, int sum_stride);
void old_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
               float alpha, const float *left, int left_stride, const float *right,
               int right_stride, float beta, float *sum, int sum_stride);

static void fill(float *sum, int m, int n, int stride, float value)
{
    for (int i = 0; i < m * n; i++)
        sum[i / n * stride + i % n] = value;
}

void new_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
               float alpha, const float *left, int left_stride, const float *right,
               int right_stride, float beta, float *sum, int sum_stride)
{
    (void)layout, (void)left_transpose, (void)right_transpose, (void)left, (void)left_stride;
    (void)right, (void)right_stride, (void)beta;
    fill(sum, m, n, sum_stride, alpha * (float)k);
}

void old_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
               float alpha, const float *left, int left_stride, const float *right,
               int right_stride, float beta, float *sum, int sum_stride)
{
    (void)layout, (void)left_transpose, (void)right_transpose, (void)left, (void)left_stride;
    (void)right, (void)right_stride, (void)beta;
    fill(sum, m, n, sum_stride, 3 * alpha * (float)k);
}
