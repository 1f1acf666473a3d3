/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels with prototypes of all kinds, which print their arguments, and kernels that are left and
 * entered in all kinds of ways.
 */
#ifndef ROUTES_ODD_H
#define ROUTES_ODD_H

#include <complex.h>
#include <stddef.h>

/* 14 integers, most of them on the stack, and 8 reals among them. */
double odd_many(long a, double p, long b, double q, long c, double r, long d, double s, int e,
                float t, int f, float u, short g, float v, signed char h, float w, long i, long j,
                long k, long l, long m, long n);

/* Results in one and in two floating registers. */
float complex odd_float_complex(int n, const float complex *value);
double complex odd_double_complex(int n, const double complex *value);

struct odd_pair {
    long whole;
    double real;
};
struct odd_pair odd_pair(int n, struct odd_pair value);

/* Like Fortran's calls: the lengths of the strings come last, and are hidden. */
void odd_lengths_(const char *first, const char *second, const int *n, size_t first_length,
                  size_t second_length);

/* A function of one byte, directly followed by another. */
void odd_byte(void);
int odd_behind(int n);

/* Call `function` before the work is done. */
int odd_call(int n, void (*function)(void *), void *argument);

/* Go so deep, each level through this kernel. */
long odd_descend(int levels);

#endif
