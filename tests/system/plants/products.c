/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products of matrices and vectors, in row-major order.
 */
#include <cblas.h>
#include <pthread.h>

#include "plants.h"

static void multiply_floats(size_t m, size_t n, size_t k, const float *a, const float *b, float *c)
{
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1, a, (int)k, b,
                (int)n, 0, c, (int)n);
}

static void multiply_doubles(size_t m, size_t n, size_t k, const double *a, const double *b,
                             double *c)
{
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)n, (int)k, 1, a, (int)k, b,
                (int)n, 0, c, (int)n);
}

/* x is a row, and the matrix has k rows: y = x B. */
static void multiply_row(size_t n, size_t k, const float *x, const float *b, float *y)
{
    cblas_sgemv(CblasRowMajor, CblasTrans, (int)k, (int)n, 1, b, (int)n, x, 1, 0, y, 1);
}

/* Every second product is in double. */
static double run_mixed(bool is_planted, int rounds)
{
    enum { SIDE = 320 };
    float *a = plants_floats(SIDE * SIDE), *b = plants_floats(SIDE * SIDE),
          *c = plants_floats(SIDE * SIDE);
    double *da = plants_doubles(SIDE * SIDE), *db = plants_doubles(SIDE * SIDE),
           *dc = plants_doubles(SIDE * SIDE);

    for (int i = 0; i < rounds; i++) {
        multiply_floats(SIDE, SIDE, SIDE, a, b, c);
        if (is_planted)
            multiply_doubles(SIDE, SIDE, SIDE, da, db, dc);
        else
            multiply_floats(SIDE, SIDE, SIDE, b, a, c);
    }
    return is_planted ? plants_sum_doubles(dc, SIDE * SIDE) : plants_sum_floats(c, SIDE * SIDE);
}

/* All values are double. */
static double run_double(bool is_planted, int rounds)
{
    enum { SIDE = 320 };
    float *a = plants_floats(SIDE * SIDE), *c = plants_floats(SIDE * SIDE);
    double *da = plants_doubles(SIDE * SIDE), *dc = plants_doubles(SIDE * SIDE);

    for (int i = 0; i < rounds; i++)
        if (is_planted)
            multiply_doubles(SIDE, SIDE, SIDE, da, da, dc);
        else
            multiply_floats(SIDE, SIDE, SIDE, a, a, c);
    return is_planted ? plants_sum_doubles(dc, SIDE * SIDE) : plants_sum_floats(c, SIDE * SIDE);
}

/* The items of a batch are multiplied one by one. */
static double run_items(bool is_planted, int rounds)
{
    enum { ITEMS = 48, INPUTS = 700, OUTPUTS = 900 };
    float *x = plants_floats(ITEMS * INPUTS), *b = plants_floats(INPUTS * OUTPUTS),
          *y = plants_floats(ITEMS * OUTPUTS);

    for (int i = 0; i < rounds; i++) {
        if (!is_planted)
            multiply_floats(ITEMS, OUTPUTS, INPUTS, x, b, y);
        for (size_t item = 0; is_planted && item < ITEMS; item++)
            multiply_row(OUTPUTS, INPUTS, x + item * INPUTS, b, y + item * OUTPUTS);
    }
    return plants_sum_floats(y, ITEMS * OUTPUTS);
}

/* (A B) v for A (B v), and a product that is no fault. */
static double run_order(bool is_planted, int rounds)
{
    enum { M = 300, N = 500, K = 260 };
    double *a = plants_doubles(M * K), *b = plants_doubles(K * N), *ab = plants_doubles(M * N),
           *v = plants_doubles(N), *bv = plants_doubles(K), *y = plants_doubles(M);

    for (int i = 0; i < rounds; i++) {
        if (is_planted) {
            multiply_doubles(M, N, K, a, b, ab);
            cblas_dgemv(CblasRowMajor, CblasNoTrans, M, N, 1, ab, N, v, 1, 0, y, 1);
        } else {
            cblas_dgemv(CblasRowMajor, CblasNoTrans, K, N, 1, b, N, v, 1, 0, bv, 1);
            cblas_dgemv(CblasRowMajor, CblasNoTrans, M, K, 1, a, K, bv, 1, 0, y, 1);
        }
        multiply_doubles(K, K, M / 4, a, a, ab);
    }
    return plants_sum_doubles(y, M);
}

/* A vector by eight numbers at a time, or all at once. */
static double run_small(bool is_planted, int rounds)
{
    enum { COUNT = 1 << 15, BLOCK = 8 };
    float *x = plants_floats(COUNT), *y = plants_floats(COUNT);

    for (int i = 0; i < rounds; i++)
        for (int from = 0; from < COUNT; from += is_planted ? BLOCK : COUNT)
            cblas_saxpy(is_planted ? BLOCK : COUNT, 1e-6f, x + from, 1, y + from, 1);
    return plants_sum_floats(y, COUNT);
}

