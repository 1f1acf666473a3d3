/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions over allocation sites: under their callers, or with their callers
 * below.  memory_tree.c makes rows of them.
 *
 * Chains are merged over addresses: a function that calls from two lines is one node.
 */
#ifndef HEAP_TREE_H
#define HEAP_TREE_H

#include "base/branches.h"
#include "heap/memory_work.h"

enum { TREE_NO_FUNCTION = UINT32_MAX /* of the root */ };

/* Each may be SESSION_UNKNOWN.  There are millions of them: the rows show no other sums. */
struct tree_sums {
    uint64_t amount; /* of the measure */
    uint64_t allocations;
};

/* The name of its branch is the number of its function. */
struct tree_node {
    struct branch branch;
    struct tree_sums through; /* what passes through it */
    struct tree_sums self;    /* what ends in it */
};

struct tree {
    struct memory_work *work;
    struct branches branches;
    struct tree_node root;
    double least; /* the share of the root below which nodes are gathered */
};

/* Grow a tree, from the bottom up where options->by is ANALYSIS_BY_CALLERS: there what is
 * below a node that is gathered is not grown.  tree_fini may be called whatever it returns.
 */
void tree_grow(struct tree *tree, struct memory_work *work);

void tree_fini(struct tree *tree);

/* Add sums to sums. */
void tree_sums_add(struct tree_sums *sums, const struct tree_sums *more);

/* Whether a node has a row of its own; where the whole is nothing none has, but the root. */
bool tree_is_shown(const struct tree *tree, const struct tree_node *node);

#endif
