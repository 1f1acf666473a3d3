/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trees of functions over allocation sites.
 *
 * There may be millions of calls in hundreds of thousands of chains, each a hundred calls
 * long, so no chain is walked whole.  From the top down each call is passed once, on top of
 * the calls around it.  From the bottom up the chains part at every function: all go up
 * together, call by call, and those that came to a node which is too small for a row stay
 * there.
 */
#include "heap/tree.h"

#include <stdlib.h>

#include "base/memory.h"
#include "heap/memory_options.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"

static const double least_share = 0.01; /* a tree would be longer than anyone reads */

/* What is known of a call while the tree grows. */
struct call_state {
    bool is_known;          /* its names were looked up, and those of all calls around it */
    bool is_start;          /* it and all calls around it only start a program or a thread */
    struct tree_node *node; /* where those come that pass it and all calls around it, or NULL */
};

struct growth {
    struct tree *tree;
    const struct session *session;
    struct call_state *calls; /* one a call of the session */
    struct array inner;       /* of uint32_t: calls on the way out */
};

/* A site on its way from its owner to the outermost call. */
struct climber {
    struct tree_sums sums; /* of the site */
    struct tree_node *node;
    uint32_t innermost; /* call of the site */
    uint32_t call;
    uint32_t place; /* in the call */
};

void tree_sums_add(struct tree_sums *sums, const struct tree_sums *more)
{
    sums->amount = heap_add(sums->amount, more->amount);
    sums->allocations = heap_add(sums->allocations, more->allocations);
}

bool tree_is_shown(const struct tree *tree, const struct tree_node *node)
{
    return node->through.amount > 0 &&
           (double)node->through.amount >= tree->least * (double)tree->root.through.amount;
}

static struct tree_sums choose_sums(const struct tree *tree, const struct heap_sums *sums)
{
    return (struct tree_sums){heap_sums_measure(sums, tree->work->options->measure),
                              sums->allocations};
}

static struct tree_sums sums_of_site(const struct tree *tree, const struct session_site *site)
{
    struct heap_sums sums = {0};

    heap_sums_add(&sums, site);
    return choose_sums(tree, &sums);
}

static void tree_init(struct tree *tree, struct memory_work *work)
{
    double asked = work->options->memory->least_fraction;

    *tree = (struct tree){.work = work,
                          .branches = {.size = sizeof(struct tree_node)},
                          .root.branch.key.name = TREE_NO_FUNCTION,
                          .least = asked > least_share ? asked : least_share};
}

void tree_fini(struct tree *tree)
{
    branches_fini(&tree->branches);
}

static struct tree_node *get_child(struct tree *tree, struct tree_node *parent,
                                   const struct place *place)
{
    return (struct tree_node *)branches_get(&tree->branches, &parent->branch, place->function->id);
}

static uint32_t parent_of(const struct growth *growth, uint32_t call)
{
    return session_call_at(growth->session, call)->parent;
}

static const struct call_places *places_at(const struct growth *growth, uint32_t call)
{
    return places_known(growth->tree->work->places, call);
}

/* Whether this and all that is around it, from a place in the call on, only starts. */
static bool is_start_from(const struct growth *growth, uint32_t call, size_t place)
{
    const struct call_places *of = places_at(growth, call);

    for (; place < of->count; place++)
        if (!of->places[place].function->is_starter)
            return false;
    return growth->calls[parent_of(growth, call)].is_start;
}

/* Looks up the names of a chain from the inside out, which is the order in which problems
 * with files are told. */
static void learn_chain(struct growth *growth, uint32_t call)
{
    array_truncate(&growth->inner, 0);
    for (; !growth->calls[call].is_known; call = parent_of(growth, call)) {
        uint32_t *entry = array_add(&growth->inner);

        places_look_up(growth->tree->work->places, call);
        *entry = call;
        growth->calls[call].is_known = true;
    }
    for (size_t i = growth->inner.count; i-- > 0;) {
        call = *(uint32_t *)array_at(&growth->inner, i);
        growth->calls[call].is_start = is_start_from(growth, call, 0);
    }
}

/* Puts a climber at the innermost place that is no plumbing; where there is none, at the
 * innermost. */
static void find_owner(const struct growth *growth, struct climber *climber)
{
    bool is_found = false;

    for (uint32_t call = climber->innermost; call != 0; call = parent_of(growth, call)) {
        const struct call_places *of = places_at(growth, call);

        for (uint32_t i = 0; i < of->count; i++) {
            if (is_found && of->places[i].function->is_plumbing)
                continue;
            climber->call = call;
            climber->place = i;
            is_found = true;
            if (!of->places[i].function->is_plumbing)
                return;
        }
    }
}

static struct climber start_climber(const struct growth *growth, const struct session_site *site)
{
    struct climber climber = {.sums = sums_of_site(growth->tree, site),
                              .node = &growth->tree->root,
                              .innermost = site->call};

    find_owner(growth, &climber);
    return climber;
}

/* A chain of calls that only start something is shown with them. */
static bool shows_starters(const struct growth *growth, const struct climber *climber)
{
    return growth->calls[climber->innermost].is_start;
}

/* Goes from a node along the places of a call, the outermost first, up to `last`.
 * Returns: where it comes. */
static struct tree_node *pass_call(struct growth *growth, struct tree_node *node, uint32_t call,
                                   uint32_t last, bool with_starters)
{
    const struct call_places *of = places_at(growth, call);
    struct tree *tree = growth->tree;

    for (size_t i = of->count; i-- > last && node;)
        if (with_starters || node != &tree->root || !of->places[i].function->is_starter)
            node = get_child(tree, node, &of->places[i]);
    return node;
}