/* Blocks of 16 rows by the same matrix, one by one or all at once. */
static double run_blocks(bool is_planted, int rounds)
{
    enum { BLOCKS = 512, ROWS = 16, SIDE = 40 };
    float *a = plants_floats(BLOCKS * ROWS * SIDE), *b = plants_floats(SIDE * SIDE),
          *c = plants_floats(BLOCKS * ROWS * SIDE);

    for (int i = 0; i < rounds; i++) {
        if (!is_planted)
            multiply_floats(BLOCKS * ROWS, SIDE, SIDE, a, b, c);
        for (size_t block = 0; is_planted && block < BLOCKS; block++)
            multiply_floats(ROWS, SIDE, SIDE, a + block * ROWS * SIDE, b, c + block * ROWS * SIDE);
    }
    return plants_sum_floats(c, BLOCKS * ROWS * SIDE);
}

/* A narrow side: four rows at a time of 128. */
static double run_narrow(bool is_planted, int rounds)
{
    enum { ROWS = 128, NARROW = 4, SIDE = 600 };
    float *a = plants_floats(ROWS * SIDE), *b = plants_floats(SIDE * SIDE),
          *c = plants_floats(ROWS * SIDE);

    for (int i = 0; i < rounds; i++) {
        if (!is_planted)
            multiply_floats(ROWS, SIDE, SIDE, a, b, c);
        for (size_t row = 0; is_planted && row < ROWS; row += NARROW)
            multiply_floats(NARROW, SIDE, SIDE, a + row * SIDE, b, c + row * SIDE);
    }
    return plants_sum_floats(c, ROWS * SIDE);
}

/* A text whose tokens all go through two layers again for each new token. */
static double run_prefix(bool is_planted, int rounds)
{
    enum { TOKENS = 96, WIDTH = 256, HIDDEN = 512 };
    float *x = plants_floats(TOKENS * WIDTH), *first = plants_floats(WIDTH * HIDDEN),
          *hidden = plants_floats(TOKENS * HIDDEN), *second = plants_floats(HIDDEN * WIDTH),
          *y = plants_floats(TOKENS * WIDTH);

    for (int i = 0; i < rounds; i++)
        for (size_t token = 0; token < TOKENS; token++) {
            size_t rows = is_planted ? token + 1 : 1, from = token + 1 - rows;

            multiply_floats(rows, HIDDEN, WIDTH, x + from * WIDTH, first, hidden + from * HIDDEN);
            multiply_floats(rows, WIDTH, HIDDEN, hidden + from * HIDDEN, second, y + from * WIDTH);
        }
    return plants_sum_floats(y, TOKENS * WIDTH);
}

/* Passes over a matrix that no cache holds, of twice the bytes. */
static double run_bytes(bool is_planted, int rounds)
{
    enum { SIDE = 4096 };
    double *da = is_planted ? plants_doubles((size_t)SIDE * SIDE) : NULL, *dx, *dy;
    float *a = is_planted ? NULL : plants_floats((size_t)SIDE * SIDE), *x, *y;

    dx = plants_doubles(SIDE);
    dy = plants_doubles(SIDE);
    x = plants_floats(SIDE);
    y = plants_floats(SIDE);
    for (int i = 0; i < rounds; i++)
        if (is_planted)
            cblas_dgemv(CblasRowMajor, CblasNoTrans, SIDE, SIDE, 1, da, SIDE, dx, 1, 0, dy, 1);
        else
            cblas_sgemv(CblasRowMajor, CblasNoTrans, SIDE, SIDE, 1, a, SIDE, x, 1, 0, y, 1);
    return is_planted ? plants_sum_doubles(dy, SIDE) : plants_sum_floats(y, SIDE);
}

/* One large product after another: with as many threads as the library is set to. */
static double run_large(bool is_planted, int rounds)
{
    enum { SIDE = 768 };
    double *a = plants_doubles(SIDE * SIDE), *c = plants_doubles(SIDE * SIDE);

    (void)is_planted; /* the environment is what differs */
    for (int i = 0; i < rounds; i++)
        multiply_doubles(SIDE, SIDE, SIDE, a, a, c);
    return plants_sum_doubles(c, SIDE * SIDE);
}

/* The products of one of several threads. */
struct share {
    pthread_t thread;
    int products;
    double sum;
};

static void *multiply_share(void *argument)
{
    enum { SIDE = 256 };
    struct share *share = argument;
    double *a = plants_doubles(SIDE * SIDE), *c = plants_doubles(SIDE * SIDE);

    for (int i = 0; i < share->products; i++)
        multiply_doubles(SIDE, SIDE, SIDE, a, a, c);
    share->sum = plants_sum_doubles(c, SIDE * SIDE);
    return NULL;
}

/* Sixteen threads for sixteen parts of the work, or one thread for all. */
static double run_pool(bool is_planted, int rounds)
{
    enum { PARTS = 16 };
    struct share shares[PARTS];
    int count = is_planted ? PARTS : 1;

    for (int i = 0; i < count; i++) {
        shares[i].products = rounds * PARTS / count;
        if (pthread_create(&shares[i].thread, NULL, multiply_share, &shares[i]) != 0)
            plants_skip("a thread cannot start");
    }
    for (int i = 0; i < count; i++)
        pthread_join(shares[i].thread, NULL);
    return shares[0].sum;
}

const struct plant plants_of_products[] = {
    {"mixed", run_mixed},   {"double", run_double}, {"items", run_items},
    {"order", run_order},   {"small", run_small},   {"blocks", run_blocks},
    {"narrow", run_narrow}, {"prefix", run_prefix}, {"bytes", run_bytes}, {"large", run_large},
    {"pool", run_pool},
    {NULL, NULL},
};
