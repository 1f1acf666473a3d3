/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A short table of shapes, searched from its start: there are few, and the
 * ones called most come early.  It never asks for memory, so that counting
 * adds nothing to what a memory profile shows.
 */
#include "truth.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

struct routine {
    const char *name;
    const char *extents;      /* the letters of those it has */
    uint64_t flops_a_product; /* of its extents */
};

static const struct routine routines[TRUTH_ROUTINES] = {
    [TRUTH_DGEMM] = {"cblas_dgemm", "mnk", 2},        [TRUTH_SAXPY] = {"cblas_saxpy", "n", 2},
    [TRUTH_SGEMM] = {"cblas_sgemm", "mnk", 2},        [TRUTH_SGEMV] = {"cblas_sgemv", "mn", 2},
    [TRUTH_SOMATCOPY] = {"cblas_somatcopy", "mn", 0},
};

static bool shape_is_same(struct truth_shape a, struct truth_shape b)
{
    return a.routine == b.routine && a.m == b.m && a.n == b.n && a.k == b.k;
}

static uint64_t row_flops(const struct truth_row *row)
{
    return routines[row->shape.routine].flops_a_product * row->shape.m * row->shape.n *
           row->shape.k * row->calls;
}

static void count_calls(struct truth *truth, struct truth_shape shape, uint64_t calls)
{
    size_t index = 0;

    while (index < truth->count && !shape_is_same(truth->rows[index].shape, shape))
        index++;
    if (index == TRUTH_SHAPES_MAX) {
        fprintf(stderr, "sample: more than %d shapes to count\n", TRUTH_SHAPES_MAX);
        exit(EXIT_FAILURE);
    }
    if (index == truth->count)
        truth->rows[truth->count++] = (struct truth_row){shape, 0};
    truth->rows[index].calls += calls;
}

void truth_count(struct truth *truth, struct truth_shape shape)
{
    count_calls(truth, shape, 1);
}

void truth_add(struct truth *truth, const struct truth *other)
{
    for (size_t i = 0; i < other->count; i++)
        count_calls(truth, other->rows[i].shape, other->rows[i].calls);
}

uint64_t truth_calls(const struct truth *truth, enum truth_routine routine)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < truth->count; i++)
        if (truth->rows[i].shape.routine == routine)
            calls += truth->rows[i].calls;
    return calls;
}

uint64_t truth_flops(const struct truth *truth, enum truth_routine routine)
{
    uint64_t flops = 0;

    for (size_t i = 0; i < truth->count; i++)
        if (truth->rows[i].shape.routine == routine)
            flops += row_flops(&truth->rows[i]);
    return flops;
}

static int order_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int order_rows(const void *left, const void *right)
{
    const struct truth_shape *a = &((const struct truth_row *)left)->shape;
    const struct truth_shape *b = &((const struct truth_row *)right)->shape;
    int order = order_numbers(a->routine, b->routine);

    if (order == 0)
        order = order_numbers(a->m, b->m);
    if (order == 0)
        order = order_numbers(a->n, b->n);
    return order != 0 ? order : order_numbers(a->k, b->k);
}

static uint64_t shape_extent(const struct truth_shape *shape, char letter)
{
    if (letter == 'm')
        return shape->m;
    return letter == 'n' ? shape->n : shape->k;
}

static void print_row(const struct truth_row *row, FILE *file)
{
    const struct routine *routine = &routines[row->shape.routine];

    fprintf(file, "truth: shape %s", routine->name);
    for (const char *letter = routine->extents; *letter; letter++)
        fprintf(file, " %c=%" PRIu64, *letter, shape_extent(&row->shape, *letter));
    fprintf(file, " calls=%" PRIu64 " flops=%" PRIu64 "\n", row->calls, row_flops(row));
}

static uint64_t all_calls(const struct truth *truth)
{
    uint64_t calls = 0;

    for (unsigned routine = 0; routine < TRUTH_ROUTINES; routine++)
        calls += truth_calls(truth, (enum truth_routine)routine);
    return calls;
}

static void print_totals(const struct truth *truth, FILE *file)
{
    fprintf(file, "truth: gemm_calls %" PRIu64 "\n",
            truth_calls(truth, TRUTH_SGEMM) + truth_calls(truth, TRUTH_DGEMM));
    fprintf(file, "truth: gemm_flops %" PRIu64 "\n",
            truth_flops(truth, TRUTH_SGEMM) + truth_flops(truth, TRUTH_DGEMM));
    fprintf(file, "truth: gemv_calls %" PRIu64 "\n", truth_calls(truth, TRUTH_SGEMV));
    fprintf(file, "truth: gemv_flops %" PRIu64 "\n", truth_flops(truth, TRUTH_SGEMV));
    fprintf(file, "truth: axpy_calls %" PRIu64 "\n", truth_calls(truth, TRUTH_SAXPY));
    fprintf(file, "truth: copy_calls %" PRIu64 "\n", truth_calls(truth, TRUTH_SOMATCOPY));
    fprintf(file, "truth: blas_calls %" PRIu64 "\n", all_calls(truth));
}

void truth_print(struct truth *truth, FILE *file)
{
    print_totals(truth, file);
    qsort(truth->rows, truth->count, sizeof truth->rows[0], order_rows);
    for (size_t i = 0; i < truth->count; i++)
        print_row(&truth->rows[i], file);
}

uint64_t truth_hash(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}
