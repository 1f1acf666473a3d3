/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/branches.h"

#include <stdlib.h>

static struct branch *add(struct branches *branches, const struct branch_key *key)
{
    struct branch *branch = calloc(1, branches->size);

    if (!branch)
        return NULL;
    branch->key = *key;
    HASH_ADD(hh, branches->by_key, key, sizeof branch->key, branch);
    if (!hash_was_added(&branch->hh)) {
        free(branch);
        return NULL;
    }
    branch->depth = key->parent->depth + 1;
    branch->next = key->parent->first_child;
    key->parent->first_child = branch;
    key->parent->child_count++;
    return branch;
}

struct branch *branches_get(struct branches *branches, struct branch *parent, uint64_t name)
{
    const struct branch_key key = {parent, name};
    struct branch *branch;

    HASH_FIND(hh, branches->by_key, &key, sizeof key, branch);
    return branch ? branch : add(branches, &key);
}

struct branch *branches_last(const struct branches *branches)
{
    const UT_hash_table *table = branches->by_key ? branches->by_key->hh.tbl : NULL;

    return table ? ELMT_FROM_HH(table, table->tail) : NULL;
}

struct branch *branches_before(const struct branch *branch)
{
    return branch->hh.prev;
}

void branches_fini(struct branches *branches)
{
    struct branch *branch, *next;

    HASH_ITER(hh, branches->by_key, branch, next)
    {
        HASH_DEL(branches->by_key, branch);
        free(branch);
    }
}
