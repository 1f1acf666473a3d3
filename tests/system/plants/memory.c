/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is obtained again and again, and touched for the first time.
 */
#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#include "plants.h"

static double use(float *memory, size_t rows, size_t columns)
{
    double sum;

    cblas_sscal((int)(rows * columns), 0, memory, 1);
    for (size_t i = 0; i < rows; i++)
        memory[i * columns] = 1;
    sum = (double)cblas_sdot((int)(rows * columns), memory, 1, memory, 1);
    return sum;
}

/* Blocks of 48 MiB for one use each: malloc learns to keep those of up to 32.  Products take half
 * of the time: were a fifth left, 1 % of it would be 5 % of the ceiling. */
static double run_blocks_anew(bool is_planted, int rounds)
{
    enum { ROWS = 6144, COLUMNS = 2048, SIDE = 400, PRODUCTS = 8 };
    const size_t size = sizeof(float) * ROWS * COLUMNS;
    float *kept = is_planted ? NULL : malloc(size), *a = plants_floats(SIDE * SIDE),
          *c = plants_floats(SIDE * SIDE);
    double sum = 0;

    for (int i = 0; i < rounds; i++) {
        float *memory = is_planted ? malloc(size) : kept;

        if (!memory)
            plants_skip("no memory");
        sum += use(memory, ROWS, COLUMNS);
        for (int j = 0; j < PRODUCTS; j++)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, a,
                        SIDE, 0, c, SIDE);
        if (is_planted)
            free(memory);
    }
    free(kept);
    return sum;
}

/* Memory that is used once: only malloc's pages differ, by the environment.  It is one block,
 * because each block has up to 2 MiB at its ends in small pages. */
static double run_touched(bool is_planted, int rounds)
{
    enum { ROWS = 1024, COLUMNS = 4096 };
    float *memory = malloc(sizeof *memory * ROWS * COLUMNS * (size_t)rounds);
    double sum = 0;

    (void)is_planted;
    if (!memory)
        plants_skip("no memory");
    for (int i = 0; i < rounds; i++)
        sum += use(memory + (size_t)i * ROWS * COLUMNS, ROWS, COLUMNS); /* and kept */
    return sum;
}

/* Weights are copied before each product, or once. */
static double run_copies(bool is_planted, int rounds)
{
    enum { SIDE = 1024, ITEMS = 4 };
    const size_t size = sizeof(float) * SIDE * SIDE;
    float *weights = plants_floats(SIDE * SIDE), *copy = malloc(size),
          *items = plants_floats(ITEMS * SIDE), *out = plants_floats(ITEMS * SIDE);
    double sum = 0;

    if (!copy)
        plants_skip("no memory");
    memcpy(copy, weights, size);
    for (int i = 0; i < rounds; i++) {
        if (is_planted)
            memcpy(copy, weights, size);
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, ITEMS, SIDE, SIDE, 1, items, SIDE,
                    copy, SIDE, 0, out, SIDE);
        sum += out[i % SIDE];
    }
    return sum;
}

/* Keys are searched from the first on, or their place is known. */
static double run_search(bool is_planted, int rounds)
{
    enum { KEYS = 20000, LOOKUPS = 3000, SIDE = 300 };
    static int keys[KEYS];
    float *a = plants_floats(SIDE * SIDE), *c = plants_floats(SIDE * SIDE);
    double sum = 0;

    for (int i = 0; i < KEYS; i++)
        keys[i] = 3 * i;
    for (int i = 0; i < rounds * LOOKUPS; i++) {
        int key = 3 * (int)((unsigned)i * 7919u % KEYS), at = 0;

        if (is_planted)
            while (keys[at] != key)
                at++;
        else
            at = key / 3;
        sum += at;
        if (i % LOOKUPS == 0)
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1, a, SIDE, a,
                        SIDE, 0, c, SIDE);
    }
    return sum;
}

const struct plant plants_of_memory[] = {
    {"anew", run_blocks_anew},
    {"touched", run_touched},
    {"copies", run_copies},
    {"search", run_search},
    {NULL, NULL}};
