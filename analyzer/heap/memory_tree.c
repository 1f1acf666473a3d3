/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions as rows: under their callers (from the top down), or the
 * functions that allocate with their callers below (from the bottom up).
 *
 * Every row says what passes through it and what ends in it; the second
 * sums to 100 % over all rows, those for the rest included.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "heap/tree.h"
#include "model/session.h"
#include "model/session_unknown.h"

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

enum { DEEPEST_INDENT = 24 /* deeper nodes stand below one another */ };

static void set_share(struct value *value, uint64_t amount, const struct tree *tree)
{
    if (amount != SESSION_UNKNOWN && tree->root.through.amount != SESSION_UNKNOWN)
        value_set_ratio(value, amount, tree->root.through.amount);
}

static void mark_estimates(struct value *row, const struct memory_work *work)
{
    static const unsigned char amounts[] = {SHARE, SELF_SHARE, AMOUNT, SELF};

    if (heap_measure_is_estimate(work->session, work->options->measure))
        values_mark_estimates(row, amounts, sizeof amounts);
    value_mark_estimate(&row[COUNT], work->session->heap.has_estimated_sites);
}

static void set_sums(struct value *row, const struct tree *tree, const struct tree_sums *through,
                     const struct tree_sums *self)
{
    set_share(&row[SHARE], through->amount, tree);
    set_share(&row[SELF_SHARE], self->amount, tree);
    value_set_known(&row[AMOUNT], through->amount);
    value_set_known(&row[SELF], self->amount);
    value_set_known(&row[COUNT], through->allocations);
    mark_estimates(row, tree->work);
}

static void set_place(struct value *row, const char *name, size_t depth)
{
    size_t levels = depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT;
    struct text text;

    value_set_unsigned(&row[DEPTH], depth);
    text_init(&text);
    for (size_t i = 0; i < levels; i++)
        text_append(&text, "  ");
    text_append(&text, name);
    value_take_text(&row[PLACE], &text);
}

static void add_node_row(struct tree *tree, struct table *table, const struct tree_node *node)
{
    struct value *row = table_add_row(table);
    const struct places_function *function;

    set_sums(row, tree, &node->through, &node->self);
    if (node->branch.key.name == TREE_NO_FUNCTION) {
        set_place(row, "(all)", 0);
        return;
    }
    function = places_function(tree->work->places, (uint32_t)node->branch.key.name);
    set_place(row, function->name, node->branch.depth);
    value_set_text(&row[FUNCTION], function->name);
    value_set_text(&row[MODULE], function->module);
}

static void add_rest_row(struct tree *tree, struct table *table, const struct tree_sums *rest,
                         size_t depth)
{
    struct value *row = table_add_row(table);

    set_sums(row, tree, rest, rest);
    set_place(row, "(others)", depth);
}

struct ranked_node {
    const struct tree_node *node;
    uint64_t amount;
};

static int compare_nodes(const void *a, const void *b)
{
    const struct ranked_node *left = a, *right = b;

    if (left->amount != right->amount)
        return left->amount > right->amount ? -1 : 1;
    return (left->node->branch.key.name > right->node->branch.key.name) -
           (left->node->branch.key.name < right->node->branch.key.name);
}

/* Returns: the children by amount, to be freed. */
static struct ranked_node *rank_children(const struct tree_node *node)
{
    struct ranked_node *ranked = memory_get_zeros(node->branch.child_count + 1, sizeof *ranked);
    size_t count = 0;

    for (const struct branch *branch = node->branch.first_child; branch; branch = branch->next) {
        const struct tree_node *child = (const struct tree_node *)branch;

        ranked[count++] = (struct ranked_node){child, child->through.amount};
    }
    qsort(ranked, node->branch.child_count, sizeof *ranked, compare_nodes);
    return ranked;
}

/* A node whose children are shown. */
struct visit {
    const struct tree_node *node;
    struct ranked_node *children;
    size_t next;           /* of these */
    struct tree_sums rest; /* of those that have no row */
};

/* Without recursion: a tree may be deeper than a stack has room for. */
struct walk {
    struct tree *tree;
    struct table *table;
    struct array visits; /* of struct visit, from the root on */
};

static void enter(struct walk *walk, const struct tree_node *node)
{
    struct visit *visit = array_add(&walk->visits);

    visit->node = node;
    visit->children = rank_children(node);
    add_node_row(walk->tree, walk->table, node);
}

static void leave(struct walk *walk, struct visit *last)
{
    if (last->rest.amount > 0)
        add_rest_row(walk->tree, walk->table, &last->rest, last->node->branch.depth + 1);
    free(last->children);
    array_truncate(&walk->visits, walk->visits.count - 1);
}

static void go_on(struct walk *walk)
{
    struct visit *last = array_at(&walk->visits, walk->visits.count - 1);
    const struct tree_node *child;

    if (last->next == last->node->branch.child_count) {
        leave(walk, last);
        return;
    }
    child = last->children[last->next++].node;
    if (tree_is_shown(walk->tree, child)) {
        enter(walk, child);
        return;
    }
    tree_sums_add(&last->rest, &child->through);
}

static void add_rows(struct tree *tree, struct table *table)
{
    struct walk walk = {.tree = tree, .table = table};

    array_init(&walk.visits, sizeof(struct visit));
    enter(&walk, &tree->root);
    while (walk.visits.count > 0)
        go_on(&walk);
    for (size_t i = 0; i < walk.visits.count; i++)
        free(((struct visit *)array_at(&walk.visits, i))->children);
    array_fini(&walk.visits);
}

static void add_notes(struct table *table, const struct tree *tree)
{
    const struct heap_view view = {.measure = tree->work->options->measure,
                                   .whole = tree->root.through.amount};

    if (view.whole == SESSION_UNKNOWN)
        table_say(table, rows_whole_unknown_text);
    else
        table_say(table, rows_whole_tree_text, heap_rows_whole(&view),
                  said_words(heap_measure_whole(view.measure)), said_share(tree->least));
    heap_rows_add_doubts(table, tree->work->session);
}

void memory_build_tree(struct memory_work *work, struct table *table)
{
    bool is_count = heap_measure_is_count(work->options->measure);
    struct tree tree;

    tree_grow(&tree, work);
    table_init(table, is_count ? &count_schema : &bytes_schema);
    table->title = work->options->by == ANALYSIS_BY_CALLERS ? "Allocations, bottom up"
                                                            : "Allocations, top down";
    add_rows(&tree, table);
    add_notes(table, &tree);
    tree_fini(&tree);
}
