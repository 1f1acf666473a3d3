/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees, gathered node by node and cut to what a page can hold.
 */
#include "page/call_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "statistics/ranks.h"

void call_tree_init(struct call_tree *tree, const struct call_tree_weight *weights, size_t count)
{
    *tree = (struct call_tree){.branches = {.size = sizeof(struct call_tree_node)},
                               .weight_count = count};
    memcpy(tree->weights, weights, count * sizeof *weights);
    array_init(&tree->frames, sizeof(struct call_tree_frame));
}

static void free_text(const char *text)
{
    free((void *)(uintptr_t)text);
}

void call_tree_fini(struct call_tree *tree)
{
    struct call_tree_frame *frame = tree->frames.items;

    for (size_t i = 0; i < tree->frames.count; i++) {
        free_text(frame[i].name);
        free_text(frame[i].where);
    }
    array_fini(&tree->frames);
    text_index_fini(&tree->keys);
    branches_fini(&tree->branches);
}

static void add_frame(struct call_tree *tree, const struct call_tree_frame *of)
{
    struct call_tree_frame *frame = array_add(&tree->frames);

    *frame = (struct call_tree_frame){memory_copy(of->name),
                                      of->where ? memory_copy(of->where) : NULL, of->kind};
}

void call_tree_find(struct call_tree *tree, const struct call_tree_frame *frame, size_t *number)
{
    struct text key;
    long found;

    text_init(&key);
    text_index_append_part(&key, frame->name);
    text_index_append_part(&key, frame->where);
    text_appendf(&key, "%d", (int)frame->kind);
    found = text_index_add(&tree->keys, &key);
    text_fini(&key);
    *number = (size_t)found;
    if (*number == tree->frames.count)
        add_frame(tree, frame);
}

void call_tree_enter_number(struct call_tree *tree, struct call_tree_node **node, size_t number)
{
    *node = (struct call_tree_node *)branches_get(&tree->branches, &(*node)->branch, number);
}

void call_tree_enter(struct call_tree *tree, struct call_tree_node **node,
                     const struct call_tree_frame *frame)
{
    size_t number;

    call_tree_find(tree, frame, &number);
    call_tree_enter_number(tree, node, number);
}

/* ---- what the page has of it --------------------------------------------------------- */

static struct call_tree_node *parent_of(const struct call_tree_node *node)
{
    return (struct call_tree_node *)node->branch.key.parent;
}

/* Nodes are walked from the last that was made: callers come after what they called. */
static void sum_up(struct call_tree *tree)
{
    for (struct branch *branch = branches_last(&tree->branches); branch;
         branch = branches_before(branch)) {
        struct call_tree_node *node = (struct call_tree_node *)branch, *parent = parent_of(node);

        for (size_t i = 0; i < tree->weight_count; i++)
            parent->weights[i] += node->weights[i];
    }
}

/* Returns: the largest of its shares, from 0 to 1. */
static double share_of(const struct call_tree *tree, const struct call_tree_node *node)
{
    double share = 0;

    for (size_t i = 0; i < tree->weight_count; i++)
        if (tree->root.weights[i] > 0)
            share = fmax(share, node->weights[i] / tree->root.weights[i]);
    return share;
}

static void list_shares(const struct call_tree *tree, struct array *shares)
{
    for (struct branch *branch = branches_last(&tree->branches); branch;
         branch = branches_before(branch)) {
        double *share = array_add_raw(shares);

        *share = share_of(tree, (struct call_tree_node *)branch);
    }
}

/* Find the share above which there are no more than CALL_TREE_NODES: what is called weighs no more
 * than its caller, so nobody is kept without these. */
static void find_least(const struct call_tree *tree, double *least)
{
    struct array shares;

    array_init(&shares, sizeof(double));
    list_shares(tree, &shares);
    *least = 0;
    if (shares.count > CALL_TREE_NODES)
        *least = ranks_select(shares.items, shares.count, shares.count - 1 - CALL_TREE_NODES);
    array_fini(&shares);
}

/* Turn the order round, and number them. */
static void number(struct array *chosen)
{
    struct call_tree_node **node = chosen->items;

    for (size_t i = 0; i < chosen->count / 2; i++) {
        struct call_tree_node *other = node[i];

        node[i] = node[chosen->count - 1 - i];
        node[chosen->count - 1 - i] = other;
    }
    for (size_t i = 0; i < chosen->count; i++)
        node[i]->number = (long)i;
}

