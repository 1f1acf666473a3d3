/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chains of sites, from their owners out.
 */
#include "heap/site_tree.h"

#include <math.h>

#include "heap/memory_options.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "stacks/call_chains.h"

static const double least_share = 0.01; /* a tree would be longer than anyone reads */

/* The innermost place of a chain outside of plumbing; if there is none, the innermost place. */
struct owner {
    const struct call_places *places; /* places of its call; NULL: the chain has none */
    uint32_t place;                   /* in there */
    uint32_t around;                  /* the call around */
};

static double amount_of(uint64_t sum)
{
    return sum == SESSION_UNKNOWN ? INFINITY : (double)sum;
}

static void add_sums(const struct memory_work *work, struct call_node *node,
                     const struct heap_sums *sums)
{
    node->weights[SITE_TREE_AMOUNT].own +=
        amount_of(heap_sums_measure(sums, work->options->measure));
    node->weights[SITE_TREE_ALLOCATIONS].own += amount_of(sums->allocations);
}

static const struct call_places *look_up(struct places *places, uint32_t call)
{
    places_look_up(places, call);
    return places_known(places, call);
}

static struct owner find_owner(struct places *places, uint32_t call)
{
    enum places_owning best = PLACES_PASSES_ON;
    struct owner owner = {0};

    for (; call != 0 && best < PLACES_OWN; call = places_parent(places, call)) {
        const struct call_places *of = look_up(places, call);

        for (uint32_t i = 0; i < of->count && best < PLACES_OWN; i++) {
            enum places_owning owning = place_owning(&of->places[i]);

            if (owner.places && owning <= best)
                continue;
            owner = (struct owner){of, i, places_parent(places, call)};
            best = owning;
        }
    }
    return owner;
}

/* A chain of calls that only start something is shown with them. */
static bool only_starts(struct places *places, uint32_t call)
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = look_up(places, call);

        for (uint32_t i = 0; i < of->count; i++)
            if (!of->places[i].function->is_starter)
                return false;
    }
    return true;
}

/* Goes along the places of a call up to `last`, the outermost first. */
static struct call_node *pass(struct call_chains *chains, struct call_node *node,
                              const struct call_places *of, uint32_t last)
{
    for (size_t i = of->count; i-- > last;)
        if (node != chains->root || !of->places[i].function->is_starter)
            node = call_tree_enter(chains->tree, node, of->places[i].function->id);
    return node;
}

static struct call_node *pass_all(struct call_chains *chains, struct call_node *node,
                                  const struct call_places *of)
{
    return pass(chains, node, of, 0);
}

static void add_site(struct call_chains *chains, const struct memory_work *work,
                     const struct session_site *site)
{
    struct owner owner = find_owner(chains->places, site->call);
    struct call_node *node = chains->tree->root, *root = chains->root;
    struct heap_sums sums = {0};

    if (only_starts(chains->places, site->call))
        chains->root = NULL; /* all are left out */
    if (owner.places) {
        node = call_chains_enter(chains, node, owner.around);
        node = pass(chains, node, owner.places, owner.place);
    }
    chains->root = root;
    heap_sums_add(&sums, site);
    add_sums(work, node, &sums);
}

static void add_sites(struct site_tree *tree, struct memory_work *work)
{
    const struct session *session = work->session;
    struct call_chains chains;

    call_chains_init(&chains, &tree->tree, session, work->places);
    chains.pass = pass_all;
    for (size_t i = 0; i < session->sites.count; i++)
        add_site(&chains, work, session_site_at(session, i));
}

bool site_tree_shows(const struct site_tree *tree, const struct call_node *node)
{
    double amount = node->weights[SITE_TREE_AMOUNT].whole;

    return amount > 0 && amount >= tree->least * tree->tree.root->weights[SITE_TREE_AMOUNT].whole;
}

static bool is_kept(void *tree, const struct call_node *node)
{
    return site_tree_shows(tree, node);
}

static void turn(struct site_tree *tree, size_t levels)
{
    struct call_tree down = tree->tree;

    call_tree_init(&tree->tree, SITE_TREE_WEIGHTS);
    call_tree_invert(&tree->tree, &down, levels, is_kept, tree);
}

void site_tree_init(struct site_tree *tree, struct memory_work *work)
{
    const struct memory_options *options = work->options->memory;

    *tree = (struct site_tree){.least = fmax(options->least_fraction, least_share)};
    call_tree_init(&tree->tree, SITE_TREE_WEIGHTS);
    if (heap_sums_are_recorded(work->session)) {
        add_sites(tree, work);
    } else {
        const struct heap_sums whole = heap_sums_of(work->session);

        add_sums(work, tree->tree.root, &whole);
    }
    call_tree_sum_up(&tree->tree);
    if (work->options->by == ANALYSIS_BY_CALLERS)
        turn(tree, options->callers);
}

