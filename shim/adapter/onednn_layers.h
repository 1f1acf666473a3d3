/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operations of oneDNN without weights.
 *
 * Each function writes the shape of a primitive.
 * Returns: false for an unknown shape.
 */
#ifndef ADAPTER_ONEDNN_LAYERS_H
#define ADAPTER_ONEDNN_LAYERS_H

#include <stdbool.h>

#include "adapter/onednn_library.h"
#include "call/object.h"

bool onednn_layers_describe_pooling(struct onednn_primitive *primitive, struct object_shape *shape);
bool onednn_layers_describe_batch_normalization(struct onednn_primitive *primitive,
                                                struct object_shape *shape);
bool onednn_layers_describe_normalization(struct onednn_primitive *primitive,
                                          struct object_shape *shape);
bool onednn_layers_describe_elementwise(struct onednn_primitive *primitive,
                                        struct object_shape *shape);
bool onednn_layers_describe_resampling(struct onednn_primitive *primitive,
                                       struct object_shape *shape);
bool onednn_layers_describe_lrn(struct onednn_primitive *primitive, struct object_shape *shape);
bool onednn_layers_describe_sum(struct onednn_primitive *primitive, struct object_shape *shape);
bool onednn_layers_describe_movement(struct onednn_primitive *primitive,
                                     struct object_shape *shape);

#endif
