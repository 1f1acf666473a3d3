/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of oneDNN that multiply by weights.
 *
 * Each function writes the shape of a primitive.
 * Returns: false for an unknown shape.
 */
#ifndef ADAPTER_ONEDNN_PRODUCTS_H
#define ADAPTER_ONEDNN_PRODUCTS_H

#include <stdbool.h>

#include "adapter/onednn_library.h"
#include "call/object.h"

bool onednn_products_describe_convolution(struct onednn_primitive *primitive,
                                          struct object_shape *shape);
bool onednn_products_describe_inner_product(struct onednn_primitive *primitive,
                                            struct object_shape *shape);
bool onednn_products_describe_matmul(struct onednn_primitive *primitive,
                                     struct object_shape *shape);
bool onednn_products_describe_rnn(struct onednn_primitive *primitive, struct object_shape *shape);

#endif
