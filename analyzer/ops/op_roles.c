/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Roles of ops, by their computation and by their modules.
 *
 * Layers come after their outer layers, and ops after their outer ops.
 */
#include "ops/op_roles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "ops/op_flops.h"
#include "ops/op_shapes.h"
#include "ops/op_stages.h"

/* The known properties of a layer. */
struct layer {
    bool is_attention;
    bool is_block; /* the layer may have a feed-forward */
    bool is_both;  /* attention and its feed-forward: products separate them */
    long double head_width;   /* head width of attention; 0: unknown */
    uint32_t first_product;   /* op: the last one found; 0: none */
    uint32_t first_weights;   /* for a block: its products with weights, as above */
    uint32_t weights_outside; /* products with weights in it that are in no attention */
};

/* The known properties of an op. */
struct product {
    bool is_product;
    struct op_product sizes;
    uint32_t next;         /* the previous one of the same layer */
    uint32_t next_weights; /* the previous one of the same block */
};

struct finder {
    const struct session *session;
    enum role *roles;
    struct layer *layers;
    struct product *products; /* one for each op: the outermost forward ones */
    size_t layer_count;
};

static uint32_t outer_of(const struct finder *finder, uint32_t layer)
{
    return ((const struct session_layer *)array_at(&finder->session->layers, layer))->outer;
}

static const char *class_of(const struct finder *finder, uint32_t layer)
{
    return ((const struct session_layer *)array_at(&finder->session->layers, layer))->name;
}

/* ---- products ------------------------------------------------------------------ */

static bool is_forward(const struct finder *finder, uint32_t op)
{
    return op_stage_of(finder->session, op) == OP_STAGE_FORWARD;
}

static void find_products(struct finder *finder)
{
    for (uint32_t i = 1; i < finder->session->ops.count; i++) {
        const struct session_op *op = session_op_at(finder->session, i);
        struct product *product = &finder->products[i];

        if (op->layer == 0 || !op_find_product(op, &product->sizes) || !is_forward(finder, i))
            continue;
        product->is_product = true;
        product->next = finder->layers[op->layer].first_product;
        finder->layers[op->layer].first_product = i;
    }
}

/* ---- attention ----------------------------------------------------------------- */

static void mark_attention(struct finder *finder, uint32_t layer, long double head_width)
{
    finder->layers[layer].head_width = head_width;
    while (outer_of(finder, layer) != 0 &&
           role_of_name(class_of(finder, outer_of(finder, layer))) == ROLE_ATTENTION)
        layer = outer_of(finder, layer);
    finder->layers[layer].is_attention = true;
    finder->layers[layer].head_width = head_width;
}

static bool is_softmax(const struct session_op *op)
{
    static const char *const names[] = {"aten::_softmax", "aten::_masked_softmax",
                                        "aten::_safe_softmax"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(op->name, names[i]) == 0)
            return true;
    return false;
}

/* Weights of pairs: the rows of a module's softmax, which sum to 1. */
struct weights {
    long double elements, rows, columns;
};

static bool read_weights(const struct session_op *op, struct weights *weights)
{
    const struct op_sizes *sizes;
    struct op_shapes shapes;

    if (!is_softmax(op) || !op->inputs)
        return false;
    op_shapes_parse(op->inputs, &shapes);
    sizes = &shapes.tensor[0];
    if (shapes.tensors == 0 || sizes->count < 3)
        return false;
    *weights = (struct weights){op_sizes_elements(sizes), sizes->of[sizes->count - 2],
                                sizes->of[sizes->count - 1]};
    return true;
}

static bool makes(const struct op_product *product, const struct weights *weights)
{
    return product->rows == weights->rows && product->columns == weights->columns &&
           product->items * product->rows * product->columns == weights->elements;
}

static bool takes(const struct op_product *product, const struct weights *weights)
{
    return product->rows == weights->rows && product->inner == weights->columns &&
           product->items * product->rows * product->inner == weights->elements;
}

