/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of library.c.
 */
#ifndef USERS_LIBRARY_H
#define USERS_LIBRARY_H

#include <complex.h>
#include <stddef.h>
#include <stdint.h>

struct words {
    long a, b;
};
struct reals {
    double a, b;
};
struct mixed {
    long a;
    double b;
};
struct floats {
    float a, b, c;
};
struct large {
    long a[5];
};
struct huge {
    long a[40];
};

/* Like libraries of tensors: the factors of the product are behind pointers in it. */
struct tensor {
    int64_t sizes[2];
    const struct tensor *sources[2];
};

void csr_spmv(int rows, const int *rowptr, const int *col, const float *val, const float *x,
              float *y);
double fewer(int a0, double f0, long a1, long a2, long a3, long a4, long a5, long a6, long a7,
             float f1, long a8);
void sizes(unsigned u, uint32_t v, size_t n);
void product(struct tensor *result);
double many(int a0, long a1, char a2, double f0, float f1, int a3, int a4, int a5, int a6, long a7,
            const int *a8, int a9, int a10, int a11, int a12, int a13, double f2, float f3,
            double f4, double f5, double f6, double f7);
struct words give_words(long x);
struct reals give_reals(double x);
struct mixed give_mixed(long x);
struct floats give_floats(float x);
struct large give_large(long x);
double complex give_complex(double x);
float complex give_float_complex(float x);
long double give_long_double(long double x);
double give_sum(int count, ...);
long take_huge(struct huge huge);
long take_picked(long x); /* the linker asks which function it is */
void call_back(void (*function)(void *), void *argument);
int descend(int depth);

/* The program's: the way from one call of descend to the next. */
int descend_again(int depth);

#if defined(__x86_64__)
typedef double vector __attribute__((vector_size(32)));

/* Where the processor has AVX. */
__attribute__((target("avx"))) vector take_vectors(vector x, vector y);

/* Those that find no register are on the stack, aligned to their size. */
__attribute__((target("avx"))) vector take_tenth(vector a, vector b, vector c, vector d, vector e,
                                                 vector f, vector g, vector h, vector i, vector j);
#elif defined(__aarch64__)
typedef double vector __attribute__((vector_size(16)));

/* It keeps registers that others may use. */
__attribute__((aarch64_vector_pcs)) vector keep_vectors(vector x);
#endif

#endif
