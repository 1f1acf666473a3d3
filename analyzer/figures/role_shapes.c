/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models that families of products make, and which product belongs to which.
 */
#include "figures/role_shapes.h"

#include <stdlib.h>

#include "figures/slots.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* Among thousands of small products some always fit each other: what looks like
 * a model must do a part of the work that a model would. */
static bool is_weighty(const struct role_shapes *shapes, const struct role_model *model)
{
    double needed =
        role_model_has_projections(model) ? 0.1 : 0.01; /* without projections, scores alone */

    return model->explained_flops >= needed * shapes->all.flops;
}

/* Whether a model has so many tokens in one of its batches. */
static bool has_tokens(const struct role_family *family, const struct role_model *model)
{
    for (unsigned i = 0; i < model->batches.count; i++)
        if (role_family_third(family, model->batches.batch[i].tokens, model->width) > 0)
            return true;
    return !role_model_is_exact(model) &&
           role_family_third(family, model->tokens, model->width) > 0;
}

/* Whether a family is what layers of a model would be over tokens that it does not have. */
static bool is_left(const struct role_family *family, const struct role_model *model)
{
    const struct role_batches *batches = &model->batches;
    struct role_model scores;

    if (has_tokens(family, model) || role_model_reads_scores(family, model, &scores))
        return false;
    for (unsigned i = 0; i < batches->width_count; i++)
        if (batches->widths[i].role != SHAPE_ROLE_NONE &&
            role_family_third(family, model->width, batches->widths[i].width) > 0)
            return true;
    for (int64_t times = 1; times <= 3; times++)
        if (role_family_third(family, model->width, times * model->width) > 0)
            return true;
    return false;
}

static double sum_left(const struct role_shapes *shapes, const struct role_model *model)
{
    double left = 0;

    for (size_t i = 0; i < shapes->all.families.items.count; i++) {
        const struct role_family *family = role_families_at(&shapes->all.families, i);

        if (family->role == SHAPE_ROLE_NONE && is_left(family, model))
            left += role_family_flops(family);
    }
    return left;
}

/* More than so much of what a model explains, left without a role, puts it in doubt; and more
 * than the second, even if all counts agree, says that they agree by chance. */
#define LEFT_MOST 0.01
#define LEFT_BY_CHANCE 0.1

/* Whether the counts leave none or several ways to split the layers, or layers of the same
 * width are not explained. */
static bool is_uncertain(const struct role_shapes *shapes, const struct role_model *model)
{
    double most = role_model_is_exact(model) ? LEFT_BY_CHANCE : LEFT_MOST;

    return model->width > 0 && (model->splits != ROLE_SPLITS_ONE ||
                                sum_left(shapes, model) > most * model->explained_flops);
}

static void refuse(struct role_shapes *shapes, const struct role_model *model)
{
    if (model->explained_flops > shapes->refused.explained_flops)
        shapes->refused = *model;
}

static enum status find_models(struct role_shapes *shapes)
{
    for (size_t i = 0; i < shapes->all.families.items.count; i++) {
        struct role_model model;
        struct role_model *added;

        if (!role_model_find(&shapes->all, role_families_at(&shapes->all.families, i), &model) ||
            !is_weighty(shapes, &model))
            continue;
        if (is_uncertain(shapes, &model)) {
            refuse(shapes, &model);
            continue;
        }
        added = array_add(&shapes->models);
        if (!added)
            return STATUS_OUT_OF_MEMORY;
        *added = model;
    }
    return STATUS_OK;
}

static int compare_explained(const void *a, const void *b)
{
    double first = role_model_weight(a), second = role_model_weight(b);

    if (role_model_is_exact(a) != role_model_is_exact(b))
        return role_model_is_exact(a) ? -1 : 1;
    return (first < second) - (first > second);
}

/* Attention to another sequence: s, t and e, where s and e are known.  A layer of the model that
 * is as wide as a head may have these sizes too, and one of its own as t. */
static bool is_cross(const struct role_family *family, const struct role_model *model)
{
    int64_t other = role_family_third(family, model->head_width, model->block);

    return other > 0 && other != model->width && other != model->tokens &&
           role_family_over(family, model->head_width) > 0 &&
           (role_family_over(family, other) > 0 || role_family_over(family, model->block) > 0);
}

static void assign_beside(struct role_family *family, const struct role_model *model)
{
    if (model->stages.count == 0) {
        family->role = role_model_role(family, model);
        return;
    }
    family->role = role_stages_role(&model->stages, family, &family->tokens);
    family->tokens_are_rows = model->stages.tokens_are_rows;
}

static void assign(struct role_shapes *shapes, const struct role_model *model)
{
    for (size_t i = 0; i < shapes->all.families.items.count; i++) {
        struct role_family *family = role_families_at(&shapes->all.families, i);

        if (family == model->scores)
            family->role = SHAPE_ROLE_SCORES;
        if (family->role == SHAPE_ROLE_NONE)
            assign_beside(family, model);
        if (family->role == SHAPE_ROLE_NONE && is_cross(family, model))
            family->role = SHAPE_ROLE_SCORES;
    }
}

