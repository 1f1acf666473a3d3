/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes that chains of calls come to in a call tree.
 *
 * There may be millions of calls in hundreds of thousands of chains, each a hundred calls long.
 * Most calls are in the chain of another, and there are few addresses, so the results for each are
 * stored.
 */
#ifndef STACKS_CALL_CHAINS_H
#define STACKS_CALL_CHAINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/array.h"
#include "stacks/call_frame.h"
#include "stacks/call_tree.h"

struct call_chains;
struct call_places;
struct places;
struct session;

/* Returns: the node of the places of a call, the outermost first, inside of a node. */
typedef struct call_node *(*call_chains_pass)(struct call_chains *chains, struct call_node *node,
                                              const struct call_places *places);

struct call_chains {
    struct call_tree *tree;
    struct call_node *root; /* root of the stored nodes */
    struct places *places;
    call_chains_pass pass;
    struct call_node **nodes; /* by call; NULL: not requested yet */
    struct array way;         /* uint32_t: calls to go through, the innermost first */
    struct array firsts;      /* uint32_t, by the number of call_places: the first of its frames,
                                 plus 1; 0: not requested yet */
    struct array frames;      /* uint32_t */
};

/* Start at the root of a tree, with passed frames; both may be changed later. */
void call_chains_init(struct call_chains *chains, struct call_tree *tree,
                      const struct session *session, struct places *places);
/* Returns: the node of a chain inside of a node.  Names are looked up from the inside out, so
 * problems with files come in this order. */
struct call_node *call_chains_enter(struct call_chains *chains, struct call_node *node,
                                    uint32_t call);

/* The owner of a time: indices in the session; 0 is none. */
struct call_scope {
    const struct session *session;
    uint32_t region, op;
    bool has_kinds; /* frames have their kinds; otherwise they are functions by name, as in the
                       chains of samples */
};

/* Returns: the node of a region, and inside it of an op, with their outer ones. */
struct call_node *call_chains_enter_scope(struct call_tree *tree, struct call_node *node,
                                          const struct call_scope *scope);

#endif
