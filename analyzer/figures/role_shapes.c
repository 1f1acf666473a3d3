/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The models that families of products make.
 */
#include "figures/role_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "figures/slots.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* ---- models ---------------------------------------------------------------- */

/* Scores and context: s, s and e.  When all three are equal both look alike. */
static bool read_scores(const struct role_family *family, struct role_model *model)
{
    const int64_t *sizes = family->sizes;
    double over_head, over_sequence;

    *model = (struct role_model){.scores = family};
    if (sizes[0] != sizes[1] && sizes[1] != sizes[2])
        return false;
    model->sequence = model->block = sizes[1];
    model->head_width = sizes[0] == sizes[1] ? sizes[2] : sizes[0];
    over_head = role_family_over(family, model->head_width);
    over_sequence = role_family_over(family, model->block);
    if (model->block == model->head_width)
        over_head = over_sequence = over_head / 2;
    model->trained_pairs = (over_sequence - over_head) / 2;
    model->pairs = over_head - model->trained_pairs;
    return over_head > 0 && over_sequence >= over_head && over_sequence <= 2 * over_head &&
           model->trained_pairs == floor(model->trained_pairs);
}

/* Another reading that explains so much of what the best one does is told beside it. */
#define RIVAL_LEAST 0.9

static bool is_exact(const struct role_model *model)
{
    return model->batches.count > 0;
}

static bool has_projections(const struct role_model *model)
{
    return model->width > 0 || model->stages.count > 0;
}

/* Only some of the pairs have gradients: training and inference in one run. */
static bool is_mixed(const struct role_model *model)
{
    return model->trained_pairs > 0 && model->trained_pairs < model->pairs;
}

/* No sequence has more: what a damaged trace says is not tried for years. */
enum { BLOCKS_MOST = 1 << 16 };

/* The blocks of a sequence with which the passes are no more than the calls of a
 * projection, of all blocks that the items have; 0 when there is no such number. */
static int64_t count_blocks(double passes, double calls, int64_t all_blocks)
{
    int64_t most = all_blocks < BLOCKS_MOST ? all_blocks : BLOCKS_MOST;

    for (int64_t blocks = 1; blocks <= most && (double)blocks <= passes; blocks++) {
        double left = passes / (double)blocks;

        if (all_blocks % blocks == 0 && left == floor(left) && left <= calls)
            return blocks;
    }
    return 0;
}

/* Passes of validation may be of batches of another size: what is trained tells the
 * blocks, and all count where they are as many as the projections.
 * Returns: the blocks of a sequence, or 0. */
static int64_t find_passes(const struct role_family *family, struct role_model *model, double each,
                           int64_t all_blocks)
{
    double calls = role_family_over(family, model->width), all = model->pairs / each, left;
    int64_t blocks;

    model->trained_passes = model->trained_pairs / each;
    model->passes = is_mixed(model) ? model->trained_passes : all;
    blocks = count_blocks(model->passes, calls, all_blocks);
    left = blocks > 0 ? all / (double)blocks : 0;
    if (left == floor(left) && left <= calls)
        model->passes = all;
    return blocks;
}

/* Whether a model's width is that of several heads, and its tokens whole blocks. */
static bool is_divisible(const struct role_model *model)
{
    return model->width % model->head_width == 0 && model->width / model->head_width >= 2 &&
           model->tokens % model->block == 0;
}

/* Whether a family is the projection of a model's width for its tokens, and as often
 * as its scores ask for. */
static bool explains(const struct role_family *family, struct role_model *model)
{
    double heads = (double)(model->width / model->head_width);
    int64_t all_blocks = model->tokens / model->block; /* of all items */
    int64_t blocks;

    blocks = find_passes(family, model, heads * (double)all_blocks, all_blocks);
    if (blocks == 0)
        return false;
    model->sequence = blocks * model->block;
    model->heads = (int64_t)heads;
    model->passes /= (double)blocks;
    model->trained_passes /= (double)blocks;
    return true;
}

/* Products of a layer that are gradients of its weights.  Where its tokens are as many as
 * it is wide, these and the forward pass sum over the same size; both layers of a
 * feed-forward sum over the inner width as often as they do over the outer without them.
 * Returns: 0 when it is not told. */
