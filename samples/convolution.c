/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One product an image: the patches of an image stay in the cache between
 * their making and their use.  Backward makes them again instead of keeping
 * nine times the images.
 */
#include "convolution.h"

#include <stdbool.h>
#include <string.h>

/* One of the nine neighbours of a pixel. */
struct neighbour {
    bool is_inside;
    size_t row; /* of the image */
};

struct convolution convolution_place(struct layout *layout, size_t side, size_t channels,
                                     size_t outputs)
{
    return (struct convolution){
        .side = side,
        .channels = channels,
        .kernel = linear_place(layout, CONVOLUTION_TAPS * channels, outputs),
    };
}

static struct neighbour find_neighbour(size_t side, size_t pixel, size_t tap)
{
    /* One more than the place, as sizes have no -1. */
    size_t line = pixel / side + tap / 3;
    size_t column = pixel % side + tap % 3;

    if (line < 1 || line > side || column < 1 || column > side)
        return (struct neighbour){false, 0};
    return (struct neighbour){true, (line - 1) * side + column - 1};
}

static struct matrix view_patches(const struct convolution *convolution)
{
    return matrix_view(convolution->patches, convolution->side * convolution->side,
                       convolution->kernel.inputs);
}

static void gather_patch(const struct convolution *convolution, struct matrix image, size_t pixel,
                         float *patch)
{
    size_t channels = convolution->channels;

    for (size_t tap = 0; tap < CONVOLUTION_TAPS; tap++) {
        struct neighbour neighbour = find_neighbour(convolution->side, pixel, tap);

        if (neighbour.is_inside)
            memcpy(patch + tap * channels, matrix_row(image, neighbour.row),
                   channels * sizeof *patch);
        else
            memset(patch + tap * channels, 0, channels * sizeof *patch);
    }
}

static struct matrix gather_patches(const struct convolution *convolution, struct matrix image)
{
    struct matrix patches = view_patches(convolution);

    for (size_t pixel = 0; pixel < patches.rows; pixel++)
        gather_patch(convolution, image, pixel, matrix_row(patches, pixel));
    return patches;
}

static void scatter_patch(const struct convolution *convolution, struct matrix image, size_t pixel,
                          const float *patch)
{
    size_t channels = convolution->channels;

    for (size_t tap = 0; tap < CONVOLUTION_TAPS; tap++) {
        struct neighbour neighbour = find_neighbour(convolution->side, pixel, tap);
        float *target = matrix_row(image, neighbour.row);

        for (size_t i = 0; neighbour.is_inside && i < channels; i++)
            target[i] += patch[tap * channels + i];
    }
}

void convolution_forward(const struct nn *nn, const struct convolution *convolution,
                         struct matrix input, struct matrix output)
{
    size_t pixels = convolution->side * convolution->side;

    for (size_t first = 0; first < input.rows; first += pixels)
        linear_forward(nn, &convolution->kernel,
                       gather_patches(convolution, matrix_rows(input, first, pixels)),
                       matrix_rows(output, first, pixels));
    relu_forward(output);
}

void convolution_learn(const struct nn *nn, const struct convolution *convolution,
                       struct matrix input, struct matrix gradient)
{
    size_t pixels = convolution->side * convolution->side;

    for (size_t first = 0; first < input.rows; first += pixels)
        linear_learn(nn, &convolution->kernel,
                     gather_patches(convolution, matrix_rows(input, first, pixels)),
                     matrix_rows(gradient, first, pixels));
}

void convolution_send_back(const struct nn *nn, const struct convolution *convolution,
                           struct matrix gradient, struct matrix input_gradient)
{
    struct matrix patches = view_patches(convolution);

    for (size_t first = 0; first < gradient.rows; first += patches.rows) {
        struct matrix image = matrix_rows(input_gradient, first, patches.rows);

        linear_send_back(nn, &convolution->kernel, matrix_rows(gradient, first, patches.rows),
                         patches);
        for (size_t pixel = 0; pixel < patches.rows; pixel++)
            scatter_patch(convolution, image, pixel, matrix_row(patches, pixel));
    }
}

/* The first of the four input rows of an output row; the side is even, so
 * that images need not be told apart. */
static size_t pool_first_row(size_t side, size_t output_row)
{
    size_t half = side / 2;

    return output_row / half * 2 * side + output_row % half * 2;
}

/* The row of the largest of the four, the first if there are more. */
static size_t pool_find_largest(struct matrix input, size_t first_row, size_t side, size_t channel)
{
    const size_t candidates[] = {first_row + 1, first_row + side, first_row + side + 1};
    size_t largest = first_row;

    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++)
        if (matrix_row(input, candidates[i])[channel] > matrix_row(input, largest)[channel])
            largest = candidates[i];
    return largest;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* By value: which of the four it is depends on the data, and a branch that
 * nobody can predict takes longer than the pixel. */
void pool_forward(struct matrix input, struct matrix output, size_t side)
{
    for (size_t row = 0; row < output.rows; row++) {
        const float *top = matrix_row(input, pool_first_row(side, row));
        const float *bottom = top + side * input.stride;
        float *largest = matrix_row(output, row);

        for (size_t i = 0; i < output.columns; i++)
            largest[i] = larger(larger(top[i], top[input.stride + i]),
                                larger(bottom[i], bottom[input.stride + i]));
    }
}

void pool_backward(struct matrix input, struct matrix gradient, struct matrix input_gradient,
                   size_t side)
{
    for (size_t row = 0; row < gradient.rows; row++) {
        size_t first = pool_first_row(side, row);

        for (size_t i = 0; i < gradient.columns; i++)
            matrix_row(input_gradient, pool_find_largest(input, first, side, i))[i] +=
                matrix_row(gradient, row)[i];
    }
}
