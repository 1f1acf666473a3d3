/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The nodes of a tree that grows, found by their parent and their name.  What a node has besides
 * stands behind its struct branch, which is its first member.
 */
#ifndef BASE_BRANCHES_H
#define BASE_BRANCHES_H

#include <stddef.h>
#include <stdint.h>

#include "base/attributes.h"
#include "base/hash.h"

struct branch;

struct branch_key {
    struct branch *parent;
    uint64_t name;
};

struct branch {
    struct branch_key key;
    struct branch *first_child; /* the last that was made */
    struct branch *next;        /* of the same parent */
    size_t child_count;
    size_t depth; /* the root has 0 */
    UT_hash_handle hh;
};

/* All but the root, which is the caller's. */
struct branches {
    struct branch *by_key;
    size_t size; /* of a node */
};

/* Find the child of a name, or make it: zeros behind its branch.
 * Returns: NULL when memory ran out. */
struct branch *branches_get(struct branches *branches, struct branch *parent,
                            uint64_t name) MUST_CHECK;

/* Give the node that was made last, and the one made before a node.
 * Returns: NULL past the first. */
struct branch *branches_last(const struct branches *branches);
struct branch *branches_before(const struct branch *branch);

void branches_fini(struct branches *branches);

#endif
