/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensors, types and sizes of shapes.
 */
#include "adapter/onednn_shape.h"

#include <string.h>

enum { TYPES_SIZE = 3 * 8 + 1, SHOWN_DIMS = 6 };

struct onednn_tensor onednn_shape_tensor(struct onednn_primitive *primitive, int argument,
                                         int gradient)
{
    struct onednn_tensor tensor = onednn_tensor(primitive, argument);

    return tensor.rank > 0 ? tensor : onednn_tensor(primitive, gradient);
}

struct onednn_tensor onednn_shape_source(struct onednn_primitive *primitive)
{
    return onednn_shape_tensor(primitive, ONEDNN_SOURCE, ONEDNN_SOURCE_GRADIENT);
}

struct onednn_tensor onednn_shape_result(struct onednn_primitive *primitive)
{
    return onednn_shape_tensor(primitive, ONEDNN_RESULT, ONEDNN_RESULT_GRADIENT);
}

int64_t onednn_shape_multiply(const struct onednn_tensor *tensor, int first, int end)
{
    int64_t product = 1;

    for (int i = first; i < end; i++) {
        if (tensor->dims[i] < 0)
            return -1;
        product *= tensor->dims[i];
    }
    return product;
}

bool onednn_shape_is_known(const struct onednn_tensor *tensor)
{
    return tensor->rank > 0 && onednn_shape_multiply(tensor, 0, tensor->rank) >= 0;
}

int64_t onednn_shape_sum_bytes(struct onednn_primitive *primitive)
{
    static const unsigned short arguments[] = {1,   2,   3,   17,  18,  19,  33,  34,  35,  36,
                                               41,  49,  50,  51,  52,  129, 130, 131, 145, 146,
                                               147, 161, 162, 163, 164, 169, 255, 256};
    int64_t bytes = 0;

    for (unsigned i = 0; i < sizeof arguments / sizeof *arguments; i++)
        bytes += onednn_tensor(primitive, arguments[i]).bytes;
    return bytes;
}

static void append(char text[TYPES_SIZE], const char *more)
{
    strncat(text, more, TYPES_SIZE - 1 - strlen(text));
}

static int64_t pack_types(const char *source, const char *weights, const char *result)
{
    char text[TYPES_SIZE] = "";

    append(text, source);
    if (strcmp(source, weights) != 0 && strcmp(source, result) == 0) {
        append(text, "+");
        append(text, weights);
    } else if (strcmp(source, weights) != 0) {
        append(text, weights);
        append(text, result);
    } else if (strcmp(source, result) != 0) {
        append(text, ":");
        append(text, result);
    }
    return adapter_pack_text(text);
}

int64_t onednn_shape_types(const struct onednn_tensor *source, const struct onednn_tensor *weights,
                           const struct onednn_tensor *result)
{
    const char *from = onednn_type(source->type);

    return pack_types(from, weights->rank > 0 ? onednn_type(weights->type) : from,
                      onednn_type(result->type));
}

int64_t onednn_shape_types_of_two(const struct onednn_tensor *source,
                                  const struct onednn_tensor *result)
{
    return onednn_shape_types(source, source, result);
}

enum adapted onednn_shape_choose(const struct onednn_primitive *primitive,
                                 struct onednn_directions kernels)
{
    if (primitive->propagation < ONEDNN_BACKWARD)
        return kernels.forward;
    return primitive->propagation >= ONEDNN_BACKWARD_WEIGHTS ? kernels.weights : kernels.data;
}

void onednn_shape_put_spatial(int64_t *values, const int64_t *dims, int count)
{
    for (int i = 0; i < 3; i++)
        values[i] = i >= 3 - count ? dims[i - (3 - count)] : 1;
}

void onednn_shape_put_dims(int64_t *values, const struct onednn_tensor *tensor)
{
    for (int i = 0; i < SHOWN_DIMS; i++)
        values[i] = i < tensor->rank ? tensor->dims[i] : 1;
    if (tensor->rank > SHOWN_DIMS)
        values[SHOWN_DIMS - 1] = onednn_shape_multiply(tensor, SHOWN_DIMS - 1, tensor->rank);
}
