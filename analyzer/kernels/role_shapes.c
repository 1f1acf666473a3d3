/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model that the products of a session make, and the part of each product.
 */
#include "kernels/role_shapes.h"

#include <math.h>

#include "base/say.h"
#include "kernels/texts.h"
#include "model/session.h"

/* A model that explains less of the FLOPs of products is not the program's. */
static const double least_confidence = 0.5;

/* Smaller projections are left out. */
static const double least_projection = 0.01;

static double count(const struct role_shapes *shapes, int64_t a, int64_t b, int64_t c)
{
    const struct role_family *family =
        role_families_find(&shapes->families, &(struct slots_product){.m = a, .n = b, .k = c});

    return family ? family->products : 0;
}

static bool is_whole(double number)
{
    return number > 0 && number == floor(number);
}

/* ---- scores ------------------------------------------------------------------- */

/* Whether a family may be scores or context, by its sizes only. */
static bool may_be_scores(const struct role_family *family, const struct role_model *model)
{
    int64_t side, head_width;

    return role_family_is_square(family, &side, &head_width) && head_width == model->head_width &&
           model->tokens % side == 0;
}

struct scores {
    double rounds; /* counted in whole sequences */
    double area;   /* area of all products, divided by the width of a head */
    int64_t longest;
};

static struct scores sum_scores(const struct role_shapes *shapes, const struct role_model *model)
{
    struct scores scores = {.area = 0};

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = role_families_at(&shapes->families, i);
        int64_t side = family->sizes[1];

        if (!may_be_scores(family, model))
            continue;
        scores.rounds +=
            family->products / 2 / (double)model->heads / (double)(model->tokens / side);
        scores.area += family->products * (double)side * (double)side;
        scores.longest = side > scores.longest ? side : scores.longest;
    }
    return scores;
}

static bool is_made_of_blocks(const struct role_shapes *shapes, const struct role_model *model)
{
    if (model->tokens % model->sequence != 0)
        return false;
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = role_families_at(&shapes->families, i);

        if (may_be_scores(family, model) && model->sequence % family->sizes[1] != 0)
            return false;
    }
    return true;
}

/* Find the sequence length that gives the number of scores in the rounds. */
static bool find_sequence(const struct role_shapes *shapes, struct role_model *model)
{
    struct scores scores = sum_scores(shapes, model);
    double sequence =
        scores.area / (2 * (double)model->heads * (double)model->tokens * model->rounds);

    model->sequence = scores.longest;
    if (scores.rounds == model->rounds)
        return true;
    if (!is_whole(sequence) || sequence > (double)model->tokens)
        return false;
    model->sequence = (int64_t)sequence;
    return is_made_of_blocks(shapes, model);
}

/* ---- layers ------------------------------------------------------------------- */

/* A single product makes queries, keys and values; the first layer may lack one of the three. */
static bool is_at_once(const struct role_shapes *shapes, const struct role_model *model,
                       double squares)
{
    double at_once = count(shapes, model->tokens, model->width, 3 * model->width);

    return at_once > 0 && at_once <= squares && 3 * at_once >= 2 * squares;
}

static bool is_feed_forward(const struct role_family *family, const struct role_model *model)
{
    int64_t inner = role_family_third(family, model->tokens, model->width);

    return inner > model->width &&
           (family->products == 2 * model->rounds || family->products == 3 * model->rounds);
}

static enum shape_role role_in(const struct role_shapes *shapes, const struct role_family *family,
                               const struct role_model *model)
{
    int64_t other = role_family_third(family, model->tokens, model->width);

    if (may_be_scores(family, model))
        return SHAPE_ROLE_SCORES;
    if (other == model->width ||
        (other == 3 * model->width &&
         is_at_once(shapes, model, count(shapes, model->tokens, model->width, model->width))))
        return SHAPE_ROLE_PROJECTION;
    return is_feed_forward(family, model) ? SHAPE_ROLE_FEED : SHAPE_ROLE_NONE;
}

/* A head is passed once, or less often if there are several layers. */
static bool is_left(const struct role_family *family, const struct role_model *model)
{
    return role_family_third(family, model->tokens, model->width) > 0 &&
           family->products > model->rounds;
}

/* Whether a layer's parts are all present, and nothing else; with the share that they explain. */
static bool is_complete(const struct role_shapes *shapes, struct role_model *model)
{
    unsigned feeds = 0;
    double explained = 0;

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = role_families_at(&shapes->families, i);
        enum shape_role role = role_in(shapes, family, model);

        if (role == SHAPE_ROLE_NONE && is_left(family, model))
            return false;
        feeds += role == SHAPE_ROLE_FEED;
        explained += role != SHAPE_ROLE_NONE ? role_family_flops(family) : 0;
    }
    model->confidence = explained / shapes->flops;
    return (feeds == 1 || (feeds == 0 && model->tokens > model->sequence)) &&
           model->confidence >= least_confidence;
}

