/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules for ops.  Source of each: the definition of the operation in the documentation of PyTorch.
 */
#include "ops/op_flops.h"

#include <math.h>
#include <string.h>

#include "model/session.h"
#include "model/session_ops.h"
#include "ops/op_flops_parts.h"
#include "ops/op_shapes.h"

enum {
    /* The lists of a convolution, in their order. */
    STRIDE = 0,
    PADDING = 1,
    DILATION = 2,
    SPACE = 2 /* its first dimension in space, behind the batch and the channels */
};

/* [.., n, k] by [.., k, m], or vectors: each element of the first meets m of the second. */
static long double product_of(const struct op_shapes *inputs, unsigned first)
{
    const struct op_sizes *a = &inputs->tensor[first], *b = a + 1;

    if (first + 1 >= inputs->tensors || a->count == 0 || b->count == 0)
        return 0;
    return 2 * op_sizes_elements(a) * (b->count > 1 ? b->of[b->count - 1] : 1);
}

/* [.., k] by the weights [m, k]. */
static long double linear(const struct op_shapes *inputs, unsigned first)
{
    const struct op_sizes *x = &inputs->tensor[first], *weights = x + 1;

    if (first + 1 >= inputs->tensors || weights->count == 0)
        return 0;
    return 2 * op_sizes_elements(x) * (weights->count > 1 ? weights->of[0] : 1);
}

/* An element of the output takes one channel's weights. */
static long double convolve(long double outputs, const struct op_sizes *weights)
{
    return weights->of[0] > 0 ? 2 * outputs * op_sizes_elements(weights) / weights->of[0] : 0;
}

static long double find(const struct op_sizes *list, unsigned i)
{
    return list->of[list->count > 1 ? i : 0];
}

/* The output size of a dimension by the formula of torch.nn.Conv2d. */
static long double find_extent(long double size, long double taps, const struct op_sizes *lists,
                               unsigned i)
{
    long double stride = find(&lists[STRIDE], i), padding = find(&lists[PADDING], i);
    long double span = find(&lists[DILATION], i) * (taps - 1) + 1;

    if (stride < 1 || size + 2 * padding < span)
        return 0;
    return floorl((size + 2 * padding - span) / stride) + 1;
}

static bool has_lists(const struct op_shapes *inputs, unsigned dims)
{
    for (unsigned i = 0; i <= DILATION; i++)
        if (i >= inputs->lists || (inputs->list[i].count != 1 && inputs->list[i].count != dims))
            return false;
    return true;
}

