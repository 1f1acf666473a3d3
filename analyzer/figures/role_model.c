/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The model that a family of scores makes with all other products.
 */
#include "figures/role_model.h"

#include <math.h>
#include <stdlib.h>

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

bool role_model_is_exact(const struct role_model *model)
{
    return model->batches.count > 0;
}

bool role_model_has_projections(const struct role_model *model)
{
    return model->width > 0 || model->stages.count > 0;
}

/* Only some of the pairs have gradients: training and inference in one run. */
bool role_model_is_mixed(const struct role_model *model)
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

/* Validation may use batches of another size.  So products with gradients give the number of
 * blocks, and all passes count if there are as many as projections.
 * Returns: the blocks of a sequence, or 0. */
static int64_t find_passes(const struct role_family *family, struct role_model *model, double each,
                           int64_t all_blocks)
{
    double calls = role_family_over(family, model->width), all = model->pairs / each, left;
    int64_t blocks;

    model->trained_passes = model->trained_pairs / each;
    model->passes = role_model_is_mixed(model) ? model->trained_passes : all;
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
static double find_gradients_share(const struct role_products *all, const struct role_model *model)
{
    double gradients = 0, products = 0;

    for (size_t i = 0; i < all->families.items.count; i++) {
        const struct role_family *family = role_families_at(&all->families, i);
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
static void read_square(const struct role_products *all, struct role_model *model)
{
    double pairs = model->pairs, trained;

    if (model->block != model->head_width)
        return;
    trained = pairs * find_gradients_share(all, model);
    model->trained_pairs = fabs(trained - round(trained)) < 1e-6 ? round(trained) : pairs / 3;
    model->pairs = pairs - 2 * model->trained_pairs;
}

static bool is_multiple_to_3(int64_t of, int64_t size)
{
    return size == of || size == 2 * of || size == 3 * of;
}

/* Passes of validation may be of other tokens. */
static bool narrows_again(const struct role_family *family, const struct role_model *model,
                          int64_t inner)
{
    double passes = role_model_is_mixed(model) ? 2 * model->trained_passes
                                               : model->passes + model->trained_passes;
    double gradients = role_family_products(family) * model->trained_passes /
                       (model->passes + 2 * model->trained_passes);

    return role_family_narrows(family, inner, model->tokens, passes, gradients);
}

enum shape_role role_model_role(const struct role_family *family, const struct role_model *model)
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
static void count_explained(const struct role_products *all, struct role_model *model)
{
    struct fit fit = {0};

    for (size_t i = 0; i < all->families.items.count; i++) {
        const struct role_family *family = role_families_at(&all->families, i);

        enum shape_role role = role_model_role(family, model);

        if (family == model->scores || role == SHAPE_ROLE_NONE)
            continue;
        add_part(&model->parts, role, role_family_flops(family));
        if (role_family_index(family, model->tokens) == 3) /* of another batch */
            fit.all += role_family_flops(family);
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
static void add_asked(struct role_batch *batch, const struct role_model *scores, double pairs_each)
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
bool role_model_reads_scores(const struct role_family *family, const struct role_model *model,
                             struct role_model *read)
{
    return read_scores(family, read) && read->head_width == model->head_width;
}

/* The same tokens may be sequences of several lengths, whose scores are families of their own. */
static struct role_batches ask_all_scores(const struct role_products *all,
                                          const struct role_model *model)
{
    struct role_batches asked = ask_scores(model);

    for (size_t i = 0; i < all->families.items.count; i++) {
        const struct role_family *family = role_families_at(&all->families, i);
        struct role_model other;

        if (family != model->scores && role_model_reads_scores(family, model, &other) &&
            model->tokens % other.block == 0)
            add_asked(&asked.batch[0], &other,
                      (double)model->heads * (double)(model->tokens / other.block));
    }
    return asked;
}

static enum role_splits find_splits_of(const struct role_products *all,
                                       const struct role_model *model,
                                       const struct role_batches *batches)
{
    return role_splits_find(&(struct role_reading){.families = &all->families,
                                                   .batches = batches,
                                                   .head_width = model->head_width,
                                                   .parts = model->parts,
                                                   .tolerance = SHARE_LEAST * all->flops});
}

static void find_splits(const struct role_products *all, struct role_model *model)
{
    struct role_batches batches = role_model_is_exact(model) ? model->batches : ask_scores(model);

    model->splits = find_splits_of(all, model, &batches);
    if (model->splits != ROLE_SPLITS_NONE || role_model_is_exact(model))
        return;
    batches = ask_all_scores(all, model);
    model->splits = find_splits_of(all, model, &batches);
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
double role_model_weight(const struct role_model *model)
{
    return model->explained_flops * (role_model_is_exact(model) ? 1 : RIVAL_LEAST);
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
    if (role_model_is_exact(tried) && role_model_is_exact(best) &&
        tried->batches.blocks != best->batches.blocks)
        return tried->batches.blocks < best->batches.blocks;
    return role_model_weight(tried) > role_model_weight(best);
}

/* Whether two readings of the same scores tell people something else. */
static bool differ(const struct role_products *all, const struct role_model *a,
                   const struct role_model *b)
{
    double least = SHARE_LEAST * all->flops;

    return a->width != b->width || a->sequence != b->sequence ||
           fabs(a->parts.projections - b->parts.projections) > least ||
           fabs(a->parts.feed_forward - b->parts.feed_forward) > least;
}

/* Whether counts that fit one reading fit another as well, which explains nearly as much. */
static bool is_disputed(const struct role_products *all, const struct role_model *a,
                        const struct role_model *b)
{
    return is_split(a) && is_split(b) && role_model_is_exact(a) == role_model_is_exact(b) &&
           explain_alike(a, b) && differ(all, a, b);
}

/* Keep the better one of two models, and the other as its rival.  Of disputed ones none is
 * certain. */
static void keep_better(const struct role_products *all, struct role_model *best,
                        const struct role_model *tried)
{
    const struct role_model former = *best, *rival = tried;
    bool is_same = tried->width == best->width && tried->tokens == best->tokens;
    bool is_contested = is_disputed(all, tried, best);

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
static void try_projection(const struct role_products *all, const struct role_family *family,
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
        read_square(all, &tried);
        if (!explains(family, &tried))
            continue;
        count_explained(all, &tried);
        find_splits(all, &tried);
        keep_better(all, best, &tried);
    }
}

/* Try the layers whose products are exactly as many as the scores ask for. */
static void try_layers(const struct role_products *all, const struct role_layers *layers,
                       const struct role_model *read, struct role_model *best)
{
    const struct role_asked asked = {
        .block = read->block,
        .head_width = read->head_width,
        .products = role_family_products(read->scores),
        .trained_pairs = read->block == read->head_width ? -1 : read->trained_pairs};
    struct role_model tried = *read;

    if (!role_batches_find(&tried.batches, layers, &all->families, &asked))
        return;
    read_batches(&tried);
    count_explained(all, &tried);
    find_splits(all, &tried);
    if (role_model_is_exact(best) && best->width == tried.width && best->sequence != tried.sequence)
        best->doubt = tried.doubt = ROLE_DOUBT_COUNTS;
    keep_better(all, best, &tried);
}

/* A rival that explains nearly as much may be the truth. */
static void judge(struct role_model *model)
{
    if (model->rival.flops < RIVAL_LEAST * model->explained_flops ||
        model->rival.is_square < model->is_square)
        model->rival.width = 0;
    if (model->rival.width > 0)
        model->doubt = ROLE_DOUBT_RIVAL;
    else if (!role_model_is_exact(model))
        model->doubt = ROLE_DOUBT_COUNTS;
    else if (model->batches.doubtful > 0)
        model->doubt = ROLE_DOUBT_SIZES;
}

/* Where scores do not tell forward from backward, or only some have gradients, the counts
 * of stages are not told either. */
static void try_stages(const struct role_products *all, const struct role_model *read,
                       struct role_model *best)
{
    struct role_windows windows = {.tokens = read->block,
                                   .head_width = read->head_width,
                                   .pairs = read->pairs,
                                   .is_trained = read->trained_pairs > 0};
    struct role_model tried = *read;

    if (role_model_is_mixed(read) || read->block == read->head_width ||
        !role_stages_find(&tried.stages, &all->families, &windows))
        return;
    for (size_t i = 0; i < all->families.items.count; i++) {
        const struct role_family *family = role_families_at(&all->families, i);

        if (role_model_role(family, &tried) != SHAPE_ROLE_NONE)
            tried.explained_flops += role_family_flops(family);
    }
    if (tried.explained_flops > best->explained_flops)
        *best = tried;
}

/* A projection has more than a twentieth of a layer's work, and a layer must have a tenth of
 * all.  Among thousands of products few are worth a look. */
double role_products_least_flops(const struct role_products *all)
{
    return 0.005 * all->flops;
}

bool role_model_find(const struct role_products *all, const struct role_family *scores,
                     struct role_model *model)
{
    struct role_model read;

    if (!read_scores(scores, &read))
        return false;
    *model = read;
    for (size_t i = 0; i < all->layers.count; i++)
        try_layers(all, array_at(&all->layers, i), &read, model);
    for (size_t i = 0; i < all->large.count; i++) {
        const struct role_family *family = *(const struct role_family **)array_at(&all->large, i);

        if (family != scores)
            try_projection(all, family, &read, model);
    }
    try_stages(all, &read, model);
    judge(model);
    model->explained_flops += role_family_flops(scores);
    return role_model_has_projections(model) ||
           (scores->most >= 2 && model->sequence != model->head_width);
}
