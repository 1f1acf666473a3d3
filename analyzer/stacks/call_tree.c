/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nodes are never moved or removed; only the table of places grows.
 */
#include "stacks/call_tree.h"

#include <stdlib.h>

#include "base/pool.h"

enum { FIRST_PLACES = 64, BLOCK_NODES = 256 };

static size_t size_of_node(const struct call_tree *tree)
{
    return sizeof(struct call_node) + tree->weight_count * sizeof(struct call_weight);
}

void call_tree_init(struct call_tree *tree, size_t weight_count)
{
    *tree = (struct call_tree){.weight_count = weight_count, .deepest = SIZE_MAX};
    call_frames_init(&tree->frames);
    array_init(&tree->blocks, sizeof(char *));
    tree->root = pool_get_zeros(1, size_of_node(tree));
}

struct call_node *call_tree_at(const struct call_tree *tree, size_t index)
{
    char *block = *(char **)array_at(&tree->blocks, index / BLOCK_NODES);

    return (struct call_node *)(void *)(block + index % BLOCK_NODES * size_of_node(tree));
}

const struct call_frame *call_tree_frame(const struct call_tree *tree,
                                         const struct call_node *node)
{
    return call_frames_at(&tree->frames, node->name);
}

/* ---- growing ---------------------------------------------------------------------------- */

/* Parents differ in the bits above those of their alignment, names in the lowest bits: the product
 * brings both into the upper half. */
static size_t hash(const struct call_node *parent, uint64_t name)
{
    uint64_t mixed = (uint64_t)(uintptr_t)parent * UINT64_C(0x9e3779b97f4a7c15) ^
                     name * UINT64_C(0xbf58476d1ce4e5b9);

    return (size_t)((mixed ^ mixed >> 32) * UINT64_C(0x94d049bb133111eb) >> 32);
}

/* Returns: the place of a node, or the free place where it belongs. */
static struct call_node **find_place(const struct call_tree *tree, const struct call_node *parent,
                                     uint64_t name)
{
    size_t mask = tree->place_count - 1, at = hash(parent, name) & mask;
    const struct call_node *node;

    while ((node = tree->places[at]) && (node->parent != parent || node->name != name))
        at = (at + 1) & mask;
    return &tree->places[at];
}

/* Makes room for one more node: at most half of the places are used. */
static void make_places(struct call_tree *tree)
{
    size_t count = FIRST_PLACES;

    while (count < 2 * (tree->count + 1))
        count *= 2;
    pool_free(tree->blocks.pool, tree->places);
    tree->places = pool_get_zeros(count, sizeof *tree->places);
    tree->place_count = count;
    for (size_t i = 0; i < tree->count; i++) {
        struct call_node *node = call_tree_at(tree, i);

        *find_place(tree, node->parent, node->name) = node;
    }
}

static struct call_node *add(struct call_tree *tree, struct call_node *parent, uint64_t name)
{
    struct call_node *node;

    if (tree->count % BLOCK_NODES == 0)
        *(char **)array_add(&tree->blocks) = pool_get_zeros(BLOCK_NODES, size_of_node(tree));
    node = call_tree_at(tree, tree->count);
    node->parent = parent;
    node->next = parent->first_child;
    node->name = name;
    node->depth = parent->depth + 1;
    node->index = (uint32_t)tree->count++;
    parent->first_child = node;
    return node;
}

struct call_node *call_tree_enter(struct call_tree *tree, struct call_node *parent, uint64_t name)
{
    struct call_node **place;
    struct pool *pool;

    if (parent->depth >= tree->deepest)
        return parent;
    pool = pool_use(tree->blocks.pool); /* the tree may outlive the work on it */
    if (2 * (tree->count + 1) > tree->place_count)
        make_places(tree);
    place = find_place(tree, parent, name);
    if (!*place)
        *place = add(tree, parent, name);
    pool_use(pool);
    return *place;
}

struct call_node *call_tree_enter_frame(struct call_tree *tree, struct call_node *parent,
                                        const struct call_frame *frame)
{
    return call_tree_enter(tree, parent, call_frames_find(&tree->frames, frame));
}

/* ---- sums ------------------------------------------------------------------------------- */

/* A complete tree no longer grows; otherwise it makes its places again. */
static void drop_places(struct call_tree *tree)
{
    pool_free(tree->blocks.pool, tree->places);
    tree->places = NULL;
    tree->place_count = 0;
}

