/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A 3 by 3 convolution with ReLU over square images, as a product: each pixel
 * becomes a row of its neighbourhood (im2col), and a linear layer takes the
 * rows.  And the pooling that halves the sides.
 *
 * An image of side s with c channels is s * s rows of c floats, line by line;
 * the images of a part follow each other in one matrix.
 *
 * Safety: as nn.h.
 */
#ifndef SAMPLES_CONVOLUTION_H
#define SAMPLES_CONVOLUTION_H

#include <stddef.h>

#include "nn.h"

enum { CONVOLUTION_TAPS = 9 };

struct convolution {
    size_t side;
    size_t channels; /* of the input */
    struct linear kernel;
    float *patches; /* im2col of one image; shape: side * side by 9 * channels */
};

/* Place the kernel of a convolution; `patches` is left to the caller. */
struct convolution convolution_place(struct layout *layout, size_t side, size_t channels,
                                     size_t outputs);

/* Convolve each image. */
void convolution_forward(const struct nn *nn, const struct convolution *convolution,
                         struct matrix input, struct matrix output);

/* Add the gradients of the kernel.  `gradient` is by the output before ReLU. */
void convolution_learn(const struct nn *nn, const struct convolution *convolution,
                       struct matrix input, struct matrix gradient);

/* Add the gradient by the input to `input_gradient`, which holds zeros. */
void convolution_send_back(const struct nn *nn, const struct convolution *convolution,
                           struct matrix gradient, struct matrix input_gradient);

/* Keep the largest of each 2 by 2 pixels of images of an even side. */
void pool_forward(struct matrix input, struct matrix output, size_t side);

/* Add each gradient where the largest pixel was; `input_gradient` holds
 * zeros. */
void pool_backward(struct matrix input, struct matrix gradient, struct matrix input_gradient,
                   size_t side);

#endif
