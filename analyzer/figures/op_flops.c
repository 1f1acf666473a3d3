/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for ops.  Source of each: the definition of the operation in the documentation of PyTorch.
 */
#include "figures/op_flops.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/op_texts.h"
#include "model/session.h"
#include "model/session_ops.h"

enum {
    INPUTS_MOST = 8,
    DIMS_MOST = 8,
    LISTS_MOST = 8,
    /* The lists of a convolution, in their order. */
    STRIDE = 0,
    PADDING = 1,
    DILATION = 2,
    SPACE = 2 /* its first dimension in space, behind the batch and the channels */
};

/* A tensor's sizes, or a list of numbers. */
struct sizes {
    unsigned count;
    long double of[DIMS_MOST];
};

struct inputs {
    unsigned tensors;
    unsigned lists;
    struct sizes tensor[INPUTS_MOST];
    struct sizes list[LISTS_MOST];
};

/* "2,3]" or "1,1)".  Returns: whether it is such. */
static bool parse_sizes(const char *text, struct sizes *sizes)
{
    char *end;

    for (sizes->count = 0; *text != ']' && *text != ')'; text = end + (*end == ',')) {
        if (sizes->count == DIMS_MOST)
            return false;
        sizes->of[sizes->count++] = (long double)strtoll(text, &end, 10);
        if (end == text)
            return false;
    }
    return true;
}

/* "f32[2,3] (1,1)".  What is not such, as " ...", ends it. */
static void parse(const char *text, struct inputs *inputs)
{
    struct op_input input;

    inputs->tensors = inputs->lists = 0;
    while (inputs->tensors < INPUTS_MOST && inputs->lists < LISTS_MOST &&
           op_input_next(&text, &input) &&
           parse_sizes(input.sizes, input.is_list ? &inputs->list[inputs->lists]
                                                  : &inputs->tensor[inputs->tensors])) {
        inputs->lists += input.is_list;
        inputs->tensors += !input.is_list;
    }
}

static long double count_elements(const struct sizes *of)
{
    long double product = 1;

    for (unsigned i = 0; i < of->count; i++)
        product *= of->of[i];
    return product;
}

/* [.., n, k] by [.., k, m], or vectors: each element of the first meets m of the second. */
static long double product(const struct inputs *inputs, unsigned first)
{
    const struct sizes *a = &inputs->tensor[first], *b = a + 1;

    if (first + 1 >= inputs->tensors || a->count == 0 || b->count == 0)
        return 0;
    return 2 * count_elements(a) * (b->count > 1 ? b->of[b->count - 1] : 1);
}

/* [.., k] by the weights [m, k]. */
static long double linear(const struct inputs *inputs, unsigned first)
{
    const struct sizes *x = &inputs->tensor[first], *weights = x + 1;

    if (first + 1 >= inputs->tensors || weights->count == 0)
        return 0;
    return 2 * count_elements(x) * (weights->count > 1 ? weights->of[0] : 1);
}

/* An element of the output takes one channel's weights. */
static long double convolve(long double outputs, const struct sizes *weights)
{
    return weights->of[0] > 0 ? 2 * outputs * count_elements(weights) / weights->of[0] : 0;
}

static long double find(const struct sizes *list, unsigned i)
{
    return list->of[list->count > 1 ? i : 0];
}

/* What is left of a dimension by the formula of torch.nn.Conv2d. */
static long double find_extent(long double size, long double taps, const struct sizes *lists,
                               unsigned i)
{
    long double stride = find(&lists[STRIDE], i), padding = find(&lists[PADDING], i);
    long double span = find(&lists[DILATION], i) * (taps - 1) + 1;

    if (stride < 1 || size + 2 * padding < span)
        return 0;
    return floorl((size + 2 * padding - span) / stride) + 1;
}

static bool has_lists(const struct inputs *inputs, unsigned dims)
{
    for (unsigned i = 0; i <= DILATION; i++)
        if (i >= inputs->lists || (inputs->list[i].count != 1 && inputs->list[i].count != dims))
            return false;
    return true;
}

/* An input [batch, channels, ..] by the weights [channels, channels of a group, ..]. */
static long double convolution(const struct inputs *inputs, unsigned first)
{
    const struct sizes *x = &inputs->tensor[first], *weights = x + 1;
    long double outputs;

    if (first + 1 >= inputs->tensors || x->count <= SPACE || weights->count != x->count ||
        !has_lists(inputs, x->count - SPACE))
        return 0;
    outputs = x->of[0] * weights->of[0];
    for (unsigned i = SPACE; i < x->count; i++)
        outputs *= find_extent(x->of[i], weights->of[i], inputs->list, i - SPACE);
    return convolve(outputs, weights);
}

/* An element of the input takes one channel's weights. */
static long double transposed(const struct inputs *inputs, unsigned first)
{
    if (first + 1 >= inputs->tensors || inputs->tensor[first + 1].count == 0)
        return 0;
    return convolve(count_elements(&inputs->tensor[first]), &inputs->tensor[first + 1]);
}