/* The module that called a softmax; the softmax may be a module itself. */
static uint32_t home_of(const struct finder *finder, uint32_t layer)
{
    bool is_itself = layer != 0 && strcmp(class_of(finder, layer), "Softmax") == 0;

    return is_itself ? outer_of(finder, layer) : layer;
}

/* Ask whether a product makes the input of a softmax or takes its output; ops are in the order of
 * their first calls. */
static bool is_scores(const struct finder *finder, uint32_t product, uint32_t softmax,
                      const struct weights *weights)
{
    const struct op_product *sizes = &finder->products[product].sizes;

    return !sizes->has_weights &&
           (product < softmax ? makes(sizes, weights) : takes(sizes, weights));
}

static void mark_scores(struct finder *finder, uint32_t home, uint32_t softmax,
                        const struct weights *weights)
{
    for (uint32_t i = finder->layers[home].first_product; i != 0; i = finder->products[i].next)
        if (is_scores(finder, i, softmax, weights))
            finder->roles[i] = ROLE_SCORES;
    finder->roles[softmax] = ROLE_SCORES;
}

/* A softmax between two products in one module. */
static void read_softmax(struct finder *finder, uint32_t softmax, const struct weights *weights)
{
    uint32_t home = home_of(finder, session_op_at(finder->session, softmax)->layer);
    long double head_width = 0;
    bool has_context = false;

    if (home == 0)
        return;
    for (uint32_t i = finder->layers[home].first_product; i != 0; i = finder->products[i].next) {
        if (!is_scores(finder, i, softmax, weights))
            continue;
        if (i < softmax)
            head_width = finder->products[i].sizes.inner;
        else
            has_context = true;
    }
    if (head_width == 0 || !has_context)
        return;
    mark_scores(finder, home, softmax, weights);
    mark_attention(finder, home, head_width);
}

/* The width of the queries: their last dimension. */
static long double read_head_width(const struct session_op *op)
{
    struct op_shapes shapes;

    if (!op->inputs)
        return 0;
    op_shapes_parse(op->inputs, &shapes);
    return shapes.tensors > 0 && shapes.tensor[0].count > 1
               ? shapes.tensor[0].of[shapes.tensor[0].count - 1]
               : 0;
}

static void find_attention(struct finder *finder)
{
    for (uint32_t i = 1; i < finder->session->ops.count; i++) {
        const struct session_op *op = session_op_at(finder->session, i);
        struct weights weights;

        if (strstr(op->name, "scaled_dot_product") && is_forward(finder, i)) {
            finder->roles[i] = ROLE_SCORES;
            if (op->layer != 0)
                mark_attention(finder, op->layer, read_head_width(op));
        } else if (read_weights(op, &weights) && is_forward(finder, i)) {
            read_softmax(finder, i, &weights);
        }
    }
    for (uint32_t i = 1; i < finder->layer_count; i++)
        if (strcmp(class_of(finder, i), "MultiheadAttention") == 0)
            finder->layers[i].is_attention = true;
}

/* Returns: the attention around a layer; 0: there is none. */
static uint32_t find_attention_around(const struct finder *finder, uint32_t layer)
{
    while (layer != 0 && !finder->layers[layer].is_attention)
        layer = outer_of(finder, layer);
    return layer;
}

/* ---- blocks -------------------------------------------------------------------- */

/* Whether an op is a product with weights, and in no other one. */
static bool has_weights(const struct finder *finder, uint32_t op)
{
    uint32_t around = session_op_at(finder->session, op)->parent;

    return finder->products[op].is_product && finder->products[op].sizes.has_weights &&
           finder->roles[op] != ROLE_SCORES && !finder->products[around].is_product;
}

static void find_blocks(struct finder *finder)
{
    for (uint32_t i = 1; i < finder->session->ops.count; i++) {
        uint32_t layer = session_op_at(finder->session, i)->layer;

        if (!has_weights(finder, i) || find_attention_around(finder, layer) != 0)
            continue;
        for (; layer != 0; layer = outer_of(finder, layer))
            finder->layers[layer].weights_outside++;
    }
    for (uint32_t i = 1; i < finder->layer_count; i++) {
        uint32_t block = i;

        if (!finder->layers[i].is_attention)
            continue;
        while (block != 0 && finder->layers[block].weights_outside == 0)
            block = outer_of(finder, block);
        finder->layers[i].is_block = true;
        finder->layers[block].is_block = true;
    }
    finder->layers[0].is_block = false;
}

