/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for the ops of ONNX.  The profiles of ONNX Runtime lack weights that it packed for itself,
 * so the rules use the output if they can.
 *
 * Source of each: the definition of the operator in https://onnx.ai/onnx/operators, and in
 * docs/ContribOperators.md of https://github.com/microsoft/onnxruntime.
 */
#include "ops/op_flops_parts.h"

#include <stddef.h>

static long double last(const struct op_sizes *of)
{
    return of->count > 0 ? of->of[of->count - 1] : 1;
}

static const struct op_sizes *find_input(const struct op_shapes *shapes, unsigned index)
{
    return shapes->has_output && index < shapes->tensors ? &shapes->tensor[index] : NULL;
}

/* ---- products ------------------------------------------------------------------------------ */

/* Each element of the output needs a row of the first matrix. */
long double onnx_product(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *a = find_input(shapes, first);

    return a && a->count > 0 ? 2 * op_sizes_elements(&shapes->output) * last(a) : 0;
}

/* Each element of the first matrix is multiplied with a row of the output, unless several share
 * it. */
long double onnx_turned_product(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *a = find_input(shapes, first), *output = &shapes->output;

    if (!a || a->count < 2 || a->count != output->count)
        return 0;
    for (unsigned i = 0; i + 2 < a->count; i++)
        if (a->of[i] != output->of[i])
            return 0;
    return 2 * op_sizes_elements(a) * last(output);
}

/* ---- convolutions -------------------------------------------------------------------------- */

/* Returns: the weights [channels, of a group, ..]: they have as many dimensions as the input, while
 * a bias has fewer. */
static const struct op_sizes *find_weights(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *weights = find_input(shapes, first);

    return weights && weights->count > 2 && weights->count == shapes->tensor[0].count &&
                   weights->of[0] > 0
               ? weights
               : NULL;
}

/* An element of the output takes one channel's weights. */
long double onnx_convolution(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *weights = find_weights(shapes, first);

    return weights ? 2 * op_sizes_elements(&shapes->output) * op_sizes_elements(weights) /
                         weights->of[0]
                   : 0;
}

/* An element of the input takes one channel's weights. */
long double onnx_transposed(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *weights = find_weights(shapes, first);

    return weights ? 2 * op_sizes_elements(&shapes->tensor[0]) * op_sizes_elements(weights) /
                         weights->of[0]
                   : 0;
}

/* ---- recurrent ----------------------------------------------------------------------------- */

/* An input [time, batch, i] and all outputs [time, directions, batch, h], or the last output
 * [directions, batch, h]: each gate has weights of i + h for each of h. */
static long double recurrent(const struct op_shapes *shapes, unsigned first, long double gates)
{
    const struct op_sizes *x = find_input(shapes, first), *output = &shapes->output;
    long double width, directions;

    if (!x || x->count != 3 || (output->count != 3 && output->count != 4))
        return 0;
    width = last(output);
    directions = output->of[output->count - 3];
    return 2 * x->of[0] * x->of[1] * directions * gates * width * (x->of[2] + width);
}

long double onnx_rnn(const struct op_shapes *shapes, unsigned first)
{
    return recurrent(shapes, first, 1);
}

long double onnx_gru(const struct op_shapes *shapes, unsigned first)
{
    return recurrent(shapes, first, 3);
}

long double onnx_lstm(const struct op_shapes *shapes, unsigned first)
{
    return recurrent(shapes, first, 4);
}

/* ---- attention ----------------------------------------------------------------------------- */

/* Keys and values of earlier calls have four dimensions or more, and their length is unknown. */
static bool has_past(const struct op_shapes *shapes, unsigned from)
{
    for (unsigned i = from; i < shapes->tensors; i++)
        if (shapes->tensor[i].count > 3)
            return true;
    return false;
}

/* Queries and output [.., l, d], and keys of length s: l s (d + e) for each head. */
static long double attend(long double query_elements, long double length,
                          const struct op_sizes *output)
{
    return 2 * length * (query_elements + op_sizes_elements(output));
}

/* An input [batch, l, i] by weights [i, 3 h], for queries, keys and values.  The bias shows the
 * width of packed weights; a mask has another. */
static long double attend_self(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *x = &shapes->tensor[first], *weights = x + 1, *output = &shapes->output;

    if (x->count != 3 || output->count != 3 || last(weights) != 3 * last(output) ||
        has_past(shapes, first + 2))
        return 0;
    return 2 * op_sizes_elements(x) * last(weights) +
           attend(op_sizes_elements(output), x->of[1], output);
}

/* Queries, keys and values, or the Attention of Microsoft's domain. */
long double onnx_attention(const struct op_shapes *shapes, unsigned first)
{
    const struct op_sizes *q = find_input(shapes, first), *k = find_input(shapes, first + 1);

    if (!q || !k)
        return 0;
    if (k->count == 1 || k->count == 2)
        return attend_self(shapes, first);
    if (first + 2 >= shapes->tensors || k->count < 3 || has_past(shapes, first + 3))
        return 0;
    return attend(op_sizes_elements(q), k->of[k->count - 2], &shapes->output);
}