/* A node was made before its inner nodes, so from the last to the first, each is complete when it
 * is added to its parent. */
void call_tree_sum_up(struct call_tree *tree)
{
    drop_places(tree);
    for (size_t i = tree->count; i-- > 0;) {
        struct call_node *node = call_tree_at(tree, i);

        for (size_t j = 0; j < tree->weight_count; j++) {
            node->weights[j].whole += node->weights[j].own;
            node->parent->weights[j].whole += node->weights[j].whole;
        }
    }
    for (size_t j = 0; j < tree->weight_count; j++)
        tree->root->weights[j].whole += tree->root->weights[j].own;
}

/* A node's own weights, on their way to the outermost caller. */
struct climber {
    const struct call_node *from;
    const struct call_node *next; /* the next node upwards */
    struct call_node *at;         /* in the inverted tree */
};

static void start_climber(struct array *climbers, const struct call_node *from,
                          struct call_node *at)
{
    *(struct climber *)array_add(climbers) = (struct climber){from, from, at};
}

static bool has_own(const struct call_tree *tree, const struct call_node *node)
{
    for (size_t i = 0; i < tree->weight_count; i++)
        if (node->weights[i].own > 0)
            return true;
    return false;
}

static void end_climber(const struct call_tree *tree, const struct climber *climber)
{
    for (size_t i = 0; i < tree->weight_count; i++)
        climber->at->weights[i].own += climber->from->weights[i].own;
}

/* All climbers go up by one node; climbers at the root end there. */
static void climb(struct call_tree *tree, struct array *climbers)
{
    struct climber *climber = climbers->items;
    size_t kept = 0;

    for (size_t i = 0; i < climbers->count; i++) {
        struct climber of = climber[i];

        if (!of.next->parent) {
            end_climber(tree, &of);
            continue;
        }
        of.at = call_tree_enter(tree, of.at, of.next->name);
        for (size_t j = 0; j < tree->weight_count; j++)
            of.at->weights[j].whole += of.from->weights[j].own;
        of.next = of.next->parent;
        climber[kept++] = of;
    }
    array_truncate(climbers, kept);
}

void call_tree_invert(struct call_tree *inverted, const struct call_tree *tree, size_t levels,
                      bool (*is_kept)(void *own, const struct call_node *node), void *own)
{
    struct array climbers;

    array_init(&climbers, sizeof(struct climber));
    for (size_t i = 0; i < tree->weight_count; i++)
        inverted->root->weights[i].whole = tree->root->weights[i].whole;
    start_climber(&climbers, tree->root, inverted->root);
    for (size_t i = 0; i < tree->count; i++)
        if (has_own(tree, call_tree_at(tree, i)))
            start_climber(&climbers, call_tree_at(tree, i), inverted->root);
    for (size_t level = 0; level < levels && climbers.count > 0; level++) {
        struct climber *climber = climbers.items;
        size_t kept = 0;

        climb(inverted, &climbers);
        for (size_t i = 0; i < climbers.count; i++)
            if (is_kept(own, climber[i].at))
                climber[kept++] = climber[i];
        array_truncate(&climbers, kept);
    }
    for (size_t i = 0; i < climbers.count; i++)
        end_climber(inverted, array_at(&climbers, i));
}

/* ---- walking ------------------------------------------------------------------------------ */

static struct call_node *sort_children(struct call_node *parent, call_tree_order order,
                                       struct array *children)
{
    struct call_node **place = &parent->first_child;

    array_truncate(children, 0);
    for (struct call_node *child = *place; child; child = child->next)
        *(struct call_node **)array_add(children) = child;
    if (children->count > 1)
        qsort(children->items, children->count, sizeof(struct call_node *), order);
    for (size_t i = 0; i < children->count; i++, place = &(*place)->next)
        *place = *(struct call_node **)array_at(children, i);
    *place = NULL;
    return parent->first_child;
}

void call_tree_walk(struct call_tree *tree, call_tree_order order, call_tree_visitor visit,
                    void *own)
{
    struct call_node *parent = tree->root, *node;
    struct array children;

    array_init(&children, sizeof(struct call_node *));
    node = sort_children(parent, order, &children);
    while (node || parent != tree->root) {
        if (!node) {
            node = parent->next;
            parent = parent->parent;
        } else if (visit(own, node)) {
            parent = node;
            node = sort_children(parent, order, &children);
        } else {
            node = node->next;
        }
    }
}
