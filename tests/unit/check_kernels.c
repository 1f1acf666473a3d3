/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The built-in kernels: their formulas against loops that do nothing but
 * count, for all small arguments, in every family and precision.
 *
 * The loops are the textbook algorithms.  Orthogonal factorizations are made of reflectors, counted
 * as in LAWN 41 (larfg, larf).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/catalog.h"
#include "spec/catalog_read.h"
#include "suite.h"

enum { TEXT_SIZE = 1 << 20, VALUES_MAX = 4, LARGEST = 6 };

static struct catalog catalog;

/* Real operations of complex arithmetic: six a multiplication, two an addition. */
struct work {
    double multiplications;
    double additions;
};

typedef int64_t arguments[VALUES_MAX];

/* A routine, and the arguments over which its loops run.  In its name ?  means the letter of a
 * precision. */
struct routine {
    const char *name;
    const char *names[VALUES_MAX];
    void (*count)(const int64_t *v, struct work *work);
    bool (*is_valid)(const int64_t *v);
};

/* ---- counting -------------------------------------------------------------- */

static void multiply(struct work *work, double times)
{
    work->multiplications += times;
}

static void multiply_add(struct work *work, double times)
{
    work->multiplications += times;
    work->additions += times;
}

/* The sum of some products, and no more additions than it needs. */
static void dot(struct work *work, int64_t terms)
{
    for (int64_t i = 0; i < terms; i++) {
        work->multiplications++;
        work->additions += i > 0;
    }
}

/* A triangular system or product with one vector. */
static void triangle(struct work *work, int64_t order, int64_t below)
{
    for (int64_t i = 0; i < order; i++) {
        multiply(work, 1);
        multiply_add(work, (double)(i < below ? i : below));
    }
}

static void unit_triangle(struct work *work, int64_t order)
{
    for (int64_t i = 0; i < order; i++)
        multiply_add(work, (double)i);
}

/* Make a reflector with this many entries. */
static void larfg(struct work *work, int64_t entries)
{
    multiply(work, 2 * (double)entries + 4);
    work->additions += (double)entries + 1;
}

/* Apply one to `vectors` vectors: a product, an update, and tau times `scaled` entries. */
static void larf(struct work *work, int64_t entries, int64_t vectors, int64_t scaled)
{
    for (int64_t i = 0; i < entries; i++)
        multiply_add(work, 2 * (double)vectors);
    multiply(work, (double)scaled);
}

/* ---- BLAS ---------------------------------------------------------------- */

static void count_gemm(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        for (int64_t j = 0; j < v[1]; j++)
            multiply_add(work, (double)v[2]);
}

static void count_symm(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++)
        for (int64_t j = 0; j < v[2]; j++)
            multiply_add(work, (double)(v[0] == 'L' ? v[1] : v[2]));
}

static void count_syrk(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        for (int64_t j = 0; j <= i; j++)
            multiply_add(work, (double)v[1]);
}

static void count_syr2k(const int64_t *v, struct work *work)
{
    count_syrk(v, work);
    count_syrk(v, work);
}

static void count_trmm(const int64_t *v, struct work *work)
{
    int64_t order = v[0] == 'L' ? v[1] : v[2];
    int64_t vectors = v[0] == 'L' ? v[2] : v[1];

    for (int64_t i = 0; i < vectors; i++)
        triangle(work, order, order);
}

static void count_gemv(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        multiply_add(work, (double)v[1]);
}

static void count_gbmv(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        for (int64_t j = 0; j < v[1]; j++)
            multiply_add(work, i - j <= v[2] && j - i <= v[3]);
}

static void count_symv(const int64_t *v, struct work *work)
{
    multiply_add(work, (double)(v[0] * v[0]));
}

static void count_sbmv(const int64_t *v, struct work *work)
{
    const int64_t band[] = {v[0], v[0], v[1], v[1]};

    count_gbmv(band, work);
}

static void count_trmv(const int64_t *v, struct work *work)
{
    triangle(work, v[0], v[0]);
}

static void count_tbmv(const int64_t *v, struct work *work)
{
    triangle(work, v[0], v[1]);
}

static void count_ger(const int64_t *v, struct work *work)
{
    multiply_add(work, (double)(v[0] * v[1]));
}