static double count_weight_gradients(const struct role_family *family,
                                     const struct role_model *model)
{
    unsigned count = role_family_count(family, model->tokens);
    int64_t other = role_family_third(family, model->tokens, model->width);

    if (count == 1)
        return role_family_over(family, model->tokens);
    if (count == 3 || other == model->tokens || role_family_over(family, other) == 0)
        return 0;
    return fmax(role_family_over(family, model->tokens) - role_family_over(family, other), 0);
}

/* Returns: the share of the products beside a model that are gradients of weights. */
static double find_gradients_share(const struct role_shapes *shapes, const struct role_model *model)
{
    double gradients = 0, products = 0;

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);
        double counted = count_weight_gradients(family, model);

        if (role_family_third(family, model->tokens, model->width) == 0 || counted == 0 ||
            !role_family_may_be_tokens(family, model->tokens))
            continue;
        gradients += counted;
        products += role_family_products(family);
    }
    return products > 0 ? gradients / products : 0;
}

/* Where s is e, scores do not tell forward from backward, and the layers do: one of
 * their three products is the gradient of weights in training.  Where the share is not
 * whole, gradients of inputs were left out: all is training. */
static void read_square(const struct role_shapes *shapes, struct role_model *model)
{
    double pairs = model->pairs, trained;

    if (model->block != model->head_width)
        return;
    trained = pairs * find_gradients_share(shapes, model);
    model->trained_pairs = fabs(trained - round(trained)) < 1e-6 ? round(trained) : pairs / 3;
    model->pairs = pairs - 2 * model->trained_pairs;
}

static bool is_multiple_to_3(int64_t of, int64_t size)
{
    return size == of || size == 2 * of || size == 3 * of;
}

/* ---- what else belongs to a model -------------------------------------------- */

/* Attention to another sequence: s, t and e, where s and e are known.  A layer of the model that
 * is as wide as a head may have these sizes too, and one of its own as t. */
static bool is_cross(const struct role_family *family, const struct role_model *model)
{
    int64_t other = role_family_third(family, model->head_width, model->block);

    return other > 0 && other != model->width && other != model->tokens && role_family_over(family, model->head_width) > 0 &&
           (role_family_over(family, other) > 0 || role_family_over(family, model->block) > 0);
}

/* Passes of validation may be of other tokens. */
static bool narrows_again(const struct role_family *family, const struct role_model *model,
                          int64_t inner)
{
    double passes =
        is_mixed(model) ? 2 * model->trained_passes : model->passes + model->trained_passes;
    double gradients = role_family_products(family) * model->trained_passes /
                       (model->passes + 2 * model->trained_passes);

    return role_family_narrows(family, inner, model->tokens, passes, gradients);
}

static enum shape_role role_beside(const struct role_family *family, const struct role_model *model)
{
    int64_t other = model->width > 0 ? role_family_third(family, model->tokens, model->width) : 0;
    int64_t tokens;

    if (model->stages.count > 0)
        return role_stages_role(&model->stages, family, &tokens);
    if (model->batches.count > 0)
        return role_batches_role(&model->batches, family);
    if (other == 0 || !role_family_may_be_tokens(family, model->tokens))
        return SHAPE_ROLE_NONE;
    if (other > model->width && role_family_over(family, model->width) > 0 &&
        narrows_again(family, model, other))
        return SHAPE_ROLE_FEED;
    if (role_may_project(other, model->width, model->head_width))
        return SHAPE_ROLE_PROJECTION;
    return SHAPE_ROLE_NONE;
}

/* ---- which model explains most ------------------------------------------------- */

static double all_flops(const struct role_family *family)
{
    return role_family_flops_each(family) * role_family_products(family);
}

/* FLOPs of families, and those of them of which the tokens are rows, and columns. */
struct fit {
    double all, rows, columns;
};

/* Where two sizes are the tokens, rows may be those of the other one in gradients of
 * weights, which are a third at most. */
static void add_fit(struct fit *fit, const struct role_family *family, int64_t tokens)
{
    double each = role_family_flops_each(family), all = role_family_products(family);
    double doubtful = role_family_count(family, tokens) > 1 ? all / 3 : 0;
    unsigned index = role_family_index(family, tokens);

    fit->all += each * all;
    fit->rows += each * fmax(family->rows[index] - doubtful, 0);
    fit->columns += each * fmax(family->columns[index] - doubtful, 0);
}

