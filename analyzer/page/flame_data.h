/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees as data of the page, for its flame graphs.
 *
 * A tree may have any number of nodes; the page has the largest FLAME_NODES, each with all its
 * callers.  The caller of a left out node keeps the node's weight as its own.
 */
#ifndef PAGE_FLAME_DATA_H
#define PAGE_FLAME_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text_list.h"
#include "page/html.h"
#include "stacks/call_tree.h"

enum { FLAME_WEIGHTS = 6, FLAME_NODES = 20000 };

struct flame_weight {
    const char *name;
    const char *unit; /* "ns", "bytes", "count", "flops" */
    size_t index;     /* index of the weight in the tree */
    bool is_known;
};

/* The verdicts on a node: each side against the first. */
struct flame_verdicts {
    signed char of[FLAME_WEIGHTS];
};

/* A tree whose wholes are made. */
struct flame_data {
    const char *name;
    const struct call_tree *tree;
    struct flame_weight weights[FLAME_WEIGHTS];
    size_t weight_count;
    bool is_part; /* the data is a part of the tree: nodes without any of these weights are not
                     counted */
    const struct text_list *sides; /* the sides of its weights; NULL: none */
    const struct flame_verdicts *verdicts; /* for sides: by the index of the node */
};

/* Put the data as a JSON object. */
void flame_data_put(struct html *html, const struct flame_data *data);

#endif
