/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The common parts of the shapes of all operations of oneDNN.
 */
#ifndef ADAPTER_ONEDNN_SHAPE_H
#define ADAPTER_ONEDNN_SHAPE_H

#include "adapter/adapter.h"
#include "adapter/onednn_library.h"

/* Assert that two paragraphs of the catalog have the same terms, because one function fills in
 * both. */
#define SAME_TERM(a, b, term)                                                                      \
    _Static_assert((int)TERM_##a##_##term == (int)TERM_##b##_##term, #b " has the terms of " #a)
#define SAME_TERMS(a, b)                                                                           \
    SAME_TERM(a, b, types);                                                                        \
    SAME_TERM(a, b, d0);                                                                           \
    SAME_TERM(a, b, elements);                                                                     \
    SAME_TERM(a, b, bytes)

/* The kernels of an operation: forward, backward to its data, backward to its weights. */
struct onednn_directions {
    enum adapted forward, data, weights;
};

/* A tensor of a primitive, or its gradient when the primitive has only that. */
struct onednn_tensor onednn_shape_tensor(struct onednn_primitive *primitive, int argument,
                                         int gradient);
struct onednn_tensor onednn_shape_source(struct onednn_primitive *primitive);
struct onednn_tensor onednn_shape_result(struct onednn_primitive *primitive);

/* Multiply dimensions `first` to `end`.  Returns: negative when one is only known when the
 * primitive is executed. */
int64_t onednn_shape_multiply(const struct onednn_tensor *tensor, int first, int end);

/* Ask whether a tensor exists and all its dimensions are known. */
bool onednn_shape_is_known(const struct onednn_tensor *tensor);

/* All bytes that are read or written, without workspaces. */
int64_t onednn_shape_sum_bytes(struct onednn_primitive *primitive);

/* The types as a text in a value: "f32", "bf16:f32", "bf16+f32" or "u8s8s32", as the catalog
 * explains it. */
int64_t onednn_shape_types(const struct onednn_tensor *source, const struct onednn_tensor *weights,
                           const struct onednn_tensor *result);
int64_t onednn_shape_types_of_two(const struct onednn_tensor *source,
                                  const struct onednn_tensor *result);

/* The kernel for the direction of a primitive. */
enum adapted onednn_shape_choose(const struct onednn_primitive *primitive,
                                 struct onednn_directions kernels);

/* Put depth, height and width.  The tensor has the last `count` of them; the others are 1. */
void onednn_shape_put_spatial(int64_t *values, const int64_t *dims, int count);

/* Put all dimensions.  The last one that is shown is the product of the rest. */
void onednn_shape_put_dims(int64_t *values, const struct onednn_tensor *tensor);

#endif