/* List the nodes that the page has, callers first. */
static void choose(struct call_tree *tree, struct array *chosen)
{
    double least;

    find_least(tree, &least);
    tree->root.number = -1;
    for (struct branch *branch = branches_last(&tree->branches); branch;
         branch = branches_before(branch)) {
        struct call_tree_node **node;

        if (!(share_of(tree, (struct call_tree_node *)branch) > least))
            continue;
        node = array_add(chosen);
        *node = (struct call_tree_node *)branch;
    }
    number(chosen);
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void put_comma(struct html *html, size_t index)
{
    html_put(html, index == 0 ? "" : index % 16 ? "," : ",\n");
}

static void put_parents(struct html *html, const struct array *chosen)
{
    html_put(html, "\"parent\":[");
    for (size_t i = 0; i < chosen->count; i++) {
        put_comma(html, i);
        html_putf(html, "%ld", parent_of(*(struct call_tree_node **)array_at(chosen, i))->number);
    }
    html_put(html, "],\n");
}

/* Frames are numbered by their first use, so that those of nodes left out are not there. */
static void put_frames(struct html *html, const struct call_tree *tree, const struct array *chosen,
                       size_t *numbers)
{
    size_t count = 0;

    html_put(html, "\"frames\":[");
    for (size_t i = 0; i < chosen->count; i++) {
        const struct call_tree_node *node = *(struct call_tree_node **)array_at(chosen, i);
        const struct call_tree_frame *frame = array_at(&tree->frames, node->branch.key.name);

        if (numbers[node->branch.key.name] > 0)
            continue;
        html_put(html, count++ ? ",\n[" : "[");
        numbers[node->branch.key.name] = count;
        html_string(html, frame->name);
        html_put(html, ",");
        html_string(html, frame->where ? frame->where : "");
        html_putf(html, ",%d]", (int)frame->kind);
    }
    html_put(html, "],\n\"frame\":[");
    for (size_t i = 0; i < chosen->count; i++) {
        const struct call_tree_node *node = *(struct call_tree_node **)array_at(chosen, i);

        put_comma(html, i);
        html_putf(html, "%zu", numbers[node->branch.key.name] - 1);
    }
    html_put(html, "],\n");
}

static void put_verdicts_of(struct html *html, const struct array *chosen, size_t side)
{
    html_put(html, ",\n[");
    for (size_t i = 0; i < chosen->count; i++) {
        put_comma(html, i);
        html_putf(html, "%d", (*(struct call_tree_node **)array_at(chosen, i))->verdicts[side]);
    }
    html_put(html, "]");
}

/* Of the first side there are none. */
static void put_verdicts(struct html *html, const struct call_tree *tree,
                         const struct array *chosen)
{
    html_put(html, "\"sides\":[");
    for (size_t i = 0; i < text_list_count(tree->sides); i++) {
        html_put(html, i > 0 ? "," : "");
        html_string(html, text_list_at(tree->sides, i));
    }
    html_put(html, "],\n\"verdicts\":[[]");
    for (size_t i = 1; i < tree->weight_count; i++)
        put_verdicts_of(html, chosen, i);
    html_put(html, "],\n");
}

static void put_weight(struct html *html, const struct call_tree *tree, const struct array *chosen,
                       size_t weight)
{
    const struct call_tree_weight *row = &tree->weights[weight];

    html_put(html, "{\"name\":");
    html_string(html, row->name);
    html_putf(html, ",\"unit\":\"%s\",\"whole\":", row->unit);
    html_number(html, round(tree->root.weights[weight]));
    html_put(html, ",\"value\":[");
    for (size_t i = 0; i < chosen->count; i++) {
        const struct call_tree_node *node = *(struct call_tree_node **)array_at(chosen, i);

        put_comma(html, i);
        html_putf(html, "%.0f", node->weights[weight]);
    }
    html_put(html, "]}");
}

static void put_weights(struct html *html, const struct call_tree *tree, const struct array *chosen)
{
    const char *comma = "";

    html_put(html, "\"weights\":[");
    for (size_t i = 0; i < tree->weight_count; i++) {
        if (!tree->sides && (!tree->weights[i].is_known || !(tree->root.weights[i] > 0)))
            continue;
        html_put(html, comma);
        put_weight(html, tree, chosen, i);
        comma = ",\n";
    }
    html_put(html, "]");
}

static void put_chosen(struct html *html, const struct call_tree *tree, const struct array *chosen,
                       size_t whole)
{
    size_t *numbers = memory_get_zeros(tree->frames.count + 1, sizeof *numbers);

    html_putf(html, "\"left_out\":%zu,\n", whole - chosen->count);
    put_parents(html, chosen);
    put_frames(html, tree, chosen, numbers);
    if (tree->sides)
        put_verdicts(html, tree, chosen);
    put_weights(html, tree, chosen);
    free(numbers);
}

static size_t count_nodes(const struct call_tree *tree)
{
    size_t count = 0;

    for (struct branch *branch = branches_last(&tree->branches); branch;
         branch = branches_before(branch))
        count++;
    return count;
}

void call_tree_put(struct html *html, struct call_tree *tree, const char *name)
{
    struct array chosen;

    if (!tree->is_summed)
        sum_up(tree);
    array_init(&chosen, sizeof(struct call_tree_node *));
    choose(tree, &chosen);
    html_putf(html, "{\"name\":\"%s\",", name);
    put_chosen(html, tree, &chosen, count_nodes(tree));
    html_put(html, "}");
    array_fini(&chosen);
}