/* Whether a model is of the width and heads of one before: with other sequences. */
static bool is_repeated(const struct role_shapes *shapes, size_t kept,
                        const struct role_model *model)
{
    for (size_t i = 0; i < kept; i++) {
        const struct role_model *former = array_at(&shapes->models, i);

        if (former->width == model->width && former->head_width == model->head_width)
            return true;
    }
    return false;
}

/* What is left of another model, such as the gradients of its weights, makes no second one:
 * most that a model explains must be its own. */
static bool is_on_its_own(const struct role_shapes *shapes, const struct role_model *model)
{
    double own = 0, all = 0;

    for (size_t i = 0; i < shapes->all.families.items.count; i++) {
        const struct role_family *family = role_families_at(&shapes->all.families, i);

        if (family == model->scores || role_model_role(family, model) == SHAPE_ROLE_NONE)
            continue;
        all += role_family_flops(family);
        own += family->role == SHAPE_ROLE_NONE ? role_family_flops(family) : 0;
    }
    return 2 * own >= all;
}

/* What is exact comes first, and then what explains more.  Scores that have a part in what it
 * explains are no other model's. */
static void assign_all(struct role_shapes *shapes)
{
    size_t kept = 0;

    if (shapes->models.count > 0)
        qsort(shapes->models.items, shapes->models.count, sizeof(struct role_model),
              compare_explained);
    for (size_t i = 0; i < shapes->models.count; i++) {
        struct role_model *model = array_at(&shapes->models, i);

        if (model->scores->role != SHAPE_ROLE_NONE ||
            (!is_repeated(shapes, kept, model) && !is_on_its_own(shapes, model)))
            continue;
        assign(shapes, model);
        *(struct role_model *)array_at(&shapes->models, kept++) = *model;
    }
    array_truncate(&shapes->models, kept);
}

static void judge_left(const struct role_shapes *shapes, struct role_model *model)
{
    if (role_model_is_exact(model) && model->doubt == ROLE_DOUBT_NONE &&
        sum_left(shapes, model) > LEFT_MOST * model->explained_flops)
        model->doubt = ROLE_DOUBT_LEFT;
}

/* What LAPACK multiplies is no layer. */
static enum status add_families(struct role_shapes *shapes, const struct session *session)
{
    const struct role_families *families = &shapes->all.families;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < session->slots.count && !status; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (!lapack_makes(&shapes->lapack, slot))
            status = role_families_add(&shapes->all.families, slot);
    }
    for (size_t i = 0; i < families->items.count; i++)
        shapes->all.flops += role_family_flops(role_families_at(families, i));
    return status;
}

/* Thousands of scores each look at them. */
static enum status find_large(struct role_products *all)
{
    for (size_t i = 0; i < all->families.items.count; i++) {
        const struct role_family *family = role_families_at(&all->families, i);
        const struct role_family **large;

        if (role_family_flops(family) < role_products_least_flops(all))
            continue;
        large = array_add(&all->large);
        if (!large)
            return STATUS_OUT_OF_MEMORY;
        *large = family;
    }
    return STATUS_OK;
}

enum status role_shapes_init(struct role_shapes *shapes, const struct session *session)
{
    enum status status = lapack_init(&shapes->lapack, session);

    if (status)
        return status;
    role_families_init(&shapes->all.families);
    array_init(&shapes->all.large, sizeof(struct role_family *));
    array_init(&shapes->all.layers, sizeof(struct role_layers));
    array_init(&shapes->models, sizeof(struct role_model));
    array_init(&shapes->convolved, sizeof(struct role_convolved));
    shapes->all.flops = 0;
    shapes->refused = (struct role_model){0};
    status = add_families(shapes, session);
    if (!status)
        status = find_large(&shapes->all);
    if (!status)
        status = role_layers_find(&shapes->all.layers, &shapes->all.families,
                                  role_products_least_flops(&shapes->all));
    if (!status)
        status = find_models(shapes);
    if (!status) {
        assign_all(shapes);
        for (size_t i = 0; i < shapes->models.count; i++)
            judge_left(shapes, array_at(&shapes->models, i));
        status = role_convolved_find(&shapes->convolved, session, &shapes->all.families);
    }
    if (status)
        role_shapes_fini(shapes);
    return status;
}

void role_shapes_fini(struct role_shapes *shapes)
{
    lapack_fini(&shapes->lapack);
    role_families_fini(&shapes->all.families);
    array_fini(&shapes->all.large);
    array_fini(&shapes->all.layers);
    array_fini(&shapes->models);
    array_fini(&shapes->convolved);
}

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot)
{
    struct slots_product product;
    const struct role_family *family = NULL;

    if (!slot->nested && !lapack_makes(&shapes->lapack, slot) && slots_find_product(slot, &product))
        family = role_families_find(&shapes->all.families, &product);
    return family ? role_family_role(family, &product) : SHAPE_ROLE_NONE;
}