static uint32_t find_block_around(const struct finder *finder, uint32_t layer)
{
    while (layer != 0 && !finder->layers[layer].is_block)
        layer = outer_of(finder, layer);
    return layer;
}

/* Heads fit into the widths of projections, if the widths are known. */
static bool may_project(const struct op_product *product, long double head_width)
{
    return head_width == 0 ||
           (fmodl(product->inner, head_width) == 0 && fmodl(product->columns, head_width) == 0);
}

/* Low ranks inside of attention are too narrow for its heads. */
static bool may_feed(const struct finder *finder, const struct op_product *of, uint32_t block)
{
    long double head_width = finder->layers[block].head_width;
    long double narrow = fminl(of->inner, of->columns);

    return of->inner != of->columns &&
           (!finder->layers[block].is_attention ||
            (head_width > 0 && narrow > head_width && fmodl(narrow, head_width) == 0));
}

/* Ask whether `op` is one of two products of its block that widen and then narrow. */
static bool is_fed_forward(const struct finder *finder, uint32_t op, uint32_t block)
{
    const struct op_product *of = &finder->products[op].sizes;
    bool widens = of->columns > of->inner;

    if (!may_feed(finder, of, block))
        return false;
    for (uint32_t i = finder->layers[block].first_weights; i != 0;
         i = finder->products[i].next_weights) {
        const struct op_product *other = &finder->products[i].sizes;

        if (other->inner == of->columns && other->columns == of->inner && (i > op) == widens)
            return true;
    }
    return false;
}

static enum role find_weights_role(struct finder *finder, uint32_t op)
{
    uint32_t layer = session_op_at(finder->session, op)->layer;
    uint32_t attention = find_attention_around(finder, layer);
    uint32_t block = find_block_around(finder, layer);

    if (block != 0 && is_fed_forward(finder, op, block)) {
        finder->layers[block].is_both = finder->layers[block].is_attention;
        return ROLE_FEED_FORWARD;
    }
    return attention != 0 &&
                   may_project(&finder->products[op].sizes, finder->layers[attention].head_width)
               ? ROLE_PROJECTION
               : ROLE_MATMUL;
}

static void gather_weights(struct finder *finder)
{
    for (uint32_t i = 1; i < finder->session->ops.count; i++) {
        uint32_t block = find_block_around(finder, session_op_at(finder->session, i)->layer);

        if (block == 0 || !has_weights(finder, i))
            continue;
        finder->products[i].next_weights = finder->layers[block].first_weights;
        finder->layers[block].first_weights = i;
    }
}

static void find_weights(struct finder *finder)
{
    gather_weights(finder);
    for (uint32_t i = 1; i < finder->session->ops.count; i++)
        if (has_weights(finder, i))
            finder->roles[i] = find_weights_role(finder, i);
}

/* ---- all other ops ------------------------------------------------------------- */

/* Uses only the op's own name, which shows no block: a program's own scopes are no ops. */
static enum role find_own_role(const struct finder *finder, uint32_t index)
{
    const struct session_op *op = session_op_at(finder->session, index);
    enum role role = strncmp(op->name, "aten::", 6) == 0 ? role_of_name(op->name) : ROLES;
    struct op_product product;

    if (role != ROLES && role_block_of(role) == ROLE_BLOCK_NONE)
        return role;
    if (op_find_product(op, &product))
        return ROLE_MATMUL;
    return op->kind == OP_KIND_ELEMENTWISE ? ROLE_ELEMENTWISE : ROLES;
}

static void find_rest(struct finder *finder)
{
    for (uint32_t i = 1; i < finder->session->ops.count; i++) {
        const struct session_op *op = session_op_at(finder->session, i);
        uint32_t attention = find_attention_around(finder, op->layer);

        if (finder->roles[i] != ROLES)
            continue;
        finder->roles[i] = finder->roles[op->parent];
        if (finder->roles[i] == ROLES || finder->roles[i] == ROLE_ATTENTION)
            finder->roles[i] = find_own_role(finder, i);
        if (attention != 0 && !finder->layers[attention].is_both &&
            role_block_of(finder->roles[i]) == ROLE_BLOCK_NONE)
            finder->roles[i] = ROLE_ATTENTION;
    }
}