/* An input [batch, channels, ..] by the weights [channels, channels of a group, ..]. */
static long double convolution(const struct op_shapes *inputs, unsigned first)
{
    const struct op_sizes *x = &inputs->tensor[first], *weights = x + 1;
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
static long double transposed(const struct op_shapes *inputs, unsigned first)
{
    if (first + 1 >= inputs->tensors || inputs->tensor[first + 1].count == 0)
        return 0;
    return convolve(op_sizes_elements(&inputs->tensor[first]), &inputs->tensor[first + 1]);
}

/* Do the outputs have the extents that the inputs leave, and the channels of the weights? */
static bool is_convolved(const struct op_sizes *x, const struct op_sizes *outputs,
                         const struct op_sizes *weights, const struct op_sizes *lists)
{
    if (outputs->of[1] != weights->of[0])
        return false;
    for (unsigned i = SPACE; i < x->count; i++)
        if (outputs->of[i] != find_extent(x->of[i], weights->of[i], lists, i - SPACE))
            return false;
    return true;
}

/* The FLOPs of one product of the backward pass.  A transposed convolution has its input where any
 * other has its output; if a tensor could be either, both have the same size. */
static long double convolve_back(const struct op_sizes *outputs, const struct op_sizes *lists)
{
    const struct op_sizes *x = outputs + 1, *weights = outputs + 2;

    if (is_convolved(x, outputs, weights, lists))
        return convolve(op_sizes_elements(outputs), weights);
    if (is_convolved(outputs, x, weights, lists))
        return convolve(op_sizes_elements(x), weights);
    return 0;
}

/* The gradients of the output, the input and the weights.  The last list says which gradients are
 * wanted: those of the input, the weights and the bias.  The first two cost one forward call each.
 * The sizes of a bias may precede the lists. */
static long double convolution_backward(const struct op_shapes *inputs, unsigned first)
{
    enum { BEHIND = 2 /* lists behind those of a convolution: output padding, wanted outputs */ };
    const struct op_sizes *outputs = &inputs->tensor[first];
    const struct op_sizes *wanted, *lists;
    struct op_shapes of = *inputs;

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

/* An input [.., i], and the weights of all gates: [g h, i] for the input, [g h, h] for the
 * state. */
static long double recurrent(const struct op_shapes *inputs, unsigned first)
{
    const struct op_sizes *x = &inputs->tensor[first], *weights = x + 1, *state = x + 2;

    if (first + 2 >= inputs->tensors || x->count == 0 || weights->count != 2 ||
        state->count != 2 || x->of[x->count - 1] != weights->of[1] || weights->of[1] < 1)
        return 0;
    return 2 * op_sizes_elements(x) / weights->of[1] *
           (op_sizes_elements(weights) + op_sizes_elements(state));
}

/* The gradients of the inputs and states, and those of the weights. */
static long double recurrent_backward(const struct op_shapes *inputs, unsigned first)
{
    return 2 * recurrent(inputs, first);
}

/* Queries [.., l, d], keys [.., s, d] and values [.., s, e]: l s (d + e) for each head. */
static long double attention(const struct op_shapes *inputs, unsigned first)
{
    const struct op_sizes *q = &inputs->tensor[first], *k = q + 1, *v = q + 2;

    if (first + 2 >= inputs->tensors || q->count < 2 || k->count < 2 || v->count < 2)
        return 0;
    return 2 * op_sizes_elements(q) / q->of[q->count - 1] * k->of[k->count - 2] *
           (q->of[q->count - 1] + v->of[v->count - 1]);
}

/* Five products, compared with two in the forward pass: that of queries and keys is recomputed (Dao
 * et al., FlashAttention, 2022). */
static long double attention_backward(const struct op_shapes *inputs, unsigned first)
{
    return attention(inputs, first) * 5 / 2;
}

static const struct op_rule rules[] = {
#define OP_FLOPS(name, rule, first) {name, rule, first},
#include "ops/op_flops.def"
#undef OP_FLOPS
};

/* A transposed convolution goes through the same op as any other. */
static bool is_transposed(const struct session *session, const struct session_op *op)
{
    for (; op->depth > 0; op = session_op_at(session, op->parent))
        if (strstr(op->name, "conv_transpose"))
            return true;
    return false;
}

static const struct op_rule *find_rule(const char *name)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

static bool find_first(const struct op_rule *rule, const struct op_shapes *inputs, unsigned *first)
{
    int index = rule->first < 0 ? (int)inputs->tensors + rule->first : rule->first;

    *first = (unsigned)index;
    return index >= 0 && index < OP_INPUTS_MOST - 2;
}

static long double apply(const struct op_rule *rule, const struct session *session,
                         const struct session_op *op)
{
    struct op_shapes inputs;
    unsigned first;
    bool is_turned = rule->flops == convolution && is_transposed(session, op);

    op_shapes_parse(op->inputs, &inputs);
    if (!find_first(rule, &inputs, &first))
        return 0;
    return is_turned ? transposed(&inputs, first) : rule->flops(&inputs, first);
}

long double op_flops(const struct session *session, const struct session_op *op)
{
    const struct op_rule *rule = op->inputs ? find_rule(op->name) : NULL;

    return rule ? apply(rule, session, op) : 0;
}

/* All dimensions in front of the last two. */
static long double count_items(const struct op_sizes *of)
{
    long double items = 1;

    for (unsigned i = 0; i + 2 < of->count; i++)
        items *= of->of[i];
    return items;
}

bool op_find_product(const struct session_op *op, struct op_product *product)
{
    const struct op_rule *rule = op->inputs ? find_rule(op->name) : NULL;
    const struct op_sizes *a, *b;
    struct op_shapes inputs;
    unsigned first;

    if (!rule || (rule->flops != linear && rule->flops != product_of))
        return false;
    op_shapes_parse(op->inputs, &inputs);
    if (!find_first(rule, &inputs, &first) || first + 1 >= inputs.tensors)
        return false;
    a = &inputs.tensor[first];
    b = a + 1;
    if (a->count < 2 || b->count < 2)
        return false;
    *product = (struct op_product){.items = count_items(a),
                                   .rows = a->of[a->count - 2],
                                   .inner = a->of[a->count - 1],
                                   .columns = rule->flops == linear ? b->of[0]
                                                                    : b->of[b->count - 1],
                                   .has_weights = b->count == 2};
    return true;
}