static void count_syr(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        multiply_add(work, (double)i + 1);
}

static void count_syr2(const int64_t *v, struct work *work)
{
    count_syr(v, work);
    count_syr(v, work);
}

static void count_dot(const int64_t *v, struct work *work)
{
    dot(work, v[0]);
}

static void count_axpy(const int64_t *v, struct work *work)
{
    multiply_add(work, (double)v[0]);
}

static void count_axpby(const int64_t *v, struct work *work)
{
    multiply(work, (double)v[0]);
    multiply_add(work, (double)v[0]);
}

static void count_scal(const int64_t *v, struct work *work)
{
    multiply(work, (double)v[0]);
}

static void count_nothing(const int64_t *v, struct work *work)
{
    (void)v;
    (void)work;
}

/* ---- linear equations ------------------------------------------------------ */

static void count_getrf(const int64_t *v, struct work *work)
{
    for (int64_t k = 0; k < v[0] && k < v[1]; k++) {
        multiply(work, 1); /* the reciprocal of the pivot */
        for (int64_t i = k + 1; i < v[0]; i++) {
            multiply(work, 1);
            multiply_add(work, (double)(v[1] - k - 1));
        }
    }
}

static void count_getrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++) {
        unit_triangle(work, v[0]);
        triangle(work, v[0], v[0]);
    }
}

static void count_gesv(const int64_t *v, struct work *work)
{
    const int64_t square[] = {v[0], v[0]};

    count_getrf(square, work);
    count_getrs(v, work);
}

/* Counted as if U were filled to the last diagonal that pivoting can reach. */
static void count_gbtrf(const int64_t *v, struct work *work)
{
    for (int64_t k = 0; k < v[0]; k++)
        for (int64_t i = k + 1; i < v[0] && i <= k + v[2]; i++) {
            multiply(work, 1);
            for (int64_t j = k + 1; j < v[1] && j <= k + v[2] + v[3]; j++)
                multiply_add(work, 1);
        }
}

static void count_gbtrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++) {
        for (int64_t j = 0; j < v[0]; j++)
            multiply_add(work, (double)(v[0] - 1 - j < v[2] ? v[0] - 1 - j : v[2]));
        triangle(work, v[0], v[2] + v[3]);
    }
}

static void count_gttrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++) {
        triangle(work, v[0], 2);
        if (v[0] > 0)
            multiply_add(work, (double)v[0] - 1);
    }
}

static void count_potrf(const int64_t *v, struct work *work)
{
    for (int64_t j = 0; j < v[0]; j++)
        for (int64_t i = j; i < v[0]; i++) {
            multiply_add(work, (double)j);
            multiply(work, 1); /* a root or a division */
        }
}

static void count_potrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < 2 * v[1]; i++)
        triangle(work, v[0], v[0]);
}

static void count_posv(const int64_t *v, struct work *work)
{
    count_potrf(v, work);
    count_potrs(v, work);
}

static void count_trtri(const int64_t *v, struct work *work)
{
    for (int64_t j = 0; j < v[0]; j++) {
        multiply(work, 1);
        for (int64_t i = 1; i <= j; i++)
            dot(work, i);
        multiply(work, (double)j);
    }
}

static void count_lauum(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[0]; i++)
        for (int64_t j = 0; j <= i; j++)
            dot(work, v[0] - i);
}

static void count_potri(const int64_t *v, struct work *work)
{
    count_trtri(v, work);
    count_lauum(v, work);
}

static void count_trtrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++)
        triangle(work, v[0], v[0]);
}

static void count_tbtrs(const int64_t *v, struct work *work)
{
    for (int64_t i = 0; i < v[1]; i++)
        triangle(work, v[0], v[2]);
}

static void count_pbtrf(const int64_t *v, struct work *work)
{
    for (int64_t j = 0; j < v[0]; j++) {
        int64_t below = v[0] - 1 - j < v[1] ? v[0] - 1 - j : v[1];

        multiply(work, 1 + (double)below);
        for (int64_t i = 1; i <= below; i++)
            multiply_add(work, (double)i);
    }
}

static void count_pbtrs(const int64_t *v, struct work *work)
{
    count_tbtrs(v, work);
    count_tbtrs(v, work);
}