/* The roles of the forward ops, each with its calls. */
static void gather_parts(struct array *parts, const struct finder *finder)
{
    for (size_t i = 1; i < finder->session->op_ties.count; i++) {
        const struct session_op_tie *tie = array_at(&finder->session->op_ties, i);
        struct op_role_part *part;

        if (finder->roles[tie->forward] == ROLES || !(tie->calls > 0))
            continue;
        part = array_add(parts);
        *part = (struct op_role_part){tie->backward, finder->roles[tie->forward], tie->calls};
    }
}

static int compare_parts(const void *left, const void *right)
{
    const struct op_role_part *one = left, *other = right;

    if (one->op != other->op)
        return one->op < other->op ? -1 : 1;
    return (one->role > other->role) - (one->role < other->role);
}

/* Parts of one op and role become one. */
static void merge_parts(struct array *parts)
{
    struct op_role_part *part = parts->items;
    size_t kept = 0;

    for (size_t i = 1; i < parts->count; i++) {
        if (compare_parts(&part[kept], &part[i]) == 0)
            part[kept].share += part[i].share;
        else
            part[++kept] = part[i];
    }
    array_truncate(parts, parts->count > 0 ? kept + 1 : 0);
}

/* Returns: the role with the most calls among the `count` parts of an op; sets the parts'
 * shares. */
static enum role share_out(struct op_role_part *parts, size_t count)
{
    size_t most = 0;
    double calls = 0;

    for (size_t i = 0; i < count; i++) {
        calls += parts[i].share;
        if (parts[i].share > parts[most].share)
            most = i;
    }
    for (size_t i = 0; i < count; i++)
        parts[i].share /= calls;
    return parts[most].role;
}

static void find_backward(struct finder *finder, struct array *parts)
{
    gather_parts(parts, finder);
    struct op_role_part *part = parts->items;

    if (parts->count == 0)
        return;
    qsort(part, parts->count, sizeof *part, compare_parts);
    merge_parts(parts);
    for (size_t first = 0, end; first < parts->count; first = end) {
        for (end = first + 1; end < parts->count && part[end].op == part[first].op;)
            end++;
        finder->roles[part[first].op] = share_out(&part[first], end - first);
    }
}

static void find(struct finder *finder, struct array *parts)
{
    finder->layers = pool_get_zeros(finder->layer_count + 1, sizeof *finder->layers);
    finder->products = pool_get_zeros(finder->session->ops.count + 1, sizeof *finder->products);
    for (size_t i = 0; i < finder->session->ops.count; i++)
        finder->roles[i] = ROLES;
    find_products(finder);
    find_attention(finder);
    find_blocks(finder);
    find_weights(finder);
    find_rest(finder);
    find_backward(finder, parts);
}

void op_roles_init(struct op_roles *roles, const struct session *session)
{
    struct finder finder = {.session = session, .layer_count = session->layers.count};

    array_init(&roles->parts, sizeof(struct op_role_part));
    roles->of = finder.roles = pool_get((session->ops.count + 1) * sizeof *roles->of);
    if (roles->of)
        find(&finder, &roles->parts);
}

static int compare_op(const void *item, const void *key)
{
    uint32_t op = ((const struct op_role_part *)item)->op, other = *(const uint32_t *)key;

    return (op > other) - (op < other);
}

size_t op_roles_find_parts(const struct op_roles *roles, uint32_t op,
                           const struct op_role_part **first)
{
    const struct op_role_part *part = roles->parts.items;
    size_t begin = array_first_from(&roles->parts, &op, compare_op), end = begin;

    while (end < roles->parts.count && part[end].op == op)
        end++;
    *first = end > begin ? &part[begin] : NULL;
    return end - begin > 1 ? end - begin : 0;
}