static void add_part(struct role_parts *parts, enum shape_role role, double flops)
{
    if (role == SHAPE_ROLE_PROJECTION)
        parts->projections += flops;
    if (role == SHAPE_ROLE_FEED)
        parts->feed_forward += flops;
}

/* A program lays its items out in one way: what would be tokens as rows here
 * and as columns there speaks against these tokens. */
static void count_explained(const struct role_shapes *shapes, struct role_model *model)
{
    struct fit fit = {0};

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);

        enum shape_role role = role_beside(family, model);

        if (family == model->scores || role == SHAPE_ROLE_NONE)
            continue;
        add_part(&model->parts, role, all_flops(family));
        if (role_family_index(family, model->tokens) == 3) /* of another batch */
            fit.all += all_flops(family);
        else
            add_fit(&fit, family, model->tokens);
        if (role_family_third(family, model->tokens, model->width) == model->width)
            model->is_square = true;
    }
    model->explained_flops = fit.all - fmin(fit.rows, fit.columns);
}

/* Shares are told to a point of all FLOPs. */
#define SHARE_LEAST 0.01

/* Where s is e, scores do not tell how many passes have gradients: a third of all products
 * at most. */
static void add_asked(struct role_batch *batch, const struct role_model *scores,
                      double pairs_each)
{
    double products = role_family_products(scores->scores) / (2 * pairs_each);

    batch->products += products;
    batch->trained +=
        scores->block == scores->head_width ? products / 3 : scores->trained_pairs / pairs_each;
}

/* Products of a layer for each of its passes, as the scores ask for. */
static struct role_batches ask_scores(const struct role_model *model)
{
    struct role_batches asked = {
        .width = model->width, .batch = {{.tokens = model->tokens}}, .count = 1};

    add_asked(&asked.batch[0], model,
              (double)model->heads * (double)(model->tokens / model->block) *
                  (double)(model->sequence / model->block));
    return asked;
}

/* Read a family as scores of the heads of a model. */
static bool is_scores_of(const struct role_family *family, const struct role_model *model,
                         struct role_model *read)
{
    return read_scores(family, read) && read->head_width == model->head_width;
}

/* The same tokens may be sequences of several lengths, whose scores are families of their own. */
static struct role_batches ask_all_scores(const struct role_shapes *shapes,
                                          const struct role_model *model)
{
    struct role_batches asked = ask_scores(model);

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);
        struct role_model other;

        if (family != model->scores && is_scores_of(family, model, &other) &&
            model->tokens % other.block == 0)
            add_asked(&asked.batch[0], &other,
                      (double)model->heads * (double)(model->tokens / other.block));
    }
    return asked;
}

static enum role_splits find_splits_of(const struct role_shapes *shapes,
                                       const struct role_model *model,
                                       const struct role_batches *batches)
{
    return role_splits_find(&(struct role_reading){.families = &shapes->families,
                                                   .batches = batches,
                                                   .head_width = model->head_width,
                                                   .parts = model->parts,
                                                   .tolerance = SHARE_LEAST * shapes->flops});
}

static void find_splits(const struct role_shapes *shapes, struct role_model *model)
{
    struct role_batches batches = is_exact(model) ? model->batches : ask_scores(model);

    model->splits = find_splits_of(shapes, model, &batches);
    if (model->splits != ROLE_SPLITS_NONE || is_exact(model))
        return;
    batches = ask_all_scores(shapes, model);
    model->splits = find_splits_of(shapes, model, &batches);
}

/* Attention ends with a projection as wide as it is: another reading without one is less of
 * a rival. */
static void add_rival(struct role_rival *former, const struct role_model *model)
{
    if (model->is_square < former->is_square ||
        (model->is_square == former->is_square && model->explained_flops <= former->flops))
        return;
    *former =
        (struct role_rival){model->explained_flops, model->width, model->tokens, model->is_square};
}

/* Where all counts agree there is less to doubt. */
static double find_weight(const struct role_model *model)
{
    return model->explained_flops * (is_exact(model) ? 1 : RIVAL_LEAST);
}

static bool is_split(const struct role_model *model)
{
    return model->splits != ROLE_SPLITS_NONE;
}

