/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions as rows: under their callers (from the top down), or the
 * functions that allocate with their callers below (from the bottom up).
 *
 * Each row has the bytes that pass through it, and those that end in it.  The latter sum to 100 %
 * over all rows, including those for the rest.
 */
#include <math.h>

#include "base/text.h"
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/site_tree.h"
#include "heap/texts.h"
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

struct rows {
    const struct memory_work *work;
    const struct site_tree *tree;
    struct table *table;
    struct call_weight rest[SITE_TREE_WEIGHTS]; /* siblings without a row */
};

static uint64_t count_of(double amount)
{
    return isinf(amount) ? SESSION_UNKNOWN : (uint64_t)amount;
}

static void set_share(struct value *value, double amount, double whole)
{
    if (!isinf(amount) && !isinf(whole))
        value_set_ratio(value, amount, whole);
}

static void mark_estimates(struct value *row, const struct memory_work *work)
{
    static const unsigned char amounts[] = {SHARE, SELF_SHARE, AMOUNT, SELF};

    if (heap_measure_is_estimate(work->session, work->options->measure))
        values_mark_estimates(row, amounts, sizeof amounts);
    value_mark_estimate(&row[COUNT], work->session->heap.has_estimated_sites);
}

static void set_place(struct value *row, const char *name, size_t depth)
{
    size_t levels = depth < DEEPEST_INDENT ? depth : DEEPEST_INDENT;
    struct text text;

    value_set_unsigned(&row[DEPTH], depth);
    text_init(&text);
    text_appendf(&text, "%*s%s", (int)(2 * levels), "", name);
    value_take_text(&row[PLACE], &text);
}

/* Returns: the row of a node, or of the rest of some. */
static struct value *add_row(struct rows *rows, const char *name, size_t depth,
                             const struct call_weight *weights)
{
    const struct call_weight *amount = &weights[SITE_TREE_AMOUNT];
    double whole = rows->tree->tree.root->weights[SITE_TREE_AMOUNT].whole;
    struct value *row = table_add_row(rows->table);

    set_share(&row[SHARE], amount->whole, whole);
    set_share(&row[SELF_SHARE], amount->own, whole);
    value_set_known(&row[AMOUNT], count_of(amount->whole));
    value_set_known(&row[SELF], count_of(amount->own));
    value_set_known(&row[COUNT], count_of(weights[SITE_TREE_ALLOCATIONS].whole));
    mark_estimates(row, rows->work);
    set_place(row, name, depth);
    return row;
}

static void add_rest(struct rows *rows, const struct call_node *node)
{
    for (int i = 0; i < SITE_TREE_WEIGHTS; i++)
        rows->rest[i].own = rows->rest[i].whole += node->weights[i].whole;
    if (node->next)
        return;
    if (rows->rest[SITE_TREE_AMOUNT].whole > 0)
        add_row(rows, "(others)", node->depth, rows->rest);
    for (int i = 0; i < SITE_TREE_WEIGHTS; i++)
        rows->rest[i] = (struct call_weight){0, 0};
}

/* The smallest siblings come last, so the rest is complete after the last one. */
static bool visit(void *of, const struct call_node *node)
{
    struct rows *rows = of;
    const struct places_function *function = places_function(rows->work->places,
                                                             (uint32_t)node->name);
    struct value *row;

    if (!site_tree_shows(rows->tree, node)) {
        add_rest(rows, node);
        return false;
    }
    row = add_row(rows, function->name, node->depth, node->weights);
    value_set_text(&row[FUNCTION], function->name);
    value_set_text(&row[MODULE], function->module);
    return true;
}

static int compare_nodes(const void *a, const void *b)
{
    const struct call_node *left = *(const struct call_node *const *)a;
    const struct call_node *right = *(const struct call_node *const *)b;
    double first = left->weights[SITE_TREE_AMOUNT].whole;
    double second = right->weights[SITE_TREE_AMOUNT].whole;

    if (first != second)
        return first > second ? -1 : 1;
    return (left->name > right->name) - (left->name < right->name);
}

static void add_notes(struct table *table, const struct site_tree *tree,
                      const struct memory_work *work)
{
    const struct heap_view view = {
        .measure = work->options->measure,
        .whole = count_of(tree->tree.root->weights[SITE_TREE_AMOUNT].whole)};

    if (view.whole == SESSION_UNKNOWN)
        table_say(table, rows_whole_unknown_text);
    else
        table_say(table, rows_whole_tree_text, heap_rows_whole(&view),
                  said_words(heap_measure_whole(view.measure)), said_share(tree->least));
    heap_rows_add_doubts(table, work->session);
}

void memory_build_tree(struct memory_work *work, struct table *table)
{
    bool is_count = heap_measure_is_count(work->options->measure);
    struct site_tree tree;
    struct rows rows = {.work = work, .tree = &tree, .table = table};

    site_tree_init(&tree, work);
    table_init(table, is_count ? &count_schema : &bytes_schema);
    table->title = work->options->by == ANALYSIS_BY_CALLERS ? "Allocations, bottom up"
                                                            : "Allocations, top down";
    add_row(&rows, "(all)", 0, tree.tree.root->weights);
    call_tree_walk(&tree.tree, compare_nodes, visit, &rows);
    add_notes(table, &tree, work);
}
