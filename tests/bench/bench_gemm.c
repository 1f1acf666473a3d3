/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cost of the wrapper around a real kernel: small products, called as the program calls them
 * and called directly, in alternating rounds.  The library's own symbol table bypasses the wrapper,
 * which dlsym would not, so one process has both.
 *
 *     LD_PRELOAD=libtprof.so ./bench_gemm [ORDER]
 */
#include <cblas.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 2001, CALLS = 1000 };

typedef __typeof__(&cblas_sgemm) gemm;

static int order = 32;
static float *a, *b, *c;

static double now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static float *matrix(void)
{
    size_t count = (size_t)order * (size_t)order;
    float *values = malloc(count * sizeof *values);

    for (size_t i = 0; values && i < count; i++)
        values[i] = (float)(i % 7);
    return values;
}

static const ElfW(Dyn) * find_entry(const ElfW(Dyn) * entries, ElfW(Sxword) tag)
{
    while (entries->d_tag != DT_NULL && entries->d_tag != tag)
        entries++;
    return entries;
}

/* The first object that defines the function; linkers put the strings after the symbols. */
static int find_function(struct dl_phdr_info *info, size_t size, void *found)
{
    const ElfW(Dyn) *dynamic = NULL;
    const ElfW(Sym) * symbols;
    const char *strings;

    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            dynamic = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    if (!dynamic || find_entry(dynamic, DT_SYMTAB)->d_un.d_ptr < info->dlpi_addr)
        return 0;
    symbols = (const void *)find_entry(dynamic, DT_SYMTAB)->d_un.d_ptr;
    strings = (const void *)find_entry(dynamic, DT_STRTAB)->d_un.d_ptr;
    for (; (const char *)symbols < strings; symbols++)
        if (symbols->st_shndx != SHN_UNDEF &&
            strcmp(strings + symbols->st_name, "cblas_sgemm") == 0) {
            *(uintptr_t *)found = info->dlpi_addr + symbols->st_value;
            return 1;
        }
    return 0;
}

/* Nanoseconds for one call. */
static double run_round(gemm product)
{
    double start = now_ns();

    for (int i = 0; i < CALLS; i++)
        product(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1, a, order, b,
                order, 0, c, order);
    return (now_ns() - start) / CALLS;
}

static int compare(const void *left, const void *right)
{
    double l = *(const double *)left, r = *(const double *)right;

    return (l > r) - (l < r);
}

static double median(double *rounds)
{
    qsort(rounds, ROUNDS, sizeof *rounds, compare);
    return rounds[ROUNDS / 2];
}

int main(int argc, char **argv)
{
    static double direct[ROUNDS], called[ROUNDS];
    uintptr_t found = 0;
    gemm real;

    dl_iterate_phdr(find_function, &found);
    memcpy(&real, &found, sizeof real);
    order = argc > 1 ? atoi(argv[1]) : order;
    a = matrix();
    b = matrix();
    c = matrix();
    if (!a || !b || !c || !real)
        return 1;
    for (int round = 0; round < ROUNDS; round++) {
        direct[round] = run_round(real);
        called[round] = run_round(cblas_sgemm);
    }
    printf("sgemm of order %d: direct %.1f ns, called %.1f ns, ratio %.4f\n", order, median(direct),
           median(called), median(called) / median(direct));
    return 0;
}