static bool explain_alike(const struct role_model *a, const struct role_model *b)
{
    return fmin(a->explained_flops, b->explained_flops) >=
           RIVAL_LEAST * fmax(a->explained_flops, b->explained_flops);
}

/* Counts that fit in one way say more than others, unless these explain more.
 * Blocks are one more number to guess: of two exact readings the one with fewer is the better. */
static bool is_better(const struct role_model *tried, const struct role_model *best)
{
    if (tried->splits != best->splits && (!is_split(tried) || !is_split(best)))
        return is_split(tried);
    if (tried->splits != best->splits && explain_alike(tried, best))
        return tried->splits == ROLE_SPLITS_ONE;
    if (is_exact(tried) && is_exact(best) && tried->batches.blocks != best->batches.blocks)
        return tried->batches.blocks < best->batches.blocks;
    return find_weight(tried) > find_weight(best);
}

/* Whether two readings of the same scores tell people something else. */
static bool differ(const struct role_shapes *shapes, const struct role_model *a,
                   const struct role_model *b)
{
    double least = SHARE_LEAST * shapes->flops;

    return a->width != b->width || a->sequence != b->sequence ||
           fabs(a->parts.projections - b->parts.projections) > least ||
           fabs(a->parts.feed_forward - b->parts.feed_forward) > least;
}

/* Whether counts that fit one reading fit another as well, which explains nearly as much. */
static bool is_disputed(const struct role_shapes *shapes, const struct role_model *a,
                        const struct role_model *b)
{
    return is_split(a) && is_split(b) && is_exact(a) == is_exact(b) && explain_alike(a, b) &&
           differ(shapes, a, b);
}

/* Keep the better one of two models, and the other as its rival.  Of disputed ones none is
 * certain. */
static void keep_better(const struct role_shapes *shapes, struct role_model *best,
                        const struct role_model *tried)
{
    const struct role_model former = *best, *rival = tried;
    bool is_same = tried->width == best->width && tried->tokens == best->tokens;
    bool is_contested = is_disputed(shapes, tried, best);

    if (is_better(tried, best)) {
        *best = *tried;
        best->rival = former.rival;
        rival = &former;
    }
    if (!is_same)
        add_rival(&best->rival, rival);
    if (is_contested)
        best->splits = ROLE_SPLITS_SEVERAL;
}

/* What batches say of their model. */
static void read_batches(struct role_model *model)
{
    const struct role_batches *batches = &model->batches;

    model->width = batches->width;
    model->heads = model->width / model->head_width;
    model->tokens = batches->batch[0].tokens;
    model->sequence = batches->blocks * model->block;
    model->passes = model->trained_passes = model->pairs = model->trained_pairs = 0;
    for (unsigned i = 0; i < batches->count; i++) {
        const struct role_batch *batch = &batches->batch[i];
        double each =
            (double)model->heads * (double)(batch->tokens / model->block) * (double)batches->blocks;

        model->passes += batch->passes;
        model->trained_passes += batch->trained;
        model->pairs += batch->passes * each;
        model->trained_pairs += batch->trained * each;
    }
}

/* Try each size of a projection as the width, and each other one as the tokens. */
static void try_projection(const struct role_shapes *shapes, const struct role_family *family,
                           const struct role_model *read, struct role_model *best)
{
    for (unsigned i = 0; i < 9; i++) {
        int64_t width = family->sizes[i / 3], tokens = family->sizes[i % 3];
        struct role_model tried = *read;

        if (i / 3 == i % 3 || !is_multiple_to_3(width, family->sizes[3 - i / 3 - i % 3]) ||
            !role_family_may_be_tokens(family, tokens))
            continue;
        tried.width = width;
        tried.tokens = tokens;
        if (!is_divisible(&tried))
            continue;
        read_square(shapes, &tried);
        if (!explains(family, &tried))
            continue;
        count_explained(shapes, &tried);
        find_splits(shapes, &tried);
        keep_better(shapes, best, &tried);
    }
}