static void count_pbsv(const int64_t *v, struct work *work)
{
    const int64_t matrix[] = {v[0], v[2]};

    count_pbtrf(matrix, work);
    count_pbtrs(v, work);
}

/* ---- orthogonal factorizations ----------------------------------------------- */

static void count_geqrf(const int64_t *v, struct work *work)
{
    for (int64_t k = 0; k < v[0] && k < v[1]; k++) {
        larfg(work, v[0] - k);
        larf(work, v[0] - k, v[1] - k - 1, v[1] - k - 1);
    }
}

static void count_gelqf(const int64_t *v, struct work *work)
{
    for (int64_t k = 0; k < v[0] && k < v[1]; k++) {
        larfg(work, v[1] - k);
        larf(work, v[1] - k, v[0] - k - 1, v[1] - k);
    }
}

static void count_orgqr(const int64_t *v, struct work *work)
{
    for (int64_t k = v[2] - 1; k >= 0; k--) {
        larf(work, v[0] - k, v[1] - k - 1, v[1] - k - 1);
        multiply(work, (double)(v[0] - k - 1));
        work->additions++;
    }
}

static void count_orglq(const int64_t *v, struct work *work)
{
    for (int64_t k = v[2] - 1; k >= 0; k--) {
        larf(work, v[1] - k, v[0] - k - 1, v[1] - k);
        multiply(work, (double)(v[1] - k - 1));
        work->additions++;
    }
}

static bool is_tall(const int64_t *v)
{
    return v[0] >= v[1] && v[1] >= v[2];
}

static bool is_wide(const int64_t *v)
{
    return v[1] >= v[0] && v[0] >= v[2];
}

static void count_ormqr(const int64_t *v, struct work *work)
{
    if (v[1] == 0 || v[2] == 0)
        return;
    for (int64_t k = 0; k < v[3]; k++)
        if (v[0] == 'L')
            larf(work, v[1] - k, v[2], v[2]);
        else
            larf(work, v[2] - k, v[1], v[2] - k);
}

static bool has_reflectors(const int64_t *v)
{
    return v[3] <= (v[0] == 'L' ? v[1] : v[2]);
}

/* LAWN 41 leaves out the last reflector, which has one entry, and counts the additions of larfg
 * twice. */
static void count_gehrd(const int64_t *v, struct work *work)
{
    for (int64_t i = v[1]; i < v[2] - 1; i++) {
        int64_t entries = v[2] - i;

        larfg(work, entries);
        work->additions += (double)entries + 1;
        larf(work, entries, v[2], v[2]);
        larf(work, entries, v[0] - i, v[0] - i);
    }
}

static bool is_range(const int64_t *v)
{
    return v[1] >= 1 && v[1] <= v[2] && v[2] <= v[0];
}

static bool is_square(const int64_t *v)
{
    return v[0] == v[1];
}

