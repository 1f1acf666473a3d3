/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a tree of functions.
 *
 * Each sample with a chain is a way from the outermost function to its own row, or back.  Nodes
 * of one name under one parent are one.
 */
#include "cpu/time_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/branches.h"
#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_table.h"
#include "cpu/cpu_ways.h"
#include "model/session.h"

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

/* A row of the cpu_time, or a function on the way there.  Names are kept once: equal texts have
 * equal addresses, which tell nodes apart. */
struct node {
    struct branch branch;
    const char *name;
    const char *library;
    double self_ns, total_ns;
};

struct tree {
    const struct cpu_time *time;
    const struct time_tree_options *options;
    struct node root;
    struct branches branches;
    struct cpu_ways ways;
};

static struct node *find_node(struct tree *tree, struct node *parent, const struct cpu_step *step)
{
    struct branch *branch = branches_get(&tree->branches, &parent->branch, (uintptr_t)step->name);
    struct node *node = (struct node *)branch;

    if (node) {
        node->name = step->name;
        node->library = step->library;
    }
    return node;
}

static void add_sample(struct tree *tree, size_t sample)
{
    double ns = tree->time->sample_ns[sample];
    struct node *node = &tree->root;
    cpu_ways_find(&tree->ways, sample);
    const struct array *way = &tree->ways.steps;

    for (size_t i = 0; i < way->count && i < DEPTH_MAX && i < tree->options->depth; i++) {
        size_t at = tree->options->is_callers ? i : way->count - 1 - i;

        node = find_node(tree, node, array_at(way, at));
        node->total_ns += ns;
        if (at == 0)
            node->self_ns += ns;
    }
}

static int compare_nodes(const void *left, const void *right)
{
    const struct node *a = *(const struct node *const *)left;
    const struct node *b = *(const struct node *const *)right;

    if (a->total_ns != b->total_ns)
        return a->total_ns < b->total_ns ? 1 : -1;
    return strcmp(a->name, b->name);
}

static bool is_shown(const struct tree *tree, const struct node *node)
{
    return node->total_ns >= tree->options->least_fraction * tree->time->cpu_ns;
}

static void gather_children(struct array *children, const struct tree *tree,
                            const struct node *parent)
{
    for (struct branch *child = parent->branch.first_child; child; child = child->next) {
        struct node *node = (struct node *)child;
        struct node **place = is_shown(tree, node) ? array_add(children) : NULL;

        if (place)
            *place = node;
    }
    if (children->count > 0)
        qsort(children->items, children->count, sizeof(struct node *), compare_nodes);
}

static void add_row(struct table *table, const struct tree *tree, const struct node *node)
{
    struct value *cells = table_add_row(table);
    size_t depth = node->branch.depth - 1; /* the root has no row */
    struct text name;

    value_set_real(&cells[TOTAL_SHARE], cpu_time_share(tree->time, node->total_ns));
    value_set_real(&cells[SHARE], cpu_time_share(tree->time, node->self_ns));
    value_set_rounded(&cells[TOTAL], node->total_ns);
    value_set_rounded(&cells[SELF], node->self_ns);
    value_set_unsigned(&cells[DEPTH], depth);
    text_init(&name);
    text_appendf(&name, "%*s%.*s", (int)(INDENT * depth), "", NAME_SIZE, node->name);
    value_set_text(&cells[LIBRARY], node->library);
    value_take_text(&cells[NAME], &name);
}

/* Depth is bounded by DEPTH_MAX. */
static void add_rows(struct table *table, const struct tree *tree, const struct node *parent)
{
    struct array children;

    array_init(&children, sizeof(struct node *));
    gather_children(&children, tree, parent);
    for (size_t i = 0; i < children.count; i++) {
        const struct node *node = *(struct node **)array_at(&children, i);

        add_row(table, tree, node);
        add_rows(table, tree, node);
    }
    array_fini(&children);
}

void time_tree_fill(struct table *table, const struct cpu_time *time,
                    const struct time_tree_options *options)
{
    struct tree tree = {
        .time = time, .options = options, .branches = {.size = sizeof(struct node)}};

    cpu_ways_init(&tree.ways, time);
    for (size_t i = 0; i < time->session->samples.count; i++)
        add_sample(&tree, i);
    add_rows(table, &tree, &tree.root);
    branches_fini(&tree.branches);
    cpu_ways_fini(&tree.ways);
}
