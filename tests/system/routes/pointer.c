/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls through addresses: one taken in the code, one stored in data, one taken by a library.  In a
 * program that is not position-independent, all are the address of a PLT entry.  C says that
 * pointers to one function are equal; the program prints whether they are.
 */
#include <stdio.h>

#include "blas.h"
#include "user.h"

enum { CALLS = 7 };

static const sgemm_function in_data[] = {cblas_sgemm, cblas_sgemm};
static sgemm_function volatile in_variable;

int main(void)
{
    float result = 0;

    in_variable = cblas_sgemm;
    result += blas_run(in_variable, CALLS);
    for (int i = 0; i < 2; i++)
        result += blas_run(in_data[i], CALLS);
    result += blas_run(user_pointer(), CALLS);
    result += blas_run(user_pointer_in_data(), CALLS);
    printf("result %g\n", (double)result);
    printf("pointers %s\n", in_variable == user_pointer() && in_variable == in_data[1] &&
                                    in_variable == user_pointer_in_data()
                                ? "equal" : "different");
    printf("truth: calls %d\n", blas_calls());
    return 0;
}
