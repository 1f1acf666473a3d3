/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work at known places: calls of a kernel, kept blocks, sleeps and processor time.
 */
#ifndef TESTS_SYSTEM_DIMENSIONS_WORK_H
#define TESTS_SYSTEM_DIMENSIONS_WORK_H

#include <stddef.h>

enum { SIDE = 8, BIG = 360, BLOCK_SIZE = 1000 };

extern float left[BIG * BIG], sum[BIG * BIG];

void cblas_sgemm(int layout, int left_transpose, int right_transpose, int m, int n, int k,
                 float alpha, const float *left, int left_stride, const float *right,
                 int right_stride, float beta, float *sum, int sum_stride);

/* Print "WHAT FUNCTION FILE LINE COUNT". */
void tell(const char *what, const char *function, const char *file, int line, int count);

void keep(void *block);

/* The part in the other file. */
void other(void);

#endif
