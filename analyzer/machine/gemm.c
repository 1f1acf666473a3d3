/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A BLAS library is loaded only to be measured: tprof itself uses none.
 */
#include "machine/gemm.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/trials.h"

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 }; /* numbers of CBLAS */
enum { SMALLEST = 256, LARGEST = 4096 };      /* orders of the matrices */

static const double long_enough = 10e-3; /* seconds of a product */

typedef void (*sgemm_function)(int, int, int, int, int, int, float, const float *, int,
                               const float *, int, float, float *, int);
typedef void (*dgemm_function)(int, int, int, int, int, int, double, const double *, int,
                               const double *, int, double, double *, int);
typedef void (*threads_function)(int);
typedef char *(*name_function)(void);

struct gemm {
    void *library;
    sgemm_function sgemm;
    dgemm_function dgemm;
    threads_function set_threads; /* NULL: it has none that we know */
};

/* dlsym returns functions as data pointers; POSIX recommends this copy. */
static void find(void *library, const char *symbol, void *function)
{
    void *address = dlsym(library, symbol);

    memcpy(function, &address, sizeof address);
}

static threads_function find_threads(void *library)
{
    static const char *const names[] = {"openblas_set_num_threads", "MKL_Set_Num_Threads",
                                        "bli_thread_set_num_threads"};
    threads_function function = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !function; i++)
        find(library, names[i], &function);
    return function;
}

static void describe(struct machine *machine, void *library, const char *path)
{
    name_function config = NULL, core = NULL;

    find(library, "openblas_get_config", &config);
    find(library, "openblas_get_corename", &core);
    snprintf(machine->blas, sizeof machine->blas, "%.100s%s%.80s%s%.40s%s", path,
             config ? " (" : "", config ? config() : "", config && core ? "; code for " : "",
             config && core ? core() : "", config ? ")" : "");
}

static void *open_library(const char *asked, const char **name)
{
    static const char *const names[] = {"libmkl_rt.so.2", "libopenblas.so.0", "libblis.so.4",
                                        "libblas.so.3", "libcblas.so.3"};
    void *library = asked ? dlopen(asked, RTLD_NOW | RTLD_LOCAL) : NULL;

    *name = asked;
    for (size_t i = 0; !asked && !library && i < sizeof names / sizeof *names; i++) {
        *name = names[i];
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library && !dlsym(library, "cblas_dgemm")) {
            dlclose(library);
            library = NULL;
        }
    }
    return library;
}

struct gemm *gemm_open(const char *asked, struct machine *machine)
{
    const char *name;
    void *library = open_library(asked, &name);
    struct gemm *gemm;

    if (!library || !dlsym(library, "cblas_dgemm")) {
        snprintf(machine->blas_reason, sizeof machine->blas_reason,
                 library ? "%.150s has no cblas_dgemm" : "%.150s cannot be loaded",
                 asked ? asked : "a BLAS library");
        return NULL;
    }
    gemm = memory_get_zeros(1, sizeof *gemm);
    gemm->library = library;
    find(library, "cblas_sgemm", &gemm->sgemm);
    find(library, "cblas_dgemm", &gemm->dgemm);
    gemm->set_threads = find_threads(library);
    describe(machine, library, name);
    return gemm;
}

/* The library stays: its threads may not outlive its code. */
void gemm_close(struct gemm *gemm)
{
    free(gemm);
}

bool gemm_set_threads(const struct gemm *gemm, unsigned threads)
{
    if (gemm->set_threads)
        gemm->set_threads((int)threads);
    return gemm->set_threads != NULL;
}

struct product {
    const struct gemm *gemm;
    enum machine_precision precision;
    int order;
    double *a; /* elements of either size, in room for doubles */
    double *b;
    double *c;
};

/* Returns: seconds. */
static double multiply(const struct product *p)
{
    double start = trials_now();
    int n = p->order;

    if (p->precision == MACHINE_F32)
        p->gemm->sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, (const float *)p->a, n,
                       (const float *)p->b, n, 0, (float *)p->c, n);
    else
        p->gemm->dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, p->a, n, p->b, n, 0, p->c,
                       n);
    return trials_now() - start;
}

/* Zeros would do for the time, but some processors save energy on them. */
static void fill(double *matrix, enum machine_precision precision)
{
    enum { ELEMENTS = LARGEST * LARGEST };

    for (size_t i = 0; i < ELEMENTS; i++)
        if (precision == MACHINE_F32)
            ((float *)matrix)[i] = (float)(i % 7) - 3;
        else
            matrix[i] = (double)(i % 7) - 3;
}

static double repeat(struct product *product, double seconds)
{
    double end = trials_now() + seconds, best = (double)NAN;
    double taken = multiply(product);

    while (trials_now() < end) {
        double work = 2.0 * product->order * product->order * product->order;

        taken = multiply(product);
        best = fmax(best, work / taken);
        if (taken < long_enough && product->order < LARGEST)
            product->order *= 2;
    }
    return best;
}

bool gemm_has(const struct gemm *gemm, enum machine_precision precision)
{
    return precision == MACHINE_F32 ? gemm->sgemm != NULL : precision == MACHINE_F64;
}

double gemm_measure(const struct gemm *gemm, enum machine_precision precision, double seconds)
{
    size_t size = (size_t)LARGEST * LARGEST * sizeof(double);
    struct product product = {
        gemm, precision, SMALLEST, memory_get(size), memory_get(size), memory_get(size)};
    double best = (double)NAN;

    if (product.a && product.b && product.c && gemm_has(gemm, precision)) {
        fill(product.a, precision);
        fill(product.b, precision);
        best = repeat(&product, seconds);
    }
    free(product.a);
    free(product.b);
    free(product.c);
    return best;
}