static const struct routine routines[] = {
    {"?gemm", {"m", "n", "k"}, count_gemm, NULL},
    {"?symm", {"side", "m", "n"}, count_symm, NULL},
    {"?hemm", {"side", "m", "n"}, count_symm, NULL},
    {"?syrk", {"n", "k"}, count_syrk, NULL},
    {"?herk", {"n", "k"}, count_syrk, NULL},
    {"?gemmt", {"n", "k"}, count_syrk, NULL},
    {"?gemmtr", {"n", "k"}, count_syrk, NULL},
    {"?syr2k", {"n", "k"}, count_syr2k, NULL},
    {"?her2k", {"n", "k"}, count_syr2k, NULL},
    {"?trmm", {"side", "m", "n"}, count_trmm, NULL},
    {"?trsm", {"side", "m", "n"}, count_trmm, NULL},
    {"?gemv", {"m", "n"}, count_gemv, NULL},
    {"?gbmv", {"m", "n", "kl", "ku"}, count_gbmv, NULL},
    {"?symv", {"n"}, count_symv, NULL},
    {"?hemv", {"n"}, count_symv, NULL},
    {"?spmv", {"n"}, count_symv, NULL},
    {"?hpmv", {"n"}, count_symv, NULL},
    {"?sbmv", {"n", "k"}, count_sbmv, NULL},
    {"?hbmv", {"n", "k"}, count_sbmv, NULL},
    {"?trmv", {"n"}, count_trmv, NULL},
    {"?trsv", {"n"}, count_trmv, NULL},
    {"?tpmv", {"n"}, count_trmv, NULL},
    {"?tpsv", {"n"}, count_trmv, NULL},
    {"?tbmv", {"n", "k"}, count_tbmv, NULL},
    {"?tbsv", {"n", "k"}, count_tbmv, NULL},
    {"?ger", {"m", "n"}, count_ger, NULL},
    {"?geru", {"m", "n"}, count_ger, NULL},
    {"?gerc", {"m", "n"}, count_ger, NULL},
    {"?syr", {"n"}, count_syr, NULL},
    {"?her", {"n"}, count_syr, NULL},
    {"?spr", {"n"}, count_syr, NULL},
    {"?hpr", {"n"}, count_syr, NULL},
    {"?syr2", {"n"}, count_syr2, NULL},
    {"?her2", {"n"}, count_syr2, NULL},
    {"?spr2", {"n"}, count_syr2, NULL},
    {"?hpr2", {"n"}, count_syr2, NULL},
    {"?dot", {"n"}, count_dot, NULL},
    {"?dotu", {"n"}, count_dot, NULL},
    {"?dotc_sub", {"n"}, count_dot, NULL},
    {"?axpy", {"n"}, count_axpy, NULL},
    {"?axpby", {"n"}, count_axpby, NULL},
    {"?scal", {"n"}, count_scal, NULL},
    {"?copy", {"n"}, count_nothing, NULL},
    {"?swap", {"n"}, count_nothing, NULL},
    {"?omatcopy", {"m", "n"}, count_nothing, NULL},
    {"?getrf", {"m", "n"}, count_getrf, NULL},
    {"?getrf2", {"m", "n"}, count_getrf, NULL},
    {"?getrs", {"n", "nrhs"}, count_getrs, NULL},
    {"?gesv", {"n", "nrhs"}, count_gesv, NULL},
    {"?gbtrf", {"m", "n", "kl", "ku"}, count_gbtrf, is_square},
    {"?gbtrs", {"n", "nrhs", "kl", "ku"}, count_gbtrs, NULL},
    {"?gttrs", {"n", "nrhs"}, count_gttrs, NULL},
    {"?potrf", {"n"}, count_potrf, NULL},
    {"?potrf2", {"n"}, count_potrf, NULL},
    {"?pptrf", {"n"}, count_potrf, NULL},
    {"?potrs", {"n", "nrhs"}, count_potrs, NULL},
    {"?posv", {"n", "nrhs"}, count_posv, NULL},
    {"?potri", {"n"}, count_potri, NULL},
    {"?trtri", {"n"}, count_trtri, NULL},
    {"?lauum", {"n"}, count_lauum, NULL},
    {"?trtrs", {"n", "nrhs"}, count_trtrs, NULL},
    {"?tbtrs", {"n", "nrhs", "kd"}, count_tbtrs, NULL},
    {"?pbtrf", {"n", "kd"}, count_pbtrf, NULL},
    {"?pbtrs", {"n", "nrhs", "kd"}, count_pbtrs, NULL},
    {"?pbsv", {"n", "nrhs", "kd"}, count_pbsv, NULL},
    {"?geqrf", {"m", "n"}, count_geqrf, NULL},
    {"?geqlf", {"m", "n"}, count_geqrf, NULL},
    {"?gelqf", {"m", "n"}, count_gelqf, NULL},
    {"?gerqf", {"m", "n"}, count_gelqf, NULL},
    {"?orgqr", {"m", "n", "k"}, count_orgqr, is_tall},
    {"?ungqr", {"m", "n", "k"}, count_orgqr, is_tall},
    {"?orglq", {"m", "n", "k"}, count_orglq, is_wide},
    {"?unglq", {"m", "n", "k"}, count_orglq, is_wide},
    {"?ormqr", {"side", "m", "n", "k"}, count_ormqr, has_reflectors},
    {"?unmlq", {"side", "m", "n", "k"}, count_ormqr, has_reflectors},
    {"?gehrd", {"n", "ilo", "ihi"}, count_gehrd, is_range},
};

