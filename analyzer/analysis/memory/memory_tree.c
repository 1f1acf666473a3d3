/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions: under their callers (from the top down), or the
 * functions that allocate with their callers below (from the bottom up).
 *
 * Chains are merged over addresses: a function that calls from two lines is one
 * node.  Every row says what passes through it and what ends in it; the second
 * sums to 100 % over all rows, those for the rest included.
 */
#include <stdlib.h>

#include "analysis/kernels/kernel_rows.h"
#include "analysis/memory/memory_parts.h"
#include "base/hash.h"

enum tree_column { SHARE, SELF_SHARE, AMOUNT, SELF, COUNT, DEPTH, PLACE, FUNCTION, MODULE };

#define TREE_COLUMNS(unit)                                                                         \
    {                                                                                              \
        [SHARE] = {"share", "share", "what passes through it, of the whole", UNIT_FRACTION, 0},    \
        [SELF_SHARE] = {"self_share", "self", "what ends in it; sums to 100 %", UNIT_FRACTION, 1}, \
        [AMOUNT] = {"amount", "amount", "what passes through it", unit, 2},                        \
        [SELF] = {"self_amount", NULL, "what ends in it", unit, 0},                                \
        [COUNT] = {"allocations", "count", "blocks obtained through it", UNIT_COUNT, 3},           \
        [DEPTH] = {"depth", NULL, "of the node; the root has 0", UNIT_COUNT, 0},                   \
        [PLACE] = {"place", "function", "indented by its depth", UNIT_PLACE, 0},                   \
        [FUNCTION] = {"function", NULL, "null for what is gathered", UNIT_TEXT, 0},                \
        [MODULE] = {"module", NULL, "that holds the function", UNIT_TEXT, 0},                      \
    }

enum { COLUMNS = MODULE + 1 };

static const struct column bytes_columns[COLUMNS] = TREE_COLUMNS(UNIT_BYTES);
static const struct column count_columns[COLUMNS] = TREE_COLUMNS(UNIT_COUNT);
static const struct table_schema bytes_schema = {"memory", NULL, bytes_columns, COLUMNS, "share"};
static const struct table_schema count_schema = {"memory", NULL, count_columns, COLUMNS, "share"};

enum {
    NO_FUNCTION = UINT32_MAX, /* of the root */
    DEEPEST_INDENT = 24       /* deeper nodes stand below one another */
};

static const double least_share = 0.01; /* of the whole; smaller nodes are gathered */

struct node;

struct node_key {
    const struct node *parent;
    uint64_t function;
};

struct node {
    struct node_key key;
    size_t depth;
    struct heap_sums through;
    struct heap_sums self;
    struct array children; /* of struct node * */
    UT_hash_handle hh;
};

struct tree {
    struct memory_work *work;
    struct node *by_key;
    struct node root;
    uint64_t whole;
};

static uint64_t amount_of(const struct tree *tree, const struct heap_sums *sums)
{
    return heap_sums_measure(sums, tree->work->options->measure);
}

/* ---- growing --------------------------------------------------------------- */

static void tree_fini(struct tree *tree)
{
    struct node *node, *next;

    HASH_ITER(hh, tree->by_key, node, next)
    {
        HASH_DEL(tree->by_key, node);
        array_fini(&node->children);
        free(node);
    }
    array_fini(&tree->root.children);
}

/* Returns: NULL when memory ran out. */
static struct node *add_child(struct tree *tree, struct node *parent, const struct node_key *key)
{
    struct node *node = calloc(1, sizeof *node);
    struct node **place = node ? array_add(&parent->children) : NULL;

    if (!place) {
        free(node);
        return NULL;
    }
    *place = node;
    node->key = *key;
    node->depth = parent->depth + 1;
    array_init(&node->children, sizeof(struct node *));
    HASH_ADD(hh, tree->by_key, key, sizeof node->key, node);
    if (hash_was_added(&node->hh))
        return node;
    array_truncate(&parent->children, parent->children.count - 1);
    free(node);
    return NULL;
}

static struct node *get_child(struct tree *tree, struct node *parent, uint32_t function)
{
    const struct node_key key = {parent, function};
    struct node *node = NULL;

    HASH_FIND(hh, tree->by_key, &key, sizeof key, node);
    return node ? node : add_child(tree, parent, &key);
}

/* Walk from the root along the functions of a chain, from `first` on. */
static enum status add_path(struct tree *tree, const struct array *chain, size_t first,
                            const struct session_site *site)
{
    const struct place *place = chain->items;
    bool is_upward = tree->work->options->by == ANALYSIS_BY_CALLERS;
    size_t count = places_count_inner(chain);
    size_t levels = count > first ? count - first : 0;
    struct node *node = &tree->root;

    heap_sums_add(&node->through, site);
    if (is_upward && tree->work->options->has_chain && tree->work->options->chain < levels)
        levels = tree->work->options->chain;
    for (size_t i = 0; i < levels; i++) {
        size_t index = is_upward ? first + i : count - 1 - i;

        node = get_child(tree, node, place[index].function->id);
        if (!node)
            return STATUS_OUT_OF_MEMORY;
        heap_sums_add(&node->through, site);
    }
    heap_sums_add(&node->self, site);
    return STATUS_OK;
}

static enum status grow(struct tree *tree, struct memory_work *work)
{
    enum status status = STATUS_OK;
    struct array chain;