/* Try the layers whose products are exactly as many as the scores ask for. */
static void try_layers(const struct role_shapes *shapes, const struct role_layers *layers,
                       const struct role_model *read, struct role_model *best)
{
    const struct role_asked asked = {
        .block = read->block,
        .head_width = read->head_width,
        .products = role_family_products(read->scores),
        .trained_pairs = read->block == read->head_width ? -1 : read->trained_pairs};
    struct role_model tried = *read;

    if (!role_batches_find(&tried.batches, layers, &shapes->families, &asked))
        return;
    read_batches(&tried);
    count_explained(shapes, &tried);
    find_splits(shapes, &tried);
    if (is_exact(best) && best->width == tried.width && best->sequence != tried.sequence)
        best->doubt = tried.doubt = ROLE_DOUBT_COUNTS;
    keep_better(shapes, best, &tried);
}

/* A rival that explains nearly as much may be the truth. */
static void judge(struct role_model *model)
{
    if (model->rival.flops < RIVAL_LEAST * model->explained_flops ||
        model->rival.is_square < model->is_square)
        model->rival.width = 0;
    if (model->rival.width > 0)
        model->doubt = ROLE_DOUBT_RIVAL;
    else if (!is_exact(model))
        model->doubt = ROLE_DOUBT_COUNTS;
    else if (model->batches.doubtful > 0)
        model->doubt = ROLE_DOUBT_SIZES;
}

/* Where scores do not tell forward from backward, or only some have gradients, the counts
 * of stages are not told either. */
static void try_stages(const struct role_shapes *shapes, const struct role_model *read,
                       struct role_model *best)
{
    struct role_windows windows = {.tokens = read->block,
                                   .head_width = read->head_width,
                                   .pairs = read->pairs,
                                   .is_trained = read->trained_pairs > 0};
    struct role_model tried = *read;

    if (is_mixed(read) || read->block == read->head_width ||
        !role_stages_find(&tried.stages, &shapes->families, &windows))
        return;
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);

        if (role_beside(family, &tried) != SHAPE_ROLE_NONE)
            tried.explained_flops += all_flops(family);
    }
    if (tried.explained_flops > best->explained_flops)
        *best = tried;
}

/* A projection has more than a twentieth of a layer's work, and a layer must have a tenth of
 * all.  Among thousands of products few are worth a look. */
#define PROJECTION_LEAST 0.005

static bool find_model(const struct role_shapes *shapes, const struct role_family *scores,
                       struct role_model *model)
{
    struct role_model read;

    if (!read_scores(scores, &read))
        return false;
    *model = read;
    for (size_t i = 0; i < shapes->layers.count; i++)
        try_layers(shapes, role_layers_at(&shapes->layers, i), &read, model);
    for (size_t i = 0; i < shapes->large.count; i++) {
        const struct role_family *family =
            *(const struct role_family **)array_at(&shapes->large, i);

        if (family != scores)
            try_projection(shapes, family, &read, model);
    }
    try_stages(shapes, &read, model);
    judge(model);
    model->explained_flops += all_flops(scores);
    return has_projections(model) || (scores->most >= 2 && model->sequence != model->head_width);
}

/* Among thousands of small products some always fit each other: what looks like
 * a model must do a part of the work that a model would. */
static bool is_weighty(const struct role_shapes *shapes, const struct role_model *model)
{
    double needed = has_projections(model) ? 0.1 : 0.01; /* without projections, scores alone */

    return model->explained_flops >= needed * shapes->flops;
}

/* There are at most 1 / PROJECTION_LEAST of these. */
static enum status find_large(struct role_shapes *shapes)
{
    for (size_t i = 0; i < shapes->families.items.count; i++)
        shapes->flops += all_flops(array_at(&shapes->families.items, i));
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);
        const struct role_family **large;

        if (all_flops(family) < PROJECTION_LEAST * shapes->flops)
            continue;
        large = array_add(&shapes->large);
        if (!large)
            return STATUS_OUT_OF_MEMORY;
        *large = family;
    }
    return STATUS_OK;
}

/* Whether a model has so many tokens in one of its batches. */
static bool has_tokens(const struct role_family *family, const struct role_model *model)
{
    for (unsigned i = 0; i < model->batches.count; i++)
        if (role_family_third(family, model->batches.batch[i].tokens, model->width) > 0)
            return true;
    return !is_exact(model) && role_family_third(family, model->tokens, model->width) > 0;
}