/* ---- the catalog ------------------------------------------------------------- */

static void setup(void)
{
    static char text[TEXT_SIZE];
    static struct catalog_arena arena;
    const char *srcdir = getenv("srcdir");
    struct catalog_error error;
    char path[4096];
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "%s/shim/spec/kernels.spec", srcdir ? srcdir : ".");
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "cannot read %s", path);
    size = fread(text, 1, sizeof text, file);
    fclose(file);
    arena = (struct catalog_arena){malloc(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    ck_assert_ptr_nonnull(arena.base);
    memset(&catalog, 0, sizeof catalog);
    ck_assert_msg(catalog_read(&catalog, &arena, text, size, &error), "%u: %s", error.line,
                  error.text);
}

/* A call's shape: every term from the values of the arguments, flags set. */
static void make_shape(const struct catalog_kernel *kernel, const int64_t *values, int64_t *shape)
{
    for (unsigned i = 0; i < kernel->shape_count; i++) {
        const struct catalog_term *term = &kernel->shape[i];

        if (term->argument < 0)
            shape[i] = (int64_t)catalog_evaluate(&term->formula, values);
        else
            shape[i] = term->is_flag ? 1 : values[term->argument];
    }
}

static void set_argument(const struct catalog_kernel *kernel, int64_t *values, const char *name,
                         int64_t value)
{
    for (unsigned i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, name) == 0)
            values[i] = value;
}

static bool has_argument(const struct catalog_kernel *kernel, const char *name)
{
    for (unsigned i = 0; i < kernel->argument_count; i++)
        if (strcmp(kernel->arguments[i].name, name) == 0)
            return true;
    return false;
}

static long double flops_of(const struct catalog_kernel *kernel, const int64_t *values)
{
    int64_t shape[CATALOG_SHAPE_MAX] = {0};

    make_shape(kernel, values, shape);
    return catalog_evaluate(&kernel->flops, shape);
}

static bool is_complex(const struct catalog_kernel *kernel)
{
    return kernel->name[0] == 'c' || kernel->name[0] == 'z';
}

static bool is_called(const struct catalog_kernel *kernel, const struct routine *routine)
{
    return strchr("sdcz", kernel->name[0]) && strcmp(kernel->name + 1, routine->name + 1) == 0;
}

/* The sides of rocBLAS are those of CBLAS. */
static int64_t value_of(const struct catalog_kernel *kernel, const char *name, int64_t value)
{
    enum { ROCBLAS_LEFT = 141, ROCBLAS_RIGHT = 142 };

    if (strcmp(name, "side") != 0 || strncmp(kernel->symbols[0].name, "rocblas_", 8) != 0)
        return value;
    return value == 'R' ? ROCBLAS_RIGHT : ROCBLAS_LEFT;
}

static void compare(const struct catalog_kernel *kernel, const struct routine *routine,
                    const int64_t *v)
{
    int64_t values[CATALOG_ARGUMENTS_MAX] = {0};
    struct work work = {0, 0};
    double expected;
    long double found;

    set_argument(kernel, values, "trans", 'N');
    for (unsigned i = 0; i < VALUES_MAX && routine->names[i]; i++)
        set_argument(kernel, values, routine->names[i], value_of(kernel, routine->names[i], v[i]));
    routine->count(v, &work);
    expected = is_complex(kernel) ? 6 * work.multiplications + 2 * work.additions
                                  : work.multiplications + work.additions;
    found = flops_of(kernel, values);
    ck_assert_msg(found == expected, "%s (%s) of %lld %lld %lld %lld: %Lg, by loops %g",
                  kernel->name, kernel->symbols[0].name, (long long)v[0], (long long)v[1],
                  (long long)v[2], (long long)v[3], found, expected);
}

/* The next values of the arguments, as an odometer.  Returns: false after the last. */
static bool next_values(const struct routine *routine, int64_t *v)
{
    for (unsigned i = 0; i < VALUES_MAX && routine->names[i]; i++) {
        if (strcmp(routine->names[i], "side") == 0) {
            v[i] = v[i] == 'L' ? 'R' : 'L';
            if (v[i] == 'R')
                return true;
        } else if (++v[i] <= LARGEST) {
            return true;
        } else {
            v[i] = 0;
        }
    }
    return false;
}