/* Returns: where those come that pass a call and all calls around it. */
static struct tree_node *find_node(struct growth *growth, uint32_t call)
{
    bool with_starters = growth->calls[call].is_start;
    struct tree_node *node = &growth->tree->root;

    array_truncate(&growth->inner, 0);
    for (; call != 0 && growth->calls[call].is_start == with_starters;
         call = parent_of(growth, call)) {
        uint32_t *entry;

        if (growth->calls[call].node) {
            node = growth->calls[call].node;
            break;
        }
        entry = array_add(&growth->inner);
        *entry = call;
    }
    for (size_t i = growth->inner.count; i-- > 0 && node;) {
        call = *(uint32_t *)array_at(&growth->inner, i);
        node = growth->calls[call].node = pass_call(growth, node, call, 0, with_starters);
    }
    return node;
}

static void add_down(struct growth *growth, const struct session_site *site)
{
    struct climber climber = start_climber(growth, site);
    bool with_starters = shows_starters(growth, &climber);
    struct tree_node *node = climber.node;

    if (climber.call != 0) {
        uint32_t outer = parent_of(growth, climber.call);

        if (with_starters || !growth->calls[outer].is_start)
            node = find_node(growth, outer);
        if (node)
            node = pass_call(growth, node, climber.call, climber.place, with_starters);
    }
    tree_sums_add(&node->self, &climber.sums);
}

/* The root has the whole already.  A node was made before those below it, so from the last
 * on each is whole when it is added to the one above. */
static void sum_up(struct tree *tree)
{
    for (struct branch *branch = branches_last(&tree->branches); branch;
         branch = branches_before(branch)) {
        struct tree_node *node = (struct tree_node *)branch;
        struct tree_node *parent = (struct tree_node *)branch->key.parent;

        tree_sums_add(&node->through, &node->self);
        if (parent != &tree->root)
            tree_sums_add(&parent->through, &node->through);
    }
}

static void grow_down(struct growth *growth)
{
    for (size_t i = 0; i < growth->session->sites.count; i++)
        add_down(growth, session_site_at(growth->session, i));
    sum_up(growth->tree);
}

static bool is_at_end(const struct growth *growth, const struct climber *climber)
{
    return climber->call == 0 || (!shows_starters(growth, climber) &&
                                  is_start_from(growth, climber->call, climber->place));
}

/* Takes a climber to the next place outside. */
static void advance(const struct growth *growth, struct climber *climber)
{
    climber->place++;
    while (climber->call != 0 && climber->place >= places_at(growth, climber->call)->count) {
        climber->call = parent_of(growth, climber->call);
        climber->place = 0;
    }
}

static void start_climbers(const struct growth *growth, struct array *climbers)
{
    const struct array *sites = &growth->session->sites;

    for (size_t i = 0; i < sites->count; i++) {
        struct climber *climber = array_add(climbers);

        *climber = start_climber(growth, array_at(sites, i));
    }
}

/* All go up by one place; those that are at their end stay behind. */
static void climb(const struct growth *growth, struct array *climbers)
{
    struct climber *climber = climbers->items;
    size_t kept = 0;

    for (size_t i = 0; i < climbers->count; i++) {
        struct climber *of = &climber[i];

        if (is_at_end(growth, of)) {
            tree_sums_add(&of->node->self, &of->sums);
            continue;
        }
        of->node =
            get_child(growth->tree, of->node, &places_at(growth, of->call)->places[of->place]);
        tree_sums_add(&of->node->through, &of->sums);
        advance(growth, of);
        climber[kept++] = *of;
    }
    array_truncate(climbers, kept);
}

/* Who came to a node without a row adds to it, and to nothing above. */
static void leave_behind(const struct tree *tree, struct array *climbers)
{
    struct climber *climber = climbers->items;
    size_t kept = 0;

    for (size_t i = 0; i < climbers->count; i++)
        if (tree_is_shown(tree, climber[i].node))
            climber[kept++] = climber[i];
    array_truncate(climbers, kept);
}

static void grow_up(struct growth *growth)
{
    size_t levels = growth->tree->work->options->memory->callers;
    struct array climbers;

    array_init(&climbers, sizeof(struct climber));
    start_climbers(growth, &climbers);
    for (size_t level = 0; level < levels && climbers.count > 0; level++) {
        climb(growth, &climbers);
        leave_behind(growth->tree, &climbers);
    }
    for (size_t i = 0; i < climbers.count; i++) {
        const struct climber *climber = array_at(&climbers, i);

        tree_sums_add(&climber->node->self, &climber->sums);
    }
    array_fini(&climbers);
}

static void growth_init(struct growth *growth, struct tree *tree)
{
    const struct session *session = tree->work->session;

    *growth = (struct growth){.tree = tree, .session = session};
    array_init(&growth->inner, sizeof(uint32_t));
    growth->calls = memory_get_zeros(session->calls.count + 1, sizeof *growth->calls);
    growth->calls[0] = (struct call_state){true, true, &tree->root};
    for (size_t i = 0; i < session->sites.count; i++)
        learn_chain(growth, session_site_at(session, i)->call);
}

static void growth_fini(struct growth *growth)
{
    array_fini(&growth->inner);
    free(growth->calls);
}

void tree_grow(struct tree *tree, struct memory_work *work)
{
    const struct heap_sums whole = heap_sums_of(work->session);
    struct growth growth;

    tree_init(tree, work);
    tree->root.through = choose_sums(tree, &whole);
    if (!heap_sums_are_recorded(work->session)) {
        tree->root.self = tree->root.through;
        return;
    }
    growth_init(&growth, tree);
    if (work->options->by == ANALYSIS_BY_CALLERS)
        grow_up(&growth);
    else
        grow_down(&growth);
    growth_fini(&growth);
}
