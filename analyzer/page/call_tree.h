/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees with weights, as data of the page: what its flame graphs draw.
 *
 * A tree may have any number of nodes; the page has the largest CALL_TREE_NODES of them, whole from
 * the root on.  What a node that is left out weighs, its caller keeps as its own.
 */
#ifndef PAGE_CALL_TREE_H
#define PAGE_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/array.h"
#include "base/branches.h"
#include "base/text_index.h"
#include "base/text_list.h"
#include "page/html.h"

enum { CALL_TREE_WEIGHTS = 6, CALL_TREE_NODES = 20000 };

enum call_tree_kind {
    CALL_TREE_NATIVE,
    CALL_TREE_PYTHON,
    CALL_TREE_THREAD,
    CALL_TREE_REGION,
    CALL_TREE_OP,
    CALL_TREE_KERNEL
};

struct call_tree_weight {
    const char *name;
    const char *unit; /* "ns", "bytes", "count", "flops" */
    bool is_known;
};

/* Texts are copied. */
struct call_tree_frame {
    const char *name;
    const char *where; /* library, file and line; NULL: unknown */
    enum call_tree_kind kind;
};

struct call_tree_node {
    struct branch branch; /* its name is the number of the frame */
    double weights[CALL_TREE_WEIGHTS];
    long number;   /* in the page; -1: it is left out */
    signed char verdicts[CALL_TREE_WEIGHTS]; /* the caller's, of each side against the first */
};

struct call_tree {
    struct branches branches;
    struct call_tree_node root;
    struct array frames; /* of struct call_tree_frame */
    struct text_index keys;
    struct call_tree_weight weights[CALL_TREE_WEIGHTS];
    size_t weight_count;
    bool is_summed;    /* weights of nodes have all inside already, and that of the root */
    const struct text_list *sides; /* that its weights are of, and verdicts; NULL: it has none */
};

void call_tree_init(struct call_tree *tree, const struct call_tree_weight *weights, size_t count);
void call_tree_fini(struct call_tree *tree);

/* Find the number of a frame, and go on from a node to the one of a frame inside of it. */
void call_tree_find(struct call_tree *tree, const struct call_tree_frame *frame, size_t *number);
void call_tree_enter_number(struct call_tree *tree, struct call_tree_node **node, size_t number);

/* Both at once.  Errors: the same. */
void call_tree_enter(struct call_tree *tree, struct call_tree_node **node,
                     const struct call_tree_frame *frame);

/* Put it as an object of JSON, once: weights become those with all inside, unless they
 * are. */
void call_tree_put(struct html *html, struct call_tree *tree, const char *name);

#endif
