/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "user.h"

/* Not static and not const: a word of data that the loader fills in. */
sgemm_function user_data = cblas_sgemm;

float user_run(int count)
{
    float ones[4] = {1, 1, 1, 1}, sum[4] = {0};

    for (int i = 0; i < count; i++)
        cblas_sgemm(101, 111, 111, 2, 2, 2, 1, ones, 2, ones, 2, 0, sum, 2);
    return sum[0];
}

sgemm_function user_pointer(void)
{
    return cblas_sgemm;
}

sgemm_function user_pointer_in_data(void)
{
    return user_data;
}
