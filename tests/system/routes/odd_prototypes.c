/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of the kernels with odd prototypes, and their results.
 */
#include <stdio.h>

#include "odd.h"

enum { CALLS = 3 };

static void print_results(int n)
{
    const float complex narrow_value = 1.5F + 2.5F * (float complex)I;
    const double complex wide_value = 3.25 - 4.5 * I;
    float complex narrow = odd_float_complex(n, &narrow_value);
    double complex wide = odd_double_complex(n, &wide_value);
    struct odd_pair pair = odd_pair(n, (struct odd_pair){7, 0.5});

    printf("%g %g\n", (double)crealf(narrow), (double)cimagf(narrow));
    printf("%g %g\n", creal(wide), cimag(wide));
    printf("%ld %g\n", pair.whole, pair.real);
}

int main(void)
{
    for (int i = 1; i <= CALLS; i++) {
        printf("%g\n", odd_many(1, 0.5, 2, 1.5, 3, 2.5, 4, 3.5, 5, 4.5F, 6, 5.5F, 7, 6.5F, -8, 7.5F,
                                9, 10, 11, 12, 13, 14 + i));
        print_results(i);
        odd_lengths_("transposed", "no", &i, 5, 2);
        odd_byte();
        printf("%d\n", odd_behind(i));
    }
    printf("truth: calls %d\n", CALLS);
    return 0;
}