/* Do the outputs have the extents that the inputs leave, and the channels of the weights? */
static bool is_convolved(const struct sizes *x, const struct sizes *outputs,
                         const struct sizes *weights, const struct sizes *lists)
{
    if (outputs->of[1] != weights->of[0])
        return false;
    for (unsigned i = SPACE; i < x->count; i++)
        if (outputs->of[i] != find_extent(x->of[i], weights->of[i], lists, i - SPACE))
            return false;
    return true;
}

/* The FLOPs of one product of the backward pass.  A transposed convolution has an input where any
 * other has its output; where one could be either, both have as many. */
static long double convolve_back(const struct sizes *outputs, const struct sizes *lists)
{
    const struct sizes *x = outputs + 1, *weights = outputs + 2;

    if (is_convolved(x, outputs, weights, lists))
        return convolve(count_elements(outputs), weights);
    if (is_convolved(outputs, x, weights, lists))
        return convolve(count_elements(x), weights);
    return 0;
}

/* The gradients of the output, the input and the weights.  The last list says which of the
 * gradients of the input, the weights and the bias are wanted; the first two cost a forward call
 * each.  The sizes of a bias may stand in front of the lists. */
static long double convolution_backward(const struct inputs *inputs, unsigned first)
{
    enum { BEHIND = 2 /* lists behind those of a convolution: output padding, what is wanted */ };
    const struct sizes *outputs = &inputs->tensor[first];
    const struct sizes *wanted, *lists;
    struct inputs of = *inputs;

    if (first + 2 >= inputs->tensors || inputs->lists < DILATION + 1 + BEHIND)
        return 0;
    wanted = &inputs->list[inputs->lists - 1];
    lists = wanted - BEHIND - DILATION;
    memcpy(of.list, lists, sizeof *lists * (DILATION + 1));
    if (wanted->count != 3 || outputs->count <= SPACE || outputs[1].count != outputs->count ||
        outputs[2].count != outputs->count || !has_lists(&of, outputs->count - SPACE))
        return 0;
    return convolve_back(outputs, lists) * (wanted->of[0] + wanted->of[1]);
}

/* An input [.., i], and the weights of all gates: [g h, i] for the input, [g h, h] for the state. */
static long double recurrent(const struct inputs *inputs, unsigned first)
{
    const struct sizes *x = &inputs->tensor[first], *weights = x + 1, *state = x + 2;

    if (first + 2 >= inputs->tensors || x->count == 0 || weights->count != 2 ||
        state->count != 2 || x->of[x->count - 1] != weights->of[1] || weights->of[1] < 1)
        return 0;
    return 2 * count_elements(x) / weights->of[1] *
           (count_elements(weights) + count_elements(state));
}

/* The gradients of the inputs and states, and those of the weights. */
static long double recurrent_backward(const struct inputs *inputs, unsigned first)
{
    return 2 * recurrent(inputs, first);
}

/* Queries [.., l, d], keys [.., s, d] and values [.., s, e]: l s (d + e) for each head. */
static long double attention(const struct inputs *inputs, unsigned first)
{
    const struct sizes *q = &inputs->tensor[first], *k = q + 1, *v = q + 2;

    if (first + 2 >= inputs->tensors || q->count < 2 || k->count < 2 || v->count < 2)
        return 0;
    return 2 * count_elements(q) / q->of[q->count - 1] * k->of[k->count - 2] *
           (q->of[q->count - 1] + v->of[v->count - 1]);
}

/* Five products to the two of the forward pass: that of queries and keys is computed again
 * (Dao et al., FlashAttention, 2022). */
static long double attention_backward(const struct inputs *inputs, unsigned first)
{
    return attention(inputs, first) * 5 / 2;
}

static const struct rule {
    const char *name;
    long double (*flops)(const struct inputs *inputs, unsigned first);
    int first;
} rules[] = {
#define OP_FLOPS(name, rule, first) {name, rule, first},
#include "figures/op_flops.def"
#undef OP_FLOPS
};

/* A transposed convolution goes through the op of any other. */
static bool is_transposed(const struct session *session, const struct session_op *op)
{
    for (; op->depth > 0; op = session_op_at(session, op->parent))
        if (strstr(op->name, "conv_transpose"))
            return true;
    return false;
}

static long double apply(const struct rule *rule, const struct session *session,
                         const struct session_op *op)
{
    struct inputs inputs;
    int first;
    bool is_turned = rule->flops == convolution && is_transposed(session, op);

    parse(op->inputs, &inputs);
    first = rule->first < 0 ? (int)inputs.tensors + rule->first : rule->first;
    if (first < 0 || first >= INPUTS_MOST - 2)
        return 0;
    return is_turned ? transposed(&inputs, (unsigned)first)
                     : rule->flops(&inputs, (unsigned)first);
}

long double op_flops(const struct session *session, const struct session_op *op)
{
    for (size_t i = 0; op->inputs && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, op->name) == 0)
            return apply(&rules[i], session, op);
    return 0;
}
