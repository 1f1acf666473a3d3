/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a tree of functions.
 *
 * Each sample with a chain is a path from the outermost function to its own row, or back.  Nodes
 * with one name below one parent are merged.
 */
#include "cpu/time_tree.h"

#include <string.h>

#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_table.h"
#include "cpu/cpu_ways.h"
#include "model/session.h"
#include "stacks/call_frame.h"
#include "stacks/call_tree.h"

enum column_index { TOTAL_SHARE, SHARE, TOTAL, SELF, DEPTH, NAME, LIBRARY };

static const struct column columns[] = {
    [TOTAL_SHARE] = {"total_share", "total", "of the processor time, with the rows below",
                     UNIT_FRACTION, 0},
    [SHARE] = {"share", "self", "of the processor time, in the row itself", UNIT_FRACTION, 1},
    [TOTAL] = {"total_ns", "total time", "processor time with the rows below", UNIT_NS, 2},
    [SELF] = {"self_ns", "self time", "processor time in the row itself", UNIT_NS, 3},
    [DEPTH] = {"depth", NULL, "of the row in the tree, from 0 on", UNIT_COUNT, 0},
    [NAME] = {"name", "name", "function or op, or what has the time", UNIT_TEXT, 0},
    [LIBRARY] = {"library", "library", "file that has the code", UNIT_TEXT, 4},
};

const struct table_schema time_tree_schema = {"time", "Processor time", columns,
                                              sizeof columns / sizeof *columns, NULL};

enum { NAME_SIZE = 200, DEPTH_MAX = 512, INDENT = 1 };

/* A node is a row of the cpu_time, or a function on the path to it.  Its name is the address of a
 * text that is stored once. */
struct time_tree {
    const struct cpu_time *time;
    const struct time_tree_options *options;
    struct table *table;
    struct call_tree tree;
    struct array libraries; /* const char *, by the index of the node */
    struct cpu_ways ways;
};

static struct call_node *enter(struct time_tree *tree, struct call_node *node,
                               const struct call_frame *step)
{
    node = call_tree_enter(&tree->tree, node, (uintptr_t)step->name);
    if (node->index == tree->libraries.count)
        array_add(&tree->libraries);
    *(const char **)array_at(&tree->libraries, node->index) = step->library;
    return node;
}

static void add_sample(struct time_tree *tree, size_t sample)
{
    const struct array *way = &tree->ways.steps;
    struct call_node *node = tree->tree.root;
    double ns = tree->time->sample_ns[sample];

    cpu_ways_find(&tree->ways, sample);
    for (size_t i = 0; i < way->count && i < DEPTH_MAX && i < tree->options->depth; i++) {
        size_t at = tree->options->is_callers ? i : way->count - 1 - i;

        node = enter(tree, node, array_at(way, at));
        node->weights[0].whole += ns;
        if (at == 0)
            node->weights[0].own += ns;
    }
}

static const char *name_of(const struct call_node *node)
{
    return (const char *)(uintptr_t)node->name;
}

static int compare_nodes(const void *left, const void *right)
{
    const struct call_node *a = *(const struct call_node *const *)left;
    const struct call_node *b = *(const struct call_node *const *)right;

    if (a->weights[0].whole != b->weights[0].whole)
        return a->weights[0].whole < b->weights[0].whole ? 1 : -1;
    return strcmp(name_of(a), name_of(b));
}

static bool add_row(void *of, const struct call_node *node)
{
    struct time_tree *tree = of;
    const struct call_weight *ns = node->weights;
    size_t depth = node->depth - 1; /* the root has no row */
    struct value *cells;
    struct text name;

    if (!(ns->whole >= tree->options->least_fraction * tree->time->cpu_ns))
        return false;
    cells = table_add_row(tree->table);
    value_set_real(&cells[TOTAL_SHARE], cpu_time_share(tree->time, ns->whole));
    value_set_real(&cells[SHARE], cpu_time_share(tree->time, ns->own));
    value_set_rounded(&cells[TOTAL], ns->whole);
    value_set_rounded(&cells[SELF], ns->own);
    value_set_unsigned(&cells[DEPTH], depth);
    text_init(&name);
    text_appendf(&name, "%*s%.*s", (int)(INDENT * depth), "", NAME_SIZE, name_of(node));
    value_set_text(&cells[LIBRARY], *(const char **)array_at(&tree->libraries, node->index));
    value_take_text(&cells[NAME], &name);
    return true;
}

void time_tree_fill(struct table *table, const struct cpu_time *time,
                    const struct time_tree_options *options)
{
    struct time_tree tree = {.time = time, .options = options, .table = table};

    call_tree_init(&tree.tree, 1);
    array_init(&tree.libraries, sizeof(const char *));
    cpu_ways_init(&tree.ways, time);
    for (size_t i = 0; i < time->session->samples.count; i++)
        add_sample(&tree, i);
    call_tree_walk(&tree.tree, compare_nodes, add_row, &tree);
}
