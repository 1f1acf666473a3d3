/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "odd.h"

#include <stdio.h>

double odd_many(long a, double p, long b, double q, long c, double r, long d, double s, int e,
                float t, int f, float u, short g, float v, signed char h, float w, long i, long j,
                long k, long l, long m, long n)
{
    printf("%ld %ld %ld %ld %d %d %d %d %ld %ld %ld %ld %ld %ld\n", a, b, c, d, e, f, g, h, i, j, k,
           l, m, n);
    printf("%g %g %g %g %g %g %g %g\n", p, q, r, s, (double)t, (double)u, (double)v, (double)w);
    return p + q + r + s + (double)(t + u + v + w) + (double)(a + n);
}

float complex odd_float_complex(int n, const float complex *value)
{
    return (float)n * conjf(*value);
}

double complex odd_double_complex(int n, const double complex *value)
{
    return (double)n * conj(*value);
}

struct odd_pair odd_pair(int n, struct odd_pair value)
{
    return (struct odd_pair){n * value.whole, (double)n / value.real};
}

void odd_lengths_(const char *first, const char *second, const int *n, size_t first_length,
                  size_t second_length)
{
    printf("%.*s %.*s %d\n", (int)first_length, first, (int)second_length, second, *n);
}

#if defined(__x86_64__)
#define RETURN "ret"
#define RETURN_NEXT "leal 1(%rdi), %eax\n ret"
#elif defined(__aarch64__)
#define RETURN "ret"
#define RETURN_NEXT "add w0, w0, #1\n ret"
#endif
__asm__(".text\n .globl odd_byte, odd_behind\n .type odd_byte, %function\n"
        ".type odd_behind, %function\n"
        "odd_byte: " RETURN "\n .size odd_byte, . - odd_byte\n"
        "odd_behind: " RETURN_NEXT "\n .size odd_behind, . - odd_behind");

int odd_call(int n, void (*function)(void *), void *argument)
{
    function(argument);
    return n + 1;
}

/* Through a slot, so that each level is a call of the kernel. */
static long (*volatile deeper)(int levels) = odd_descend;

long odd_descend(int levels)
{
    volatile char ballast[64] = {(char)levels};

    return levels == 0 ? ballast[0] : 1 + deeper(levels - 1);
}
