/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A tree of calls with weights: processor time, memory, or any other sum of a stack.
 *
 * A name distinguishes nodes below one parent: it is the number of a frame (stacks/call_frame.h) or
 * of a function, or the address of a text that is stored once.  A node has two sums in each weight:
 * its own, and the whole with all its calls.
 *
 * Trees of a large trace have a million nodes, so these are in blocks, are never moved, and a table
 * of their addresses finds them.
 */
#ifndef STACKS_CALL_TREE_H
#define STACKS_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "stacks/call_frame.h"

/* INFINITY means unknown, and so does a sum with it, so that the unknown is never too small to
 * show. */
struct call_weight {
    double own;
    double whole; /* including all inner nodes, once call_tree_sum_up was called */
};

struct call_node {
    struct call_node *parent;      /* NULL: it is the root */
    struct call_node *first_child; /* the one made last, until a walk sorts them */
    struct call_node *next;        /* under the same parent */
    uint64_t name;
    uint32_t depth; /* the root has 0 */
    uint32_t index; /* among all but the root, in the order of their making */
    struct call_weight weights[];
};

struct call_tree {
    struct call_node *root;
    struct call_frames frames; /* the frames whose numbers are the names of nodes, if they are */
    size_t weight_count;
    size_t deepest;      /* deeper calls are their caller's; SIZE_MAX unless set */
    size_t count;        /* number of nodes, without the root */
    struct array blocks; /* char *: blocks of nodes */
    struct call_node **places; /* by parent and name; NULL: free */
    size_t place_count;        /* a power of two, at least twice the nodes; 0: none yet */
};

void call_tree_init(struct call_tree *tree, size_t weight_count);
/* Find or make the child with a name. */
struct call_node *call_tree_enter(struct call_tree *tree, struct call_node *parent, uint64_t name);

/* The same for a frame. */
struct call_node *call_tree_enter_frame(struct call_tree *tree, struct call_node *parent,
                                        const struct call_frame *frame);

/* Give a node by its index.  Callers come before their callees. */
struct call_node *call_tree_at(const struct call_tree *tree, size_t index);

/* Give the frame of a node. */
const struct call_frame *call_tree_frame(const struct call_tree *tree,
                                         const struct call_node *node);

/* Compute the wholes, once, from each node's own weights. */
void call_tree_sum_up(struct call_tree *tree);

/* Invert a tree that is summed up: each node with its own weight gets its callers below it, down to
 * the given number of levels.  Nothing is made below a node that is not `is_kept`.  The wholes are
 * computed, and the own weights are those of the paths that end in a node.  `inverted` must be
 * empty, with a root and the same weights. */
void call_tree_invert(struct call_tree *inverted, const struct call_tree *tree, size_t levels,
                      bool (*is_kept)(void *own, const struct call_node *node), void *own);

/* For qsort, over pointers to nodes. */
typedef int (*call_tree_order)(const void *left, const void *right);

/* Returns: whether the nodes inside are passed, too. */
typedef bool (*call_tree_visitor)(void *own, const struct call_node *node);

/* Pass all nodes but the root: siblings in an order, each before those inside.  A tree may be
 * deeper than a stack has room for: there is no recursion. */
void call_tree_walk(struct call_tree *tree, call_tree_order order, call_tree_visitor visit,
                    void *own);

#endif
