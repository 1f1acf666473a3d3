/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions of a model's own library, with prototypes of every sort.
 */
#include "library.h"

#include <stdarg.h>

void csr_spmv(int rows, const int *rowptr, const int *col, const float *val, const float *x,
              float *y)
{
    for (int i = 0; i < rows; i++) {
        float sum = 0;

        for (int j = rowptr[i]; j < rowptr[i + 1]; j++)
            sum += val[j] * x[col[j]];
        y[i] = sum;
    }
}

/* Fourteen integers and pointers, eight floating arguments. */
double fewer(int a0, double f0, long a1, long a2, long a3, long a4, long a5, long a6, long a7,
             float f1, long a8)
{
    return a0 + f0 + (double)(a1 + a2 + a3 + a4 + a5) + (double)(a6 * a7 * a8) + (double)f1;
}

void sizes(unsigned u, uint32_t v, size_t n)
{
    (void)u;
    (void)v;
    (void)n;
}

void product(struct tensor *result)
{
    (void)result;
}

double many(int a0, long a1, char a2, double f0, float f1, int a3, int a4, int a5, int a6, long a7,
            const int *a8, int a9, int a10, int a11, int a12, int a13, double f2, float f3,
            double f4, double f5, double f6, double f7)
{
    double integers = a0 + 2.0 * (double)a1 + 3 * a2 + 7 * a3 + 11 * a4 + 13 * a5 + 17 * a6 +
                      19.0 * (double)a7 + 23 * *a8 + 29 * a9 + 31 * a10 + 37 * a11 + 41 * a12 +
                      43 * a13;

    return integers + f0 + 5 * f1 + 47 * f2 + 53 * f3 + 59 * f4 + 61 * f5 + 67 * f6 + 71 * f7;
}

struct words give_words(long x)
{
    return (struct words){x, x + 1};
}

struct reals give_reals(double x)
{
    return (struct reals){x, x + 0.5};
}

struct mixed give_mixed(long x)
{
    return (struct mixed){x, (double)x + 0.25};
}

struct floats give_floats(float x)
{
    return (struct floats){x, x + 1, x + 2};
}

struct large give_large(long x)
{
    return (struct large){{x, x + 1, x + 2, x + 3, x + 4}};
}

double complex give_complex(double x)
{
    return x + 2 * I;
}

float complex give_float_complex(float x)
{
    return x + 3 * I;
}

long double give_long_double(long double x)
{
    return x * x;
}

double give_sum(int count, ...)
{
    va_list values;
    double sum = 0;

    va_start(values, count);
    for (int i = 0; i < count; i++)
        sum += va_arg(values, double);
    va_end(values);
    return sum;
}

long take_huge(struct huge huge)
{
    long sum = 0;

    for (int i = 0; i < 40; i++)
        sum = 3 * sum % 1000003 + huge.a[i];
    return sum;
}

static long picked(long x)
{
    return 2 * x;
}

static long (*pick(void))(long)
{
    return picked;
}

__attribute__((ifunc("pick"))) long take_picked(long x);

#if defined(__x86_64__)
__attribute__((target("avx"))) vector take_vectors(vector x, vector y)
{
    return x - y;
}

__attribute__((target("avx"))) vector take_tenth(vector a, vector b, vector c, vector d, vector e,
                                                 vector f, vector g, vector h, vector i, vector j)
{
    __asm__("" : "+x"(i), "+x"(j)); /* loaded like aligned data */
    return a + b + c + d + e + f + g + h + i + 100 * j;
}
#elif defined(__aarch64__)
__attribute__((aarch64_vector_pcs)) vector keep_vectors(vector x)
{
    return x + x;
}
#endif

void call_back(void (*function)(void *), void *argument)
{
    function(argument);
}

int descend(int depth)
{
    return depth == 0 ? 0 : 1 + descend_again(depth - 1);
}
