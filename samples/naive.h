/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bottlenecks of linear layers, planted with --naive: products that give the
 * numbers of nn_multiply and take longer for one known reason each.  The way of
 * a context is its `multiply`.  Bottlenecks of single models (repeated
 * allocations, attention without blocks) are in the models.
 *
 * Safety: that of nn.h.
 */
#ifndef SAMPLES_NAIVE_H
#define SAMPLES_NAIVE_H

#include <stddef.h>

#include "nn.h"

/* Multiply item by item, a matrix with a vector each, and not the batch at
 * once: the weights are read again for every item. */
void naive_set_each_item(struct nn *nn);

/* Multiply in double, twice the bytes and half as many numbers a vector, as
 * many rows as said.  Converts the weight of the layer, which must not change
 * after. */
void naive_set_double(struct nn *nn, struct arena *arena, const struct linear *linear, size_t rows);

/* Keep the weights in the other order, and store each in the one that products
 * take before each product.  There are `count` learned numbers in all, which must
 * not change after.  Store each layer with naive_store then.
 *
 * Errors: a BLAS without cblas_somatcopy, which is OpenBLAS's, ends the
 * program with status 1.
 */
void naive_set_reorder(struct nn *nn, struct arena *arena, size_t count);
void naive_store(struct nn *nn, const struct linear *linear);

#endif