/* Whether a family is what layers of a model would be over tokens that it does not have. */
static bool is_left(const struct role_family *family, const struct role_model *model)
{
    const struct role_batches *batches = &model->batches;
    struct role_model scores;

    if (has_tokens(family, model) || is_scores_of(family, model, &scores))
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

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);

        if (family->role == SHAPE_ROLE_NONE && is_left(family, model))
            left += all_flops(family);
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
    double most = is_exact(model) ? LEFT_BY_CHANCE : LEFT_MOST;

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
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        struct role_model model;
        struct role_model *added;

        if (!find_model(shapes, array_at(&shapes->families.items, i), &model) ||
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

/* ---- what belongs to which model ------------------------------------------------ */

static int compare_explained(const void *a, const void *b)
{
    double first = find_weight(a), second = find_weight(b);

    if (is_exact(a) != is_exact(b))
        return is_exact(a) ? -1 : 1;
    return (first < second) - (first > second);
}

static void assign_beside(struct role_family *family, const struct role_model *model)
{
    if (model->stages.count == 0) {
        family->role = role_beside(family, model);
        return;
    }
    family->role = role_stages_role(&model->stages, family, &family->tokens);
    family->tokens_are_rows = model->stages.tokens_are_rows;
}

static void assign(struct role_shapes *shapes, const struct role_model *model)
{
    for (size_t i = 0; i < shapes->families.items.count; i++) {
        struct role_family *family = array_at(&shapes->families.items, i);

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

    for (size_t i = 0; i < shapes->families.items.count; i++) {
        const struct role_family *family = array_at(&shapes->families.items, i);

        if (family == model->scores || role_beside(family, model) == SHAPE_ROLE_NONE)
            continue;
        all += all_flops(family);
        own += family->role == SHAPE_ROLE_NONE ? all_flops(family) : 0;
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
    if (is_exact(model) && model->doubt == ROLE_DOUBT_NONE &&
        sum_left(shapes, model) > LEFT_MOST * model->explained_flops)
        model->doubt = ROLE_DOUBT_LEFT;
}

/* What LAPACK multiplies is no layer. */
static enum status add_families(struct role_shapes *shapes, const struct session *session)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < session->slots.count && !status; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (!lapack_makes(&shapes->lapack, slot))
            status = role_families_add(&shapes->families, slot);
    }
    return status;
}

enum status role_shapes_init(struct role_shapes *shapes, const struct session *session)
{
    enum status status = lapack_init(&shapes->lapack, session);

    if (status)
        return status;
    role_families_init(&shapes->families);
    array_init(&shapes->large, sizeof(struct role_family *));
    role_layers_init(&shapes->layers);
    array_init(&shapes->models, sizeof(struct role_model));
    array_init(&shapes->convolved, sizeof(struct role_convolved));
    shapes->flops = 0;
    shapes->refused = (struct role_model){0};
    status = add_families(shapes, session);
    if (!status)
        status = find_large(shapes);
    if (!status)
        status = role_layers_find(&shapes->layers, &shapes->families, &shapes->large);
    if (!status)
        status = find_models(shapes);
    if (!status) {
        assign_all(shapes);
        for (size_t i = 0; i < shapes->models.count; i++)
            judge_left(shapes, array_at(&shapes->models, i));
        status = role_convolved_find(&shapes->convolved, session, &shapes->families);
    }
    if (status)
        role_shapes_fini(shapes);
    return status;
}

void role_shapes_fini(struct role_shapes *shapes)
{
    lapack_fini(&shapes->lapack);
    role_families_fini(&shapes->families);
    array_fini(&shapes->large);
    array_fini(&shapes->layers);
    array_fini(&shapes->models);
    array_fini(&shapes->convolved);
}

enum shape_role role_shapes_find(const struct role_shapes *shapes, const struct session_slot *slot)
{
    struct slots_product product;
    const struct role_family *family = NULL;

    if (!slot->nested && !lapack_makes(&shapes->lapack, slot) && slots_find_product(slot, &product))
        family = role_families_find(&shapes->families, &product);
    return family ? role_family_role(family, &product) : SHAPE_ROLE_NONE;
}

static void append_stages(struct text *text, const struct role_model *model)
{
    text_appendf(text,
                 " are heads of width %lld in windows of %lld tokens, as many as the "
                 "projections ask for in ",
                 (long long)model->head_width, (long long)model->block);
    role_stages_append(text, &model->stages);
}

static void append_pairs(struct text *text, const struct role_model *model)
{
    text_appendf(text, "%.0f pair%s of products of %lld by %lld by %lld and %lld by %lld by %lld",
                 model->pairs, units_choose((uint64_t)model->pairs, "", "s"),
                 (long long)model->block, (long long)model->block, (long long)model->head_width,
                 (long long)model->block, (long long)model->head_width, (long long)model->block);
}

static void append_scores(struct text *text, const struct role_model *model)
{
    bool is_blocked = model->sequence > model->block;

    append_pairs(text, model);
    if (is_mixed(model))
        text_appendf(text, ", %.0f of them with their gradients", model->trained_pairs);
    else if (model->trained_pairs > 0)
        text_append(text, ", with their gradients");
    if (is_blocked)
        text_appendf(text, ", blocks of a sequence of %lld", (long long)model->sequence);
    if (is_blocked || model->trained_pairs > 0)
        text_append(text, ",");
}

static void append_width(struct text *text, const struct role_model *model)
{
    text_appendf(text, " are %lld head%s of width %lld in a width of %lld over ",
                 (long long)model->heads, units_choose((uint64_t)model->heads, "", "s"),
                 (long long)model->head_width, (long long)model->width);
    if (model->batches.count > 1)
        role_batches_append(text, &model->batches);
    else
        text_appendf(text, "%lld token%s", (long long)model->tokens,
                     units_choose((uint64_t)model->tokens, "", "s"));
    text_appendf(text, ", as its projections say, %.0f pass%s through a layer", model->passes,
                 units_choose((uint64_t)model->passes, "", "es"));
}

/* What is not exact where there are no layers is said before. */
static void append_confidence(struct text *text, const struct role_model *model)
{
    text_appendf(text, "; confidence %s", role_model_confidence(model));
    if (model->doubt == ROLE_DOUBT_COUNTS && model->width > 0)
        text_append(text, ", as the counts of scores and projections do not agree exactly");
    if (model->doubt == ROLE_DOUBT_SIZES)
        text_appendf(
            text,
            ", as %.0f product%s of another part of the model %s the sizes, and the role, of "
            "others",
            model->batches.doubtful, units_choose((uint64_t)model->batches.doubtful, "", "s"),
            units_choose((uint64_t)model->batches.doubtful, "has", "have"));
    if (model->doubt == ROLE_DOUBT_LEFT)
        text_append(text, ", as products of the same width over other tokens are not explained");
}

const char *role_model_confidence(const struct role_model *model)
{
    return model->doubt == ROLE_DOUBT_NONE ? "high" : "medium";
}

void role_model_append(struct text *text, const struct role_model *model)
{
    append_scores(text, model);
    if (model->width > 0)
        append_width(text, model);
    else if (model->stages.count > 0)
        append_stages(text, model);
    else
        text_append(text, " in calls of several products each");
    if (model->rival.width > 0)
        text_appendf(text, "; or %lld head%s in a width of %lld over %lld token%s",
                     (long long)(model->rival.width / model->head_width),
                     units_choose((uint64_t)(model->rival.width / model->head_width), "", "s"),
                     (long long)model->rival.width, (long long)model->rival.tokens,
                     units_choose((uint64_t)model->rival.tokens, "", "s"));
    append_confidence(text, model);
}

static const char *find_refusal(const struct role_model *refused)
{
    switch (refused->splits) {
    case ROLE_SPLITS_NONE: return "the counts of the other products fit no model with such heads";
    case ROLE_SPLITS_SEVERAL:
        return "the counts of the other products fit several models, in which attention and "
               "feed-forward have other shares";
    case ROLE_SPLITS_ONE: break;
    }
    return "many products of the same width belong to no layer of such a model";
}

void role_shapes_append_refusal(struct text *text, const struct role_shapes *shapes)
{
    const struct role_model *refused = &shapes->refused;

    if (refused->width == 0 || shapes->models.count > 0)
        return;
    text_append(text, "unknown: ");
    append_pairs(text, refused);
    text_appendf(text,
                 " may be attention, but %s; regions named attention and feed_forward tell them "
                 "apart",
                 find_refusal(refused));
}