static void compare_all(const struct catalog_kernel *kernel, const struct routine *routine)
{
    arguments v = {0};

    for (unsigned i = 0; i < VALUES_MAX && routine->names[i]; i++)
        if (strcmp(routine->names[i], "side") == 0)
            v[i] = 'L';
    do
        if (!routine->is_valid || routine->is_valid(v))
            compare(kernel, routine, v);
    while (next_values(routine, v));
}

START_TEST(a_formula_gives_what_loops_count)
{
    const struct routine *routine = &routines[_i];
    unsigned found = 0;

    for (unsigned i = 0; i < catalog.kernel_count; i++) {
        if (!is_called(&catalog.kernels[i], routine))
            continue;
        compare_all(&catalog.kernels[i], routine);
        found++;
    }
    ck_assert_msg(found >= 2, "%s is there %u times", routine->name, found);
}
END_TEST

/* ---- what holds for all ---------------------------------------------------- */

/* Does the work follow from arguments, and not from an object made before? */
static bool is_of_arguments(const struct catalog_kernel *kernel)
{
    return kernel->has_proto && kernel->accuracy != CATALOG_UNKNOWN && kernel->shape_count > 0;
}

/* Any of these may be -1: it asks for the size of the workspace of numbers, of reals or of
 * integers. */
START_TEST(asking_for_a_workspace_is_no_work)
{
    static const char *const sizes[] = {"lwork", "lrwork", "liwork"};
    const char *size = sizes[_i];
    unsigned found = 0;

    for (unsigned i = 0; i < catalog.kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog.kernels[i];
        int64_t values[CATALOG_ARGUMENTS_MAX];
        bool is_known = kernel->accuracy != CATALOG_UNKNOWN;

        if (!has_argument(kernel, size))
            continue;
        for (unsigned j = 0; j < kernel->argument_count; j++)
            values[j] = 9;
        ck_assert_msg(isnan(flops_of(kernel, values)) == !is_known, "%s", kernel->name);
        set_argument(kernel, values, size, -1);
        ck_assert_msg(flops_of(kernel, values) == 0, "%s: %s", kernel->name, size);
        found++;
    }
    ck_assert_uint_ge(found, 20);
}
END_TEST

START_TEST(nothing_is_done_where_there_is_nothing)
{
    for (unsigned i = 0; i < catalog.kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog.kernels[i];
        int64_t values[CATALOG_ARGUMENTS_MAX] = {0};

        if (is_of_arguments(kernel) && !strstr(kernel->name, "batch"))
            ck_assert_msg(flops_of(kernel, values) == 0, "%s: %Lg", kernel->name,
                          flops_of(kernel, values));
    }
}
END_TEST

START_TEST(an_alpha_of_0_skips_the_product)
{
    unsigned found = 0;

    for (unsigned i = 0; i < catalog.kernel_count; i++) {
        const struct catalog_kernel *kernel = &catalog.kernels[i];
        int64_t shape[CATALOG_SHAPE_MAX];

        if (kernel->class != CATALOG_MATMUL || kernel->shape_count == 0)
            continue;
        for (unsigned j = 0; j < kernel->shape_count; j++) {
            shape[j] = strcmp(kernel->shape[j].name, "alpha") != 0;
            found += shape[j] == 0;
        }
        for (unsigned j = 0; j < kernel->shape_count; j++)
            if (shape[j] == 0)
                ck_assert_msg(catalog_evaluate(&kernel->flops, shape) == 0, "%s", kernel->name);
    }
    ck_assert_uint_ge(found, 100);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("kernels");
    TCase *tests = tcase_create("kernels");

    tcase_add_unchecked_fixture(tests, setup, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_formula_gives_what_loops_count, 0,
                        sizeof routines / sizeof *routines);
    tcase_add_loop_test(tests, asking_for_a_workspace_is_no_work, 0, 3);
    tcase_add_test(tests, nothing_is_done_where_there_is_nothing);
    tcase_add_test(tests, an_alpha_of_0_skips_the_product);
    suite_add_tcase(suite, tests);
    return suite;
}

int check_kernels(void)
{
    return suite_run(make_suite());
}
