/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of a tree that grows, found by their parent and their name.  What a node has besides
 * stands behind its struct branch, which is its first member.
 *
 * Trees of a large trace have a million nodes: they stand in blocks, and a table of their
 * addresses finds them.
 */
#ifndef BASE_BRANCHES_H
#define BASE_BRANCHES_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"

struct branch;
struct branches_block;

struct branch_key {
    struct branch *parent;
    uint64_t name;
};

struct branch {
    struct branch_key key;
    struct branch *first_child; /* the last that was made */
    struct branch *next;        /* of the same parent */
    struct branch *before;      /* of all, the one that was made before */
    uint32_t child_count;
    uint32_t depth; /* the root has 0 */
};

/* All but the root, which is the caller's. */
struct branches {
    struct branches_block *blocks; /* the last one first */
    struct branch **places;        /* by parent and name; NULL: free */
    size_t place_count;            /* a power of two, at least twice the nodes; 0: none yet */
    size_t count;
    struct branch *last;
    size_t size; /* of a node */
};

/* Find the child of a name, or make it: zeros behind its branch. */
struct branch *branches_get(struct branches *branches, struct branch *parent,
                            uint64_t name) MUST_CHECK;

/* Give the node that was made last, and the one made before a node.
 * Returns: NULL past the first. */
struct branch *branches_last(const struct branches *branches);
struct branch *branches_before(const struct branch *branch);

void branches_fini(struct branches *branches);

#endif
