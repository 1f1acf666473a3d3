/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems and decompositions, with the LAPACK that a BLAS may include.  Matrices have a large
 * diagonal, so that every way to solve gives the same digits.
 */
#include <cblas.h>
#include <string.h>

#include "plants.h"

#define WEAK __attribute__((weak))
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivots, double *b,
            const int *ldb, int *info) WEAK;
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info) WEAK;
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *pivots, double *b, const int *ldb, int *info) WEAK;
void dgetri_(const int *n, double *a, const int *lda, const int *pivots, double *work,
             const int *lwork, int *info) WEAK;
void dgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s,
             double *u, const int *ldu, double *vt, const int *ldvt, double *work,
             const int *lwork, int *iwork, int *info) WEAK;
void dsyevr_(const char *jobz, const char *range, const char *uplo, const int *n, double *a,
             const int *lda, const double *vl, const double *vu, const int *il, const int *iu,
             const double *abstol, int *m, double *w, double *z, const int *ldz, int *isuppz,
             double *work, const int *lwork, int *iwork, const int *liwork, int *info) WEAK;

enum { ORDER = 360, TALL = 1200, SHORT = 100, WORK = 1 << 21 };

static const int order = ORDER, one = 1;

static void need_lapack(void)
{
    if (!dgesv_ || !dgetrf_ || !dgetrs_ || !dgetri_ || !dgesdd_ || !dsyevr_)
        plants_skip("this BLAS has no LAPACK");
}

/* A matrix, a right side, and the room that the routines need. */
struct system {
    double *given, *matrix, *side, *result;
    int pivots[ORDER];
    int info;
};

static void init(struct system *system)
{
    need_lapack();
    system->given = plants_doubles(ORDER * ORDER);
    for (size_t i = 0; i < ORDER; i++)
        system->given[i * ORDER + i] += ORDER;
    system->matrix = plants_doubles(ORDER * ORDER);
    system->side = plants_doubles(ORDER);
    system->result = plants_doubles(ORDER);
}

/* As if it were another matrix each time. */
static void renew(struct system *system)
{
    memcpy(system->matrix, system->given, ORDER * ORDER * sizeof *system->matrix);
    plants_fill(system->side, ORDER);
}

static void factor(struct system *system)
{
    dgetrf_(&order, &order, system->matrix, &order, system->pivots, &system->info);
}

static void solve_by_factors(struct system *system)
{
    dgetrs_("N", &order, &one, system->matrix, &order, system->pivots, system->side, &order,
            &system->info);
}

/* The inverse of the factors, for one multiplication. */
static double run_inverse(bool is_planted, int rounds)
{
    static const int size = WORK;
    double *work = plants_doubles(WORK);
    struct system of;

    init(&of);
    for (int i = 0; i < rounds; i++) {
        renew(&of);
        factor(&of);
        if (!is_planted) {
            solve_by_factors(&of);
            continue;
        }
        dgetri_(&order, of.matrix, &order, of.pivots, work, &size, &of.info);
        cblas_dgemv(CblasColMajor, CblasNoTrans, ORDER, ORDER, 1, of.matrix, ORDER, of.side, 1, 0,
                    of.result, 1);
    }
    return plants_sum_doubles(is_planted ? of.result : of.side, ORDER);
}

/* The inverse as a solution for the columns of an identity, as numpy computes it. */
static double run_identity(bool is_planted, int rounds)
{
    double *identity = plants_doubles(ORDER * ORDER);
    struct system of;

    init(&of);
    for (int i = 0; i < rounds; i++) {
        renew(&of);
        if (!is_planted) {
            dgesv_(&order, &one, of.matrix, &order, of.pivots, of.side, &order, &of.info);
            continue;
        }
        memset(identity, 0, ORDER * ORDER * sizeof *identity);
        for (size_t j = 0; j < ORDER; j++)
            identity[j * ORDER + j] = 1;
        dgesv_(&order, &order, of.matrix, &order, of.pivots, identity, &order, &of.info);
        cblas_dgemv(CblasColMajor, CblasNoTrans, ORDER, ORDER, 1, identity, ORDER, of.side, 1, 0,
                    of.result, 1);
    }
    return plants_sum_doubles(is_planted ? of.result : of.side, ORDER);
}

/* The same matrix is factored for each right side. */
static double run_factors(bool is_planted, int rounds)
{
    struct system of;

    init(&of);
    renew(&of);
    factor(&of);
    for (int i = 0; i < rounds; i++)
        if (is_planted) {
            renew(&of);
            dgesv_(&order, &one, of.matrix, &order, of.pivots, of.side, &order, &of.info);
        } else {
            plants_fill(of.side, ORDER);
            solve_by_factors(&of);
        }
    return plants_sum_doubles(of.side, ORDER);
}

/* Vectors that belong to no singular value. */
static double run_outer(bool is_planted, int rounds)
{
    static const int rows = TALL, columns = SHORT, size = WORK;
    static int integers[8 * SHORT];
    double *given = plants_doubles(TALL * SHORT), *a = plants_doubles(TALL * SHORT),
           *u = plants_doubles((size_t)TALL * TALL), *vt = plants_doubles(SHORT * SHORT),
           *s = plants_doubles(SHORT), *work = plants_doubles(WORK);
    int info;

    need_lapack();
    for (size_t i = 0; i < SHORT; i++)
        given[i * TALL + i] += TALL;
    for (int i = 0; i < rounds; i++) {
        memcpy(a, given, TALL * SHORT * sizeof *a);
        dgesdd_(is_planted ? "A" : "S", &rows, &columns, a, &rows, s, u, &rows, vt, &columns, work,
                &size, integers, &info);
    }
    return plants_sum_doubles(s, SHORT);
}

/* All eigenvectors where the last few are used. */
static double run_all(bool is_planted, int rounds)
{
    enum { USED = 5 };
    static const int first = ORDER - USED + 1, last = ORDER, size = WORK,
                     integers_size = 20 * ORDER;
    static int support[2 * ORDER], integers[20 * ORDER];
    static const double zero = 0;
    double *vectors = plants_doubles(ORDER * ORDER), *values = plants_doubles(ORDER),
           *work = plants_doubles(WORK), sum = 0;
    struct system of;
    int found = 0;

    init(&of);
    for (int i = 0; i < rounds; i++) {
        renew(&of);
        dsyevr_("V", is_planted ? "A" : "I", "U", &order, of.matrix, &order, &zero, &zero, &first,
                &last, &zero, &found, values, vectors, &order, support, work, &size, integers,
                &integers_size, &of.info);
    }
    for (int i = 0; i < USED; i++)
        sum += values[found - USED + i];
    return sum;
}

const struct plant plants_of_systems[] = {
    {"inverse", run_inverse}, {"identity", run_identity}, {"factors", run_factors},
    {"outer", run_outer},     {"all", run_all},           {NULL, NULL},
};
