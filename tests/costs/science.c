/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plants of well-known costs of GSL and HDF5.
 */
#include <gsl/gsl_integration.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_spline.h>
#include <hdf5.h>

#include "plants.h"

/* ---- GSL -------------------------------------------------------------------------------- */

static long element_planted(long rounds)
{
    gsl_matrix *matrix = gsl_matrix_calloc(100, 100);
    double sum = 0;

    gsl_matrix_set_all(matrix, 2);
    for (long i = 0; i < rounds; i++)
        for (size_t row = 0; row < 100; row++)
            for (size_t column = 0; column < 100; column++)
                sum += gsl_matrix_get(matrix, row, column);
    gsl_matrix_free(matrix);
    return (long)sum;
}

static long element_repaired(long rounds)
{
    gsl_matrix *matrix = gsl_matrix_calloc(100, 100);
    double sum = 0;

    gsl_matrix_set_all(matrix, 2);
    for (long i = 0; i < rounds; i++)
        for (size_t row = 0; row < 100; row++)
            for (size_t column = 0; column < 100; column++)
                sum += matrix->data[row * matrix->tda + column];
    gsl_matrix_free(matrix);
    return (long)sum;
}

static const double places[] = {0, 1, 2, 3, 4, 5, 6, 7}, values[] = {0, 1, 4, 9, 16, 25, 36, 49};

static long spline_planted(long rounds)
{
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        gsl_spline *spline = gsl_spline_alloc(gsl_interp_cspline, 8);

        gsl_spline_init(spline, places, values, 8);
        sum += gsl_spline_eval(spline, (double)(i % 7), NULL);
        gsl_spline_free(spline);
    }
    return (long)sum;
}

static long spline_repaired(long rounds)
{
    gsl_spline *spline = gsl_spline_alloc(gsl_interp_cspline, 8);
    double sum = 0;

    gsl_spline_init(spline, places, values, 8);
    for (long i = 0; i < rounds; i++)
        sum += gsl_spline_eval(spline, (double)(i % 7), NULL);
    gsl_spline_free(spline);
    return (long)sum;
}

static double square(double x, void *unused)
{
    (void)unused;
    return x * x;
}

static double integrate(gsl_integration_workspace *space)
{
    const gsl_function function = {.function = square};
    double result, error;

    gsl_integration_qag(&function, 0, 3, 0, 1e-6, 1, 1, space, &result, &error);
    return result;
}

static long workspace_planted(long rounds)
{
    double sum = 0;

    for (long i = 0; i < rounds; i++) {
        gsl_integration_workspace *space = gsl_integration_workspace_alloc(20000);

        sum += integrate(space);
        gsl_integration_workspace_free(space);
    }
    return (long)sum;
}

static long workspace_repaired(long rounds)
{
    gsl_integration_workspace *space = gsl_integration_workspace_alloc(20000);
    double sum = 0;

    for (long i = 0; i < rounds; i++)
        sum += integrate(space);
    gsl_integration_workspace_free(space);
    return (long)sum;
}

/* ---- HDF5 ------------------------------------------------------------------------------- */

enum { NUMBERS = 20000 };

/* Returns: a file in memory alone with a packed data set of one chunk that the cache cannot hold
 * (`chunk` numbers); its attribute is "scale". */
static hid_t make_file(hsize_t chunk, hid_t *set)
{
    static double numbers[NUMBERS];
    const hsize_t size = NUMBERS;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), create = H5Pcreate(H5P_DATASET_CREATE);
    hid_t cache = H5Pcreate(H5P_DATASET_ACCESS), space = H5Screate_simple(1, &size, NULL), file;

    for (int i = 0; i < NUMBERS; i++)
        numbers[i] = i;
    H5Pset_fapl_core(access, 1 << 20, 0);
    H5Pset_chunk(create, 1, &chunk);
    H5Pset_deflate(create, 1);
    H5Pset_chunk_cache(cache, 101, 64 * 1024, 1);
    file = H5Fcreate("plants.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    *set = H5Dcreate2(file, "numbers", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, create, cache);
    H5Dwrite(*set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    H5Pclose(access);
    H5Pclose(create);
    H5Pclose(cache);
    H5Sclose(space);
    return file;
}

/* Returns: the sum of `count` numbers, read one by one. */
static double read_each(hid_t set, long count)
{
    const hsize_t one = 1;
    hid_t from = H5Dget_space(set), to = H5Screate_simple(1, &one, NULL);
    double sum = 0, number;

    for (long i = 0; i < count; i++) {
        const hsize_t at = (hsize_t)i % NUMBERS;

        H5Sselect_hyperslab(from, H5S_SELECT_SET, &at, NULL, &one, NULL);
        H5Dread(set, H5T_NATIVE_DOUBLE, to, from, H5P_DEFAULT, &number);
        sum += number;
    }
    H5Sclose(from);
    H5Sclose(to);
    return sum;
}

static double read_all(hid_t set, long count)
{
    static double numbers[NUMBERS];
    double sum = 0;

    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
    for (long i = 0; i < count; i++)
        sum += numbers[i % NUMBERS];
    return sum;
}

static long sum_numbers(long count, hsize_t chunk, double (*read)(hid_t set, long count))
{
    hid_t set, file = make_file(chunk, &set);
    double sum = read(set, count);

    H5Dclose(set);
    H5Fclose(file);
    return (long)sum;
}

static long chunks_planted(long rounds)
{
    return sum_numbers(rounds, NUMBERS, read_each);
}

static long chunks_repaired(long rounds)
{
    return sum_numbers(rounds, NUMBERS, read_all);
}

static long elements_planted(long rounds)
{
    return sum_numbers(rounds, 1000, read_each);
}

static long elements_repaired(long rounds)
{
    return sum_numbers(rounds, 1000, read_all);
}

static double open_each(hid_t set, long count)
{
    const hsize_t one = 1;
    hid_t space = H5Screate_simple(1, &one, NULL);
    double sum = 0, number = 2;
    hid_t scale = H5Acreate2(set, "scale", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);

    H5Awrite(scale, H5T_NATIVE_DOUBLE, &number);
    H5Aclose(scale);
    for (long i = 0; i < count; i++) {
        scale = H5Aopen(set, "scale", H5P_DEFAULT);
        H5Aread(scale, H5T_NATIVE_DOUBLE, &number);
        sum += number;
        H5Aclose(scale);
    }
    H5Sclose(space);
    return sum;
}

static double keep_scale(hid_t set, long count)
{
    return open_each(set, 1) * (double)count;
}

static long attribute_planted(long rounds)
{
    return sum_numbers(rounds, NUMBERS, open_each);
}

static long attribute_repaired(long rounds)
{
    return sum_numbers(rounds, NUMBERS, keep_scale);
}

static const struct plant plants[] = {PLANT(element), PLANT(spline),   PLANT(workspace),
                                      PLANT(chunks),  PLANT(elements), PLANT(attribute)};

int main(int argc, char **argv)
{
    return RUN_PLANTS(plants, argc, argv);
}
