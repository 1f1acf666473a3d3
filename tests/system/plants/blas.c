/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: planted_netlib ROUNDS, planted_openblas ROUNDS
 *
 * The fault is the library: build.sh links the same program with one BLAS and with another.  The
 * time of its own loops is the same with both.
 */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 320, PASSES = 6 };

static double a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE * SIDE];

static void fill(double *matrix)
{
    for (size_t i = 0; i < SIDE * SIDE; i++)
        matrix[i] = 0.5 + 0.5 / (double)(1 + i % 13);
}

/* Between 0 and 1, for the next product.  A quarter of the time is the program's own, so that the
 * start-up of a library, which only one BLAS has, matters little. */
static void squash(const double *from, double *to)
{
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < SIDE * SIDE; i++)
            to[i] = 1 / (1 + exp(-(pass == 0 ? from[i] / SIDE : to[i])));
}

int main(int count, char **arguments)
{
    int rounds = count == 2 ? atoi(arguments[1]) : 0;
    double sum = 0;

    fill(a);
    fill(b);
    for (int i = 0; i < rounds; i++) {
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, b,
                    SIDE, 0, c, SIDE);
        squash(c, a);
    }
    for (size_t i = 0; i < SIDE * SIDE; i++)
        sum += a[i];
    printf("%.3g\n", sum);
    return EXIT_SUCCESS;
}
