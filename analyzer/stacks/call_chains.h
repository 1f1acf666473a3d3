/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes that chains of calls come to in a call tree.
 *
 * There may be millions of calls in hundreds of thousands of chains, each a hundred calls long.
 * Most calls are in the chain of another, and addresses are few, so results for each are kept.
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
    struct call_node *root; /* of those that are kept */
    struct places *places;
    call_chains_pass pass;
    struct call_node **nodes; /* by call; NULL: not asked for yet */
    struct array way;         /* of uint32_t: calls to go through, the innermost first */
    struct array firsts;      /* of uint32_t, by the number of call_places: the first of its
                                 frames and 1; 0: not asked for yet */
    struct array frames;      /* of uint32_t */
};

/* Start at the root of a tree, and pass frames; both may be set to others then. */
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
    bool has_kinds; /* frames have their kinds; else they are functions of such names, as in the
                       chains of samples */
};

/* Returns: the node of a region, and in there of an op, with those around them. */
struct call_node *call_chains_enter_scope(struct call_tree *tree, struct call_node *node,
                                          const struct call_scope *scope);

#endif
