/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes are never moved nor taken out: the table of places alone grows.
 */
#include "base/branches.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/memory.h"

enum { FIRST_PLACES = 64, BLOCK_NODES = 256 };

struct branches_block {
    struct branches_block *next;
    size_t count;
    alignas(max_align_t) unsigned char nodes[];
};

/* Parents differ in the bits above those of their alignment, names in the lowest ones: the product
 * brings both into the upper half. */
static size_t hash(const struct branch_key *key)
{
    uint64_t mixed = (uint64_t)(uintptr_t)key->parent * UINT64_C(0x9e3779b97f4a7c15) ^
                     key->name * UINT64_C(0xbf58476d1ce4e5b9);

    return (size_t)((mixed ^ mixed >> 32) * UINT64_C(0x94d049bb133111eb) >> 32);
}

/* Returns: the place of a node, or the free one where it would be. */
static struct branch **find_place(const struct branches *branches, const struct branch_key *key)
{
    size_t mask = branches->place_count - 1, at = hash(key) & mask;
    const struct branch *branch;

    while ((branch = branches->places[at]) &&
           (branch->key.parent != key->parent || branch->key.name != key->name))
        at = (at + 1) & mask;
    return &branches->places[at];
}

static void make_places(struct branches *branches, size_t count)
{
    free(branches->places);
    branches->places = memory_get_zeros(count, sizeof *branches->places);
    branches->place_count = count;
    for (struct branch *branch = branches->last; branch; branch = branch->before)
        *find_place(branches, &branch->key) = branch;
}

static void make_room(struct branches *branches)
{
    if (branches->place_count == 0)
        make_places(branches, FIRST_PLACES);
    else if (2 * (branches->count + 1) > branches->place_count)
        make_places(branches, 2 * branches->place_count);
}

/* Returns: zeros. */
static struct branch *make_node(struct branches *branches)
{
    struct branches_block *block = branches->blocks;

    if (!block || block->count == BLOCK_NODES) {
        block = memory_get_zeros(1, sizeof *block + BLOCK_NODES * branches->size);
        block->next = branches->blocks;
        branches->blocks = block;
    }
    return (struct branch *)(block->nodes + branches->size * block->count++);
}

static struct branch *add(struct branches *branches, const struct branch_key *key,
                          struct branch **place)
{
    struct branch *branch = make_node(branches);

    *branch = (struct branch){.key = *key,
                              .next = key->parent->first_child,
                              .before = branches->last,
                              .depth = key->parent->depth + 1};
    key->parent->first_child = branch;
    key->parent->child_count++;
    branches->last = branch;
    branches->count++;
    *place = branch;
    return branch;
}

struct branch *branches_get(struct branches *branches, struct branch *parent, uint64_t name)
{
    const struct branch_key key = {parent, name};
    struct branch **place;

    make_room(branches);
    place = find_place(branches, &key);
    return *place ? *place : add(branches, &key, place);
}

struct branch *branches_last(const struct branches *branches)
{
    return branches->last;
}

struct branch *branches_before(const struct branch *branch)
{
    return branch->before;
}

void branches_fini(struct branches *branches)
{
    struct branches_block *block = branches->blocks, *next;

    for (; block; block = next) {
        next = block->next;
        free(block);
    }
    free(branches->places);
    *branches = (struct branches){.size = branches->size};
}
