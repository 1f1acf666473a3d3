/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees as data of the page, for its flame graphs.
 *
 * A tree may have any number of nodes; the page has the largest FLAME_NODES of them, whole from the
 * root on.  The caller of a left out node keeps the node's weight as its own.
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
    size_t index;     /* of the weight in the tree */
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
    bool is_part; /* of the tree: nodes without any of these weights are not counted */
    const struct text_list *sides; /* that its weights are of; NULL: it has none */
    const struct flame_verdicts *verdicts; /* of sides: by the index of the node */
};

/* Put it as an object of JSON. */
void flame_data_put(struct html *html, const struct flame_data *data);

#endif