/* ---- models ------------------------------------------------------------------- */

/* Read a family as projections over `tokens`, of heads of a width. */
static bool read_model(const struct role_shapes *shapes, const struct role_family *squares,
                       int64_t head_width, struct role_model *model)
{
    *model = (struct role_model){.head_width = head_width};
    if (!role_family_is_square(squares, &model->width, &model->tokens) ||
        model->width % head_width != 0 || model->width == head_width)
        return false;
    model->heads = model->width / head_width;
    model->rounds =
        is_at_once(shapes, model, squares->products) ? squares->products : squares->products / 4;
    return is_whole(model->rounds) && find_sequence(shapes, model) && is_complete(shapes, model);
}

/* The widths of heads that squares may have: of each family that may be scores, once. */
enum { HEAD_WIDTHS_MOST = 16 };

struct head_widths {
    int64_t width[HEAD_WIDTHS_MOST];
    unsigned count;
};

static void add_head_width(struct head_widths *widths, int64_t width)
{
    for (unsigned i = 0; i < widths->count; i++)
        if (widths->width[i] == width)
            return;
    if (widths->count < HEAD_WIDTHS_MOST)
        widths->width[widths->count++] = width;
}

static struct head_widths find_head_widths(const struct role_shapes *shapes,
                                           const struct role_family *squares)
{
    struct head_widths widths = {.count = 0};
    int64_t width, tokens;

    if (!role_family_is_square(squares, &width, &tokens))
        return widths;
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        int64_t side, head_width;

        if (role_family_is_square(role_families_at(&shapes->families, i), &side, &head_width) &&
            width % head_width == 0 && head_width < width && tokens % side == 0)
            add_head_width(&widths, head_width);
    }
    return widths;
}

/* Returns: how many models the projections of a family belong to. */
static unsigned find_models(struct role_shapes *shapes, const struct role_family *squares)
{
    struct head_widths widths = find_head_widths(shapes, squares);
    struct role_model model;
    unsigned models = 0;

    for (unsigned i = 0; i < widths.count; i++)
        if (read_model(shapes, squares, widths.width[i], &model)) {
            shapes->model = model;
            models++;
        }
    return models;
}

static void find_model(struct role_shapes *shapes)
{
    unsigned models = 0;

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *squares = role_families_at(&shapes->families, i);

        if (role_family_flops(squares) >= least_projection * shapes->flops)
            models += find_models(shapes, squares);
    }
    if (models != 1)
        shapes->model = (struct role_model){0};
    for (size_t i = 0; i < shapes->families.items.count && models == 1; i++) {
        struct role_family *family = role_families_at(&shapes->families, i);

        family->role = role_in(shapes, family, &shapes->model);
    }
}

/* Products inside of LAPACK are no layers. */
static void add_families(struct role_shapes *shapes, const struct session *session)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (!lapack_makes(&shapes->lapack, slot))
            role_families_add(&shapes->families, slot);
    }
    for (size_t i = 0; i < shapes->families.items.count; i++)
        shapes->flops += role_family_flops(role_families_at(&shapes->families, i));
}

/* The ops of a framework name their roles: then nothing is inferred. */
static bool has_ops(const struct session *session)
{
    return session->ops.count > 1;
}

void role_shapes_init(struct role_shapes *shapes, const struct session *session)
{
    lapack_init(&shapes->lapack, session);

    role_families_init(&shapes->families);
    shapes->flops = 0;
    shapes->model = (struct role_model){0};
    if (!has_ops(session))
        add_families(shapes, session);
    find_model(shapes);
}

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot)
{
    struct slots_product product;
    const struct role_family *family;

    if (slot->nested || lapack_makes(&shapes->lapack, slot) || !slots_find_product(slot, &product))
        return SHAPE_ROLE_NONE;
    family = role_families_find(&shapes->families, &product);
    return family ? family->role : SHAPE_ROLE_NONE;
}

void role_shapes_append(struct text *text, const struct role_shapes *shapes)
{
    const struct role_model *model = &shapes->model;

    if (model->width == 0)
        return;
    say(text, role_inferred_text, said_count((uint64_t)model->heads),
        said_count((uint64_t)model->head_width), said_count((uint64_t)model->sequence));
    say(text, role_confidence_text, said_share(model->confidence));
}
