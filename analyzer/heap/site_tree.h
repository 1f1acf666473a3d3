/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions over allocation sites: below their callers, or with their callers below them.
 * memory_tree.c makes rows of them.
 *
 * Chains are merged across addresses: a function that calls from two lines is one node, whose name
 * is the number of the function.
 */
#ifndef HEAP_SITE_TREE_H
#define HEAP_SITE_TREE_H

#include <stdbool.h>

#include "heap/memory_work.h"
#include "stacks/call_tree.h"

enum site_tree_weight { SITE_TREE_AMOUNT, SITE_TREE_ALLOCATIONS, SITE_TREE_WEIGHTS };

struct site_tree {
    struct call_tree tree;
    double least; /* the share of the root below which nodes are gathered */
};

/* Grow a tree, from the bottom up if options->by is ANALYSIS_BY_CALLERS; such a tree stops at
 * gathered nodes. */
void site_tree_init(struct site_tree *tree, struct memory_work *work);

/* Ask whether a node has its own row; if the whole is 0, only the root has one. */
bool site_tree_shows(const struct site_tree *tree, const struct call_node *node);

#endif