    *tree = (struct tree){.work = work, .root.key.function = NO_FUNCTION};
    array_init(&tree->root.children, sizeof(struct node *));
    array_init(&chain, sizeof(struct place));
    for (size_t i = 0; i < work->session->sites.count && !status; i++) {
        const struct session_site *site = array_at(&work->session->sites, i);

        array_truncate(&chain, 0);
        status = places_fill_chain(work->places, site->call, &chain);
        if (!status)
            status = add_path(tree, &chain, places_find_owner(&chain), site);
    }
    array_fini(&chain);
    if (!heap_sums_are_recorded(work->session))
        tree->root.through = tree->root.self = heap_sums_of(work->session);
    tree->whole = amount_of(tree, &tree->root.through);
    return status;
}

/* ---- rows ------------------------------------------------------------------ */

static void set_share(struct value *value, uint64_t amount, const struct tree *tree)
{
    if (amount != SESSION_UNKNOWN && tree->whole != SESSION_UNKNOWN)
        kernel_rows_set_ratio(value, amount, tree->whole);
}

static void set_sums(struct value *row, const struct tree *tree, const struct heap_sums *through,
                     const struct heap_sums *self)
{
    set_share(&row[SHARE], amount_of(tree, through), tree);
    set_share(&row[SELF_SHARE], amount_of(tree, self), tree);
    kernel_rows_set_known(&row[AMOUNT], amount_of(tree, through));
    kernel_rows_set_known(&row[SELF], amount_of(tree, self));
    kernel_rows_set_known(&row[COUNT], through->allocations);
}

static enum status set_place(struct value *row, const char *name, size_t depth)
{
    size_t levels = depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT;
    struct text text;
    enum status status;

    value_set_unsigned(&row[DEPTH], depth);
    text_init(&text);
    for (size_t i = 0; i < levels; i++)
        text_append(&text, "  ");
    text_append(&text, name);
    status = text_status(&text);
    if (!status)
        status = value_set_text(&row[PLACE], text.bytes);
    text_fini(&text);
    return status;
}

static enum status add_node_row(struct tree *tree, struct table *table, const struct node *node)
{
    struct value *row = table_add_row(table);
    const struct places_function *function;
    enum status status;

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    set_sums(row, tree, &node->through, &node->self);
    if (node->key.function == NO_FUNCTION)
        return set_place(row, "(all)", 0);
    function = places_function(tree->work->places, (uint32_t)node->key.function);
    status = set_place(row, function->name, node->depth);
    if (!status)
        status = value_set_text(&row[FUNCTION], function->name);
    return status ? status : value_set_text(&row[MODULE], function->module);
}

static enum status add_rest_row(struct tree *tree, struct table *table,
                                const struct heap_sums *rest, size_t depth)
{
    struct value *row = table_add_row(table);

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    set_sums(row, tree, rest, rest);
    return set_place(row, "(others)", depth);
}

struct ranked_node {
    const struct node *node;
    uint64_t amount;
};

static int compare_nodes(const void *a, const void *b)
{
    const struct ranked_node *left = a, *right = b;

    if (left->amount != right->amount)
        return left->amount > right->amount ? -1 : 1;
    return (left->node->key.function > right->node->key.function) -
           (left->node->key.function < right->node->key.function);
}

/* Returns: the children by amount, to be freed; NULL when memory ran out. */
static struct ranked_node *rank_children(const struct tree *tree, const struct node *node)
{
    struct ranked_node *ranked = calloc(node->children.count + 1, sizeof *ranked);

    for (size_t i = 0; ranked && i < node->children.count; i++) {
        const struct node *child = *(struct node **)array_at(&node->children, i);

        ranked[i] = (struct ranked_node){child, amount_of(tree, &child->through)};
    }
    if (ranked)
        qsort(ranked, node->children.count, sizeof *ranked, compare_nodes);
    return ranked;
}

/* Below 1 % a tree would be longer than anyone reads. */
static double least_share_of(const struct tree *tree)
{
    double asked = tree->work->options->least_fraction;

    return asked > least_share ? asked : least_share;
}

static enum status add_subtree(struct tree *tree, struct table *table, const struct node *node)
{
    struct ranked_node *children = rank_children(tree, node);
    enum status status = children ? add_node_row(tree, table, node) : STATUS_OUT_OF_MEMORY;
    double least = least_share_of(tree);
    struct heap_sums rest = {0};

    for (size_t i = 0; i < node->children.count && !status; i++) {
        if ((double)children[i].amount >= least * (double)tree->whole)
            status = add_subtree(tree, table, children[i].node);
        else
            heap_sums_merge(&rest, &children[i].node->through);
    }
    if (!status && amount_of(tree, &rest) > 0)
        status = add_rest_row(tree, table, &rest, node->depth + 1);
    free(children);
    return status;
}

static enum status add_notes(struct table *table, const struct tree *tree)
{
    const struct heap_view view = {.measure = tree->work->options->measure, .whole = tree->whole};
    struct text whole;
    enum status status;

    text_init(&whole);
    heap_rows_append_whole(&whole, &view);
    status = text_status(&whole);
    if (!status)
        status = table_add_note(table,
                                "Shares are of %s; what ends in a row (self) sums to 100 %%, what "
                                "is below %.0f %% is gathered as others.",
                                whole.bytes, 100 * least_share_of(tree));
    text_fini(&whole);
    return status ? status : heap_rows_add_doubts(table, tree->work->session);
}

enum status memory_build_tree(struct memory_work *work, struct table *table)
{
    bool is_count =
        work->options->measure == ANALYSIS_COUNT || work->options->measure == ANALYSIS_TEMPORARY;
    struct tree tree;
    enum status status = grow(&tree, work);

    table_init(table, is_count ? &count_schema : &bytes_schema);
    table->title = work->options->by == ANALYSIS_BY_CALLERS ? "Allocations from the bottom up"
                                                            : "Allocations from the top down";
    if (!status)
        status = add_subtree(&tree, table, &tree.root);
    if (!status)
        status = add_notes(table, &tree);
    tree_fini(&tree);
    return status;
}
