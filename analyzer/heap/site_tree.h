/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions over allocation sites: under their callers, or with their callers
 * below.  memory_tree.c makes rows of them.
 *
 * Chains are merged over addresses: a function that calls from two lines is one node, whose name
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

/* Grow a tree, from the bottom up where options->by is ANALYSIS_BY_CALLERS; such a tree stops at
 * gathered nodes. */
void site_tree_init(struct site_tree *tree, struct memory_work *work);

/* Whether a node has a row of its own; where the whole is nothing none has, but the root. */
bool site_tree_shows(const struct site_tree *tree, const struct call_node *node);

#endif
