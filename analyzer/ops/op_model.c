/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The outermost module with most FLOPs.
 *
 * A trace has no calls of modules.  So the number of passes is the most common number of calls
 * among the model's places that call ops with FLOPs, whatever their sizes.
 */
#include "ops/op_model.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/pool.h"
#include "model/session.h"
#include "model/session_layers.h"
#include "model/session_ops.h"
#include "ops/op_stages.h"
#include "ops/op_sums.h"

static uint32_t find_outermost(const struct session *session, uint32_t layer)
{
    while (layer != 0) {
        const struct session_layer *of = array_at(&session->layers, layer);

        if (of->outer == 0)
            break;
        layer = of->outer;
    }
    return layer;
}

/* An outermost op of a forward pass, in a module. */
static bool is_called(const struct session *session, uint32_t op)
{
    const struct session_op *of = session_op_at(session, op);

    return of->parent == 0 && of->layer != 0 && op_stage_of(session, op) == OP_STAGE_FORWARD;
}

static void find_layer(struct op_model *model, const struct session *session,
                       const struct op_sum *sums)
{
    long double *flops = pool_get_zeros(session->layers.count + 1, sizeof *flops);
    long double *backward = pool_get_zeros(session->layers.count + 1, sizeof *backward);

    for (uint32_t i = 1; i < session->ops.count; i++) {
        uint32_t layer = find_outermost(session, session_op_at(session, i)->layer);

        if (!is_called(session, i))
            continue;
        flops[layer] += sums[i].flops;
        backward[layer] += sums[i].backward_flops;
        if (flops[layer] > flops[model->layer])
            model->layer = layer;
    }
    model->flops = flops[model->layer];
    model->backward_flops = backward[model->layer];
}

/* A place that called an op. */
struct place {
    const struct session_op *op;
    uint64_t calls;
};

static int compare_places(const void *left, const void *right)
{
    const struct session_op *a = ((const struct place *)left)->op;
    const struct session_op *b = ((const struct place *)right)->op;

    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_calls(const void *left, const void *right)
{
    const struct place *a = left, *b = right;

    return (a->calls > b->calls) - (a->calls < b->calls);
}

static size_t merge_places(struct place *place, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && compare_places(&place[kept - 1], &place[i]) == 0)
            place[kept - 1].calls += place[i].calls;
        else
            place[kept++] = place[i];
    }
    return kept;
}

/* Returns: the most common number of calls of a place; the lowest of several. */
static uint64_t find_mode(const struct place *place, size_t count)
{
    size_t most = 0, run = 0;
    uint64_t mode = 0;

    for (size_t i = 0; i < count; i++) {
        run = i > 0 && place[i].calls == place[i - 1].calls ? run + 1 : 1;
        if (run <= most)
            continue;
        most = run;
        mode = place[i].calls;
    }
    return mode;
}

static uint64_t count_passes(struct array *places)
{
    struct place *place = places->items;
    size_t count;

    if (places->count == 0)
        return 0;
    qsort(place, places->count, sizeof *place, compare_places);
    count = merge_places(place, places->count);
    qsort(place, count, sizeof *place, compare_calls);
    return find_mode(place, count);
}

void op_model_find(struct op_model *model, const struct session *session, const struct op_sum *sums)
{
    struct array places;

    *model = (struct op_model){.layer = 0};
    find_layer(model, session, sums);
    if (model->layer == 0)
        return;
    array_init(&places, sizeof(struct place));
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);
        struct place *place;

        if (!is_called(session, i) || !(sums[i].flops > 0) ||
            find_outermost(session, op->layer) != model->layer)
            continue;
        place = array_add(&places);
        *place = (struct place){op, op->calls};
    }
    model->passes = count_passes(&places);
}
