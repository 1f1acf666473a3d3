/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains are followed outwards to a call whose node is known, and back.
 */
#include "stacks/call_chains.h"

#include "base/pool.h"
#include "model/session.h"
#include "model/session_ops.h"
#include "model/session_threads.h"
#include "places/places.h"

enum { NO_FRAME = UINT32_MAX };

/* The outermost first. */
static void find_frames(struct call_chains *chains, const struct call_places *places)
{
    for (size_t i = places->count; i-- > 0;) {
        const struct place *place = &places->places[i];
        uint32_t *frame = array_add(&chains->frames);

        *frame = place->function->is_starter
                     ? NO_FRAME
                     : (uint32_t)call_frames_find_place(&chains->tree->frames, place);
    }
}

/* Functions that only start a program or a thread are no frames. */
static struct call_node *pass_frames(struct call_chains *chains, struct call_node *node,
                                     const struct call_places *places)
{
    uint32_t *first;

    while (chains->firsts.count <= places->number)
        array_add(&chains->firsts);
    first = array_at(&chains->firsts, places->number);
    if (*first == 0) {
        *first = (uint32_t)chains->frames.count + 1;
        find_frames(chains, places);
    }
    for (size_t i = 0; i < places->count; i++) {
        uint32_t frame = *(uint32_t *)array_at(&chains->frames, *first - 1 + i);

        if (frame != NO_FRAME)
            node = call_tree_enter(chains->tree, node, frame);
    }
    return node;
}

void call_chains_init(struct call_chains *chains, struct call_tree *tree,
                      const struct session *session, struct places *places)
{
    *chains = (struct call_chains){
        .tree = tree,
        .root = tree->root,
        .places = places,
        .pass = pass_frames,
        .nodes = pool_get_zeros(session->calls.count + 1, sizeof *chains->nodes)};
    array_init(&chains->way, sizeof(uint32_t));
    array_init(&chains->firsts, sizeof(uint32_t));
    array_init(&chains->frames, sizeof(uint32_t));
}

struct call_node *call_chains_enter(struct call_chains *chains, struct call_node *node,
                                    uint32_t call)
{
    bool is_kept = node == chains->root;

    array_truncate(&chains->way, 0);
    for (; call != 0 && !(is_kept && chains->nodes[call]);
         call = places_parent(chains->places, call)) {
        places_look_up(chains->places, call);
        *(uint32_t *)array_add(&chains->way) = call;
    }
    if (call != 0)
        node = chains->nodes[call];
    for (size_t i = chains->way.count; i-- > 0;) {
        const struct call_places *places;

        call = *(uint32_t *)array_at(&chains->way, i);
        places = places_known(chains->places, call);
        if (places->count > 0)
            node = chains->pass(chains, node, places);
        if (is_kept)
            chains->nodes[call] = node;
    }
    return node;
}

static struct call_node *enter_name(struct call_tree *tree, struct call_node *node,
                                    const char *name, enum call_frame_kind kind)
{
    return call_tree_enter_frame(tree, node, &(struct call_frame){.name = name, .kind = kind});
}

static struct call_node *enter_region(struct call_tree *tree, struct call_node *node,
                                      const struct call_scope *scope, uint32_t region)
{
    const struct session_region *of;

    if (region == 0)
        return node;
    of = session_region_at(scope->session, region);
    node = enter_region(tree, node, scope, of->parent);
    return enter_name(tree, node, of->label,
                      scope->has_kinds ? CALL_FRAME_REGION : CALL_FRAME_NATIVE);
}

static struct call_node *enter_op(struct call_tree *tree, struct call_node *node,
                                  const struct call_scope *scope, uint32_t op)
{
    const struct session_op *of;

    if (op == 0 || op >= scope->session->ops.count)
        return node;
    of = session_op_at(scope->session, op);
    node = enter_op(tree, node, scope, of->parent);
    return enter_name(tree, node, of->name ? of->name : "?",
                      scope->has_kinds ? CALL_FRAME_OP : CALL_FRAME_NATIVE);
}

struct call_node *call_chains_enter_scope(struct call_tree *tree, struct call_node *node,
                                          const struct call_scope *scope)
{
    return enter_op(tree, enter_region(tree, node, scope, scope->region), scope, scope->op);
}
